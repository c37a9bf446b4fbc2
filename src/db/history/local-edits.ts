import type { CatalogRecord } from "../../catalog/record.ts";
import { parseDocument } from "../../catalog/document.ts";
import { type Database, batchGroups, rows } from "../statement.ts";
import { LAST_CHANGE } from "./changes.ts";

/** Work, edition or author, and where its latest revision comes from. */
export interface RecordOrigin {
  readonly key: string;
  readonly type: string;
  readonly revision: number;
  /** Change that made the latest revision. */
  readonly change: number;
  /** Newest revision that a load stored; null if the record was made here. Equal to `revision` if nothing was edited. */
  readonly base: number | null;
}

/** Position in the log: a change, and the number of the last record that was read of it. */
interface LogPlace {
  readonly change: number;
  readonly id: number;
}

/** Maximum number of changes in which one page searches for edits: long loads have none. */
const LOG_CHANGES = 20_000;

const NEWEST_LOADED = `(
  SELECT v.revision FROM revision v CROSS JOIN change l ON l.id = v.change_id
  WHERE v.record_id = r.id AND l.changes IS NULL ORDER BY v.revision DESC LIMIT 1)`;
const ORIGIN = `r.key, r.type, r.revision, r.change_id AS change,
  CASE WHEN c.changes IS NULL THEN r.revision ELSE ${NEWEST_LOADED} END AS base`;

const EDITS = `
  SELECT ${ORIGIN}, r.id
  FROM change c CROSS JOIN record r INDEXED BY record_by_change ON r.change_id = c.id
  WHERE c.id >= ?1 AND c.id < ?3 AND (c.id > ?1 OR r.id > CAST(?2 AS BIGINT)) AND c.changes IS NOT NULL
    AND (r.key LIKE '/works/%' OR r.key LIKE '/books/%' OR r.key LIKE '/authors/%')
  ORDER BY c.id, r.id LIMIT ?4`;

/**
 * Reads the records whose latest revision is an edit, in the order of the log after a place. A record that is edited
 * moves to the end, so none is missed. `next` is undefined at the end of the log. One round trip.
 */
export async function readLocalEdits(
  catalog: Database,
  { change, id }: LogPlace,
  limit: number,
): Promise<{ edits: RecordOrigin[]; next: LogPlace | undefined }> {
  const end = change + LOG_CHANGES;
  const { edits, last } = await batchGroups<{ edits: RecordOrigin & { id: number }; last: { id: number } }>(
    catalog,
    { edits: { sql: EDITS, values: [change, id, end, limit] }, last: LAST_CHANGE },
  );
  const lastEdit = edits.length === limit ? edits.at(-1) : undefined;
  const windowEnd = (last[0]?.id ?? 0) < end ? undefined : { change: end, id: 0 };
  const next = lastEdit === undefined ? windowEnd : { change: lastEdit.change, id: lastEdit.id };
  return { edits: edits.map(({ id: _id, ...edit }) => edit), next };
}

/** Reads the origin of records, by key. Unknown keys are absent. One statement. */
export async function readRecordOrigins(catalog: Database, keys: readonly string[]): Promise<RecordOrigin[]> {
  const sql = `SELECT ${ORIGIN} FROM json_each(?1) e JOIN record r ON r.key = e.value
    LEFT JOIN change c ON c.id = r.change_id ORDER BY r.key`;
  return rows(catalog, { sql, values: [JSON.stringify([...new Set(keys)])] });
}

/** Reads the newest loaded revisions of records that were edited since, by key. One statement. */
export async function readEditBases(
  catalog: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const sql = `SELECT r.key, b.document FROM json_each(?1) e JOIN record r ON r.key = e.value
    JOIN revision b ON b.record_id = r.id AND b.revision = ${NEWEST_LOADED}`;
  const bases = await rows<{ key: string; document: string }>(catalog, {
    sql,
    values: [JSON.stringify([...new Set(keys)])],
  });
  return new Map(bases.map(({ key, document }) => [key, parseDocument(document)]));
}
