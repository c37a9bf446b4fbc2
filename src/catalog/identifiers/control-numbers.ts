/** Library of Congress control numbers. */

const NORMAL = /^(?:[a-z]|[a-z]?(?:[a-z]{2}|\d{2})|[a-z]{2}\d{2})?\d{8}$/;
/** The commonest normal forms, which need no work. */
const PLAIN = /^\d{8}(?:\d\d)?$/;
/** Up to the last hyphen that digits follow, and those digits. */
const HYPHENATED = /^(.+)-(\d+)/;
const SERIAL_LENGTH = 6;
const BLANKS = /\s+/g;

/** Normal form of an LCCN, such as `agr62000298`; undefined when the text is none. */
export function normalizeLccn(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const [beforeRevision = ""] = withoutOuterHyphens(text.replace(BLANKS, "")).toLowerCase().split("rev", 1);
  const [number = ""] = beforeRevision.split("/", 1);
  const [, year, serial] = HYPHENATED.exec(number) ?? [];
  const joined =
    year === undefined || serial === undefined ? number : year + serial.padStart(SERIAL_LENGTH, "0");
  return NORMAL.test(joined) ? joined : undefined;
}

function withoutOuterHyphens(text: string): string {
  let start = 0;
  let end = text.length;
  while (text.charAt(start) === "-") start += 1;
  while (end > start && text.charAt(end - 1) === "-") end -= 1;
  return text.slice(start, end);
}

/** LCCN as it is indexed: its normal form, else its lower case without blanks; undefined when that is empty. */
export function lookupLccn(text: string): string | undefined {
  const value = normalizeLccn(text) ?? text.toLowerCase().replace(BLANKS, "");
  return value === "" ? undefined : value;
}

const NUMBER = /^(?:\(ocolc\)\s*)?(?:oc[mn]|on)?0*([1-9]\d*)$/i;

/** OCLC number as it is indexed: digits without prefix and zeros, else the trimmed text; undefined when empty. */
export function normalizeOclc(text: string): string | undefined {
  const trimmed = text.trim();
  const value = NUMBER.exec(trimmed)?.[1] ?? trimmed;
  return value === "" ? undefined : value;
}
