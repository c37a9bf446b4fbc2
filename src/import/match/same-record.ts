import { matchText } from "../../catalog/matching/match-text.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import { isBlank } from "../../catalog/write/prune.ts";
import { findAuthor } from "../authors/find-author.ts";
import { searchedAuthors } from "../authors/searched-author.ts";
import type { Found } from "../load/found.ts";
import type { ImportRecord } from "../record.ts";

/** Members of an edition that are compared (import.md 16). Q337: the pages are not among them. */
export const COMPARED_MEMBERS = [
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

/** What a record is compared with. */
interface Other {
  readonly edition: CatalogRecord;
  /** Those of its work, and its own. */
  readonly authors: () => readonly StoredForWrite[];
  readonly found: Found;
}

/**
 * True when a record is the one that an edition was made of: their first source is the same, and the record says nothing
 * that the edition does not. Q335: without this a record that says too little for a match would make an edition each
 * time it comes. Throws ImportFailure `author-id-conflict`, as making the edition would.
 */
export function isSameRecord(record: ImportRecord, other: Other): boolean {
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

/** Whether each author of the record is one of the others, by name or as the catalog finds them. */
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
