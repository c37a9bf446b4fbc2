import { memoize } from "./memo.ts";

/** Suffixes with their replacements. The longest that fits decides, even if its condition does not hold. */
type Rules = readonly (readonly [suffix: string, instead: string])[];

function rulesOf(text: string): Rules {
  return text.split(" ").map((rule) => {
    const [suffix = "", instead = ""] = rule.split(":");
    return [suffix, instead];
  });
}

const STEP_2 = rulesOf(
  "ational:ate ization:ize iveness:ive fulness:ful ousness:ous tional:tion biliti:ble entli:ent " +
    "ousli:ous ation:ate alism:al aliti:al iviti:ive enci:ence anci:ance izer:ize alli:al ator:ate " +
    "logi:log bli:ble eli:e",
);

const STEP_3 = rulesOf("icate:ic ative: alize:al iciti:ic ical:ic ness: ful:");

const STEP_4 = rulesOf(
  "ement: ance: ence: able: ible: ment: ant: ent: ion: ism: ate: iti: ous: ive: ize: al: er: ic: ou:",
);

const VOWELS = "aeiou";
/** Pattern of a short end; a `y` is a vowel after a consonant. */
const SHORT_END = /(?:[^aeiouy]|^y|[aeiou]y)[aeiouy][^aeiouwxy]$/;
const HAS_VOWEL = /[aeiou]|[^aeiou]y/;

/** Stems three or more letters a-z (Porter 1980), in the variant of FTS5 and Lucene. */
function porter(word: string): string {
  let root = step1(word);
  root = replaceSuffix(root, STEP_2, 1);
  root = replaceSuffix(root, STEP_3, 1);
  return step5(step4(root));
}

/** Returns the word without plurals and participles, and with `i` for a final `y`. */
function step1(word: string): string {
  const singular = step1a(word);
  const plain = step1b(singular);
  const body = plain.slice(0, -1);
  return plain.endsWith("y") && hasVowel(body) ? `${body}i` : plain;
}

function step1a(word: string): string {
  if (!word.endsWith("s")) return word;
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("ss") ? word : word.slice(0, -1);
}

function step1b(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const length = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const body = word.slice(0, word.length - length);
  return length > 0 && hasVowel(body) ? fixEnd(body) : word;
}

/** Returns the corrected end: `hop` of `hopping`, `file` of `filing`. */
function fixEnd(body: string): string {
  if (body.endsWith("at") || body.endsWith("bl") || body.endsWith("iz")) return `${body}e`;
  if (endsDouble(body) && !"lsz".includes(body.charAt(body.length - 1))) return body.slice(0, -1);
  return measure(body) === 1 && endsShort(body) ? `${body}e` : body;
}

function replaceSuffix(word: string, rules: Rules, least: number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const body = word.slice(0, word.length - rule[0].length);
  return measure(body) >= least ? body + rule[1] : word;
}

function step4(word: string): string {
  const rule = STEP_4.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const body = word.slice(0, word.length - rule[0].length);
  if (rule[0] === "ion" && !body.endsWith("s") && !body.endsWith("t")) return word;
  return measure(body) > 1 ? body : word;
}

function step5(word: string): string {
  const plain = dropFinalE(word);
  return plain.endsWith("ll") && measure(plain) > 1 ? plain.slice(0, -1) : plain;
}

function dropFinalE(word: string): string {
  if (!word.endsWith("e")) return word;
  const body = word.slice(0, -1);
  const size = measure(body);
  return size > 1 || (size === 1 && !endsShort(body)) ? body : word;
}

function measure(text: string): number {
  let size = 0;
  let afterVowel = false;
  for (let at = 0; at < text.length; at += 1) {
    const isVowel = isVowelAt(text, at, afterVowel);
    if (afterVowel && !isVowel) size += 1;
    afterVowel = isVowel;
  }
  return size;
}

function isVowelAt(text: string, at: number, afterVowel: boolean): boolean {
  const letter = text.charAt(at);
  return VOWELS.includes(letter) || (letter === "y" && at > 0 && !afterVowel);
}

function hasVowel(text: string): boolean {
  return HAS_VOWEL.test(text);
}

function endsDouble(text: string): boolean {
  const last = text.charAt(text.length - 1);
  return text.length > 1 && last === text.charAt(text.length - 2) && !VOWELS.includes(last);
}

/** Returns true for an end of consonant, vowel, and consonant other than w, x, y: such a word lost its `e`. */
function endsShort(text: string): boolean {
  return SHORT_END.test(text);
}

const WORD = /^[a-z]{3,}$/;

/** Stem of a folded token (Porter 1980). Tokens with other characters than a-z are their own stem. */
export const stem = memoize((token) => (WORD.test(token) ? porter(token) : token), {
  size: 25_000,
  // V8 keeps the whole text alive with a longer part of it.
  longest: 12,
});
