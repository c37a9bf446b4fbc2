import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";
import { wordsOf } from "../text/words.ts";
import { JOINS } from "./reading-words.ts";
import { fold } from "../text/collation.ts";

const SUFFIX = /\b(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d)\.?$/i;
const OTHERS = /\b(?:and others|et al\b\.?|u\. ?a\.)$/i;
const SIGNS = /[;/+&|]/;
const BLANKS = /\s+/;
/** Longest run of initials that is written as a word: `JRR`. */
const INITIALS_MAX = 3;

/** Returns the names in a list of authors as clients write it: `A. Author and B. Author`, `A; B`, `A / B`, `A with B`. */
export function namesIn(text: string): string[] {
  const names = text
    .trim()
    .replace(OTHERS, "")
    .split(SIGNS)
    .flatMap((part) => {
      const words = part.split(BLANKS);
      const ends = words.flatMap((word, at) => (isJoin(word) ? [at] : []));
      return [...ends, words.length].map((end, at) =>
        words.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end).join(" "),
      );
    })
    .flatMap((part) => {
      const parts = part
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      // `Gaiman, Neil` is one name.
      return parts.every((name) => BLANKS.test(name)) ? parts : [parts.join(", ")];
    });
  return names.filter((name) => name !== "");
}

/** Returns true for a word between names. A capital letter is an initial. */
export function isJoin(word: string): boolean {
  return JOINS.has(fold(word)) && (word.length > 1 || word === word.toLowerCase());
}

/** Returns true for a name of a given and a last name. */
export function isPlainName(name: string): boolean {
  const parts = partsOfName(name);
  return parts.length === 2 && parts.every((part) => part.length > INITIALS_MAX);
}

/** Returns the folded parts of a name in natural order, without `Jr.` and its kin. */
export function partsOfName(name: string): string[] {
  const { naturalName } = parseAuthorHeading(name.replace(SUFFIX, ""));
  return wordsOf(naturalName).flatMap((word) => word.parts);
}

/**
 * Returns true if two names may be one: with equal last parts, and given names that agree in order. Initials stand for
 * names, and names in the middle may be missing: `C. S. Lewis` is `Clive Staples Lewis`, `Suzanne M. Collins` is
 * `Suzanne Collins`.
 */
export function isSameName(first: string, second: string): boolean {
  const forms = [first, second].map((name) => {
    const [given = "", ...others] = partsOfName(name);
    const isRun = others.length > 0 && given.length > 1 && given.length <= INITIALS_MAX;
    return isRun
      ? [
          [given, ...others],
          [...given, ...others],
        ]
      : [[given, ...others]];
  });
  const [ofFirst = [], ofSecond = []] = forms;
  return ofFirst.some((a) => ofSecond.some((b) => (a.length < b.length ? agree(a, b) : agree(b, a))));
}

/** Returns true if each part of the shorter name is in the longer one, in order, at both ends too. */
function agree(short: readonly string[], long: readonly string[]): boolean {
  if (short.length === 0 || short.at(-1) !== long.at(-1)) return false;
  let at = 0;
  for (const [place, part] of short.slice(0, -1).entries()) {
    while (at < long.length - 1 && !isPart(part, long[at] ?? "")) at += 1;
    if (at === long.length - 1 || (place === 0 && at > 0)) return false;
    at += 1;
  }
  return true;
}

function isPart(first: string, second: string): boolean {
  return (
    first === second || ((first.length === 1 || second.length === 1) && first.charAt(0) === second.charAt(0))
  );
}
