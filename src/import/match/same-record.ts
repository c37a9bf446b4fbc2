import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import { isBlank } from "../../catalog/write/prune.ts";
import type { ImportRecord } from "../record.ts";
import type { Comparable } from "./comparable.ts";
import { authorsScore } from "./score-authors.ts";
import { SCORES } from "./scores.ts";

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

/** A record and an edition, and their sides of the comparison. */
export interface Pair {
  readonly record: ImportRecord;
  readonly edition: CatalogRecord;
  readonly sides: readonly [Comparable, Comparable];
}

/**
 * True when a record is the one that an edition was made of: it has the same first source, and says nothing else than
 * the edition. Q335: without this a record that says too little for a match would make an edition each time it comes.
 */
export function isSameRecord({ record, edition, sides: [a, b] }: Pair): boolean {
  const [source] = stringsOf(record["source_records"]);
  if (source === undefined || !stringsOf(edition["source_records"]).includes(source)) return false;
  const saysTheSame = COMPARED_MEMBERS.every(
    (name) => isBlank(record[name]) || textIn(record, name) === textIn(edition, name),
  );
  const areNameless = a.authors()?.length === 0 && b.authors()?.length === 0;
  return saysTheSame && (areNameless || authorsScore(a, b) === SCORES.authors.equal);
}

function textIn(record: CatalogRecord, name: string): string {
  const value = record[name];
  return JSON.stringify(typeof value === "number" ? String(value) : (value ?? null));
}
