/**
 * Comma-separated values (RFC 4180). Reading is lenient, as real files need it: lines end in CRLF, LF or CR, a quote
 * inside a bare field is a character, and text after a closing quote belongs to the field.
 */

/** Q234: first characters that make a spreadsheet read a field as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const END_OF_FIELD = /[,\r\n]/g;

/** Returns a line of the file, CRLF included. Null is an empty field. */
export function formatCsvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(formatField).join(",")}\r\n`;
}

function formatField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Yields the rows of a text; empty lines are left out. */
export function* parseCsv(text: string): Generator<string[]> {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const { fields, next } = parseRow(text, at);
    at = next;
    if (fields.length > 1 || fields[0] !== "") yield fields;
  }
}

function parseRow(text: string, start: number): { fields: string[]; next: number } {
  const fields: string[] = [];
  for (let at = start; ;) {
    const { value, end } = parseField(text, at);
    fields.push(value);
    if (text.charAt(end) !== ",") return { fields, next: end + (text.startsWith("\r\n", end) ? 2 : 1) };
    at = end + 1;
  }
}

function parseField(text: string, start: number): { value: string; end: number } {
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
  END_OF_FIELD.lastIndex = at;
  const end = END_OF_FIELD.exec(text)?.index ?? text.length;
  return { value: value + text.slice(at, end), end };
}
