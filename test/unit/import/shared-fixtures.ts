import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "../../../../shared/fixtures");

/** Whether the records with expected results, which are no part of this project, are there to be read. */
export const HAS_FIXTURES = existsSync(FOLDER);
if (!HAS_FIXTURES) console.warn("import fixtures: skipped, there are none to read");

/** A file of them. */
export function fixtureBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(FOLDER, name)));
}

/** The lines of a file of JSON lines. */
export function fixtureLines<Line>(name: string): Line[] {
  const text = new TextDecoder().decode(fixtureBytes(name));
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Pairs of input and expected result for a small function; none where there are no fixtures. */
export function vectors<Input, Expected>(group: string): [Input, Expected][] {
  if (!HAS_FIXTURES) return [];
  return JSON.parse(new TextDecoder().decode(fixtureBytes("marc/vectors/functions.json")))[group];
}
