import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/lib/paths.ts";
import { sourceFiles } from "../../../scripts/lib/sources.ts";

const FOLDER = "docs/wire";
const files = readdirSync(path.join(ROOT, FOLDER)).map((name) => ({
  name,
  text: readFileSync(path.join(ROOT, FOLDER, name), "utf8"),
}));
const entries = files.flatMap(({ text }) =>
  [...text.matchAll(/^- \*\*(Q\d+) [^]*?(?=^- |^#|(?![^]))/gm)].map(([entry, id = ""]) => ({ id, entry })),
);

/** Numbers of entries have no more than three digits, unlike those of Wikidata. */
const CITED = /\bQ[1-9]\d{0,2}\b/g;
const citedIn = async (folder: string): Promise<Set<string>> =>
  new Set((await sourceFiles(folder, /\.ts$/)).flatMap(({ text }) => text.match(CITED) ?? []));
const inCode = await citedIn("src");
const inTests = await citedIn("test");
const ids = new Set(entries.map(({ id }) => id));

describe(FOLDER, () => {
  it("has entries with unique numbers", () => {
    expect(entries.length).toBeGreaterThan(300);
    expect(ids.size).toBe(entries.length);
  });

  it("has every number cited by code and tests", () => {
    expect([...inCode, ...inTests].filter((id) => !ids.has(id))).toEqual([]);
  });

  it("has only entries cited by code", () => {
    expect([...ids].filter((id) => !inCode.has(id))).toEqual([]);
  });

  it("names a test in every entry", () => {
    const without = entries.filter(({ entry }) => !entry.includes("](../../test/"));
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  it("lists every file on its first page", () => {
    const [index = ""] = files.filter(({ name }) => name === "README.md").map(({ text }) => text);
    expect(files.filter(({ name }) => name !== "README.md" && !index.includes(`(${name})`))).toEqual([]);
  });
});
