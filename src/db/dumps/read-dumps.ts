import type { DumpKind } from "../../catalog/dumps/files.ts";
import { type Database, firstRow, firstValue, rows } from "../statement.ts";
import { type DumpRow, DUMP_COLUMNS } from "./rows.ts";

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
