import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "../../../../shared/fixtures");

/** True if real records with expected results lie next to the repository. Extra tests read them. */
export const HAS_FIXTURES = existsSync(FOLDER);

/** Reads one of their files. */
export function fixtureBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(FOLDER, name)));
}

/** Parses a file of JSON lines. */
export function fixtureLines<Line>(name: string): Line[] {
  const text = new TextDecoder().decode(fixtureBytes(name));
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Pairs of input and expected result for a small function; empty if the folder is absent. */
export function vectors<Input, Expected>(group: string): [Input, Expected][] {
  if (!HAS_FIXTURES) return [];
  return JSON.parse(new TextDecoder().decode(fixtureBytes("marc/vectors/functions.json")))[group];
}
