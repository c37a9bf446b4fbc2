import type { DataField } from "../record.ts";
import { type MarcFields, type Members, contents, filled, put, values } from "./fields.ts";
import { distinct, isDigit } from "./text.ts";

const WITH_PRICE = /^([-\d]+X?)c\$[\d.]/;
const RUN = /^[^ ()]+/;
const LETTER_X = 0x58;
const TWENTY_DIGITS = /^\d{20}$/;
const ISBN_13_DIGITS = 13;
/** Longest text that is kept as a number although it is none, in characters. */
const ISBN_TEXT_MAX = 16;

/** ISBNs as they stand in the record: those that are none are dropped when the record is loaded. */
function isbns(fields: MarcFields): { isbn10: string[]; isbn13: string[] } {
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

const QUESTION = /^\?+$/;
const LCCN = /[ \dA-Za-z-]{3}[\d/-]+/;
/** Digits that the serial number of an LCCN is filled up to. */
const LCCN_SERIAL = 6;
const OCLC_AGENCY = /^ocolc *$/i;
const OCLC_CARD = /^oc[nm](\d+) *$/;
const DIGITS = /^\d+$/;
const OCLC_PREFIX = "(OCoLC)";
const FIRST_DIGITS = /\d+/;
const LEADING_ZEROS = /^0+(?=\d)/;

/** Numbers and classifications. */
export function putIdentifierMembers(members: Members, fields: MarcFields): void {
  const { isbn10, isbn13 } = isbns(fields);
  put(
    members,
    "lccn",
    allOf(fields, "010").flatMap((value) => lccn(value) ?? []),
  );
  put(members, "identifiers", namedIdentifiers(fields));
  put(members, "isbn_10", isbn10);
  put(members, "isbn_13", isbn13);
  put(members, "oclc_numbers", oclcNumbers(fields));
  put(members, "lc_classifications", filled(fields.of("050").flatMap(shelfmarks)));
  put(members, "dewey_decimal_class", filled(allOf(fields, "082")));
}

function allOf(fields: MarcFields, tag: string): string[] {
  return fields.of(tag).flatMap((field) => values(field, "a"));
}

/** Control number of the Library of Congress, its serial filled up with zeros; undefined when the text has none. */
export function lccn(text: string): string | undefined {
  if (QUESTION.test(text)) return undefined;
  const number = LCCN.exec(text.replaceAll("^", " "))?.[0].trim();
  if (!number?.includes("-")) return number || undefined;
  const serial = number.length - number.indexOf("-") - 1;
  return number.replaceAll("-", "0".repeat(Math.max(0, LCCN_SERIAL - serial)));
}

/** Numbers of other agencies by name; all of them are kept (Q315). */
function namedIdentifiers(fields: MarcFields): Record<string, string[]> {
  const named: Record<string, string[]> = {};
  const dnb = ofSource(fields.of("016"), "DE-101");
  const doi = ofSource(fields.of("024"), "doi");
  const issn = filled(allOf(fields, "022"));
  if (dnb) named["dnb"] = [dnb];
  if (doi) named["doi"] = [doi];
  if (issn.length > 0) named["issn"] = issn;
  return named;
}

/** The number in the first field that names a source and has one. */
function ofSource(fields: readonly DataField[], source: string): string | undefined {
  for (const field of fields) {
    const [number] = values(field, "a");
    if (number && values(field, "2")[0] === source) return number;
  }
  return undefined;
}

function oclcNumbers(fields: MarcFields): string[] {
  const found: string[] = [];
  const own = fields.control("001") ?? "";
  if (OCLC_AGENCY.test(fields.control("003") ?? "")) {
    const number = cardNumber(own) ?? own;
    if (DIGITS.test(number)) found.push(number);
  }
  for (const value of allOf(fields, "035")) {
    const number = oclcNumber(value);
    if (number !== undefined) found.push(number);
  }
  return distinct(found);
}

/** Number of the union catalogue OCLC without leading zeros; undefined for a number of another catalogue. */
export function oclcNumber(text: string): string | undefined {
  if (!text.startsWith(OCLC_PREFIX)) return cardNumber(text);
  return FIRST_DIGITS.exec(text.slice(OCLC_PREFIX.length))?.[0].replace(LEADING_ZEROS, "");
}

function cardNumber(text: string): string | undefined {
  return OCLC_CARD.exec(text)?.[1]?.replace(LEADING_ZEROS, "");
}

/** One shelfmark for each class of a field, all with the same item number. */
function shelfmarks(field: DataField): string[] {
  const classes = contents(field, "a");
  const item = contents(field, "b").join(" ");
  if (item === "") return classes;
  return classes.length === 0 ? [item] : classes.map((one) => `${one} ${item}`);
}
