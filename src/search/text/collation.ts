import { fold } from "./fold.ts";

const ENCODER = new TextEncoder();
/** A UTF-16 unit makes three bytes at most. */
const WIDEST_UNIT = 3;

/** The longest beginning of a text that is at most `bytes` bytes of UTF-8 and ends between two characters. */
function utf8Prefix(text: string, bytes: number): string {
  if (text.length * WIDEST_UNIT <= bytes) return text;
  const { read } = ENCODER.encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** Longest key, in bytes of UTF-8. */
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

/**
 * A key whose order by bytes is the order of the texts: blanks, punctuation, digits, letters. At most 200 bytes.
 */
export function collationKey(text: string): string {
  return utf8Prefix(
    fold(text).replace(NOT_ALPHANUMERIC, (sign) =>
      BLANK.test(sign) ? " " : (BELOW_DIGITS.get(sign) ?? OTHERS),
    ),
    COLLATION_KEY_BYTES,
  );
}

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Values in the order of their UTF-8 bytes, without repeats: as values come that an index keeps for counting.
 * Undefined when there are none.
 */
export function sortedDistinct(values: readonly string[]): string[] | undefined {
  if (values.length === 0) return undefined;
  const distinct = [...new Set(values)];
  return distinct.some((value) => SURROGATE.test(value)) ? distinct.sort(compareUtf8) : distinct.sort();
}

/** Compares by UTF-8 bytes: by code points, of which the order of UTF-16 units differs where one takes two. */
function compareUtf8(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    if (one.charCodeAt(index) !== other.charCodeAt(index)) return codeAt(one, index) - codeAt(other, index);
  }
  return one.length - other.length;
}

/** The code point that a unit belongs to: units before it are equal in both texts, so one may be its second half. */
function codeAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff && index > 0;
  return text.codePointAt(isSecondHalf ? index - 1 : index) ?? 0;
}
