import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { sourceFiles } from "../../../scripts/lib/sources.ts";
import * as units from "../../../src/catalog/units.ts";

const UNITS: ReadonlyMap<string, number> = new Map(Object.entries(units));
const document = readFileSync(path.join(ROOT, "docs/limits.md"), "utf8");
/** Values of all constants, by name. */
const constants = new Map<string, string[]>();
for (const { text } of await sourceFiles("src", /\.ts$/)) {
  for (const [, name = "", value = ""] of text.matchAll(/const ([A-Z_]+)(?:: [^=]+)? = ([^;]+);/g)) {
    const inNumbers = value.replace(/\b[KM]IB\b|(?<!\* )\b[A-Z]+_SECONDS\b/g, (unit) =>
      String(UNITS.get(unit) ?? unit),
    );
    constants.set(name, [...(constants.get(name) ?? []), inNumbers]);
  }
}
/** Constants of a row, and what its column "Limit" says. */
const rows = [...document.matchAll(/^\|[^|]+\| ([^|]+) \|[^|]+\| ((?:`[A-Z_]+`(?:, )?)+) \|$/gm)].map(
  ([, limit = "", names = ""]) => [names.match(/[A-Z_]+/g) ?? [], limit] as const,
);

/** Whole numbers of a text, products (`8 * 1024`) and `8 MiB` as one. */
const numbersOf = (limit: string): number[] =>
  (limit.replace(/[,_](?=\d{3})/g, "").match(/\d+ MiB|\d+(?: \* \d+)*/g) ?? []).map((found) =>
    found
      .replace("MiB", "* 1048576")
      .split("*")
      .reduce((product, factor) => product * Number(factor), 1),
  );

describe("docs/limits.md", () => {
  it("names limits", () => expect(rows.length).toBeGreaterThan(40));

  it.each(rows.filter(([[name]]) => name !== "RATE_LIMIT_PER_MINUTE"))("%j: %s", (names, limit) => {
    const declared = names.flatMap((name) => {
      const values = constants.get(name) ?? [];
      expect(values).not.toEqual([]);
      return values.flatMap(numbersOf);
    });
    const inCode = new Set(declared);
    expect(numbersOf(limit).filter((number) => !inCode.has(number))).toEqual([]);
  });
});
