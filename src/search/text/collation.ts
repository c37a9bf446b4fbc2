import { toNormalForm } from "../../catalog/matching/match-keys.ts";

const DECIMAL = /^\p{Decimal_Number}$/u;
const BASE = 10;

/** Returns the ASCII digit for a decimal digit of any script. Digits are encoded in runs of ten, from zero to nine. */
function foldDigits(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DECIMAL.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % BASE);
}

const ASCII = /^[\0-\x7f]*$/;
/**
 * Accents of all scripts that are written with and without them, and invisible characters. Vowel signs of Indic scripts
 * are letters and stay; so do the voicing marks of kana, which change the sound.
 */
const MARKS =
  /[\p{Default_Ignorable_Code_Point}[[\p{M}&&[\p{Script=Inherited}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]--[\u3099\u309a]]]/gv;
const APOSTROPHES = /[\u02bb\u02bc\u2018\u2019\u201b]/gu;
const DASHES = /[\p{Dash_Punctuation}\u2212]/gu;
const DIGITS = /[\p{Decimal_Number}--[0-9]]/gv;

/** Letters that do not decompose into a plain letter and an accent, each followed by its plain form. */
const PLAIN_LETTERS = new Map(
  "ßss æae œoe øo đd ðd łl ħh þth ıi ŋn ŧt ƀb ɓb ɗd ɨi ƙk ʉu ƴy ςσ"
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)]),
);
const LETTERS = new RegExp(`[${[...PLAIN_LETTERS.keys()].join("")}]`, "gu");

/**
 * Folds case, accents, ligatures, digits, dashes and apostrophes for comparison: `Ærøskøbing` is `aeroskobing`.
 * Idempotent.
 */
export function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : foldAny(text);
}

function foldAny(text: string): string {
  const bare = toNormalForm(toNormalForm(text, "NFKC").toLowerCase(), "NFD").replace(MARKS, "");
  const plain = bare.replace(LETTERS, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
  const marked = plain.replace(APOSTROPHES, "'").replace(DASHES, "-").replace(DIGITS, foldDigits);
  return toNormalForm(marked, "NFC");
}

const ENCODER = new TextEncoder();
/** Maximum number of bytes of a UTF-16 unit. */
const WIDEST_UNIT = 3;

/** Returns the longest beginning of a text that is at most `bytes` bytes of UTF-8 and ends between two characters. */
function cutUtf8(text: string, bytes: number): string {
  if (text.length * WIDEST_UNIT <= bytes) return text;
  const { read } = ENCODER.encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** Maximum length of a key, in bytes of UTF-8. */
const COLLATION_KEY_BYTES = 200;

/** Punctuation in the order of the root collation, one character below `0` for each group. */
const GROUPS = ["_", "-", ",", ";:", "!?", ".", "'\"", "()", "[]{}", "@*", "/\\", "&#%", "`^", "+<=>|~", "$"];
const FIRST_GROUP = 0x21;
const OTHERS = "/";
const BELOW_DIGITS = new Map(
  GROUPS.flatMap((group, index) =>
    [...group].map((sign): [string, string] => [sign, String.fromCodePoint(FIRST_GROUP + index)]),
  ),
);
const NOT_ALPHANUMERIC = /[^\p{L}\p{M}\p{N}]/gu;
const BLANK = /^\s$/u;

/** Returns a key of at most 200 bytes whose order is: blanks, punctuation, digits, letters. */
export function collationKeyOf(text: string): string {
  return cutUtf8(
    fold(text).replace(NOT_ALPHANUMERIC, (sign) =>
      BLANK.test(sign) ? " " : (BELOW_DIGITS.get(sign) ?? OTHERS),
    ),
    COLLATION_KEY_BYTES,
  );
}

/** Compares two values by `<` and `>`: texts by their UTF-16 units. */
export function compareValues<Value extends string | number>(a: Value, b: Value): number {
  return Number(a > b) - Number(a < b);
}

const SURROGATE = /[\ud800-\udfff]/;

/** Sorts by UTF-8 bytes, without repeats, as an index counts values; undefined if there are none. */
export function sortDistinct(values: readonly string[]): string[] | undefined {
  if (values.length === 0) return undefined;
  const distinct = [...new Set(values)];
  return distinct.some((value) => SURROGATE.test(value)) ? distinct.sort(compareUtf8) : distinct.sort();
}

/** Compares by UTF-8 bytes: by code points, which differ from UTF-16 units where one takes two. */
function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    if (a.charCodeAt(index) !== b.charCodeAt(index)) return codeAt(a, index) - codeAt(b, index);
  }
  return a.length - b.length;
}

/** Returns the code point of a unit, which may be its second half: units before it are equal. */
function codeAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff && index > 0;
  return text.codePointAt(isSecondHalf ? index - 1 : index) ?? 0;
}
