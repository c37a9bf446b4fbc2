import { type Tree, type Word, plainTextOf, unescapeText, wordOfParts } from "../query/syntax.ts";
import { Diagnostic } from "./diagnostic.ts";

const ESCAPED_OR_SPECIAL = /\\([^]?)|[*?^]/g;
const ESCAPABLE = new Set(["*", "?", "^", '"', "\\"]);
const SPACES = /\s+/;

/**
 * Converts a part of a term to a word of the query language: `*` matches any characters, `\*` an asterisk. Throws
 * diagnostics 26, 28 (`?`: the index has no single-character wildcard) and 31.
 */
function wordOfTerm(raw: string): Word {
  const parts: string[] = [];
  let part = "";
  let last = 0;
  for (const match of raw.matchAll(ESCAPED_OR_SPECIAL)) {
    part += raw.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[0] === "?") throw new Diagnostic(28, "?");
    if (match[0] === "^") throw new Diagnostic(31, "^");
    const escaped = match[1];
    if (escaped === undefined) {
      parts.push(part);
      part = "";
    } else if (ESCAPABLE.has(escaped)) part += escaped;
    else throw new Diagnostic(26, match[0]);
  }
  return wordOfParts([...parts, part + raw.slice(last)]);
}

/** Interpretation of special characters in terms. `unmasked` makes all of them literal. */
interface TermReading {
  readonly isMasked: boolean;
}

/** Returns the separate words of a term. Throws diagnostic 27 if there is none. */
export function wordsOfTerm(term: string, { isMasked }: TermReading): Word[] {
  const words = term.split(SPACES).filter((word) => word !== "");
  if (words.length === 0) throw new Diagnostic(27);
  return words.map((word) => (isMasked ? wordOfTerm(word) : wordOfParts([unescapeText(word)])));
}

/**
 * Converts a term to one value: a word, a phrase, or the beginning of a phrase. Throws diagnostic 33 for a mask in
 * several words that is not at the end.
 */
export function valueOfTerm(term: string, reading: TermReading): Tree {
  const words = wordsOfTerm(term, reading);
  const [first, ...more] = words;
  if (first !== undefined && more.length === 0) return first;
  const texts = words.map(plainTextOf);
  const last = words.at(-1)?.parts ?? [];
  const [lastWord = ""] = last;
  const before = texts.slice(0, -1);
  const isBeginning = last.length === 2 && last[1] === "" && lastWord !== "";
  if (before.includes(undefined) || (texts.at(-1) === undefined && !isBeginning)) throw new Diagnostic(33);
  if (isBeginning) return wordOfParts([[...before, lastWord].join(" "), ""]);
  return { kind: "phrase", text: texts.join(" ") };
}

/** Returns a term without masks in comparable form. Returns undefined if it has a mask. */
export function plainTerm(term: string, reading: TermReading): string | undefined {
  const texts = wordsOfTerm(term, reading).map(plainTextOf);
  return texts.includes(undefined) ? undefined : texts.join(" ");
}
