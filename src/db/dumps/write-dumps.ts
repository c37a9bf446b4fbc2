import type { DumpKind } from "../../catalog/dumps/dump-files.ts";
import { batchRows, firstRow, firstValue, rows, run, type Database, type Statement } from "../statement.ts";
import { DUMP_COLUMNS, type DumpRow, type MadeFile, type Member } from "./read-dumps.ts";

interface NewDump extends Pick<DumpRow, "kind" | "date" | "stage"> {
  readonly afterChange: number;
  readonly changeId: number;
  readonly now: string;
}

// Both the sweep and operators start dumps of a day: no two days get the same part of the log.
const BEGIN = `
  INSERT INTO dump (kind, date, after_change, change_id, begun, state, stage, updated)
  SELECT CAST(?1 AS TEXT), ?2, CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), ?6, 'open', ?5, ?6
  WHERE ?1 <> 'delta' OR CAST(?3 AS BIGINT) >= ?4 OR NOT EXISTS (
    SELECT 1 FROM dump o WHERE o.kind = ?1 AND o.date <> ?2 AND o.after_change < ?4 AND o.change_id > ?3)
  ON CONFLICT (kind, date) DO UPDATE SET
    change_id = CASE dump.kind WHEN 'full' THEN excluded.change_id ELSE dump.change_id END,
    begun = excluded.begun, state = 'open', stage = excluded.stage, position = '{}', attempts = dump.attempts + 1,
    failures = 0, problem = NULL, updated = excluded.updated
  WHERE dump.state = 'failed' AND dump.stage = 'done' AND dump.lease IS NULL
  RETURNING ${DUMP_COLUMNS}`;

export interface Held {
  readonly id: number;
  readonly step: number;
  readonly lease: string;
}

const CLAIM = `
  UPDATE dump SET lease = ?3, lease_until = ?5, updated = ?4
  WHERE id = ?1 AND step = ?2 AND stage <> 'done' AND (lease IS NULL OR lease_until <= ?4)
  RETURNING ${DUMP_COLUMNS}`;

/** Claims the next step of a dump. Returns undefined if another worker holds it, or it is done. One statement. */
export async function claimStep(
  catalog: Database,
  { id, step, lease }: Held,
  { now, until }: { now: string; until: string },
): Promise<DumpRow | undefined> {
  return firstRow<DumpRow>(catalog, { sql: CLAIM, values: [id, step, lease, now, until] });
}

/**
 * Takes unfinished dumps from consumers that last touched them before `before`, or after `after` because their clock
 * was ahead, so that others can continue. One statement.
 */
export async function takeIdleDumps(
  catalog: Database,
  { before, after, limit }: { before: string; after: string; limit: number },
): Promise<Pick<DumpRow, "id" | "step">[]> {
  const sql = `UPDATE dump SET lease = NULL, lease_until = NULL
    WHERE id IN (SELECT id FROM dump WHERE stage <> 'done' AND (updated <= ?1 OR updated > ?2) ORDER BY updated, id LIMIT ?3)
    RETURNING id, step`;
  return rows<Pick<DumpRow, "id" | "step">>(catalog, { sql, values: [before, after, limit] });
}

interface StepEnd extends Pick<DumpRow, "state" | "stage" | "position" | "problem"> {
  readonly members: readonly Member[];
  readonly files: readonly MadeFile[];
  /** Change as of which the dump starts again; null if it continues. */
  readonly anewAsOf: number | null;
  readonly now: string;
  /** End of the lease for the same worker to continue; null releases the dump. */
  readonly until: string | null;
}

const ADVANCE = `
  UPDATE dump SET step = step + 1, state = ?4, stage = ?5, position = ?6, problem = ?7, failures = 0, updated = ?8,
    change_id = coalesce(?10, change_id), lease = CASE WHEN CAST(?9 AS TEXT) IS NOT NULL THEN lease END, lease_until = ?9,
    published = CASE WHEN ?4 = 'published' THEN coalesce(published, ?8) ELSE published END
  WHERE id = ?1 AND step = ?2 AND lease = ?3 RETURNING id`;
// Runs in the same transaction, before the step is counted.
const IF_HELD = "WHERE EXISTS (SELECT 1 FROM dump WHERE id = ?1 AND step = ?2 AND lease = ?3)";

const PART = `value->>0, CAST(value->>1 AS BIGINT), value->>2, CAST(value->>3 AS BIGINT), CAST(value->>4 AS BIGINT), value->>5
  FROM json_each(?4) ${IF_HELD}`;
const INSERT_MEMBERS = `
  INSERT INTO dump_member (dump_id, step, section, place, object, bytes, lines, digest) SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT), ${PART}`;
const INSERT_FILES = `
  INSERT INTO dump_file (dump_id, name, place, object, bytes, lines, digest) SELECT CAST(?1 AS BIGINT), ${PART}
  ON CONFLICT (name) DO UPDATE SET dump_id = excluded.dump_id, place = excluded.place, object = excluded.object,
    bytes = excluded.bytes, lines = excluded.lines, digest = excluded.digest`;

/** Stores the results of a step. Returns false, and stores nothing, if another worker holds the dump by now. */
export async function endStep(catalog: Database, stepLease: Held, end: StepEnd): Promise<boolean> {
  const { id, step, lease } = stepLease;
  const { state, stage, position, problem, members, files, anewAsOf, now, until } = end;
  const leaseValues = [id, step, lease];
  const statements: Statement[] = [];
  if (anewAsOf !== null)
    statements.push({ sql: `DELETE FROM dump_member ${IF_HELD} AND dump_id = ?1`, values: leaseValues });
  const memberRows = members.map((member) => [member.section, ...partOf(member)]);
  if (members.length > 0)
    statements.push({ sql: INSERT_MEMBERS, values: [...leaseValues, JSON.stringify(memberRows)] });
  const fileRows = files.map((file) => [file.name, ...partOf(file)]);
  if (files.length > 0)
    statements.push({ sql: INSERT_FILES, values: [...leaseValues, JSON.stringify(fileRows)] });
  statements.push({
    sql: ADVANCE,
    values: [...leaseValues, state, stage, position, problem, now, until, anewAsOf],
  });
  const results = await batchRows(catalog, statements);
  return (results.at(-1) ?? []).length > 0;
}

function partOf({ place, object, bytes, lines, digest }: Omit<Member, "section">) {
  return [place, object, bytes, lines, digest];
}

/** Records a failed step and releases the dump. Returns the number of failures. One statement. */
export async function noteFailure(
  catalog: Database,
  { id, step, lease }: Held,
  { problem, now }: { problem: string; now: string },
): Promise<number> {
  const sql = `UPDATE dump SET failures = failures + 1, problem = ?4, updated = ?5, lease = NULL, lease_until = NULL
               WHERE id = ?1 AND step = ?2 AND lease = ?3 RETURNING failures`;
  return (await firstValue<number>(catalog, { sql, values: [id, step, lease, problem, now] })) ?? 0;
}

/** Marks an open dump as failed, to be cleaned up from `position` (JSON text) on. One statement. */
export async function failDump(
  catalog: Database,
  { id, step }: Pick<Held, "id" | "step">,
  { problem, now, position }: { problem: string; now: string; position: string },
): Promise<void> {
  const sql = `UPDATE dump SET state = 'failed', stage = 'clean', position = ?5, step = step + 1, failures = 0,
                 problem = ?3, updated = ?4, lease = NULL, lease_until = NULL
               WHERE id = ?1 AND step = ?2 AND state = 'open'`;
  await run(catalog, { sql, values: [id, step, problem, now, position] });
}

/**
 * Starts a dump. A failed and completely cleaned up dump of the same kind and date is started again, because a day
 * keeps its part of the log. Returns undefined if there is another dump, or another day got that part in the meantime.
 * One statement.
 */
export async function beginDump(
  catalog: Database,
  { kind, date, afterChange, changeId, stage, now }: NewDump,
): Promise<DumpRow | undefined> {
  return firstRow<DumpRow>(catalog, { sql: BEGIN, values: [kind, date, afterChange, changeId, stage, now] });
}

/** Retires the published dumps of a kind except the newest ones, and returns them. One statement. */
export async function retireDumps(
  catalog: Database,
  { kind, keep, now }: { kind: DumpKind; keep: number; now: string },
): Promise<Pick<DumpRow, "id" | "step">[]> {
  const sql = `UPDATE dump SET state = 'retired', stage = 'clean', position = '{}', failures = 0, updated = ?3
               WHERE state = 'published' AND stage = 'done' AND id IN (
                 SELECT id FROM dump WHERE kind = ?1 AND state = 'published' ORDER BY date DESC LIMIT 1000000 OFFSET ?2)
               RETURNING id, step`;
  return rows<Pick<DumpRow, "id" | "step">>(catalog, { sql, values: [kind, keep, now] });
}

/** Deletes the members of a dump, and with `withFiles` its files too. One transaction. */
export async function forgetMembers(catalog: Database, dump: number, withFiles: boolean): Promise<void> {
  const members = { sql: "DELETE FROM dump_member WHERE dump_id = ?1", values: [dump] };
  const files = { sql: "DELETE FROM dump_file WHERE dump_id = ?1", values: [dump] };
  await batchRows(catalog, withFiles ? [members, files] : [members]);
}

/** Deletes the retired dumps that are completely cleaned up. One statement. */
export async function forgetRetired(catalog: Database): Promise<void> {
  await run(catalog, { sql: "DELETE FROM dump WHERE state = 'retired' AND stage = 'done'", values: [] });
}
