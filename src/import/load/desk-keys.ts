import { canonicalIsbn, toIsbn13 } from "../../catalog/identifiers/isbn.ts";
import { type CatalogRecord, isObject, stringsOf } from "../../catalog/record.ts";
import { type SearchedAuthor, searchedAuthors } from "../authors/searched-author.ts";
import { identityWays, nameWays } from "../authors/ways.ts";
import { editionWays, isbnsOf } from "../match/ways.ts";
import type { ImportRecord } from "../record.ts";
import type { Lookup } from "./lookups.ts";

/** Names under `identifiers` by which editions are matched. */
const MATCHED_IDENTIFIERS = ["amazon", "wikisource"];
/** Kinds of identifiers that are both members and looked up below. */
const ISBN = "isbn";

/**
 * The keys of a prepared record: two records that could be the same book, or would make the same author or work, have one
 * in common. Those with none in common may be imported at once.
 */
export function deskKeys(record: ImportRecord): string[] {
  // Whatever `origin` and `longTitle` give has the same `title` as well.
  const { wikisource = [], origin: _origin, longTitle: _longTitle, ...ways } = editionWays(record);
  const lookups = [...Object.values(ways).flat(), ...wikisource].filter(({ name }) => name !== ISBN);
  const keys = [
    ...isbnKeys(record),
    ...lookups.map(deskKey),
    ...identifierKeys(record),
    ...scanKeys(record),
    ...searchedAuthors(record).flatMap(authorKeys),
  ];
  return [...new Set(keys)];
}

/** Both forms of an ISBN are one book's: the longer one stands for them. */
function isbnKeys(record: ImportRecord): string[] {
  const isbns = isbnsOf(record).flatMap((isbn) => toIsbn13(isbn) ?? canonicalIsbn(isbn) ?? []);
  return isbns.map((isbn) => `isbn ${isbn}`);
}

/** A record is matched by one of these, but all of them are stored, for others to be matched by. */
function identifierKeys({ identifiers }: CatalogRecord): string[] {
  if (!isObject(identifiers)) return [];
  return MATCHED_IDENTIFIERS.flatMap((name) =>
    stringsOf(identifiers[name]).map((value) => `${name} ${value.trim()}`),
  );
}

function scanKeys(record: ImportRecord): string[] {
  const scans = stringsOf(record["source_records"]).filter((source) => source.startsWith("ia:"));
  return scans.map((source) => `source ${source}`);
}

function authorKeys(author: SearchedAuthor): string[] {
  const ways = nameWays(author);
  // An author's name in one record may be another name in the next: one word for both.
  const names = ways.map(({ alternate }) => `author ${alternate.value}`);
  const others = identityWays(author).concat(ways.flatMap(({ years }) => years));
  return names.concat(others.map(deskKey));
}

function deskKey({ table, name, value }: Lookup): string {
  return `${table === "key" ? table : name} ${value}`;
}
