import { isObject, type CatalogRecord, type Json } from "../record.ts";
import { utf8Length } from "../bytes.ts";
import { canonicalIsbn, oppositeIsbn } from "./isbn.ts";

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

/** A row of the lookup index: what an edition can be found by. */
export interface Identifier {
  /** `isbn`, `lccn`, `oclc`, `ocaid`, `source`, `local_id`, or a source name such as `goodreads`. */
  readonly kind: string;
  readonly value: string;
}

/** Longest value that is indexed, in UTF-8 bytes. */
export const IDENTIFIER_BYTES_MAX = 2048;
/** Rows up to which duplicates are looked for one by one: cheaper than a set, and nearly always enough. */
const SCANNED_ROWS = 32;

interface IdentifierRows {
  readonly rows: Identifier[];
  seen: Set<string> | undefined;
}

type AddIdentifier = (into: IdentifierRows, text: string) => void;

const MEMBERS: readonly (readonly [member: string, add: AddIdentifier])[] = [
  ["isbn_10", addIsbn],
  ["isbn_13", addIsbn],
  ["lccn", (into, text) => addValue(into, "lccn", lookupLccn(text))],
  ["oclc_numbers", addOclc],
  ["oclc_number", addOclc],
  ["ocaid", (into, text) => addValue(into, "ocaid", text)],
  ["source_records", (into, text) => addValue(into, "source", text)],
  ["local_id", (into, text) => addValue(into, "local_id", text)],
];

/** Everything that an edition can be looked up by, in the forms in which lookups compare, without repeats. */
export function editionIdentifiers(edition: CatalogRecord): Identifier[] {
  const into: IdentifierRows = { rows: [], seen: undefined };
  for (const [member, add] of MEMBERS) addEach(into, edition[member], add);
  const { identifiers } = edition;
  if (!isObject(identifiers)) return into.rows;
  for (const source in identifiers) {
    addEach(into, identifiers[source], (rows, text) => addValue(rows, source, text.trim()));
  }
  return into.rows;
}

function addEach(rows: IdentifierRows, value: Json | undefined, add: AddIdentifier): void {
  if (typeof value === "string") add(rows, value);
  else if (Array.isArray(value)) {
    for (const element of value) if (typeof element === "string") add(rows, element);
  }
}

function addIsbn(rows: IdentifierRows, text: string): void {
  const isbn = canonicalIsbn(text);
  if (isbn === undefined) return;
  addValue(rows, "isbn", isbn);
  addValue(rows, "isbn", oppositeIsbn(isbn));
}

function addOclc(rows: IdentifierRows, text: string): void {
  addValue(rows, "oclc", normalizeOclc(text));
}

function addValue(rows: IdentifierRows, kind: string, value: string | undefined): void {
  if (value === undefined || value === "") return;
  // A UTF-16 unit takes one to three bytes: the length alone decides nearly always.
  if (value.length * 3 > IDENTIFIER_BYTES_MAX && utf8Length(value) > IDENTIFIER_BYTES_MAX) return;
  if (isKnown(rows, kind, value)) return;
  rows.rows.push({ kind, value });
  rows.seen?.add(rowNameOf(kind, value));
}

function isKnown(rows: IdentifierRows, kind: string, value: string): boolean {
  if (rows.rows.length < SCANNED_ROWS) {
    for (const row of rows.rows) if (row.value === value && row.kind === kind) return true;
    return false;
  }
  rows.seen ??= new Set(rows.rows.map((row) => rowNameOf(row.kind, row.value)));
  return rows.seen.has(rowNameOf(kind, value));
}

function rowNameOf(kind: string, value: string): string {
  return `${kind}\n${value}`;
}
