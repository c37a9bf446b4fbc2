import { fold } from "./collation.ts";
import { memoize } from "./memo.ts";

const SIMPLE = /^[a-z]+$/;
/**
 * Pattern of the parts of folded text: letters with `#` or `+` at their end (`c#`, `c++`), numbers, and single
 * characters of scripts without blanks. A possessive `'s` matches too, so that it can be dropped.
 */
const LETTER = String.raw`[[\p{L}\p{M}]--[[\p{L}\p{M}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]]]`;
const UNSPACED = String.raw`[[\p{L}\p{M}\p{Nl}\p{No}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]]`;
const ALPHANUMERIC = String.raw`[\p{L}\p{M}\p{N}]`;
const PARTS = new RegExp(
  String.raw`(?<=${LETTER})'s(?!${ALPHANUMERIC})|${LETTER}+(?:[#+]+(?!${ALPHANUMERIC}))?|${UNSPACED}|\p{N}+`,
  "gv",
);
const ASCII_PARTS = /(?<=[a-z])'s(?![a-z0-9])|[a-z]+(?:[#+]+(?![a-z0-9]))?|[0-9]+/g;
const POSSESSIVE = "'s";

/** Single characters of scripts without blanks, each a word, with voicing marks of half-width kana. */
const UNSPACED_CHARACTERS = new RegExp(String.raw`${UNSPACED}[\u3099\u309a\uff9e\uff9f]*`, "gv");

function partsOf(folded: string): string[] {
  if (SIMPLE.test(folded)) return [folded];
  const parts = folded.match(ASCII.test(folded) ? ASCII_PARTS : PARTS);
  return parts === null ? [] : parts.filter((part) => part !== POSSESSIVE);
}

export interface TextWord {
  /** Folded and unstemmed parts. Two or more for compounds such as `wi-fi`, or initials such as `J. R. R.`. */
  readonly parts: readonly string[];
  /** Offsets in the original text, in UTF-16 units; punctuation around the word is inside. */
  readonly start: number;
  readonly end: number;
  /** True for one character of a script without blanks between words. */
  readonly unspaced: boolean;
}

const CATENATION_LENGTH_MAX = 100;

const CHUNKS = /\S+/g;
const ASCII = /^[\0-\x7f]*$/;
const CASED = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]`;
/** Pattern of `J.`, `J.R.`, or a single capital; a comma ends the run. */
const INITIALS = new RegExp(String.raw`^(?:(?:${CASED}\.)+|(?=\p{Lu})${CASED})$`, "u");
const LAST_INITIALS = new RegExp(String.raw`^(?:(?:${CASED}\.)+|(?=\p{Lu})${CASED}),$`, "u");
const INITIALS_LENGTH_MAX = 12;
const AFTER_INITIAL = ".,";

/** Returns the words of a text. Initials in a row are one word with any spacing. */
export function wordsOf(text: string): TextWord[] {
  const words: TextWord[] = [];
  let initials: TextWord | undefined;
  for (const match of text.matchAll(CHUNKS)) {
    const [chunk] = match;
    const before = words.length;
    const add = ASCII.test(chunk) ? addWord : addMixed;
    add(words, chunk, match.index);
    const kind = words.length === before + 1 ? initialsKindOf(chunk) : "none";
    if (kind !== "none" && initials !== undefined) initials = mergeLast(words);
    else initials = kind === "none" ? undefined : words[before];
    if (kind === "last") initials = undefined;
  }
  return words;
}

/** Returns the parts of a compound written as one word; undefined for simple words, and for long ones. */
export function catenationOf({ parts }: TextWord): string | undefined {
  if (parts.length < 2) return undefined;
  const catenation = parts.join("");
  return catenation.length > CATENATION_LENGTH_MAX ? undefined : catenation;
}

function addMixed(words: TextWord[], chunk: string, at: number): void {
  let done = 0;
  for (const match of chunk.matchAll(UNSPACED_CHARACTERS)) {
    const end = match.index + match[0].length;
    addWord(words, chunk.slice(done, match.index), at + done);
    const parts = partsOf(fold(match[0]));
    if (parts.length > 0) words.push({ parts, start: at + match.index, end: at + end, unspaced: true });
    done = end;
  }
  addWord(words, chunk.slice(done), at + done);
}

function addWord(words: TextWord[], text: string, at: number): void {
  if (text === "") return;
  const parts = partsOfWord(text);
  if (parts.length > 0) words.push({ parts, start: at, end: at + text.length, unspaced: false });
}

const partsOfWord = memoize((text) => partsOf(fold(text)), {
  size: 25_000,
  // V8 keeps the whole text alive with a longer part of it.
  longest: 12,
});

function initialsKindOf(chunk: string): "none" | "more" | "last" {
  // The second character decides most chunks, before any pattern is tried.
  if (chunk.length > 1 && !AFTER_INITIAL.includes(chunk.charAt(1))) return "none";
  if (chunk.length > INITIALS_LENGTH_MAX) return "none";
  if (INITIALS.test(chunk)) return "more";
  return LAST_INITIALS.test(chunk) ? "last" : "none";
}

function mergeLast(words: TextWord[]): TextWord | undefined {
  const next = words.pop();
  const first = words.pop();
  if (next === undefined || first === undefined) return undefined;
  const merged = {
    parts: [...first.parts, ...next.parts],
    start: first.start,
    end: next.end,
    unspaced: false,
  };
  words.push(merged);
  return merged;
}
