import { normalForm } from "../../catalog/matching/match-keys.ts";

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

/** Letters that do not decompose into a plain letter and an accent. */
const PLAIN_LETTERS = new Map(
  Object.entries({
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    đ: "d",
    ð: "d",
    ł: "l",
    ħ: "h",
    þ: "th",
    ı: "i",
    ŋ: "n",
    ŧ: "t",
    ƀ: "b",
    ɓ: "b",
    ɗ: "d",
    ɨ: "i",
    ƙ: "k",
    ʉ: "u",
    ƴ: "y",
    ς: "σ",
  }),
);
const LETTERS = new RegExp(`[${[...PLAIN_LETTERS.keys()].join("")}]`, "gu");

/**
 * Returns text in the form for comparison: one case, no accents, no ligatures, one kind of digit, dash and apostrophe.
 * Folding folded text changes nothing.
 */
export function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : foldAny(text);
}

function foldAny(text: string): string {
  const bare = normalForm(normalForm(text, "NFKC").toLowerCase(), "NFD").replace(MARKS, "");
  const plain = bare.replace(LETTERS, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
  const marked = plain.replace(APOSTROPHES, "'").replace(DASHES, "-").replace(DIGITS, foldDigits);
  return normalForm(marked, "NFC");
}
