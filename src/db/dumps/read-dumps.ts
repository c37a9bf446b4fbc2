import type { DumpKind } from "../../catalog/dumps/files.ts";
import { type Database, firstRow, firstValue, rows } from "../statement.ts";
import type { DumpRow } from "./rows.ts";

const DUMP_COLUMNS = `id, kind, date, after_change, change_id, begun, state, stage, position, step, attempts, failures,
  problem, updated, published`;

/** Number of the newest change; 0: there is none. One statement. */
export async function readLastChange(catalog: Database): Promise<number> {
  const sql = "SELECT coalesce(max(id), 0) AS id FROM change";
  return (await firstValue<number>(catalog, { sql, values: [] })) ?? 0;
}

/** The newest change, when a load has made one after a change; undefined otherwise. One statement. */
export async function readChangeAfterLoad(catalog: Database, after: number): Promise<number | undefined> {
  const sql = `SELECT (SELECT max(id) FROM change) AS id,
                      EXISTS (SELECT 1 FROM change WHERE id > ?1 AND changes IS NULL) AS loads`;
  const row = await firstRow<{ id: number; loads: number }>(catalog, { sql, values: [after] });
  return row?.loads === 1 ? row.id : undefined;
}

/** Changes with the latest times before a moment among which the highest number is looked for. */
const CUT_CHANGES = 1000;

/**
 * The number up to which the log belongs to the time before a moment (naive UTC). Changes that were under way then may have
 * higher numbers than the first ones after it; each belongs to one side. One statement.
 */
export async function readChangeAt(catalog: Database, moment: string): Promise<number> {
  const sql = `SELECT coalesce(max(id), 0) AS id FROM (
                 SELECT id FROM change WHERE created < ?1 ORDER BY created DESC, id DESC LIMIT ?2)`;
  return (await firstValue<number>(catalog, { sql, values: [moment, CUT_CHANGES] })) ?? 0;
}

/** A dump that is to be made. */
export interface NewDump {
  readonly kind: DumpKind;
  readonly date: string;
  readonly afterChange: number;
  readonly changeId: number;
  readonly stage: string;
  readonly now: string;
}

// Days are begun by the sweep and by operators: no two of them get the same part of the log.
export const BEGIN = `
  INSERT INTO dump (kind, date, after_change, change_id, begun, state, stage, updated)
  SELECT ?1, ?2, ?3, ?4, ?6, 'open', ?5, ?6
  WHERE ?1 <> 'delta' OR ?3 >= ?4 OR NOT EXISTS (
    SELECT 1 FROM dump o WHERE o.kind = ?1 AND o.date <> ?2 AND o.after_change < ?4 AND o.change_id > ?3)
  ON CONFLICT (kind, date) DO UPDATE SET
    change_id = CASE dump.kind WHEN 'full' THEN excluded.change_id ELSE dump.change_id END,
    begun = excluded.begun, state = 'open', stage = excluded.stage, position = '{}', attempts = attempts + 1,
    failures = 0, problem = NULL, updated = excluded.updated
  WHERE dump.state = 'failed' AND dump.stage = 'done' AND dump.lease IS NULL
  RETURNING ${DUMP_COLUMNS}`;

/** The dump of a kind and a date. One statement. */
export async function readDump(
  catalog: Database,
  kind: DumpKind,
  date: string,
): Promise<DumpRow | undefined> {
  const sql = `SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 AND date = ?2`;
  return firstRow<DumpRow>(catalog, { sql, values: [kind, date] });
}

/** The newest dumps of a kind, whatever their state, by date. One statement. */
export async function newestDumps(catalog: Database, kind: DumpKind, limit: number): Promise<DumpRow[]> {
  const sql = `SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 ORDER BY date DESC LIMIT ?2`;
  return rows<DumpRow>(catalog, { sql, values: [kind, limit] });
}

/** Dumps that something is left to do about, and that nobody has touched since a moment. One statement. */
export async function idleDumps(
  catalog: Database,
  { before, limit }: { before: string; limit: number },
): Promise<Pick<DumpRow, "id" | "step">[]> {
  const sql =
    "SELECT id, step FROM dump WHERE stage <> 'done' AND updated <= ?1 ORDER BY updated, id LIMIT ?2";
  return rows<Pick<DumpRow, "id" | "step">>(catalog, { sql, values: [before, limit] });
}

/** The dumps of a kind around a date: the newest one before it, and the oldest one after it. One statement. */
export async function dumpsAround(
  catalog: Database,
  kind: DumpKind,
  date: string,
): Promise<{ before: DumpRow | undefined; after: DumpRow | undefined }> {
  const sql = `SELECT * FROM (SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 AND date < ?2 ORDER BY date DESC LIMIT 1)
               UNION ALL
               SELECT * FROM (SELECT ${DUMP_COLUMNS} FROM dump WHERE kind = ?1 AND date > ?2 ORDER BY date LIMIT 1)`;
  const found = await rows<DumpRow>(catalog, { sql, values: [kind, date] });
  return {
    before: found.find((row) => row.date < date),
    after: found.find((row) => row.date > date),
  };
}

/** The newest dumps of all kinds, with the lines that open ones have so far. One statement. */
export async function listDumps(catalog: Database, limit: number): Promise<(DumpRow & { lines: number })[]> {
  const sql = `SELECT ${DUMP_COLUMNS}, (SELECT coalesce(sum(lines), 0) FROM dump_member m WHERE m.dump_id = dump.id) AS lines
               FROM dump ORDER BY date DESC, kind DESC LIMIT ?1`;
  return rows<DumpRow & { lines: number }>(catalog, { sql, values: [limit] });
}
