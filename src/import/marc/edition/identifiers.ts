import type { DataField } from "../record.ts";
import { type MarcFields, type Members, contents, filled, put, values } from "./fields.ts";
import { distinct, isDigit } from "./text.ts";

const WITH_PRICE = /^([-\d]+X?)c\$[\d.]/;
const RUN = /^[^ ()]+/;

const TWENTY_DIGITS = /^\d{20}$/;
const ISBN_13_DIGITS = 13;
/** Maximum length of an invalid number that is kept, in characters. */
const ISBN_TEXT_MAX = 16;

/** Adds ISBNs as written. Invalid ones are dropped when the record is loaded. */
function putIsbns(members: Members, fields: MarcFields): void {
  const texts = fields.of("020").flatMap((field) => values(field, "az"));
  const all = distinct(texts.flatMap((text) => isbnAtStart(text) ?? []).flatMap(tidyIsbn));
  const others = all.filter(({ length }) => length !== ISBN_13_DIGITS && length <= ISBN_TEXT_MAX);
  put(members, "isbn_10", others);
  put(
    members,
    "isbn_13",
    all.filter(({ length }) => length === ISBN_13_DIGITS),
  );
}

/** Returns the number at the start of a text, before a price or remark. Returns undefined if there is none. */
export function isbnAtStart(text: string): string | undefined {
  const priced = WITH_PRICE.exec(text)?.[1];
  if (priced !== undefined) return priced;
  const run = RUN.exec(text)?.[0] ?? "";
  let end = run.length;
  while (end > 1 && !isDigit(run.charCodeAt(end - 1)) && run.charAt(end - 1) !== "X") end -= 1;
  return end > 1 ? run.slice(0, end) : undefined;
}

/** Removes hyphens and splits two numbers written as one. */
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
/** Number of digits to which the serial of an LCCN is padded. */
const LCCN_SERIAL = 6;
const OCLC_AGENCY = /^ocolc *$/i;
const OCLC_CARD = /^oc[nm](\d+) *$/;
const DIGITS = /^\d+$/;
const OCLC_PREFIX = "(OCoLC)";
const FIRST_DIGITS = /\d+/;
const LEADING_ZEROS = /^0+(?=\d)/;

/** Adds numbers and classifications. */
export function putIdentifierMembers(members: Members, fields: MarcFields): void {
  const lccns = allOf(fields, "010").flatMap((value) => lccn(value) ?? []);
  put(members, "lccn", lccns);
  put(members, "identifiers", namedIdentifiers(fields));
  putIsbns(members, fields);
  put(members, "oclc_numbers", oclcNumbers(fields));
  put(members, "lc_classifications", filled(fields.of("050").flatMap(shelfmarks)));
  put(members, "dewey_decimal_class", filled(allOf(fields, "082")));
}

function allOf(fields: MarcFields, tag: string): string[] {
  return fields.of(tag).flatMap((field) => values(field, "a"));
}

/**
 * Returns the Library of Congress control number with its serial padded with zeros. Returns undefined if there is none.
 */
export function lccn(text: string): string | undefined {
  if (QUESTION.test(text)) return undefined;
  const number = LCCN.exec(text.replaceAll("^", " "))?.[0].trim();
  if (!number?.includes("-")) return number || undefined;
  const serial = number.length - number.indexOf("-") - 1;
  return number.replaceAll("-", "0".repeat(Math.max(0, LCCN_SERIAL - serial)));
}

/** Returns numbers of other agencies by name. All of them are kept (Q315). */
function namedIdentifiers(fields: MarcFields): Members {
  const named: Members = {};
  put(named, "dnb", ofSource(fields.of("016"), "DE-101"));
  put(named, "doi", ofSource(fields.of("024"), "doi"));
  put(named, "issn", filled(allOf(fields, "022")));
  return named;
}

/** Returns the number in the first field that has the source and a number. */
function ofSource(fields: readonly DataField[], source: string): string[] {
  const named = fields.filter((field) => values(field, "2")[0] === source);
  return named.flatMap((field) => values(field, "a")[0] || []).slice(0, 1);
}

function oclcNumbers(fields: MarcFields): string[] {
  const found: string[] = [];
  const own = fields.control("001") ?? "";
  if (OCLC_AGENCY.test(fields.control("003") ?? "")) {
    const number = cardNumber(own) ?? own;
    if (DIGITS.test(number)) found.push(number);
  }
  return distinct([...found, ...allOf(fields, "035").flatMap((value) => oclcNumber(value) ?? [])]);
}

/**
 * Returns the number in the OCLC union catalogue without leading zeros. Returns undefined for a number of another
 * catalogue.
 */
export function oclcNumber(text: string): string | undefined {
  if (!text.startsWith(OCLC_PREFIX)) return cardNumber(text);
  return FIRST_DIGITS.exec(text.slice(OCLC_PREFIX.length))?.[0].replace(LEADING_ZEROS, "");
}

function cardNumber(text: string): string | undefined {
  return OCLC_CARD.exec(text)?.[1]?.replace(LEADING_ZEROS, "");
}

/** Returns one shelfmark per class of a field, all with the same item number. */
function shelfmarks(field: DataField): string[] {
  const classes = contents(field, "a");
  const item = contents(field, "b").join(" ");
  if (item === "") return classes;
  return classes.length === 0 ? [item] : classes.map((one) => `${one} ${item}`);
}
