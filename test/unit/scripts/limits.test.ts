import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "../../../scripts/lib/sources.mjs";

const DOCUMENT = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8");
/** A named number, or a group of them, at the top level of a module. */
const LIMIT = /^(?:export )?const ([A-Z][A-Z0-9_]+)(?:: [^=]+)? =\s*(?:\{[^}]*\d|\d)/gm;
const NAME_IN_DOCUMENT = /^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) \|/gm;

const files = [...(await sourceFiles("src", /\.ts$/)), ...(await sourceFiles("scripts", /\.mjs$/))];
const inCode = files.flatMap(({ name, text }) =>
  [...text.matchAll(LIMIT)].map((match) => [match[1] ?? "", name]),
);
const inDocument = [...DOCUMENT.matchAll(NAME_IN_DOCUMENT)].flatMap(
  (match) => match[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? [],
);

/** Rows of limits with the files that they name; a file without a folder lies beside the one before it. */
const rows = DOCUMENT.split("\n").flatMap((line): [names: string[], files: string[]][] => {
  const names = /^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) \|/.exec(line)?.[1]?.match(/[A-Z][A-Z0-9_]+/g);
  const paths = [...line.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map((match) => match[1] ?? "");
  const folder = paths[0]?.replace(/[^/]+$/, "") ?? "";
  const whole = paths.map((path) => (path.includes("/") ? path : `${folder}${path}`));
  return names === undefined || names === null || whole.length === 0 ? [] : [[names, whole]];
});

describe("docs/limits.md", () => {
  it("names limits", () => expect(inDocument.length).toBeGreaterThan(30));

  it.each([...new Set(inDocument)])("%s is in the code", (limit) => {
    expect(files.some(({ text }) => text.includes(`const ${limit}`))).toBe(true);
  });

  it.each(rows)("%s is in a file that its row names", (names, named) => {
    const texts = files.filter(({ name }) => named.includes(name)).map(({ text }) => text);
    const missing = names.filter((limit) => !texts.some((text) => text.includes(`const ${limit}`)));
    expect(missing).toEqual([]);
  });

  // Sizes that are what they are, and limit nothing.
  const FACTS = new Set([
    "DAY_MS",
    "HOUR_MS",
    "ASIN_LENGTH",
    "SERIAL_LENGTH",
    "LOOK_EVERY_MS",
    "ROOM_LOOK_MS",
    // What images take, and how their files are made.
    "PIXEL_BYTES",
    "COPIES_BYTES",
    "FRAME_LENGTH",
    "SIGNATURE_LENGTH",
  ]);
  const UNITS = /(?:BYTES|LENGTH|LIMIT|MAX|SECONDS|HOPS|KEEP|CLIENTS|RECORDS|LINES|ATTEMPTS|MS)$/;
  it.each(inCode.filter(([limit = ""]) => UNITS.test(limit) && !FACTS.has(limit)))(
    "has %s of %s",
    (limit) => {
      expect(inDocument).toContain(limit);
    },
  );
});
