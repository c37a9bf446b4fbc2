import { fold } from "./fold.ts";
import { utf8Prefix } from "./utf8-prefix.ts";

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
 * A key whose order by bytes is the order of the texts: blanks, punctuation, digits, letters (search.md 10.3).
 * At most 200 bytes.
 */
export function collationKey(text: string): string {
  return utf8Prefix(fold(text).replace(NOT_ALPHANUMERIC, belowDigits), COLLATION_KEY_BYTES);
}

function belowDigits(sign: string): string {
  return BLANK.test(sign) ? " " : (BELOW_DIGITS.get(sign) ?? OTHERS);
}
