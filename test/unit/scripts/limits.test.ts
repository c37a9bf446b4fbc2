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

describe("docs/limits.md", () => {
  it("names limits", () => expect(inDocument.length).toBeGreaterThan(30));

  it.each([...new Set(inDocument)])("%s is in the code", (limit) => {
    expect(files.some(({ text }) => text.includes(`const ${limit}`))).toBe(true);
  });

  // Sizes that are what they are, and limit nothing.
  const FACTS = new Set([
    "DAY_MS",
    "HOUR_MS",
    "ASIN_LENGTH",
    "SERIAL_LENGTH",
    "LOOK_EVERY_MS",
    "UPLOAD_LOOK_MS",
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
