import { isBlank } from "../../catalog/editing/members.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { matchText } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";
import { comparable } from "./comparable.ts";
import { type EditionWays, editionWays } from "./edition-ways.ts";
import { findAuthor } from "./find-author.ts";
import { type Found, type Lookup, authorsOf, recordOf, recordsAt, workOf } from "./found.ts";
import { isSameBook } from "./score.ts";
import { searchedAuthors } from "./searched-author.ts";

/** Maximum number of editions that one lookup adds to the pool. */
export const POOL_EDITIONS = 100;

/** Returns the distinct editions that may be the same book, in the order of comparison. */
export function editionPool(record: ImportRecord, ways: EditionWays, found: Found): StoredForWrite[] {
  const at = (lookups: readonly Lookup[]): StoredForWrite[] => recordsAt(found, lookups, "/type/edition");
  const isTitled = ({ document }: StoredForWrite): boolean => document["title"] === record["title"];
  const parts =
    ways.wikisource === undefined
      ? [
          at([...ways.title, ...ways.longTitle]).filter(isTitled),
          // Q335: of very many editions with the title, the one made from this record.
          at(ways.origin).filter(isTitled),
          at(ways.oclc),
          at(ways.lccn),
          at(ways.ocaid),
          at(ways.titleKey),
          at(ways.isbn),
        ]
      : [at(ways.wikisource)];
  const pool = parts.flatMap((part) => part.slice(0, POOL_EDITIONS));
  return [...new Map(pool.map((edition) => [edition.key, edition])).values()];
}

/**
 * Returns the edition that the record's identifiers point to, by the first lookup with a hit. Q332: no other data is
 * compared.
 */
function quickMatch(ways: EditionWays, found: Found): StoredForWrite | undefined {
  const first = (lookups: readonly Lookup[]): StoredForWrite | undefined =>
    recordsAt(found, lookups, "/type/edition")[0];
  const named = recordOf(found, ways.openlibrary[0]?.value, "/type/edition");
  if (named !== undefined) return named;
  if (ways.wikisource !== undefined) return first(ways.wikisource);
  return (
    first(ways.ocaid) ??
    first(ways.isbn) ??
    first(ways.asin) ??
    first(ways.source) ??
    first(ways.oclc.slice(0, 1)) ??
    first(ways.lccn.slice(0, 1))
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

/** Edition that a record is compared with. */
interface Other {
  readonly edition: CatalogRecord;
  /** Authors of its work, and its own authors. */
  readonly authors: () => readonly StoredForWrite[];
  readonly found: Found;
}

/**
 * Returns true if the edition was made from this record: both have the same first source, and every compared member of
 * the record equals the edition's. Q335: otherwise a record with too little data for a match would create another
 * edition on every import. Throws ImportFailure `author-id-conflict`, as creating the edition would.
 */
function isSameRecord(record: ImportRecord, other: Other): boolean {
  const { edition } = other;
  const [source] = stringsOf(record["source_records"]);
  if (source === undefined || stringsOf(edition["source_records"])[0] !== source) return false;
  const saysTheSame = COMPARED_MEMBERS.every(
    (name) => isBlank(record[name]) || textIn(record, name) === textIn(edition, name),
  );
  return saysTheSame && areSameAuthors(record, other);
}

function textIn(record: CatalogRecord, name: string): string {
  const value = record[name];
  return JSON.stringify(typeof value === "number" ? String(value) : (value ?? null));
}

/** Returns true if each author of the record is one of the edition's, by name or by catalog lookup. */
function areSameAuthors(record: ImportRecord, other: Other): boolean {
  const searched = searchedAuthors(record);
  const authors = other.authors();
  if (searched.length === 0) return authors.length === 0;
  const names = new Set(authors.map(({ document }) => nameOf(document)));
  const keys = new Set(authors.map(({ key }) => key));
  return searched.every(
    (one) => names.has(nameOf(one.author)) || keys.has(findAuthor(one, other.found)?.key ?? ""),
  );
}

function nameOf(author: CatalogRecord): string {
  return matchText(textOf(author["name"]) ?? "");
}

/** Returns the edition of the same book, or undefined if the catalog has none. */
export function matchedEdition(record: ImportRecord, found: Found): StoredForWrite | undefined {
  const ways = editionWays(record);
  const pool = editionPool(record, ways, found);
  if (pool.length === 0) return undefined;
  const quick = quickMatch(ways, found);
  if (quick !== undefined || ways.wikisource !== undefined) return quick;
  // Q338: authors are compared as written in the record.
  const wanted = comparable(record);
  return (
    pool.find((edition) => isSameBook(wanted, comparable(comparedEdition(edition, found)))) ??
    pool.find(({ document: edition }) =>
      isSameRecord(record, { edition, authors: () => namedAuthors(edition, found), found }),
    )
  );
}

function comparedEdition({ document }: StoredForWrite, found: Found): CatalogRecord {
  const members = COMPARED_MEMBERS.map((name) => [name, document[name]] as const);
  const authors = namedAuthors(document, found).map((author) => author.document);
  return { ...Object.fromEntries(members), authors };
}

/** Returns the authors of an edition's work, then the edition's own. */
function namedAuthors(edition: CatalogRecord, found: Found): StoredForWrite[] {
  const ofWork = authorsOf(found, workOf(found, edition)?.document["authors"]);
  return [...ofWork, ...authorsOf(found, edition["authors"])];
}
