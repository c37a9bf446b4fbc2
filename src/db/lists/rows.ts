import { idRange } from "../../catalog/key-numbers.ts";
import { type ListSeed, type SeedRecord, listSeed } from "../../catalog/lists/seed-entry.ts";
import { type CatalogRecord, type Json } from "../../catalog/record.ts";

/**
 * SQL of the key that a seed names, in its canonical folder, as records are found by; `e` is an element of
 * `seeds` as `json_each` gives it. Null for what is no seed, such as a number.
 */
export const SEED_KEY = `(SELECT CASE substr(k, 1, 3) WHEN '/a/' THEN '/authors/' || substr(k, 4)
    WHEN '/b/' THEN '/books/' || substr(k, 4) ELSE k END
  FROM (SELECT CASE e.type
    WHEN 'object' THEN coalesce(e.value ->> '$.key', e.value ->> '$.thing.key')
    WHEN 'text' THEN e.value END AS k)
  WHERE typeof(k) = 'text')`;

const WORKS = idRange("W");

/** SQL that is true of a row `p` of `property` which says that a work is in a series; `key` is SQL. */
export function isWorkOfSeries(key: string): string {
  return `p.name = 'series.series' AND p.value = ${key}
    AND p.record_id >= ${WORKS.from} AND p.record_id < ${WORKS.to}`;
}

/** Members of a record that entries of lists show. */
const SHOWN = [
  "title",
  "title_prefix",
  "name",
  "covers",
  "photos",
  "authors",
  "first_publish_date",
  "publish_date",
] as const;

/** SQL of these of a record `m`, as JSON array: its document is parsed once. */
export const SHOWN_MEMBERS = `CASE WHEN m.id IS NOT NULL THEN json_array(${SHOWN.map((name) => `m.document -> '$.${name}'`).join(", ")}) END AS members`;

/** SQL of what entries of lists show of a record `m`, as columns of `MemberRow`. */
export const MEMBER_COLUMNS = `m.id AS recordId, m.key AS recordKey, m.type AS recordType, m.revision,
  m.last_modified AS lastModified, ${SHOWN_MEMBERS}`;

/** A record that a seed names; all columns are null when there is none. */
export interface MemberRow {
  readonly recordId: number | null;
  readonly recordKey: string | null;
  readonly recordType: string | null;
  readonly revision: number | null;
  readonly lastModified: string | null;
  /** JSON array of the values of `SHOWN`. */
  readonly members: string | null;
}

/** The record of a row; undefined when there is none. */
export function memberOf(row: MemberRow): SeedRecord | undefined {
  const { recordType: type, revision, lastModified, members } = row;
  if (type === null || revision === null || lastModified === null) return undefined;
  return { type, revision, lastModified, members: shownMembers(members) };
}

/** The members that entries show, by name; null where the record has none. */
export function shownMembers(members: string | null): CatalogRecord {
  // Made by `json_array`.
  const values = JSON.parse(members ?? "[]") as Json[];
  return Object.fromEntries(SHOWN.map((name, index) => [name, values[index]]));
}

/** A seed, as JSON text, with the record that it names. */
export type SeedRow = MemberRow & { readonly seed: string };

/** A seed with its row. Undefined for what is no seed. */
export function seedOfRow(row: SeedRow): ListSeed | undefined {
  // A part of a stored document.
  return listSeed(JSON.parse(row.seed) as Json, memberOf(row));
}
