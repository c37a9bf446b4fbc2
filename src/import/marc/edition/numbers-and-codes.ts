import { TYPED_ISBN_LENGTH_MAX, parseIsbn, toCanonicalIsbn } from "../../../catalog/identifiers/isbn.ts";
import { marcCodeOf } from "../../../catalog/language.ts";
import { parseDate } from "../../../catalog/publication-date.ts";
import { type MarcFields, type Members, contentsOf, dropEmpty, putMember, subfieldValues } from "./fields.ts";
import { distinctOf, isDigit, withoutNumberDot } from "./text.ts";
import { trimmerOf } from "../../../catalog/bytes.ts";
import type { DataField } from "../record.ts";

const CODE_LETTERS = 3;
const GAPS = /[ -]/g;
const NOT_A_LANGUAGE = "zxx";
const NO_LANGUAGE = new Set(["   ", "###", "|||", "", "???", NOT_A_LANGUAGE, "n/a"]);

/** Names in MARC of the lists ISO 639-1 and 639-2, and of language tags. */
const ISO_SOURCE = /^(?:iso639-[12]|rfc\d+)/i;

/** Codes for those that catalogues confuse. */
const CURRENT_CODE: ReadonlyMap<string, string> = new Map(
  "ser=srp,end=eng,enk=eng,ent=eng,fle=dut,fr =fre,it =ita"
    .split(",")
    .map((pair): [string, string] => [pair.slice(0, CODE_LETTERS), pair.slice(-CODE_LETTERS)]),
);

/** Returns the languages of the text: the code in 008, then the codes in 041. */
function languagesOf(fields: MarcFields, coded = ""): string[] {
  const main = coded.toLowerCase();
  const texts = fields
    .of("041")
    .flatMap((field) => (field.ind2 === "7" ? otherCodesOf(field) : subfieldValues(field, "a")));
  const codes = texts.flatMap((text) => {
    const split = splitCodes(text) ?? marcCodeOf(text);
    if (split === undefined) fields.warn("invalid-language", "041 $a", text);
    return split ?? [];
  });
  return distinctOf([...(NO_LANGUAGE.has(main) ? [] : [main]), ...codes]).map(toCurrentCode);
}

/** Returns the MARC codes for codes of another list, which the field names: `en`, `zh-Hans`. */
function otherCodesOf(field: DataField): string[] {
  const isIso = subfieldValues(field, "2").some((source) => ISO_SOURCE.test(source));
  return isIso ? subfieldValues(field, "a").flatMap((code) => marcCodeOf(code) ?? []) : [];
}

/** Returns the languages of the originals, with possible duplicates. */
function originalLanguagesOf(fields: MarcFields): string[] {
  const originals = fields.of("041").flatMap((field) => subfieldValues(field, "h"));
  const codes = originals.filter(({ length }) => length === CODE_LETTERS).map((code) => code.toLowerCase());
  return codes.filter((code) => code !== NOT_A_LANGUAGE).map(toCurrentCode);
}

/** Splits `engfre` into English and French. Returns undefined if the text cannot be split into codes. */
function splitCodes(value: string): string[] | undefined {
  const joined = value.replace(GAPS, "");
  if (joined.length % CODE_LETTERS !== 0) return undefined;
  const codes = Array.from({ length: joined.length / CODE_LETTERS }, (_, index) =>
    joined.slice(index * CODE_LETTERS, (index + 1) * CODE_LETTERS).toLowerCase(),
  );
  return codes.filter((code) => code !== NOT_A_LANGUAGE);
}

function toCurrentCode(code: string): string {
  return CURRENT_CODE.get(code) ?? marcCodeOf(code) ?? code;
}

const YEAR = /^[1-9](?:\d{3}|\d{0,2}u+)$/;
/** Pattern of a coded year that says something, even if it is impossible. */
const SOME_YEAR = /[1-9]/;
/** Coded for publications that continue. */
const NO_END = "9999";
const NO_COUNTRIES = new Set(["|||", "   ", "\u0001\u0001\u0001", "???"]);
const trimBrackets = trimmerOf("[]");
const NO_DATE = new Set(["n.d.", "s.d."]);
/** Second indicators of 264 by rank: publication (or not stated), distribution, copyright, manufacture, production. */
const IMPRINT_KINDS = "1 2430";

/** Adds dates, country and languages from the coded field 008, or from other fields if it is missing. */
export function putControlMembers(members: Members, fields: MarcFields, latest: number): void {
  // An invalid byte takes one position, as in the record.
  const coded = fields.control("008")?.replaceAll("\uFFFD", " ");
  if (coded === undefined) putMember(members, "publish_date", printedDateOf(fields));
  else putCodedMembers(members, fields, [coded, latest]);
  putMember(members, "languages", languagesOf(fields, coded?.slice(35, 38)));
  putMember(members, "translated_from", originalLanguagesOf(fields));
}

function putCodedMembers(members: Members, fields: MarcFields, [coded, latest]: [string, number]): void {
  const kind = coded.charAt(6);
  const [first, second] = [coded.slice(7, 11), coded.slice(11, 15)];
  const codedYear = isYear(first, latest) ? first : undefined;
  const isDropped = codedYear === undefined && first !== NO_END && SOME_YEAR.test(first);
  if (isDropped) fields.warn("invalid-date", "008", first);
  // A reprint has its own year first. If it comes second, the printed date is used, if there is one.
  const isSwapped = kind === "r" && second > first;
  const year = isSwapped || codedYear === undefined ? (printedDateOf(fields) ?? codedYear) : codedYear;
  putMember(members, "publish_date", year);
  // Q311: the value is taken as is, even blanks.
  if (kind === "t") putMember(members, "copyright_date", second);
  const country = coded.slice(15, 18);
  if (!NO_COUNTRIES.has(country)) putMember(members, "publish_country", country.trim());
}

/** Returns true for a year up to `latest`. Q310: `19uu` is a year. */
function isYear(text: string, latest: number): boolean {
  return text.length === 4 && YEAR.test(text) && parseDate(text, latest) !== undefined;
}

/** Returns the date as printed in the book: the first of all fields 260, or else of 264 by kind (Q312). */
function printedDateOf(fields: MarcFields): string | undefined {
  const imprints = fields
    .of("264")
    .toSorted((a, b) => IMPRINT_KINDS.indexOf(a.ind2) - IMPRINT_KINDS.indexOf(b.ind2));
  for (const field of [...fields.of("260"), ...imprints]) {
    const [date] = subfieldValues(field, "c");
    if (date === undefined) continue;
    const bare = trimBrackets(date);
    return NO_DATE.has(bare.toLowerCase()) ? "[n.d.]" : withoutNumberDot(bare) || undefined;
  }
  return undefined;
}

const WITH_PRICE = /^([-\d]+X?)c\$[\d.]/;
/** Pattern of a number. A price has none. */
const RUN = /^[^ ()\p{Sc}]+/u;

const TWENTY_DIGITS = /^\d{20}$/;
const ISBN = /^\d{9}(?:[\dX]|\d{4})$/;
const ISBN_13_DIGITS = 13;
const ISBN_TEXT_MAX = 16;

/** Adds ISBNs as written. Invalid ones are dropped when the record is imported. */
function putIsbns(members: Members, fields: MarcFields): void {
  const texts = fields.of("020").flatMap((field) => subfieldValues(field, "az"));
  const all = texts.flatMap((text) => {
    const isbns = isbnsOf(text).filter(({ length }) => length <= ISBN_TEXT_MAX);
    if (isbns.length === 0) fields.warn("invalid-isbn", "020", text);
    return isbns;
  });
  const others = distinctOf(all.filter(({ length }) => length !== ISBN_13_DIGITS));
  putMember(members, "isbn_10", others);
  putMember(members, "isbn_13", distinctOf(all.filter(({ length }) => length === ISBN_13_DIGITS)));
}

/** Name and digits of a typed number, before a price or remark. */
const TYPED_NUMBER = /^\D*(?:1[03]\D+)?[\dX\s\p{Pd}\u2212]+/iu;

/** Returns the ISBNs that a text begins with, in any spelling, or else its number as written, such as an SBN. */
function isbnsOf(text: string): string[] {
  const written = isbnTextOf(text);
  const tidy = written === undefined ? [] : tidyIsbn(written);
  if (tidy.length > 0 && tidy.every((isbn) => ISBN.test(isbn))) return tidy;
  const [typed = ""] = TYPED_NUMBER.exec(text.slice(0, TYPED_ISBN_LENGTH_MAX)) ?? [];
  const isbn = parseIsbn(text) ?? parseIsbn(typed) ?? toCanonicalIsbn(written ?? "");
  return isbn === undefined || isbn === `0${written}` ? tidy : [isbn];
}

/** Returns the number at the start of a text, before a price or remark. Returns undefined if there is none. */
export function isbnTextOf(text: string): string | undefined {
  const priced = WITH_PRICE.exec(text)?.[1];
  if (priced !== undefined) return priced;
  const run = RUN.exec(text)?.[0] ?? "";
  let end = run.length;
  while (end > 1 && !isDigit(run.charCodeAt(end - 1)) && run.charAt(end - 1) !== "X") end -= 1;
  return end > 1 ? run.slice(0, end) : undefined;
}

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
const LCCN_SERIAL = 6;
const OCLC_AGENCY = /^ocolc *$/i;
const OCLC_CARD = /^oc[nm](\d+) *$/;
const DIGITS = /^\d+$/;
const OCLC_PREFIX = "(OCoLC)";
/** Number after the prefix: with a code of up to three letters before it, and a remark after it. */
const OCLC_NUMBER = /^\s*(?:[a-z]{1,3}\s*)?(\d+)(?:[^\w-].*)?$/is;
const LEADING_ZEROS = /^0+(?=\d)/;

export function putIdentifierMembers(members: Members, fields: MarcFields): void {
  const lccns = valuesOfTag(fields, "010").filter((text) => !QUESTION.test(text));
  const warnOfLccn = (text: string): void => fields.warn("invalid-lccn", "010 $a", text);
  putMember(members, "lccn", valuesOrWarnings(lccns, parseLccn, warnOfLccn));
  putMember(members, "identifiers", identifiersOf(fields));
  putIsbns(members, fields);
  putMember(members, "oclc_numbers", oclcNumbersOf(fields));
  putMember(members, "lc_classifications", dropEmpty(fields.of("050").flatMap(shelfmarksOf)));
  putMember(members, "dewey_decimal_class", dropEmpty(valuesOfTag(fields, "082")));
}

/** Returns the values that can be parsed, and passes the others to `warn`. */
function valuesOrWarnings(
  texts: readonly string[],
  parse: (text: string) => string | undefined,
  warn: (text: string) => void,
): string[] {
  return texts.flatMap((text) => {
    const value = parse(text);
    if (value === undefined) warn(text);
    return value ?? [];
  });
}

function valuesOfTag(fields: MarcFields, tag: string): string[] {
  return fields.of(tag).flatMap((field) => subfieldValues(field, "a"));
}

/** Returns the LCCN with its serial padded with zeros. */
export function parseLccn(text: string): string | undefined {
  const number = LCCN.exec(text.replaceAll("^", " "))?.[0].trim();
  if (!number?.includes("-")) return number || undefined;
  const serial = number.length - number.indexOf("-") - 1;
  return number.replaceAll("-", "0".repeat(Math.max(0, LCCN_SERIAL - serial)));
}

/** Returns numbers of other agencies by name. All of them are kept (Q315). */
function identifiersOf(fields: MarcFields): Members {
  const named: Members = {};
  putMember(named, "dnb", numbersOfSource(fields.of("016"), "DE-101"));
  putMember(named, "doi", numbersOfSource(fields.of("024"), "doi"));
  putMember(named, "issn", dropEmpty(valuesOfTag(fields, "022")));
  return named;
}

function numbersOfSource(fields: readonly DataField[], source: string): string[] {
  const named = fields.filter((field) => subfieldValues(field, "2")[0] === source);
  return named.flatMap((field) => subfieldValues(field, "a")[0] || []).slice(0, 1);
}

function oclcNumbersOf(fields: MarcFields): string[] {
  const numbers: string[] = [];
  const controlNumber = fields.control("001") ?? "";
  if (OCLC_AGENCY.test(fields.control("003") ?? "")) {
    const number = parseCardNumber(controlNumber) ?? controlNumber;
    if (DIGITS.test(number)) numbers.push(number);
  }
  const texts = valuesOfTag(fields, "035");
  // Numbers of other catalogues are not read.
  const named = texts.filter((text) => text.startsWith(OCLC_PREFIX) || OCLC_CARD.test(text));
  const warn = (text: string): void => fields.warn("invalid-oclc-number", "035 $a", text);
  return distinctOf([...numbers, ...valuesOrWarnings(named, parseOclcNumber, warn)]);
}

/** Returns an OCLC number without leading zeros; undefined for numbers of other catalogues. */
export function parseOclcNumber(text: string): string | undefined {
  if (!text.startsWith(OCLC_PREFIX)) return parseCardNumber(text);
  return OCLC_NUMBER.exec(text.slice(OCLC_PREFIX.length))?.[1]?.replace(LEADING_ZEROS, "");
}

function parseCardNumber(text: string): string | undefined {
  return OCLC_CARD.exec(text)?.[1]?.replace(LEADING_ZEROS, "");
}

function shelfmarksOf(field: DataField): string[] {
  const classes = contentsOf(field, "a");
  const item = contentsOf(field, "b").join(" ");
  if (item === "") return classes;
  return classes.length === 0 ? [item] : classes.map((classMark) => `${classMark} ${item}`);
}
