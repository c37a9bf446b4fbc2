/** Library of Congress Classification: forms that sort as texts do. */

/**
 * Pattern of letters (a dash only pads sortable forms), number, first cutter, rest. W belongs to the medical library's
 * extension. Applied to cleaned text, with single blanks.
 */
const SHAPE = /^([A-HJ-NP-VWZ][A-Z-]{0,2}) ?(?:(\d{1,4})(\.\d+)?)?(?: ?\. ?([^\d\s[]\S*))?( .*)?$/i;
const LETTERS_ONLY = /^[A-HJ-NP-VWZ][A-Z-]{0,2}$/i;
const SPACES = /\s+/g;
const LETTERS_WIDTH = 3;
const INTEGER_DIGITS = 4;
const DECIMAL_DIGITS = 8;
/** Letters of storage locations such as "CPB Box no. 1516", which are no class. */
const STORAGE_LETTERS = "CPB";

interface LccParts {
  /** Capitals, padded with dashes. */
  readonly letters: string;
  /** Digits as written; empty if there is no number. */
  readonly integer: string;
  /** Decimals with the point, as written; may be empty. */
  readonly decimals: string;
  /** Cutter with the point; may be empty. */
  readonly cutter: string;
  /** Rest with a blank in front; may be empty. */
  readonly rest: string;
}

/**
 * Returns the sortable form of a call number in any spelling: `pz73` is `PZ-0073.00000000`; undefined for other texts.
 */
export function toSortableLcc(raw: string): string | undefined {
  const parts = partsOf(raw);
  return parts === undefined ? undefined : formatSortable(parts);
}

/** Returns the form for display: `PZ-0073.00000000` is `PZ73`; undefined if the text is no call number. */
export function shortLccOf(lcc: string): string | undefined {
  const parts = partsOf(lcc);
  if (parts === undefined) return undefined;
  const number = Number(parts.integer + parts.decimals);
  const letters = parts.letters.replaceAll("-", "");
  return letters + (number === 0 ? "" : String(number)) + parts.cutter + parts.rest;
}

/**
 * Returns the common beginning of the sortable forms of all call numbers with the same beginning as the text: `A5` is
 * `A--0005`. Undefined if no call number has it.
 */
export function toSortableLccPrefix(prefix: string): string | undefined {
  if (LETTERS_ONLY.test(prefix)) return prefix.toUpperCase();
  const parts = partsOf(prefix.replace(/\.$/, ""));
  if (parts === undefined) return undefined;
  if (parts.cutter !== "" || parts.rest !== "") return formatSortable(parts);
  return parts.letters + parts.integer.padStart(INTEGER_DIGITS, "0") + parts.decimals;
}

/** Returns the call number to sort a work by: the one with the longest short form, the first of equals. */
export function chooseSortingLcc(sortables: readonly string[]): string | undefined {
  let best: string | undefined;
  let longest = -1;
  for (const lcc of sortables) {
    const { length } = shortLccOf(lcc) ?? "";
    if (length <= longest) continue;
    best = lcc;
    longest = length;
  }
  return best;
}

function partsOf(raw: string): LccParts | undefined {
  const match = SHAPE.exec(cleanLcc(raw));
  if (match === null) return undefined;
  const [, letters = "", integer = "", decimals = "", cutter = "", rest = ""] = match;
  if (letters.toUpperCase() === STORAGE_LETTERS) return undefined;
  return {
    letters: letters.toUpperCase().padEnd(LETTERS_WIDTH, "-"),
    integer,
    decimals,
    cutter: cutter === "" ? "" : `.${cutter}`,
    rest,
  };
}

function cleanLcc(raw: string): string {
  const lcc = raw.replaceAll("\\", " ").replace(SPACES, " ").trim();
  const isEnclosed = (lcc.startsWith("[") && lcc.endsWith("]")) || (lcc.startsWith("(") && lcc.endsWith(")"));
  return isEnclosed ? lcc.slice(1, -1).trim() : lcc;
}

function formatSortable({ letters, integer, decimals, cutter, rest }: LccParts): string {
  const number = Number(`${integer}${decimals}`).toFixed(DECIMAL_DIGITS);
  return letters + number.padStart(INTEGER_DIGITS + 1 + DECIMAL_DIGITS, "0") + cutter + rest;
}
