import { fold } from "./fold.ts";

/** Spellings that sound alike, longest first; only letters that remain in a skeleton stand on the right. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/ph/g, "f"],
  [/sch|sh/g, "s"],
  [/ck|q/g, "k"],
  [/c(?=[eiy])/g, "s"],
  [/c/g, "k"],
  [/x/g, "ks"],
  [/z/g, "s"],
  [/w/g, "v"],
  [/j/g, "g"],
];
const SILENT = /(?<!^)[aeiouyh]/g;
const DOUBLED = /(.)\1+/gu;
const CONSONANTS = "bdfgklmnprstv";
const FIRST_LETTERS = `${CONSONANTS}aeiouh`;

/**
 * A word without what is often misspelt: vowels and `h` but at the start, doubled letters, letters that sound
 * alike. Words with equal skeletons are candidates for each other's correction.
 */
export function skeleton(term: string): string {
  let text = fold(term);
  for (const [pattern, instead] of ALIKE) text = text.replace(pattern, instead);
  return text.replace(SILENT, "").replace(DOUBLED, "$1").replace(/^y/, "i");
}

/**
 * The skeleton of a word and those that one wrong, missing or superfluous consonant, or two swapped ones, would
 * give it: some two hundred for a long word.
 */
export function skeletonsNear(term: string): string[] {
  const own = skeleton(term);
  const near = new Set([own]);
  for (let at = 0; at <= own.length; at += 1) addNear(near, own, at);
  near.delete("");
  return [...near];
}

function addNear(near: Set<string>, text: string, at: number): void {
  const before = text.slice(0, at);
  const after = text.slice(at + 1);
  near.add(single(before + after));
  near.add(single(before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)));
  for (const letter of at === 0 ? FIRST_LETTERS : CONSONANTS) {
    near.add(single(before + letter + text.slice(at)));
    if (at < text.length) near.add(single(before + letter + after));
  }
}

function single(text: string): string {
  return text.replace(DOUBLED, "$1");
}
