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
  letters: string;
  /** Digits as written; empty if there is no number. */
  integer: string;
  /** Decimals with the point, as written; may be empty. */
  decimals: string;
  /** Cutter with the point; may be empty. */
  cutter: string;
  /** Rest with a blank in front; may be empty. */
  rest: string;
}

/** Returns the sortable form of a call number: `pz73` is `PZ-0073.00000000`; undefined otherwise. */
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

/** Returns the common start of the sortable forms of a beginning: `A5` is `A--0005`. */
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

const NOISE = /[/'’′,\p{C}]/gu;
/**
 * Pattern of one class number between word boundaries: star, minus, `j` (juvenile), `C` (Canadian), digits, star, `s`
 * (series), `[B]` (biography), 92; or fiction and easy books without a number. Decimals are never given back, so that
 * `813.54x` is no `813`, and are no number themselves: `1000.5` has none.
 */
const CLASS =
  /(?<![\p{L}\p{N}_]|\d{4}\.{1,3})(?:(?<before>\*?)(?<minus>-?)(?<juvenile>j?)C?(?<integer>\d{1,3})(?:\.+\s?(?<decimals>\d+)|(?!\.+\s?\d))(?<after>\*?)(?<series>\s?s(?![\p{L}\p{N}_]))?(?<life>\s?\[B\])?(?<ninetwo>\s(?:092|920|92)(?![\p{L}\p{N}_]))?|\[(?<fiction>Fic|E)\.?\])(?![\p{L}\p{N}_])/giu;
const DDC_DIGITS = 3;
/** Limit below which a bare number, after a class number, is the edition of the tables that it was taken from. */
const EDITION_BELOW = 100;
const STARTS_WITH_DIGIT = /^\d/;

/** Returns all class numbers in a text, normalised, each once: `j574` is `j574` and `574`. */
export function normalizeDdc(raw: string): string[] {
  const text = raw.replace(SPACES, " ").trim().replace(NOISE, "").replace(SPACES, " ");
  const forms = new Set<string>();
  for (const match of text.matchAll(CLASS)) {
    for (const form of formsOf(match, forms.size > 0)) forms.add(form);
  }
  return [...forms];
}

/** Normalises the beginning of a number: only decimals show that digits before them are complete. */
export function normalizeDdcPrefix(prefix: string): string {
  return prefix.includes(".") ? (normalizeDdc(prefix)[0] ?? prefix) : prefix;
}

/** Returns the class number to sort a work by: the longest that starts with a digit, else the longest. */
export function chooseSortingDdc(normalized: readonly string[]): string | undefined {
  const plain = normalized.filter((ddc) => STARTS_WITH_DIGIT.test(ddc));
  let best: string | undefined;
  for (const ddc of plain.length > 0 ? plain : normalized) {
    if (best === undefined || ddc.length > best.length) best = ddc;
  }
  return best;
}

function formsOf(match: RegExpExecArray, isLater: boolean): string[] {
  const parts = match.groups ?? {};
  const { integer = "", decimals, fiction } = parts;
  if (fiction !== undefined) return [fiction.toLowerCase() === "e" ? "[E]" : "[Fic]"];
  const suffix = suffixOf(match);
  const prefix = `${parts["minus"] ?? ""}${parts["juvenile"]?.toLowerCase() ?? ""}`;
  const isBare = decimals === undefined && prefix === "" && suffix === "";
  if (isLater && isBare && Number(integer) < EDITION_BELOW) return [];
  const point = decimals === undefined ? "" : `.${decimals}`;
  const number = integer.padStart(DDC_DIGITS, "0") + point + suffix;
  return prefix === "j" ? [prefix + number, number] : [prefix + number];
}

function suffixOf(match: RegExpExecArray): string {
  const { before, after, series, life, ninetwo } = match.groups ?? {};
  const star = before === "*" || after === "*" ? "*" : "";
  const isSeries = series !== undefined || isInParentheses(match);
  return `${star}${isSeries ? " s" : ""}${life === undefined ? "" : " B"}${ninetwo ?? ""}`;
}

/** Returns true for numbers of series, such as `(015.73)`. */
function isInParentheses({ index, input, 0: matched }: RegExpExecArray): boolean {
  return input.charAt(index - 1) === "(" && input.charAt(index + matched.length) === ")";
}
