import { isBlankMember } from "../../catalog/editing/members.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { toMatchText } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, type Json, stringsOf, textOf } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";
import { toComparable } from "./comparable.ts";
import { type EditionLookups, editionLookups } from "./record-lookups.ts";
import { findAuthor } from "./resolve-authors.ts";
import {
  type Snapshot,
  type RecordLookup,
  snapshotAuthorsOf,
  recordOf,
  findRecords,
  workOf,
} from "./snapshot.ts";
import { isSameBook } from "./score.ts";
import { parseAuthors } from "./author-lookups.ts";

export const POOL_EDITIONS = 100;

/** Returns the distinct editions that may be the same book, in the order of comparison. */
export function poolEditions(
  record: ImportRecord,
  lookups: EditionLookups,
  snapshot: Snapshot,
): StoredForWrite[] {
  const at = (group: readonly RecordLookup[]): StoredForWrite[] =>
    findRecords(snapshot, group, "/type/edition");
  const isTitled = ({ document }: StoredForWrite): boolean => document["title"] === record["title"];
  const parts =
    lookups.wikisource === undefined
      ? [
          at([...lookups.title, ...lookups.longTitle]).filter(isTitled),
          // Q335: of very many editions with the title, the one made from this record.
          at(lookups.origin).filter(isTitled),
          at(lookups.oclc),
          at(lookups.lccn),
          at(lookups.ocaid),
          at(lookups.titleKey),
          at(lookups.isbn),
        ]
      : [at(lookups.wikisource)];
  const pool = parts.flatMap((part) => part.slice(0, POOL_EDITIONS));
  return [...new Map(pool.map((edition) => [edition.key, edition])).values()];
}

/** Returns the edition of the first identifier with a hit. Q332: no other data is compared. */
function matchByIdentifiers(lookups: EditionLookups, snapshot: Snapshot): StoredForWrite | undefined {
  const first = (group: readonly RecordLookup[]): StoredForWrite | undefined =>
    findRecords(snapshot, group, "/type/edition")[0];
  const named = recordOf(snapshot, lookups.openlibrary[0]?.value, "/type/edition");
  if (named !== undefined) return named;
  if (lookups.wikisource !== undefined) return first(lookups.wikisource);
  return (
    first(lookups.ocaid) ??
    first(lookups.isbn) ??
    first(lookups.asin) ??
    first(lookups.source) ??
    first(lookups.oclc.slice(0, 1)) ??
    first(lookups.lccn.slice(0, 1))
  );
}

/** Members of an edition that are compared. Q337: the number of pages is not. */
const COMPARED_MEMBERS = [
  "title",
  "subtitle",
  "isbn",
  "isbn_10",
  "isbn_13",
  "lccn",
  "publish_country",
  "publishers",
  "publish_date",
];

/**
 * Returns true if the edition was made from this record: both have the same first source, and every compared member of
 * the record equals the edition's. Q335: otherwise a record with too little data for a match would create another
 * edition on every import. Throws ImportFailure `author-id-conflict`, as creating the edition would.
 */
function isSameRecord(record: ImportRecord, edition: CatalogRecord, snapshot: Snapshot): boolean {
  const [source] = stringsOf(record["source_records"]);
  if (source === undefined || stringsOf(edition["source_records"])[0] !== source) return false;
  const areMembersEqual = COMPARED_MEMBERS.every(
    (name) => isBlankMember(record[name]) || comparedText(record[name]) === comparedText(edition[name]),
  );
  if (!areMembersEqual) return false;
  const parsed = parseAuthors(record);
  const authors = authorsOfEdition(edition, snapshot);
  if (parsed.length === 0) return authors.length === 0;
  const names = new Set(authors.map(({ document }) => foldName(document)));
  const keys = new Set(authors.map(({ key }) => key));
  return parsed.every(
    (author) => names.has(foldName(author.author)) || keys.has(findAuthor(author, snapshot)?.key ?? ""),
  );
}

function comparedText(value: Json | undefined): string {
  return JSON.stringify(typeof value === "number" ? String(value) : (value ?? null));
}

function foldName(author: CatalogRecord): string {
  return toMatchText(textOf(author["name"]) ?? "");
}

/** Returns the edition of the same book, or undefined if the catalog has none. */
export function matchEdition(record: ImportRecord, snapshot: Snapshot): StoredForWrite | undefined {
  const lookups = editionLookups(record);
  const pool = poolEditions(record, lookups, snapshot);
  if (pool.length === 0) return undefined;
  const quick = matchByIdentifiers(lookups, snapshot);
  if (quick !== undefined || lookups.wikisource !== undefined) return quick;
  // Q338: authors are compared as written in the record.
  const compared = toComparable(record);
  const isSame = ({ document }: StoredForWrite): boolean => {
    const members = COMPARED_MEMBERS.map((name) => [name, document[name]] as const);
    const authors = authorsOfEdition(document, snapshot).map((author) => author.document);
    return isSameBook(compared, toComparable({ ...Object.fromEntries(members), authors }));
  };
  return pool.find(isSame) ?? pool.find(({ document }) => isSameRecord(record, document, snapshot));
}

function authorsOfEdition(edition: CatalogRecord, snapshot: Snapshot): StoredForWrite[] {
  const ofWork = snapshotAuthorsOf(snapshot, workOf(snapshot, edition)?.document["authors"]);
  return [...ofWork, ...snapshotAuthorsOf(snapshot, edition["authors"])];
}
