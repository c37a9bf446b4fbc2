import { DOCUMENT_BYTES, type CatalogRecord } from "../../catalog/record.ts";
import { readTarget } from "../redirects.ts";
import { firstRow, rows, type Database, type Statement } from "../statement.ts";
import {
  type RecordColumns,
  type Fitting,
  RECORD_COLUMNS,
  DocumentsTooLarge,
  bytesBefore,
  documentWithin,
  fittingRecords,
  wholeRows,
  type RecordRow,
  fitting,
} from "./record-rows.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { latestRecordOf, olderTextOf, parseDocument } from "../../catalog/document.ts";

/** Number of documents that always fit, even at maximum size, so that their sizes need not be added up. */
export const FITTING_DOCUMENTS = READ_DOCUMENT_BYTES / DOCUMENT_BYTES;

/** Reads the latest revision of a record. Returns undefined if there is none. One indexed read. */
export function readRecord(database: Database, key: string): Promise<RecordRow | undefined> {
  return firstRow<RecordRow>(database, latestStatement(key));
}

/** Reads the latest revision of a record, of a merged one that of its target. One statement, or three if it was merged. */
export async function readLive(database: Database, key: string): Promise<RecordRow | undefined> {
  const row = await readRecord(database, key);
  const target = row?.type === "/type/redirect" ? await readTarget(database, key) : undefined;
  return target === undefined ? row : readRecord(database, target);
}

/** Returns the statement of `readRecord`, for batches. */
export function latestStatement(key: string): Statement {
  return { sql: `SELECT ${RECORD_COLUMNS} FROM record r WHERE r.key = ?1`, values: [key] };
}

/** Reads one revision of a record. Returns undefined if it is not stored. Its type is that of this revision. */
export async function readRevision(
  database: Database,
  key: string,
  revision: number,
): Promise<RecordRow | undefined> {
  const [row] = await readRevisions(database, [[key, revision]]);
  return row;
}

/**
 * Reads revisions of records by key and number, without those that are not stored. One statement. Throws
 * `DocumentsTooLarge`.
 */
export function readRevisions(database: Database, revisions: readonly RevisionKey[]): Promise<RecordRow[]> {
  return revisions.length <= FITTING_DOCUMENTS
    ? rows<RecordRow>(database, revisionsStatement(revisions))
    : wholeRows<RecordRow>(database, { sql: FITTING_REVISIONS, values: [toListParameter(revisions)] });
}

type RevisionKey = readonly [key: string, revision: number];

/** Revisions that `walkRevisions` reads at once, if their documents are small. */
const WALK_REVISIONS = 500;

/** Yields the documents of any number of revisions, in parts, in their order; null for those that are not stored. */
export async function* walkRevisions(
  database: Database,
  revisions: readonly RevisionKey[],
): AsyncGenerator<(string | null)[]> {
  let count = WALK_REVISIONS;
  for (let at = 0; at < revisions.length;) {
    const part = revisions.slice(at, at + count);
    try {
      const found = new Map(
        (await readRevisions(database, part)).map((row) => [`${row.revision} ${row.key}`, row]),
      );
      yield part.map(([key, revision]) => found.get(`${revision} ${key}`)?.document ?? null);
      at += part.length;
    } catch (error) {
      if (!(error instanceof DocumentsTooLarge) || count <= FITTING_DOCUMENTS) throw error;
      count = Math.ceil(count / 2);
    }
  }
}

/**
 * Serialises revisions as a parameter. Numbers that no revision can have become null, because PostgreSQL rejects
 * numbers beyond 64 bits.
 */
function toListParameter(revisions: readonly RevisionKey[]): string {
  return JSON.stringify(revisions.map(([key, n]) => [key, Number.isSafeInteger(n) ? n : null]));
}

const WANTED =
  "SELECT key AS place, value->>0 AS name, CAST(value->>1 AS BIGINT) AS revision FROM json_each(?1)";

/** Variant of the `revisionsStatement` statement that adds up sizes before documents are read. */
const FITTING_REVISIONS = `
  SELECT id, key, coalesce(document->>'$.type.key', type) AS type, revision, latest, flags, lastModified, document
  FROM (SELECT f.id, r.key, r.type, f.revision, r.revision AS latest, r.flags, coalesce(v.last_modified, r.last_modified)
          AS lastModified, ${documentWithin("f.before", "coalesce(v.document, r.document)")}
        FROM (SELECT r.id, w.revision, ${bytesBefore("coalesce(octet_length(v.document), octet_length(r.document))", "w.place")} AS before
              FROM (${WANTED}) w JOIN record r ON r.key = w.name
              LEFT JOIN revision v ON v.record_id = r.id AND v.revision = w.revision
              WHERE v.record_id IS NOT NULL OR r.revision = w.revision) f
        JOIN record r ON r.id = f.id
        LEFT JOIN revision v ON v.record_id = f.id AND v.revision = f.revision)`;

/** Returns the statement for a small number of revisions, for batches. */
export function revisionsStatement(revisions: readonly RevisionKey[]): Statement {
  return {
    sql: `SELECT id, key, coalesce(document->>'$.type.key', type) AS type, revision, latest, flags,
                 lastModified, document
          FROM (SELECT r.id, r.key, r.type, w.revision, r.revision AS latest, r.flags,
                       CASE WHEN r.revision = w.revision THEN r.last_modified ELSE v.last_modified END AS lastModified,
                       CASE WHEN r.revision = w.revision THEN r.document ELSE v.document END AS document
                FROM (${WANTED}) w JOIN record r ON r.key = w.name
                LEFT JOIN revision v ON v.record_id = r.id AND v.revision = w.revision)
          WHERE document IS NOT NULL`,
    values: [toListParameter(revisions)],
  };
}

export function readRecords(database: Database, keys: readonly string[]): Promise<RecordRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return keys.length <= FITTING_DOCUMENTS
    ? rows<RecordRow>(database, latestManyStatement(keys))
    : wholeRows<RecordRow>(database, { sql: FITTING_RECORDS, values: [JSON.stringify(keys)] });
}

type RecordTimes = Pick<RecordColumns, "key" | "revision" | "created" | "lastModified">;

export const FITTING_RECORDS = fittingRecords({
  source: "SELECT id FROM record WHERE key IN (SELECT value FROM json_each(?1))",
  order: "id",
});

function latestManyStatement(keys: readonly string[]): Statement {
  return {
    sql: `SELECT ${RECORD_COLUMNS} FROM record r WHERE r.key IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(keys)],
  };
}

/** Reads when records were created and changed. One statement; none without keys. */
export async function readTimes(database: Database, keys: readonly string[]): Promise<RecordTimes[]> {
  if (keys.length === 0) return [];
  const sql = `SELECT r.key, r.revision, r.created, r.last_modified AS lastModified
               FROM record r WHERE r.key IN (SELECT value FROM json_each(?1))`;
  return rows<RecordTimes>(database, { sql, values: [JSON.stringify(keys)] });
}

const BY_IDS = fittingRecords({
  source: "SELECT key AS place, CAST(value AS BIGINT) AS id FROM json_each(?1)",
  order: "place",
  more: ["place"],
});

/**
 * Reads records by id, in the given order, as far as they fit; missing ones are left out. `done` is the number of ids
 * processed. One statement.
 */
export async function readByIds(
  database: Database,
  ids: readonly number[],
): Promise<{ readonly found: readonly RecordRow[]; readonly done: number }> {
  const statement = { sql: BY_IDS, values: [JSON.stringify(ids)] };
  const all = await rows<Fitting<RecordRow> & { place: number }>(database, statement);
  const records = fitting<RecordRow>(all);
  return { found: records, done: all[records.length]?.place ?? ids.length };
}

/** Reads the types of records by key. Keys that are not stored are absent. One statement; none without keys. */
export async function readTypes(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const sql = "SELECT r.key, r.type FROM record r WHERE r.key IN (SELECT value FROM json_each(?1))";
  const values = [JSON.stringify([...new Set(keys)])];
  const types = await rows<{ key: string; type: string }>(database, { sql, values });
  return new Map(types.map(({ key, type }) => [key, type]));
}

/** Pattern of a text that names a revision, even one that cannot exist. */
export const WHOLE_NUMBER = /^-?\d+$/;

/**
 * Reads a revision. Reads the latest if none, or none that is a number, is given. Returns undefined if it does not
 * exist.
 */
export function revisionOf(
  database: Database,
  key: string,
  revision: string | undefined,
): Promise<RecordRow | undefined> {
  // Q20: 0 and words are not revisions, so the latest is used.
  const isNumber = revision !== undefined && WHOLE_NUMBER.test(revision) && Number(revision) !== 0;
  return isNumber ? readRevision(database, key, Number(revision)) : readRecord(database, key);
}

/** Returns a revision as readers see it. */
export function viewOf(row: RecordRow): CatalogRecord {
  return row.revision === row.latest ? latestRecordOf(row) : parseDocument(olderTextOf(row.document));
}

/** Reads the latest revisions of records, by key, as readers get them. Missing ones are absent. */
export async function readRecordMap(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const records = await readRecords(database, keys);
  return new Map(records.map((row) => [row.key, latestRecordOf(row)]));
}

/** Reads records as an object in the order of the keys, without those that do not exist. */
export async function recordsByKey(
  database: Database,
  keys: readonly string[],
): Promise<Record<string, CatalogRecord>> {
  const records = await readRecordMap(database, keys);
  const existing = keys.filter((key) => records.has(key));
  return Object.fromEntries(existing.map((key) => [key, records.get(key) ?? {}]));
}
