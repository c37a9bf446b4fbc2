import type { DataField } from "../record.ts";
import { contents, values } from "./access.ts";
import type { MarcFields } from "./fields.ts";
import { isbns } from "./isbn.ts";
import { type Members, filled, put } from "./members.ts";
import { distinct } from "./text.ts";

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

/** Numbers and classifications (import.md 13.4). */
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
