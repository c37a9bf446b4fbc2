import { values } from "./access.ts";
import type { MarcFields } from "./fields.ts";
import { distinct, isDigit } from "./text.ts";

const WITH_PRICE = /^([-\d]+X?)c\$[\d.]/;
const RUN = /^[^ ()]+/;
const LETTER_X = 0x58;
const TWENTY_DIGITS = /^\d{20}$/;
const ISBN_13_DIGITS = 13;
/** Longest text that is kept as a number although it is none, in characters. */
const ISBN_TEXT_MAX = 16;

/** ISBNs as they stand in the record: those that are none are dropped when the record is loaded (import.md 13.4). */
export function isbns(fields: MarcFields): { isbn10: string[]; isbn13: string[] } {
  const found = fields.of("020").flatMap((field) => values(field, "az").flatMap(isbnsAtStart));
  const all = distinct(found);
  return {
    isbn10: all.filter((isbn) => isbn.length !== ISBN_13_DIGITS && isbn.length <= ISBN_TEXT_MAX),
    isbn13: all.filter((isbn) => isbn.length === ISBN_13_DIGITS),
  };
}

function isbnsAtStart(text: string): string[] {
  const isbn = isbnAtStart(text);
  return isbn === undefined ? [] : tidyIsbn(isbn);
}

/** The number that a text begins with, in front of a price or a remark; undefined where it begins otherwise. */
export function isbnAtStart(text: string): string | undefined {
  const priced = WITH_PRICE.exec(text)?.[1];
  if (priced !== undefined) return priced;
  const run = RUN.exec(text)?.[0] ?? "";
  let end = run.length;
  while (end > 1 && !isIsbnEnd(run.charCodeAt(end - 1))) end -= 1;
  return end > 1 ? run.slice(0, end) : undefined;
}

function isIsbnEnd(code: number): boolean {
  return isDigit(code) || code === LETTER_X;
}

/** Without hyphens, and two numbers that were written as one apart from each other. */
export function tidyIsbn(text: string): string[] {
  const isbn = text.replaceAll("-", "");
  if (hasIsbnLength(isbn)) return [isbn];
  if (TWENTY_DIGITS.test(isbn)) return [isbn.slice(0, 10), isbn.slice(10)];
  if (isbn.length === 21 && !isDigit(isbn.charCodeAt(10))) return [isbn.slice(0, 10), isbn.slice(11)];
  if (isbn.includes(";")) {
    const whole = isbn.replaceAll(";", "");
    if (hasIsbnLength(whole)) return [whole];
    const parts = isbn.split(";");
    if (parts.every(hasIsbnLength)) return parts;
  }
  return [isbn];
}

function hasIsbnLength(text: string): boolean {
  return text.length === 10 || text.length === ISBN_13_DIGITS;
}
