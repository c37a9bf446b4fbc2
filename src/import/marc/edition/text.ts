import { trimmerOf } from "../../../catalog/bytes.ts";

// Every function here takes linear time, because a field may have a hundred thousand characters.

const DOT = 0x2e;
const SPACE = 0x20;
const HYPHEN = 0x2d;
const OLD_CATALOG = "[from old catalog]";
const trimPartEnds = trimmerOf(" /,;:=");
export const trimNameEnds = trimmerOf(" /,;:[]");

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Drops the dot at the end of a sentence, but not after an initial, a lone letter or `Dept.`. */
export function withoutFinalDot(text: string): string {
  const end = text.length - 1;
  if (text.charCodeAt(end) !== DOT || text.endsWith(" Dept.")) return text;
  const last = text.charCodeAt(end - 1);
  const isLowSurrogate = last >= 0xdc00 && last <= 0xdfff;
  const second = text.charCodeAt(isLowSurrogate ? end - 3 : end - 2);
  const ends = !Number.isNaN(second) && last !== SPACE && last !== DOT && second !== SPACE && second !== DOT;
  return ends ? text.slice(0, -1) : text;
}

/** Drops the dots after a number of two or more digits, with optional spaces and hyphens between. */
export function withoutNumberDot(text: string): string {
  let dots = text.length;
  while (text.charCodeAt(dots - 1) === DOT) dots -= 1;
  if (dots === text.length) return text;
  let number = dots;
  while (isGap(text.charCodeAt(number - 1))) number -= 1;
  const isNumber = isDigit(text.charCodeAt(number - 1)) && isDigit(text.charCodeAt(number - 2));
  return isNumber ? text.slice(0, dots) : text;
}

function isGap(code: number): boolean {
  return code === SPACE || code === HYPHEN;
}

/** Drops the mark of cards copied from an old catalogue. */
export function withoutOldCatalog(text: string): string {
  return text.endsWith(OLD_CATALOG) ? text.slice(0, -OLD_CATALOG.length).trimEnd() : text;
}

/** Joins the parts of a title, without the punctuation that leads to the next part. */
export function joinParts(parts: readonly string[], delimiter = " "): string {
  return parts.map((part) => withoutFinalDot(trimPartEnds(part))).join(delimiter);
}

export function joinName(parts: readonly string[]): string {
  return withoutFinalDot(joinNameWithDot(parts));
}

/** Joins the parts of a name or role and keeps a final dot. */
export function joinNameWithDot(parts: readonly string[]): string {
  return parts.map((part) => trimNameEnds(withoutOldCatalog(part))).join(" ");
}

/** Returns the text if all of it is in brackets, without a dot after them. Returns undefined otherwise. */
export function bracketedTextOf(text: string): string | undefined {
  const trimmed = text.trim();
  const inner = trimmed.endsWith(".") ? trimmed.slice(0, -1) : trimmed;
  return inner.length > 1 && inner.startsWith("[") && inner.endsWith("]") ? inner : undefined;
}

export function distinctOf(values: readonly string[]): string[] {
  return values.length < 2 ? [...values] : [...new Set(values)];
}

const COMMA = 0x2c;

/** Suffixes of a name in natural order, without single letters, which are initials. */
const SUFFIX = /^(?:[js]r|I{2,3}|IV|VI{1,3}|esq|ph\.? ?d)\.?$/i;

/**
 * Converts a name from catalogue order to natural order: `Smith, John.` becomes John Smith. In `Martin Luther King, Jr.` it
 * already is.
 */
export function flipName(name: string): string {
  const comma = name.indexOf(", ");
  if (name.lastIndexOf(" ", comma - 1) > 0 && SUFFIX.test(name.slice(comma + 2))) return name;
  const bare = withoutFinalDot(name);
  const end = bare.indexOf(", ");
  if (end === -1) return bare;
  let start = end;
  while (bare.charCodeAt(start - 1) === COMMA) start -= 1;
  return `${bare.slice(end + 2)} ${bare.slice(0, start)}`;
}
