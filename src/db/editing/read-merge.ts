import { parseDocument } from "../../catalog/document.ts";
import type { MergeOrder, MergeRules } from "../../catalog/editing/merge-rules.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Database, batchGroups, overList, rows } from "../statement.ts";
import { type JobRow, type MergeJob, OPEN_ABOUT, jobOf } from "./merge-jobs.ts";
import { BYTES } from "./read-state.ts";

/** Maximum total bytes of the master and the duplicates. All of them are in memory at once. */
const MERGED_BYTES = 8 * 1024 * 1024;

/** Record of a merge in its current state. */
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

export async function readNaming(database: Database, ids: readonly number[]): Promise<MergeRecord[]> {
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
