import { parseAuthorNumber } from "./author-numbers.ts";
import { isObject, stringsOf, type CatalogRecord, type Json } from "../record.ts";
import { trimmerOf, utf8Length } from "../bytes.ts";
import { toNormalForm } from "../matching/match-keys.ts";
import { toCanonicalIsbn, toOppositeIsbn } from "./isbn.ts";

const NORMAL = /^(?:[a-z]|[a-z]?(?:[a-z]{2}|\d{2})|[a-z]{2}\d{2})?\d{8}$/;
const PLAIN = /^\d{8}(?:\d\d)?$/;
const HYPHENATED = /^(.+)-(\d+)/;
const HYPHENS = /\p{Pd}/gu;
const SERIAL_LENGTH = 6;
const BLANKS = /\s+/g;
const trimHyphens = trimmerOf("-");
/** Maximum length of a number with its name, address or note, in UTF-16 units. */
const LENGTH_MAX = 200;
const LCCN_NAME = /^(?:\S*lccn\.loc\.gov\/|(?:urn:|info:)?lccn[\s:/=]*|\(dlc\))\s*/i;

/** Returns the normal form of an LCCN, such as `agr62000298`. Returns undefined if the text is not one. */
export function normalizeLccn(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const unnamed = toNormalForm(text.trim(), "NFKC").replace(LCCN_NAME, "");
  const hyphenated = unnamed.replace(BLANKS, "").replace(HYPHENS, "-");
  const [beforeRevision = ""] = trimHyphens(hyphenated).toLowerCase().split("rev", 1);
  const [number = ""] = beforeRevision.split("/", 1);
  const [, year, serial] = HYPHENATED.exec(number) ?? [];
  const joined =
    year === undefined || serial === undefined ? number : year + serial.padStart(SERIAL_LENGTH, "0");
  return NORMAL.test(joined) ? joined : undefined;
}

/** Returns the indexed form of an LCCN: its normal form, or else its lower case without blanks. */
export function toLookupLccn(text: string): string | undefined {
  const value = normalizeLccn(text) ?? text.toLowerCase().replace(BLANKS, "");
  return value === "" ? undefined : value;
}

/** Parts of a normal form: prefix, year and serial number. */
const LCCN_PARTS = /^([a-z]*)(\d{2}|\d{4})(\d{6})$/;

/** Returns the spellings in which records may have the same LCCN, the normal form first; none for other texts (Q651). */
export function lccnSpellingsOf(text: string): string[] {
  const normal = normalizeLccn(text);
  const [, prefix, year, serial = ""] = LCCN_PARTS.exec(normal ?? "") ?? [];
  if (normal === undefined || year === undefined) return [];
  return [normal, `${prefix}${year}-${Number(serial)}`, `${prefix}${year}-${serial}`];
}

const OCLC_NAME =
  /^(?:https?:\/\/[a-z.]*worldcat\.org\/(?:title\/)?(?:[^/\s]+\/)?(?:oclc\/)?|(?:urn:|info:)?oclc(?:num)?[\s:/=#]*)/i;
const NUMBER = /^(?:\(ocolc\)\s*)?(?:(?:oc[mn]|on)\s*)?0*([1-9]\d*)$/i;

/** Returns the indexed form of an OCLC number: bare digits, or else the trimmed text. */
export function normalizeOclc(text: string): string | undefined {
  const trimmed = text.trim();
  const value = oclcDigitsOf(trimmed) ?? trimmed;
  return value === "" ? undefined : value;
}

function oclcDigitsOf(text: string): string | undefined {
  return text.length > LENGTH_MAX ? undefined : NUMBER.exec(text.trim().replace(OCLC_NAME, ""))?.[1];
}

/** Digits that OCLC numbers have at least after their prefix: `ocm00012345`. */
const OCLC_LENGTH = 8;

/** Returns the spellings in which records may have the same OCLC number, the bare one first; none for other texts (Q651). */
export function oclcSpellingsOf(text: string): string[] {
  const number = oclcDigitsOf(text);
  if (number === undefined) return [];
  const padded = number.padStart(OCLC_LENGTH, "0");
  const prefix = ["ocm", "ocn"][number.length - OCLC_LENGTH] ?? (number.length < OCLC_LENGTH ? "ocm" : "on");
  return [...new Set([number, padded, `ocm${number}`, prefix + padded, `(OCoLC)${number}`])];
}

const ISSN = /^(?:\S*issn(?:-?l)?[\s:/=]*)?(\d{4})[\s-]?(\d{3}[\dX])(?:\s*\(.*\))?$/i;
const DOI = /10\.\d{4,9}(?:\.\d+)*\/\S+$/;

function normalizeIssn(text: string): string | undefined {
  const [, start, end] = ISSN.exec(toNormalForm(text.trim(), "NFKC").replace(HYPHENS, "-")) ?? [];
  return end === undefined ? undefined : `${start}-${end.toUpperCase()}`;
}

function normalizeIsbn(text: string): string | undefined {
  // Its note may have digits: `0141439513 (v. 1 : pbk.)`.
  return toCanonicalIsbn(text) ?? toCanonicalIsbn(text.split("(", 1).join(""));
}

const NORMALIZERS: ReadonlyMap<string, (text: string) => string | undefined> = new Map([
  ...["isbn", "isbn_10", "isbn_13"].map((source) => [source, normalizeIsbn] as const),
  ["lccn", normalizeLccn],
  ["oclc", normalizeOclc],
  ["oclc_numbers", normalizeOclc],
  ["issn", normalizeIssn],
  ["doi", (text: string) => DOI.exec(text.trim())?.[0]],
]);

/** Returns the form of a number that is stored, compared and exported: its normal form, or else the trimmed text (Q785). */
export function normalizeNumber(source: string, text: string): string {
  const normal = text.length > LENGTH_MAX ? undefined : NORMALIZERS.get(source)?.(text);
  return normal ?? parseAuthorNumber(text, source)?.value ?? text.trim();
}

/** Returns the distinct numbers of a member. A number in two spellings counts once. */
export function normalizeNumbers(source: string, values: Json | undefined): string[] {
  const numbers = stringsOf(values).map((text) => normalizeNumber(source, text));
  return [...new Set(numbers)].filter((number) => number !== "");
}

export interface Identifier {
  /** `isbn`, `lccn`, `oclc`, `ocaid`, `source`, `local_id`, or a source name such as `goodreads`. */
  readonly kind: string;
  readonly value: string;
}

/** Maximum length of an indexed value, in UTF-8 bytes. */
export const IDENTIFIER_BYTES_MAX = 2048;
/** Number of rows up to which duplicates are searched linearly: cheaper than a set, and nearly always enough. */
const SCANNED_ROWS = 32;

interface IdentifierRows {
  readonly rows: Identifier[];
  seen: Set<string> | undefined;
}

type AddIdentifier = (into: IdentifierRows, text: string) => void;

const MEMBERS: readonly (readonly [member: string, add: AddIdentifier])[] = [
  ["isbn_10", addIsbn],
  ["isbn_13", addIsbn],
  ["lccn", (into, text) => addValue(into, "lccn", toLookupLccn(text))],
  ["oclc_numbers", addOclc],
  ["oclc_number", addOclc],
  ["ocaid", (into, text) => addValue(into, "ocaid", text)],
  ["source_records", (into, text) => addValue(into, "source", text)],
  ["local_id", (into, text) => addValue(into, "local_id", text)],
];

/** Returns all identifiers of an edition in the form used for comparison, without duplicates. */
export function editionIdentifiersOf(edition: CatalogRecord): Identifier[] {
  const into: IdentifierRows = { rows: [], seen: undefined };
  for (const [member, add] of MEMBERS) addEach(into, edition[member], add);
  const { identifiers } = edition;
  if (!isObject(identifiers)) return into.rows;
  for (const source in identifiers) {
    addEach(into, identifiers[source], (rows, text) => {
      addValue(rows, source, text.trim());
      addValue(rows, source, normalizeNumber(source, text));
    });
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
  const isbn = toCanonicalIsbn(text);
  if (isbn === undefined) return;
  addValue(rows, "isbn", isbn);
  addValue(rows, "isbn", toOppositeIsbn(isbn));
}

function addOclc(rows: IdentifierRows, text: string): void {
  addValue(rows, "oclc", normalizeOclc(text));
}

function addValue(rows: IdentifierRows, kind: string, value: string | undefined): void {
  if (value === undefined || value === "") return;
  // A UTF-16 unit takes one to three bytes, so the length alone nearly always decides.
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
