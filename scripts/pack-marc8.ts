// Packs the multibyte set of MARC-8 into a module: `node scripts/run.mjs pack-marc8 FILE > src/import/marc/eacc-table.ts`.
// A line of FILE is a code and the character it stands for, both hexadecimal: `213021 4E00`. They are published by the
// Library of Congress: https://www.loc.gov/marc/specifications/specchartables.html
import { readFile } from "node:fs/promises";

/** The first half of these digits ends a number; the second half is followed by more. */
const DIGITS = "!#%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}";
const HALF = DIGITS.length / 2;
/** Bytes of a code: 0x10 to 0x7F. */
const FIRST = 0x10;
const BASE = 0x70;
const WIDTH = 112;

const file = process.argv[2];
if (file === undefined) throw new Error("usage: node scripts/run.mjs pack-marc8 FILE");
const pairs = (await readFile(file, "utf8"))
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => line.trim().split(/\s+/))
  .map(([code = "", character = ""]) => ({ at: position(code), character: Number.parseInt(character, 16) }))
  .toSorted((a, b) => a.at - b.at);

const packed: string[] = [];
let [next, last] = [0, 0];
for (let from = 0; from < pairs.length;) {
  let to = from + 1;
  while (pairs[to]?.at === (pairs[to - 1]?.at ?? 0) + 1) to += 1;
  const run = pairs.slice(from, to);
  const start = run[0]?.at ?? 0;
  packed.push(number(start - next), number(run.length));
  for (const { character } of run) {
    packed.push(number(character >= last ? 2 * (character - last) : 2 * (last - character) - 1));
    last = character;
  }
  next = start + run.length;
  from = to;
}

const lines = packed.join("").match(new RegExp(`.{1,${WIDTH}}`, "g")) ?? [];
console.log(`/**
 * The East Asian characters of MARC-8 (set 0x31), as the Library of Congress published them: ${pairs.length} codes of three
 * bytes. Made by \`scripts/pack-marc8.ts\`; \`eacc.ts\` reads it. Runs of neighbouring codes: the codes passed over since
 * the last run, the length of the run, and for every character its distance from the one before.
 */
export const EACC = \`
${lines.join("\n")}
\`;`);

function position(code: string) {
  return [0, 2, 4].reduce((sum, at) => sum * BASE + Number.parseInt(code.slice(at, at + 2), 16) - FIRST, 0);
}

function number(value: number) {
  let text = DIGITS.charAt(value % HALF);
  for (let left = Math.floor(value / HALF); left > 0; left = Math.floor((left - 1) / HALF)) {
    text = DIGITS.charAt(HALF + ((left - 1) % HALF)) + text;
  }
  return text;
}
