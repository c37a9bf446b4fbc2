/** Dewey Decimal Classification: numbers as catalogers write them, in one form. */

/** Marks inside numbers, and unprintable characters. */
const NOISE = /[/'’′,\p{C}]/gu;
const SPACES = /\s+/g;
/**
 * Pattern of one class number between word boundaries: star, minus, `j` (juvenile), `C` (Canadian), digits, star, `s`
 * (series), `[B]` (biography), 92; or fiction and easy books without a number. Decimals are never given back, so that
 * `813.54x` is no `813`, and are no number themselves: `1000.5` has none.
 */
const CLASS =
  /(?<![\p{L}\p{N}_]|\d{4}\.{1,3})(?:(?<before>\*?)(?<minus>-?)(?<juvenile>j?)C?(?<integer>\d{1,3})(?:\.+\s?(?<decimals>\d+)|(?!\.+\s?\d))(?<after>\*?)(?<series>\s?s(?![\p{L}\p{N}_]))?(?<life>\s?\[B\])?(?<ninetwo>\s(?:092|920|92)(?![\p{L}\p{N}_]))?|\[(?<fiction>Fic|E)\.?\])(?![\p{L}\p{N}_])/giu;
const INTEGER_DIGITS = 3;
/** Limit below which a bare number, after a class number, is the edition of the tables that it was taken from. */
const EDITION_BELOW = 100;
const STARTS_WITH_DIGIT = /^\d/;

/** Returns all class numbers in a text, normalised, each once: `j574` is `j574` and `574`. */
export function normalizeDdc(raw: string): string[] {
  const text = raw.replace(SPACES, " ").trim().replace(NOISE, "").replace(SPACES, " ");
  const found = new Set<string>();
  for (const match of text.matchAll(CLASS)) {
    for (const form of formsOf(match, found.size > 0)) found.add(form);
  }
  return [...found];
}

/**
 * Returns the beginning of a number in normalised form: only decimals show that the digits before them are complete.
 */
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
  const number = integer.padStart(INTEGER_DIGITS, "0") + point + suffix;
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
