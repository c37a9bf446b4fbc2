import { toLookupLccn, normalizeOclc } from "../../catalog/identifiers/edition-identifiers.ts";
import { toCanonicalIsbn, toIsbn13 } from "../../catalog/identifiers/isbn.ts";
import {
  editionTitleKeyOf,
  longTitleOf,
  normalizeTitle,
  workTitleKeyOf,
} from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, type Json, isObject, keyOf, stringsOf } from "../../catalog/record.ts";
import { type ImportRecord, nonIsbnAsin } from "../record.ts";
import { type RecordLookup, type RecordLookups, lookupNameOf } from "./snapshot.ts";
import {
  type ParsedAuthor,
  identityLookups,
  nameLookups,
  parseAuthors,
  spellingLookups,
} from "./author-lookups.ts";

/** Maximum values of one kind, such as ISBNs, by which a record is looked up. */
export const LOOKUP_VALUES_MAX = 100;
const WIKISOURCE = "wikisource:";

export type EditionLookups = ReturnType<typeof editionLookups>;

/** Returns the lookups for editions of the record's book. */
export function editionLookups(record: ImportRecord) {
  const title = stringsOf(record["title"]).slice(0, 1);
  const edition = stringsOf(record["openlibrary"]).slice(0, 1);
  const allSources = stringsOf(record["source_records"]);
  // The Wikisource page that the record describes.
  const page = allSources.find((source) => source.startsWith(WIKISOURCE))?.slice(WIKISOURCE.length);
  const sources = allSources.slice(0, 1);
  return {
    openlibrary: edition.map((olid): RecordLookup => ({ table: "key", name: "", value: `/books/${olid}` })),
    /** Undefined unless the record comes from Wikisource. Then this is the only lookup used. */
    wikisource:
      page === undefined ? undefined : identifierLookups("wikisource", [page], (text) => text.trim()),
    /** Finds editions with the same start of the title, which include exact matches. */
    title: titleLookups("title", title.map(normalizeTitle)),
    /** Finds editions whose title is too long for `title`: very many start with `Annual report of the`. */
    longTitle: titleLookups("long_title", title.map(longTitleOf)),
    /** Finds editions of the record's first source with the same start of the title. */
    origin: title.flatMap((text) => titledSourceLookups(sources, normalizeTitle(text))),
    oclc: identifierLookups("oclc", record["oclc_numbers"], normalizeOclc),
    lccn: identifierLookups("lccn", record["lccn"], toLookupLccn),
    ocaid: identifierLookups("ocaid", record["ocaid"], (text) => text),
    titleKey: titleLookups("title", title.map(editionTitleKeyOf)),
    isbn: identifierLookups("isbn", lookupIsbns(record), toCanonicalIsbn),
    asin: identifierLookups("amazon", nonIsbnAsin(record), (text) => text.trim()),
    source: identifierLookups(
      "source",
      sources.filter((source) => source.startsWith("ia:")),
      (text) => text,
    ),
  };
}

export function lookupIsbns(record: ImportRecord): string[] {
  return ["isbn_10", "isbn_13", "isbn"].flatMap((member) => stringsOf(record[member]));
}

function titleLookups(name: string, keys: readonly (string | undefined)[]): RecordLookup[] {
  return keys.flatMap((value) => (value ? [{ table: "property", name, value }] : []));
}

/** Returns lookups by source and title, because thousands of records may share a source. */
function titledSourceLookups(sources: readonly string[], title: string): RecordLookup[] {
  return title === ""
    ? []
    : sources.map((value) => ({ table: "identifier", name: "source", value, titled: title }));
}

function identifierLookups(
  name: string,
  values: Json | undefined,
  form: (text: string) => string | undefined,
): RecordLookup[] {
  const forms = stringsOf(values).flatMap((value) => form(value) ?? []);
  const distinct = [...new Set(forms)].filter((value) => value !== "").slice(0, LOOKUP_VALUES_MAX);
  return distinct.map((value) => ({ table: "identifier", name, value }));
}

/** Returns the lookups needed to decide on a prepared record. */
export function lookupsOf(record: ImportRecord): RecordLookups {
  const { wikisource, ...lookups } = editionLookups(record);
  const editions =
    wikisource === undefined ? Object.values(lookups).flat() : [...lookups.openlibrary, ...wikisource];
  // The work that the record names for its edition.
  const work = Array.isArray(record["works"]) ? keyOf(record["works"][0]) : undefined;
  if (work !== undefined) editions.push({ table: "key", name: "", value: work });
  const authors = parseAuthors(record).map((author) =>
    identityLookups(author).concat(
      nameLookups(author).flatMap(({ exact, alternate, years }) => [exact, alternate].concat(years)),
      spellingLookups(author),
    ),
  );
  const [title = ""] = stringsOf(record["title"]);
  return {
    editions: dedupeLookups(editions),
    authors: dedupeLookups(interleave(authors)),
    workTitle: workTitleKeyOf(title),
  };
}

/** Interleaves the lists, so that a limit cuts off the last lookups of each. */
function interleave(lists: readonly (readonly RecordLookup[])[]): RecordLookup[] {
  const turns = lists.flatMap((list) => list.map((lookup, turn) => ({ lookup, turn })));
  return turns.sort((a, b) => a.turn - b.turn).map(({ lookup }) => lookup);
}

function dedupeLookups(lookups: readonly RecordLookup[]): RecordLookup[] {
  return [...new Map(lookups.map((lookup) => [lookupNameOf(lookup), lookup])).values()];
}

const MATCHED_IDENTIFIERS = ["amazon", "wikisource"];

/**
 * Returns the keys that serialise imports: two records that could be the same book, or would create the same author or
 * work, share a key. Records without a common key can be imported concurrently.
 */
export function deskKeysOf(record: ImportRecord): string[] {
  // Every hit of `origin` and `longTitleOf` has the same `title` too.
  const { wikisource = [], origin: _origin, longTitle: _longTitle, ...lookups } = editionLookups(record);
  const keyLookups = [...Object.values(lookups).flat(), ...wikisource].filter(({ name }) => name !== "isbn");
  // Both forms of an ISBN belong to one book, so the longer one stands for both.
  const isbns = lookupIsbns(record).flatMap((isbn) => toIsbn13(isbn) ?? toCanonicalIsbn(isbn) ?? []);
  const scans = stringsOf(record["source_records"]).filter((source) => source.startsWith("ia:"));
  const keys = [
    ...isbns.map((isbn) => `isbn ${isbn}`),
    ...keyLookups.map(deskKeyOf),
    ...identifierKeysOf(record),
    ...scans.map((source) => `source ${source}`),
    ...parseAuthors(record).flatMap(authorDeskKeysOf),
  ];
  return [...new Set(keys)];
}

/** Returns keys for all identifiers that later records may match. */
function identifierKeysOf({ identifiers }: CatalogRecord): string[] {
  if (!isObject(identifiers)) return [];
  return MATCHED_IDENTIFIERS.flatMap((name) =>
    stringsOf(identifiers[name]).map((value) => `${name} ${value.trim()}`),
  );
}

function authorDeskKeysOf(author: ParsedAuthor): string[] {
  const lookups = nameLookups(author);
  // An author's name in one record may be an alternate name in another, so both share one prefix.
  const names = lookups.map(({ alternate }) => `author ${alternate.value}`);
  const identities = identityLookups(author).concat(lookups.flatMap(({ years }) => years));
  return names.concat(identities.map(deskKeyOf));
}

function deskKeyOf({ table, name, value }: RecordLookup): string {
  return `${table === "key" ? table : name} ${value}`;
}
