import { canonicalIsbn, toIsbn13 } from "../../catalog/identifiers/isbn.ts";
import { workTitleKey } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, isObject, keyOf, stringsOf } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";
import { editionWays, isbnsOf } from "./edition-ways.ts";
import { type Lookup, type RecordLookups, lookupName } from "./found.ts";
import { type SearchedAuthor, identityWays, nameWays, searchedAuthors } from "./searched-author.ts";

/** Returns the lookups needed to decide on a prepared record. */
export function lookupsOf(record: ImportRecord): RecordLookups {
  const { wikisource, ...ways } = editionWays(record);
  const editions =
    wikisource === undefined ? Object.values(ways).flat() : [...ways.openlibrary, ...wikisource];
  // The work that the record names for its edition.
  const work = Array.isArray(record["works"]) ? keyOf(record["works"][0]) : undefined;
  if (work !== undefined) editions.push({ table: "key", name: "", value: work });
  const authors = searchedAuthors(record).map((author) => {
    const names = nameWays(author).flatMap(({ own, alternate, years }) => [own, alternate].concat(years));
    return identityWays(author).concat(names);
  });
  const [title = ""] = stringsOf(record["title"]);
  return {
    editions: eachOnce(editions),
    authors: eachOnce(inTurns(authors)),
    workTitle: workTitleKey(title),
  };
}

/** Interleaves the lists, so that a limit cuts off the last lookups of each. */
function inTurns(lists: readonly (readonly Lookup[])[]): Lookup[] {
  const turns = lists.flatMap((list) => list.map((lookup, turn) => ({ lookup, turn })));
  return turns.sort((a, b) => a.turn - b.turn).map(({ lookup }) => lookup);
}

function eachOnce(lookups: readonly Lookup[]): Lookup[] {
  return [...new Map(lookups.map((lookup) => [lookupName(lookup), lookup])).values()];
}

/** Names under `identifiers` by which editions are matched. */
const MATCHED_IDENTIFIERS = ["amazon", "wikisource"];

/**
 * Returns the keys that serialise imports: two records that could be the same book, or would create the same author or
 * work, share a key. Records without a common key can be imported concurrently.
 */
export function deskKeys(record: ImportRecord): string[] {
  // Every hit of `origin` and `longTitle` has the same `title` too.
  const { wikisource = [], origin: _origin, longTitle: _longTitle, ...ways } = editionWays(record);
  const lookups = [...Object.values(ways).flat(), ...wikisource].filter(({ name }) => name !== "isbn");
  // Both forms of an ISBN belong to one book, so the longer one stands for both.
  const isbns = isbnsOf(record).flatMap((isbn) => toIsbn13(isbn) ?? canonicalIsbn(isbn) ?? []);
  const scans = stringsOf(record["source_records"]).filter((source) => source.startsWith("ia:"));
  const keys = [
    ...isbns.map((isbn) => `isbn ${isbn}`),
    ...lookups.map(deskKey),
    ...identifierKeys(record),
    ...scans.map((source) => `source ${source}`),
    ...searchedAuthors(record).flatMap(authorKeys),
  ];
  return [...new Set(keys)];
}

/**
 * Returns all identifiers used for matching: a record is matched by one of them, but all are stored and later records
 * may match any.
 */
function identifierKeys({ identifiers }: CatalogRecord): string[] {
  if (!isObject(identifiers)) return [];
  return MATCHED_IDENTIFIERS.flatMap((name) =>
    stringsOf(identifiers[name]).map((value) => `${name} ${value.trim()}`),
  );
}

function authorKeys(author: SearchedAuthor): string[] {
  const ways = nameWays(author);
  // An author's name in one record may be an alternate name in another, so both share one prefix.
  const names = ways.map(({ alternate }) => `author ${alternate.value}`);
  const others = identityWays(author).concat(ways.flatMap(({ years }) => years));
  return names.concat(others.map(deskKey));
}

function deskKey({ table, name, value }: Lookup): string {
  return `${table === "key" ? table : name} ${value}`;
}
