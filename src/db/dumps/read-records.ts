import { type DumpedCover, PEOPLE_FOLDER, UNDUMPED_FOLDERS } from "../../catalog/dumps/dump-lines.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Database, rows } from "../statement.ts";

/** Returns the first text after all texts with a prefix. */
function endOfPrefix(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

const belowSql = (column: string, folder: string): string =>
  `(${column} >= '${folder}' AND ${column} < '${endOfPrefix(folder)}')`;

/** Returns SQL of a condition on a key that is close to `isDumpedKey`, which decides exactly. */
function dumpedKeySql(column: string): string {
  const others = UNDUMPED_FOLDERS.map((folder) => `NOT ${belowSql(column, folder)}`);
  const people = `(NOT ${belowSql(column, PEOPLE_FOLDER)} OR ${column} GLOB '${PEOPLE_FOLDER}*/lists/*L')`;
  return [belowSql(column, "/"), ...others, people].join(" AND ");
}

/** Returns SQL of the condition that a load made a change, not an edit (Q424). */
function isLoadSql(change: string): string {
  return `EXISTS (SELECT 1 FROM change c WHERE c.id = ${change} AND c.changes IS NULL)`;
}

/**
 * Returns SQL of the stored revision that was the newest of a record `r` at the change `?upTo`; null if there is none.
 */
function newestBeforeSql(upTo: string): string {
  return `CASE WHEN r.change_id <= ${upTo} THEN r.revision ELSE
    (SELECT max(o.revision) FROM revision o WHERE o.record_id = r.id AND o.change_id <= ${upTo}) END`;
}

/**
 * Returns SQL of the revision of a record at a change; null for newer records. Revisions that a load has corrected or
 * added since are taken in their current state (Q424), even if edited afterwards, because their earlier text is not
 * stored.
 */
function newestAsOfSql(upTo: string): string {
  return `coalesce(${newestBeforeSql(upTo)}, CASE WHEN ${isLoadSql("r.change_id")} THEN r.revision ELSE
    (SELECT max(o.revision) FROM revision o WHERE o.record_id = r.id AND ${isLoadSql("o.change_id")}) END)`;
}

/** Limits of one statement: records, and bytes of documents after which no further one starts. */
interface ReadBounds {
  readonly records: number;
  readonly bytes: number;
}

/** Record at a change; without a revision if it did not exist then. */
type DumpedRow =
  | (Pick<RecordColumns, "key" | "revision" | "lastModified" | "document"> & { readonly type: string | null })
  | (Pick<RecordColumns, "key"> & Readonly<Record<"type" | "revision" | "lastModified" | "document", null>>);

// Lengths are known without reading the texts, so only the texts returned are read.
const NEWEST = `
  WITH part AS MATERIALIZED (
    SELECT r.id, r.key, ${newestAsOfSql("?2")} AS revision, octet_length(r.document) AS bytes FROM record r
    WHERE r.key > ?1 AND ${dumpedKeySql("r.key")} ORDER BY r.key LIMIT ?3
  ), sized AS MATERIALIZED (
    SELECT id, key, revision, sum(bytes) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING) - bytes AS before FROM part
  )
  SELECT s.key, n.type, s.revision, coalesce(n.last_modified, o.last_modified) AS lastModified,
    coalesce(n.document, o.document) AS document
  FROM sized s LEFT JOIN record n ON n.id = s.id AND n.revision = s.revision
    LEFT JOIN revision o ON o.record_id = s.id AND o.revision = s.revision
  WHERE s.before < ?4 ORDER BY s.key`;

/**
 * Reads the records after a key, in order of key, as of the change `upTo`. An empty result means that there are no
 * more. One statement.
 */
export async function readNewest(
  catalog: Database,
  { after, upTo }: { after: string; upTo: number },
  { records, bytes }: ReadBounds,
): Promise<DumpedRow[]> {
  return rows<DumpedRow>(catalog, { sql: NEWEST, values: [after, upTo, records, bytes] });
}

type ChangedRow = Pick<RecordColumns, "change" | "id" | "key" | "revision" | "lastModified" | "document"> & {
  readonly type: string | null;
};

const CHANGED = `
  WITH part AS MATERIALIZED (
    SELECT * FROM (
      SELECT r.change_id AS change, r.id, r.revision, octet_length(r.document) AS bytes
      FROM record r INDEXED BY record_by_change
      WHERE r.change_id >= ?1 AND r.change_id <= ?4 AND (r.change_id, r.id, r.revision) > (?1, ?2, ?3)
      ORDER BY r.change_id, r.id LIMIT ?5)
    UNION ALL
    SELECT * FROM (
      SELECT o.change_id, o.record_id, o.revision, octet_length(o.document)
      FROM revision o INDEXED BY revision_by_change
      WHERE o.change_id >= ?1 AND o.change_id <= ?4 AND (o.change_id, o.record_id, o.revision) > (?1, ?2, ?3)
      ORDER BY o.change_id, o.record_id, o.revision LIMIT ?5)
    ORDER BY 1, 2, 3 LIMIT ?5
  ), sized AS MATERIALIZED (
    SELECT change, id, revision,
      sum(bytes) OVER (ORDER BY change, id, revision ROWS UNBOUNDED PRECEDING) - bytes AS before
    FROM part
  )
  SELECT s.change, s.id, r.key, n.type, s.revision, coalesce(n.last_modified, o.last_modified) AS lastModified,
    coalesce(n.document, o.document) AS document
  FROM sized s JOIN record r ON r.id = s.id
    LEFT JOIN record n ON n.id = s.id AND n.revision = s.revision
    LEFT JOIN revision o ON o.record_id = s.id AND o.revision = s.revision
  WHERE s.before < ?6 ORDER BY s.change, s.id, s.revision`;

/**
 * Reads revisions after a position of the log, up to the change `upTo`, in log order, within a change by record. A
 * superseded revision keeps its position; a corrected revision belongs to the later change. One statement.
 */
export async function readChanged(
  catalog: Database,
  { change, id, revision, upTo }: Pick<ChangedRow, "change" | "id" | "revision"> & { upTo: number },
  { records, bytes }: ReadBounds,
): Promise<ChangedRow[]> {
  return rows<ChangedRow>(catalog, { sql: CHANGED, values: [change, id, revision, upTo, records, bytes] });
}

type SupersededRow = Pick<RecordColumns, "key" | "revision" | "lastModified" | "document"> & {
  readonly type: null;
};

/** Range of superseded revisions: of records after `key`, and of that record the revisions after `revision`. */
interface SupersededRange {
  readonly key: string;
  readonly revision: number;
  readonly to: string;
  readonly upTo: number;
}

const SUPERSEDED = `
  WITH part AS MATERIALIZED (
    SELECT r.id, r.key, o.revision, octet_length(o.document) AS bytes
    FROM record r CROSS JOIN revision o ON o.record_id = r.id
    WHERE r.key >= ?1 AND r.key <= ?3 AND ${dumpedKeySql("r.key")} AND (r.key > ?1 OR o.revision > ?2)
      AND (o.change_id <= ?4 OR ${isLoadSql("o.change_id")}) AND o.revision < ${newestBeforeSql("?4")}
    ORDER BY r.key, o.revision LIMIT ?5
  ), sized AS MATERIALIZED (
    SELECT id, key, revision, sum(bytes) OVER (ORDER BY key, revision ROWS UNBOUNDED PRECEDING) - bytes AS before
    FROM part
  )
  SELECT s.key, NULL AS type, s.revision, o.last_modified AS lastModified, o.document
  FROM sized s JOIN revision o ON o.record_id = s.id AND o.revision = s.revision
  WHERE s.before < ?6 ORDER BY s.key, s.revision`;

/**
 * Reads superseded revisions in a range of keys, by key and revision, as of the change `upTo`. Revisions that a load
 * has corrected since are taken in their current state (Q424). One statement.
 */
export async function readSuperseded(
  catalog: Database,
  { key, revision, to, upTo }: SupersededRange,
  { records, bytes }: ReadBounds,
): Promise<SupersededRow[]> {
  const values = [key, revision, to, upTo, records, bytes];
  return rows<SupersededRow>(catalog, { sql: SUPERSEDED, values });
}

/** Row of a cover, without a size if it is not part of the dump. */
type CoverRow = Pick<DumpedCover, "id" | "date"> &
  (Pick<DumpedCover, "width" | "height"> | { readonly width: null; readonly height: null });

// The limit counts all rows, not those for the dump: very many may have been deleted, or never fetched.
const COVERS = `
  SELECT id, CASE WHEN isShown THEN width END AS width, CASE WHEN isShown THEN height END AS height, date FROM (
    SELECT id, width, height, substr(created, 1, 10) AS date,
      state = 'stored' AND deleted IS NULL AND created < ?2 AS isShown
    FROM cover WHERE id > ?1 ORDER BY id LIMIT ?3)`;

/**
 * Reads covers by number, after one of them. Those that are visible and were created before a moment (naive UTC) have
 * their size. One statement.
 */
export async function readDumpedCovers(
  catalog: Database,
  { after, until, limit }: { after: number; until: string; limit: number },
): Promise<CoverRow[]> {
  return rows<CoverRow>(catalog, { sql: COVERS, values: [after, until, limit] });
}
