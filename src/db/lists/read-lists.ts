import { idRangeOf } from "../../catalog/key-numbers.ts";
import type { ListEntry, ListHead } from "../../catalog/lists/list-view.ts";
import { type ListSeed, type SeedRecord, toListSeed } from "../../catalog/lists/seed-entry.ts";
import type { CatalogRecord, Json } from "../../catalog/record.ts";
import { type RecordRow, bytesBefore, fitting, fittingRecords } from "../records/record-rows.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { targetKeySql } from "../redirects.ts";
import { nameText } from "../records/titles.ts";
import {
  type Database,
  type Statement,
  type Window,
  batchGroups,
  batchRows,
  firstRow,
  rows,
} from "../statement.ts";

/**
 * SQL of the canonical key of a seed, by which records are found; `e` is an element of `seeds` from `json_each`. Null
 * for values that are not seeds, such as numbers.
 */
export const SEED_KEY = `(SELECT CASE substr(k, 1, 3) WHEN '/a/' THEN '/authors/' || substr(k, 4)
    WHEN '/b/' THEN '/books/' || substr(k, 4) ELSE k END
  FROM (SELECT CASE e.type
    WHEN 'object' THEN coalesce(e.value ->> '$.key', e.value ->> '$.thing.key')
    WHEN 'text' THEN e.value END AS k)
  WHERE typeof(k) = 'text')`;

/** SQL of the key of a seed's record: of a merged record that of its target (Q683). */
export const SEED_TARGET = targetKeySql(SEED_KEY);

const WORKS = idRangeOf("W");

/** Returns an SQL condition on a row `p` of `property`: a work refers to a series. `key` is an SQL expression. */
export function isWorkOfSeries(key: string): string {
  return `p.name = 'series.series' AND p.value = ${key}
    AND p.record_id >= ${WORKS.from} AND p.record_id < ${WORKS.to}`;
}

const SHOWN = [
  "title",
  "title_prefix",
  "name",
  "covers",
  "photos",
  "authors",
  "first_publish_date",
  "publish_date",
  "languages",
  "original_languages",
] as const;

/** SQL of these members of a record `m` as a JSON array, so that its document is parsed once. */
export const SHOWN_MEMBERS = `CASE WHEN m.id IS NOT NULL THEN json_array(${SHOWN.map((name) => `m.document -> '$.${name}'`).join(", ")}) END AS members`;

export const MEMBER_COLUMNS = `m.id AS recordId, m.key AS recordKey, m.type AS recordType, m.revision,
  m.last_modified AS lastModified, ${SHOWN_MEMBERS}`;

export interface MemberRow {
  readonly recordId: number | null;
  readonly recordKey: string | null;
  readonly recordType: string | null;
  readonly revision: number | null;
  readonly lastModified: string | null;
  /** JSON array of the values of `SHOWN`. */
  readonly members: string | null;
}

export function seedRecordOf(row: MemberRow): SeedRecord | undefined {
  const { recordType: type, revision, lastModified, members } = row;
  if (type === null || revision === null || lastModified === null) return undefined;
  return { type, revision, lastModified, members: shownMembersOf(members) };
}

/** Parses the shown members, by name; null if the record lacks one. */
export function shownMembersOf(members: string | null): CatalogRecord {
  // Built by `json_array`.
  const values = JSON.parse(members ?? "[]") as Json[];
  return Object.fromEntries(SHOWN.map((name, index) => [name, values[index]]));
}

/** Seed as JSON text, with its record. */
export type SeedRow = MemberRow & { readonly seed: string };

/** Converts a row to a seed. Returns undefined if the value is not a seed. */
export function seedOfRow(row: SeedRow): ListSeed | undefined {
  // Part of a stored document.
  const seed = toListSeed(JSON.parse(row.seed) as Json, seedRecordOf(row));
  return seed && { ...seed, key: row.recordKey ?? seed.key };
}

type HeadRow = Omit<ListHead, "members"> & { readonly members: string };

/** Reads a list or series without its members. Returns undefined for other records and deleted ones. One statement. */
export async function readList(database: Database, key: string): Promise<ListHead | undefined> {
  return headOf(await firstRow<HeadRow>(database, listHeadStatement(key)));
}

/**
 * Reads a list or series together with the rows of a statement. Returns undefined if there is no such list. One round
 * trip. The row type is determined by the statement.
 */
export async function readListWith<Row>(
  database: Database,
  key: string,
  statement: Statement,
): Promise<{ readonly list: ListHead; readonly content: readonly Row[] } | undefined> {
  const { heads, content } = await batchGroups<{ heads: HeadRow; content: Row }>(database, {
    heads: [listHeadStatement(key)],
    content: [statement],
  });
  const list = headOf(heads[0]);
  return list && { list, content };
}

function listHeadStatement(key: string): Statement {
  return {
    sql: `SELECT key, type, revision, created, last_modified AS lastModified,
            json_object('name', document -> '$.name', 'description', document -> '$.description') AS members,
            CASE type WHEN '/type/list' THEN coalesce(json_array_length(document, '$.seeds'), 0)
              ELSE (SELECT count(*) FROM property p WHERE ${isWorkOfSeries("record.key")}) END AS seedCount
          FROM record WHERE key = ?1 AND type IN ('/type/list', '/type/series')`,
    values: [key],
  };
}

function headOf(row: HeadRow | undefined): ListHead | undefined {
  // Built by `json_object`.
  return row === undefined ? undefined : { ...row, members: JSON.parse(row.members) as CatalogRecord };
}

/** Maximum number of a patron's lists whose members are read: those changed last. */
const HOLDING_LISTS_MAX = 100;
/** Maximum members per list: the first ones. */
const HOLDING_MEMBERS_MAX = 1000;

/** Finds a patron's list by its name, the oldest of several. Returns its key; undefined if there is none. */
export async function findOwnList(
  database: Database,
  { userKey, prefix, name }: { userKey: string; prefix: string; name: string },
): Promise<string | undefined> {
  const sql = `SELECT key FROM record l
    WHERE l.type = '/type/list' AND rtrim(rtrim(l.key, 'L'), '0123456789') = ?1 AND l.document ->> '$.name' = ?2
    ORDER BY l.created, l.key LIMIT 1`;
  const row = await firstRow<{ key: string }>(database, {
    sql,
    values: [`${userKey}/lists/${prefix}`, name],
  });
  return row?.key;
}

export interface HoldingList {
  readonly key: string;
  readonly name: string;
  readonly members: readonly string[];
}

/**
 * Reads the members of a patron's lists, last changed first, as far as these have `READ_DOCUMENT_BYTES` together. `prefix`
 * is the prefix of record numbers. One statement.
 */
export async function readOwnMembers(
  database: Database,
  userKey: string,
  prefix: string,
): Promise<HoldingList[]> {
  const lists = await rows<{ key: string; name: string | null; members: string }>(database, {
    sql: `SELECT l.key, l.document -> '$.name' AS name,
            (SELECT json_group_array(${SEED_KEY}) FROM json_each(l.document, '$.seeds') e
             WHERE e.key < ${HOLDING_MEMBERS_MAX}) AS members
          FROM (SELECT o.id, ${bytesBefore("octet_length(s.document)", "o.last_modified DESC, o.key")} AS before
                FROM (SELECT id, key, last_modified FROM record
                      WHERE type = '/type/list' AND rtrim(rtrim(key, 'L'), '0123456789') = ?1
                      ORDER BY last_modified DESC, key LIMIT ?2) o CROSS JOIN record s ON s.id = o.id) f
          CROSS JOIN record l ON l.id = f.id
          WHERE f.before < ${READ_DOCUMENT_BYTES} ORDER BY l.last_modified DESC, l.key`,
    values: [`${userKey}/lists/${prefix}`, HOLDING_LISTS_MAX],
  });
  return lists.map(({ key, name, members }) => ({
    key,
    name: nameText(name) ?? "",
    // Built by the statement from a stored document.
    members: (JSON.parse(members) as (string | null)[]).filter((member) => member !== null),
  }));
}

const HOLDING_ANY = fittingRecords({
  source: `SELECT DISTINCT l.id FROM json_each(?1) s
           CROSS JOIN property p ON p.name IN ('seeds', 'seeds.thing') AND p.value = s.value
           CROSS JOIN record l ON l.id = p.record_id AND l.type = '/type/list'
           WHERE l.id > ?2 ORDER BY l.id LIMIT ?3`,
  order: "id",
});

/** Reads lists of all patrons that hold one of some records, by number, as far as they fit. One statement. */
export async function readListsHolding(
  database: Database,
  keys: readonly string[],
  { after, limit }: { after: number; limit: number },
): Promise<RecordRow[]> {
  const values = [JSON.stringify(keys), after, limit];
  return fitting<RecordRow>(await rows(database, { sql: HOLDING_ANY, values }));
}

export interface SeedWorks {
  readonly list: ListHead;
  /** Works and editions among the seeds; an edition is replaced by its work. */
  readonly books: readonly string[];
  /** Keys of authors, and subject strings. */
  readonly others: readonly string[];
}

/**
 * Reads the seeds by which the works of a list or series are found. Returns undefined if there is no such list. One
 * round trip.
 */
export async function readSeedWorks(database: Database, key: string): Promise<SeedWorks | undefined> {
  const seeds = `SELECT ${SEED_TARGET} AS named FROM record l, json_each(l.document, '$.seeds') e
    WHERE l.key = ?1 AND l.type = '/type/list'
    UNION SELECT r.key FROM property p CROSS JOIN record r ON r.id = p.record_id
    WHERE ${isWorkOfSeries("?1")}`;
  const sql = `SELECT DISTINCT coalesce(CASE m.type WHEN '/type/edition' THEN m.document ->> '$.works[0].key' END, s.named) AS named
               FROM (${seeds}) s LEFT JOIN record m ON m.key = s.named AND s.named >= '/books/' AND s.named < '/books0'
               WHERE s.named IS NOT NULL`;
  const page = await readListWith<{ named: string }>(database, key, { sql, values: [key] });
  if (page === undefined) return undefined;
  const named = page.content.map((row) => row.named);
  return { list: page.list, books: named.filter(isBook), others: named.filter((seed) => !isBook(seed)) };
}

function isBook(key: string): boolean {
  return key.startsWith("/works/") || key.startsWith("/books/");
}

/** Maximum number of members, from the start, that determine when a list was last updated (Q244). */
const UPDATE_SEEDS_MAX = 1000;

export type ListsOf =
  /** Lists of a patron, by key of the user; `prefix` is the prefix of record numbers. */
  | { readonly kind: "owner"; readonly key: string; readonly prefix: string }
  | { readonly kind: "record"; readonly key: string }
  /** Lists that contain a subject, under any of these seeds. */
  | { readonly kind: "subject"; readonly seeds: readonly string[] };

/** Page of lists, and the record that they belong to or contain. */
export interface ListsFound {
  /** Undefined if the record does not exist, and for subjects. */
  readonly about: AboutRow | undefined;
  readonly size: number;
  readonly entries: readonly ListEntry[];
}

interface AboutRow {
  readonly type: string;
  readonly revision: number;
  /** Title or name, as JSON text. */
  readonly name: string | null;
}

/** Row of a page. `name` is JSON; all columns except `size` are null on an empty page. */
type PageRow = Omit<ListEntry, "key" | "name"> &
  Record<"key" | "name", string | null> & { readonly size: number };

/**
 * Reads a page of lists, last changed first, then by key. One round trip; the lists and their total come from one
 * statement.
 */
export async function readLists(
  database: Database,
  of: ListsOf,
  { limit, offset }: Window,
): Promise<ListsFound> {
  const { sql, values } = matchingSql(of);
  // Lists of an owner are indexed in order; those that contain a record must be sorted, so they are looked up once.
  const hint = of.kind === "owner" ? "NOT MATERIALIZED" : "MATERIALIZED";
  const page: Statement = { sql: pageSql(`${hint} (${sql})`), values: [...values, limit, offset] };
  const [lists = [], abouts = []] = await batchRows(
    database,
    of.kind === "subject" ? [page] : [page, aboutStatement(of.key)],
  );
  // The rows have the columns of the statements.
  const pageRows = lists as PageRow[];
  return {
    about: (abouts as AboutRow[])[0],
    size: pageRows[0]?.size ?? 0,
    entries: pageRows.flatMap(entriesOf),
  };
}

function aboutStatement(key: string): Statement {
  return {
    sql: `SELECT type, revision,
            coalesce(document -> '$.title', document -> '$.displayname', document -> '$.name') AS name
          FROM record WHERE key = ?1`,
    values: [key],
  };
}

/** Returns the statement for the matching lists (`id`, `key`, `last_modified`), with one value. */
function matchingSql(of: ListsOf): Statement {
  if (of.kind === "owner") {
    return {
      sql: `SELECT id, key, last_modified FROM record
            WHERE type = '/type/list' AND rtrim(rtrim(key, 'L'), '0123456789') = ?1`,
      values: [`${of.key}/lists/${of.prefix}`],
    };
  }
  const seeds = of.kind === "record" ? [of.key] : of.seeds;
  return {
    // `+` prevents a scan of all lists.
    sql: `SELECT id, key, last_modified FROM record
          WHERE +type = '/type/list' AND id IN (
            SELECT p.record_id FROM json_each(?1) s CROSS JOIN property p
            ON p.name IN ('seeds', 'seeds.thing') AND p.value = s.value)`,
    values: [JSON.stringify(seeds)],
  };
}

function pageSql(lists: string): string {
  return `
    WITH found AS ${lists},
      page AS (SELECT id FROM found ORDER BY last_modified DESC, key LIMIT ?2 OFFSET ?3)
    SELECT n.size, l.key, l.revision, l.document -> '$.name' AS name,
      coalesce(json_array_length(l.document, '$.seeds'), 0) AS seedCount,
      (SELECT max(m.last_modified) FROM json_each(l.document, '$.seeds') e CROSS JOIN record m
       ON m.key = ${SEED_KEY} WHERE e.key < ${UPDATE_SEEDS_MAX}) AS lastUpdate
    FROM (SELECT count(*) AS size FROM found) n
    LEFT JOIN page ON true LEFT JOIN record l ON l.id = page.id
    ORDER BY l.last_modified DESC NULLS LAST, l.key`;
}

function entriesOf({ key, revision, name, seedCount, lastUpdate }: PageRow): ListEntry[] {
  if (key === null) return [];
  return [{ key, revision, name: nameText(name) ?? "", seedCount, lastUpdate }];
}
