import { MIB } from "../../catalog/units.ts";
import { parseDocument } from "../../catalog/document.ts";
import type { MergeKind, MergeOrder, MergeRules } from "../../catalog/editing/merge-rules.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import {
  type Database,
  allValues,
  batchGroups,
  firstRow,
  firstValue,
  overList,
  rows,
  run,
} from "../statement.ts";
import { BYTES } from "./read-state.ts";
import type { SavedRecord } from "./request.ts";

/** Data for the queue of merge requests when a merge is done. */
export interface RequestNote {
  /** Request that the merge fulfils; null if there is none. */
  readonly mrid: string | null;
  readonly olids: string;
  readonly comment: string | null;
}

/** Row of `merge_job`. `duplicates` and `request` are JSON. */
interface JobRow {
  readonly id: number;
  readonly kind: MergeKind;
  readonly master: string;
  readonly duplicates: string;
  /** `/people/<username>` */
  readonly author: string;
  readonly ip: string | null;
  readonly request: string;
}

/** Merge that is too large for one change. */
export type MergeJob = Omit<JobRow, "duplicates" | "request"> & MergeOrder & { readonly note: RequestNote };

/** SQL of open jobs. `OPEN_ABOUT` selects those whose master or duplicates are among the keys of `?1`. */
const OPEN = `SELECT id, kind, master, duplicates, author, ip, request FROM merge_job j WHERE j.state = 'open'`;
const OPEN_ABOUT = `${OPEN} AND (j.master IN (SELECT value FROM json_each(?1)) OR EXISTS (
  SELECT 1 FROM json_each(j.duplicates) d WHERE d.value IN (SELECT value FROM json_each(?1))))`;

function jobOf({ duplicates, request, ...row }: JobRow): MergeJob {
  // `openJob` wrote both columns as JSON.
  const order = { duplicates: JSON.parse(duplicates) as string[] };
  return { ...row, ...order, note: JSON.parse(request) as RequestNote };
}

/** Returns true if a job is about exactly these records. */
export function isJobOf(job: MergeJob, kind: MergeKind, { master, duplicates }: MergeOrder): boolean {
  return (
    job.kind === kind &&
    job.master === master &&
    JSON.stringify(job.duplicates) === JSON.stringify([...duplicates].sort())
  );
}

/** Returns the open job that has been idle for longest, if it was last touched at `before` or earlier (naive UTC). */
export async function readIdleJob(database: Database, before: string): Promise<MergeJob | undefined> {
  const sql = `${OPEN} AND j.updated <= ?1 ORDER BY j.updated, j.id LIMIT 1`;
  const row = await firstRow<JobRow>(database, { sql, values: [before] });
  return row && jobOf(row);
}

const JOB_CHANGES_MAX = 100;

/** Returns the records saved by the changes of a job, in order. */
export async function readJobRecords(database: Database, id: number): Promise<SavedRecord[]> {
  const sql = `SELECT c.changes FROM change_data d JOIN change c ON c.id = d.change_id
               WHERE d.name = 'job' AND d.value = ?1 AND c.changes IS NOT NULL
               ORDER BY c.id DESC LIMIT ${JOB_CHANGES_MAX}`;
  const changeLists = await allValues<string>(database, { sql, values: [String(id)] });
  // JSON column written by `entryOf` of a save.
  return changeLists.toReversed().flatMap((changes) => JSON.parse(changes) as SavedRecord[]);
}

/**
 * Creates a job and returns its number. Returns undefined if an open job is about one of its records already. `now` is
 * naive UTC. One statement, so that of two such jobs only one starts.
 */
export async function openJob(
  database: Database,
  { kind, master, duplicates, author, ip, note }: Omit<MergeJob, "id">,
  now: string,
): Promise<number | undefined> {
  return firstValue<number>(database, {
    sql: `INSERT INTO merge_job (kind, master, duplicates, author, ip, request, created, updated)
          SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
          WHERE NOT EXISTS (${OPEN_ABOUT}) RETURNING id`,
    values: [
      JSON.stringify([master, ...duplicates]),
      kind,
      master,
      JSON.stringify([...duplicates].sort()),
      author,
      ip,
      JSON.stringify(note),
      now,
    ],
  });
}

export async function touchJob(database: Database, id: number, now: string): Promise<void> {
  const sql = "UPDATE merge_job SET updated = ?2 WHERE id = ?1";
  await run(database, { sql, values: [id, now] });
}

/** Ends a job as done, or as failed with a reason. */
export async function endJob(
  database: Database,
  id: number,
  { problem, now }: { problem: string | null; now: string },
): Promise<void> {
  const sql = `UPDATE merge_job SET state = CASE WHEN CAST(?2 AS TEXT) IS NULL THEN 'done' ELSE 'failed' END, problem = ?2, updated = ?3
               WHERE id = ?1 AND state = 'open'`;
  await run(database, { sql, values: [id, problem, now] });
}

/** Maximum total bytes of the master and the duplicates. All of them are in memory at once. */
const MERGED_BYTES = 8 * MIB;

export type MergeRecord = Omit<RecordRow, "document"> & { readonly document: CatalogRecord };
type RecordRow = Pick<RecordColumns, "key" | "revision" | "document">;

/** Record that refers to a duplicate: its number and the bytes of its document. */
export interface NamingRecord {
  readonly id: number;
  readonly bytes: number;
}

export interface MergeReading {
  /** Existing master and duplicates by key; empty if they exceed `MERGED_BYTES`. */
  readonly records: ReadonlyMap<string, MergeRecord>;
  readonly isComplete: boolean;
  /** Records that refer to duplicates: all of them, or as many as the limit allows. */
  readonly naming: readonly NamingRecord[];
  /** Open jobs about one of the records. */
  readonly jobs: readonly MergeJob[];
}

const SELECT = "SELECT r.key, r.revision, r.document FROM json_each(?1) e";
const RECORDS = `${SELECT} JOIN record r ON r.key = e.value
  WHERE (${BYTES}) <= ${MERGED_BYTES}`;
/**
 * Returns SQL with a fixed join order: a duplicate may have very many references, of which only some are needed. Names
 * and types are literals, because PostgreSQL assumes that a list in a parameter is long, and would scan the whole table
 * instead of using the index.
 */
function namingSql({ names, namingTypes }: MergeRules): string {
  return `SELECT DISTINCT r.id, octet_length(r.document) AS bytes
    FROM json_each(?1) d CROSS JOIN property p ON p.name IN (${quoteList(names)}) AND p.value = d.value
    CROSS JOIN record r ON r.id = p.record_id AND r.type IN (${quoteList(namingTypes)})
    LIMIT ?2`;
}

function quoteList(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(", ");
}

/** Reads the records of a merge, and up to `limit` records that refer to its duplicates. One round trip. */
export async function readMerge(
  database: Database,
  { master, duplicates }: MergeOrder,
  { rules, limit }: { rules: MergeRules; limit: number },
): Promise<MergeReading> {
  const keys = [master, ...duplicates];
  const groups = await batchGroups<{
    bytes: { bytes: number };
    records: RecordRow;
    naming: NamingRecord;
    jobs: JobRow;
  }>(database, {
    bytes: overList(keys, BYTES),
    records: overList(keys, RECORDS),
    naming: { sql: namingSql(rules), values: [JSON.stringify(duplicates), limit] },
    jobs: { sql: OPEN_ABOUT, values: [JSON.stringify(keys)] },
  });
  const bytes = groups.bytes.reduce((sum, part) => sum + part.bytes, 0);
  return {
    records: new Map(groups.records.map((row) => [row.key, toMergeRecord(row)])),
    isComplete: bytes <= MERGED_BYTES,
    naming: groups.naming,
    jobs: groups.jobs.map(jobOf),
  };
}

export async function readNamingRecords(database: Database, ids: readonly number[]): Promise<MergeRecord[]> {
  if (ids.length === 0) return [];
  const sql = `${SELECT} JOIN record r ON r.id = CAST(e.value AS BIGINT)`;
  const records = await rows<RecordRow>(database, { sql, values: [JSON.stringify(ids)] });
  return records.map(toMergeRecord);
}

/** Reads the works among `keys` whose documents mention one of the duplicates anywhere. */
export async function readMentioning(
  database: Database,
  keys: readonly string[],
  duplicates: readonly string[],
): Promise<MergeRecord[]> {
  if (keys.length === 0) return [];
  const works = await rows<RecordRow>(database, {
    sql: `${SELECT} CROSS JOIN record r ON r.key = e.value
          WHERE r.type = '/type/work'
            AND EXISTS (SELECT 1 FROM json_each(?2) d WHERE instr(r.document, '"' || d.value || '"') > 0)`,
    values: [JSON.stringify(keys), JSON.stringify(duplicates)],
  });
  return works.map(toMergeRecord);
}

function toMergeRecord({ key, revision, document }: RecordRow): MergeRecord {
  return { key, revision, document: parseDocument(document) };
}
