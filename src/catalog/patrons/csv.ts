/**
 * Comma-separated values (RFC 4180). Reading is lenient, as real files need it: lines end in CRLF, LF or CR, a quote
 * inside a bare field is a character, and text after a closing quote belongs to the field.
 */

/** Characters before a formula that spreadsheets and their users do not see. Apostrophes are guards, or taken for such. */
const UNSEEN = /^(?:'|[\s\p{C}\p{Default_Ignorable_Code_Point}])*/u;
/** Q234: first characters that make a spreadsheet read a field as a formula, in their ordinary width. */
const FORMULA = /^[=+\-\u2212@]/;
/** Characters between fields, the usual one first, each with the pattern of the end of a field. */
const SEPARATORS = { ",": /[,\r\n]/g, "\t": /[\t\r\n]/g, ";": /[;\r\n]/g } as const;
type Separator = keyof typeof SEPARATORS;

/** Returns the text of a cell, with an apostrophe before it if a spreadsheet would read a formula (Q234). */
export function guardCell(text: string): string {
  return isLikeFormula(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `guardCell` adds. */
export function removeGuard(text: string): string {
  return text.startsWith("'") && isLikeFormula(text) ? text.slice(1) : text;
}

function isLikeFormula(text: string): boolean {
  const [unseen = ""] = UNSEEN.exec(text) ?? [];
  const first = String.fromCodePoint(text.codePointAt(unseen.length) ?? 0);
  return /[\t\r]/.test(text.replace(/^'+/, "").charAt(0)) || FORMULA.test(first.normalize("NFKC"));
}

/** Returns a line of the file, CRLF included. Null is an empty field. */
export function formatCsvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(formatField).join(",")}\r\n`;
}

function formatField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = guardCell(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Yields the rows of a text, whose first line shows its separator; empty lines are left out. */
export function* parseCsv(text: string): Generator<string[]> {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const separator = separatorOf(/^[^\r\n]*/.exec(text.slice(at, at + FIRST_LINE_LENGTH))?.[0] ?? "");
  while (at < text.length) {
    const { fields, next } = parseRow(text, { at, separator });
    at = next;
    if (fields.length > 1 || fields[0] !== "") yield fields;
  }
}

const FIRST_LINE_LENGTH = 10_000;

/** Returns the separator that a line has most of; a comma if it has none. */
function separatorOf(line: string): Separator {
  const counts = ([",", "\t", ";"] as const).map((separator) => ({
    separator,
    count: line.split(separator).length,
  }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).separator;
}

interface Position {
  readonly at: number;
  readonly separator: Separator;
}

function parseRow(text: string, { at: start, separator }: Position): { fields: string[]; next: number } {
  const fields: string[] = [];
  for (let at = start; ;) {
    const { value, end } = parseField(text, { at, separator });
    fields.push(value);
    if (text.charAt(end) !== separator) return { fields, next: end + (text.startsWith("\r\n", end) ? 2 : 1) };
    at = end + 1;
  }
}

function parseField(text: string, { at: start, separator }: Position): { value: string; end: number } {
  let value = "";
  let at = start;
  if (text.charAt(at) === '"') {
    for (at += 1; ;) {
      const quote = text.indexOf('"', at);
      // An unclosed quote takes the rest of the text.
      if (quote < 0) return { value: value + text.slice(at), end: text.length };
      value += text.slice(at, quote);
      at = quote + 1;
      if (text.charAt(at) !== '"') break;
      value += '"';
      at += 1;
    }
  }
  const endOfField = SEPARATORS[separator];
  endOfField.lastIndex = at;
  const end = endOfField.exec(text)?.index ?? text.length;
  return { value: value + text.slice(at, end), end };
}
