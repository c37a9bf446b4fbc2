import { trimmed } from "../editing/form-texts.ts";
import { type Json } from "../record.ts";
import { annotationOf, seedKey } from "./seed.ts";

const NEW_LINE = /\r\n|\n/;
/** An escaped character, or a bar between two parts of a line. */
const PARTS = /\\(.)|\|/gs;
const SPECIAL = /[\\|\n]/g;

/**
 * Seeds as people write them into a form: a line for each, with its position and what there is to say of it after bars,
 * `/works/OL1W | 2 | Read this first`; or several on a line, with commas between. Values are to be normalized.
 */
export function parseSeedsText(text: string): Json[] {
  return text.split(NEW_LINE).flatMap((line): Json[] => {
    const parts = partsOf(line);
    if (parts.length === 1) return trimmed(line.split(","));
    const [key = "", position = "", ...notes] = parts;
    if (parts.every((part) => part === "")) return [];
    return [{ thing: { key }, position, notes: notes.join(" | ") }];
  });
}

/** The text of stored seeds, which `parseSeedsText` reads again. */
export function seedsText(seeds: readonly Json[]): string {
  return seeds.map(lineOf).join("\n");
}

function lineOf(seed: Json): string {
  const key = seedKey(seed) ?? "";
  const { position = "", notes = "" } = annotationOf(seed);
  if (notes !== "") return [key, position, notes].map(escaped).join(" | ");
  if (position !== "" || key.includes(",")) return `${escaped(key)} | ${escaped(position)}`.trim();
  return escaped(key);
}

function partsOf(line: string): string[] {
  const parts: string[] = [];
  let part = "";
  let end = 0;
  for (const match of line.matchAll(PARTS)) {
    part += line.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[1] === undefined) {
      parts.push(part.trim());
      part = "";
    } else part += match[1] === "n" ? "\n" : match[1];
  }
  return [...parts, (part + line.slice(end)).trim()];
}

function escaped(text: string): string {
  return text.replace(SPECIAL, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
