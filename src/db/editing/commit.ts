import { type Database, type Statement, overList, prepare } from "../statement.ts";
import { type ChangeEntry, type RevisionWrite, indexStatements } from "./revisions.ts";

/**
 * Condition of a change: an SQL expression over one value, `?10`, that must be true. If it is false, the first
 * statement of the batch fails. Replaces the check of the revisions that writes expect.
 */
export interface CommitCondition {
  readonly sql: string;
  readonly value: string;
}

/**
 * SQL of the part of a condition that all changes share: saving is allowed, each record by key has still the change that
 * was read (null: does not exist), and each sequence has the number that was read. Other conditions may follow.
 */
export const UNCHANGED = `
  NOT EXISTS (SELECT 1 FROM service_state WHERE name = 'read_only' AND value = 'on')
  AND NOT EXISTS (SELECT 1 FROM json_each(?10, '$.records') e LEFT JOIN record r ON r.key = e.value->>0
                  WHERE r.change_id IS DISTINCT FROM CAST(e.value->>1 AS BIGINT))
  AND NOT EXISTS (SELECT 1 FROM json_each(?10, '$.sequences') e LEFT JOIN sequence s ON s.name = e.value->>0
                  WHERE coalesce(s.value, 0) IS DISTINCT FROM CAST(e.value->>1 AS BIGINT))`;

interface PendingChange {
  readonly entry: ChangeEntry;
  readonly writes: readonly RevisionWrite[];
  /** Highest numbers in use after the change, by sequence. */
  readonly sequences: ReadonlyMap<string, number>;
  readonly condition?: CommitCondition | undefined;
  readonly also?: readonly Statement[];
  /**
   * Statements at the end of the transaction. Each can fail it, as a "conflict", by inserting a row into `expectation`.
   */
  readonly guards?: readonly Statement[];
}

/**
 * Returns all statements of a change, as one batch: log row, revisions, latest records, index rows, sequences. The
 * batch fails as a whole if a record is no longer at the revision that a write expects. The first statement returns the
 * id of the change.
 */
export function changeStatementsOf(change: PendingChange): Statement[] {
  const { entry, writes, sequences, condition, also = [], guards = [] } = change;
  const at = (...places: readonly RevisionWrite["place"][]) =>
    writes.filter(({ place }) => places.includes(place));
  const latest = at("new-latest", "replace-latest");
  return [
    insertChange(entry, condition),
    ...(condition === undefined ? expectRevisions(writes) : []),
    ...overList(
      at("new-latest").map(({ id }) => id),
      KEEP_SUPERSEDED,
    ),
    ...overDocumentList(at("history").map(revisionRowOf), INSERT_REVISIONS),
    ...overDocumentList(at("replace-history").map(revisionRowOf), REPLACE_REVISIONS),
    ...overDocumentList(at("new-record").map(recordRowOf), INSERT_RECORDS),
    ...overDocumentList(latest.filter(({ isSameType }) => isSameType).map(recordRowOf), UPDATE_RECORDS),
    ...overDocumentList(latest.filter(({ isSameType }) => !isSameType).map(recordRowOf), RETYPE_RECORDS),
    ...indexStatements(writes),
    ...overList([...sequences], RAISE_SEQUENCES),
    ...also,
    ...guards,
  ];
}

function insertChange(entry: ChangeEntry, condition: CommitCondition | undefined): Statement {
  const values = [
    entry.kind,
    entry.author,
    entry.comment,
    Number(entry.bot),
    entry.ip,
    entry.created,
    entry.changes,
    entry.data,
    // A NULL id means the next number.
    entry.id ?? null,
  ];
  const columns = "kind, author, comment, bot, ip, created, changes, data, id";
  if (condition === undefined) {
    const sql = `INSERT INTO change (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id`;
    return { sql, values };
  }
  // The table rejects a change without a kind.
  return {
    sql: `INSERT INTO change (${columns})
          SELECT CASE WHEN ${condition.sql} THEN ?1 END, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 RETURNING id`,
    values: [...values, condition.value],
  };
}

function expectRevisions(writes: readonly RevisionWrite[]): Statement[] {
  return overList(
    writes
      .filter((write) => write.expected > 0)
      .map((write) => [write.id, write.expected, write.expectedChange]),
    `INSERT INTO expectation (met)
     SELECT 0 FROM json_each(?1) e LEFT JOIN record r ON r.id = CAST(e.value->>0 AS BIGINT)
     WHERE r.revision IS DISTINCT FROM CAST(e.value->>1 AS BIGINT)
       OR r.change_id IS DISTINCT FROM CAST(e.value->>2 AS BIGINT) LIMIT 1`,
  );
}

const KEEP_SUPERSEDED = `
  INSERT INTO revision (record_id, revision, change_id, last_modified, document)
  SELECT r.id, r.revision, r.change_id, r.last_modified, r.document
  FROM json_each(?1) e JOIN record r ON r.id = CAST(e.value AS BIGINT)`;

function revisionRowOf({ id, revision, lastModified, document }: RevisionWrite): DocumentRow {
  return [document, id, revision, lastModified];
}

const INSERT_REVISIONS = `
  INSERT INTO revision (record_id, revision, change_id, last_modified, document)
  SELECT CAST(e.value->>1 AS BIGINT), CAST(e.value->>2 AS BIGINT), (SELECT max(id) FROM change), e.value->>3,
    coalesce(?2, e.value->>0)
  FROM json_each(?1) e WHERE true`;
// These rows exist, like those of UPDATE_RECORDS. An UPDATE would be a join of documents: PostgreSQL takes a table that
// was just filled for empty, and scans the whole list for each row.
const REPLACE_REVISIONS = `${INSERT_REVISIONS}
  ON CONFLICT (record_id, revision) DO UPDATE SET change_id = excluded.change_id,
    last_modified = excluded.last_modified, document = excluded.document`;

function recordRowOf(write: RevisionWrite): DocumentRow {
  const { id, key, type, revision, flags, created, lastModified, document } = write;
  return [document, id, key, type, revision, flags, created, lastModified];
}

const INSERT_RECORDS = `
  INSERT INTO record (id, key, type, revision, change_id, flags, created, last_modified, document)
  SELECT CAST(e.value->>1 AS BIGINT), e.value->>2, e.value->>3, CAST(e.value->>4 AS BIGINT),
    (SELECT max(id) FROM change), CAST(e.value->>5 AS BIGINT), e.value->>6, e.value->>7, coalesce(?2, e.value->>0)
  FROM json_each(?1) e WHERE true`;
const UPDATE_RECORDS = `${INSERT_RECORDS}
  ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, change_id = excluded.change_id,
    flags = excluded.flags, created = excluded.created, last_modified = excluded.last_modified,
    document = excluded.document`;
/** An update writes every index of the columns that it sets, changed or not. */
const RETYPE_RECORDS = `${UPDATE_RECORDS}, type = excluded.type`;

const RAISE_SEQUENCES = `
  INSERT INTO sequence (name, value) SELECT e.value->>0, CAST(e.value->>1 AS BIGINT) FROM json_each(?1) e WHERE true
  ON CONFLICT (name) DO UPDATE SET value = max(sequence.value, excluded.value)`;

type DocumentRow = readonly [document: string, ...others: (string | number)[]];

/**
 * Minimum length in UTF-16 units of documents sent as separate parameters: escaping inside a list makes them longer
 * still.
 */
const LONG_DOCUMENT_LENGTH = 300_000;

/** Works like `overList`; the document is `coalesce(?2, e.value->>0)`. */
function overDocumentList(documents: readonly DocumentRow[], sql: string): Statement[] {
  const isLong = ([document]: DocumentRow): boolean => document.length >= LONG_DOCUMENT_LENGTH;
  const short = overList(
    documents.filter((row) => !isLong(row)),
    sql,
  ).map((statement) => ({ sql, values: [...statement.values, null] }));
  const long = documents.filter(isLong).map(([document, ...others]) => ({
    sql,
    values: [JSON.stringify([[null, ...others]]), document],
  }));
  return [...short, ...long];
}

/**
 * Stores a change in one transaction. Returns its id, or "conflict" if another writer changed one of the records since
 * they were read, or if its condition or a guard failed. After a conflict nothing is stored.
 */
export async function commitChange(database: Database, change: PendingChange): Promise<number | "conflict"> {
  try {
    const results = await database.batch<{ id: number }>(
      changeStatementsOf(change).map((statement) => prepare(database, statement)),
    );
    const id = results[0]?.results[0]?.id;
    if (id === undefined) throw new Error("the change got no id");
    return id;
  } catch (error) {
    if (isConflict(error)) return "conflict";
    throw error;
  }
}

const CONFLICT = /(?:UNIQUE|CHECK) constraint failed|NOT NULL constraint failed: change\.kind/;
/** PostgreSQL error codes for the same constraint errors, and for transactions rolled back because of another. */
const CONFLICT_STATES = new Set<unknown>(["23502", "23505", "23514", "40001", "40P01"]);

/** Returns true if a unique key, a CHECK or a condition failed, because another writer was faster. */
function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CONFLICT.test(error.message) || ("code" in error && CONFLICT_STATES.has(error.code));
}

/**
 * Maximum number of attempts at a change when other writers are faster. The wait grows by `WAIT_MS` milliseconds with
 * each attempt.
 */
const ATTEMPTS = 24;
const WAIT_MS = 5;

/** Error thrown if other writers changed the same records at every attempt. */
export class BusyError extends Error {
  override message = "other writers changed the same records at every attempt";
}

/** Repeats attempts until one is not a conflict. Returns undefined if all are. */
export async function retryUntilCommitted<Result>(
  attempt: () => Promise<Result | "conflict">,
): Promise<Result | undefined> {
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    const result = await attempt();
    if (result !== "conflict") return result;
    await scheduler.wait(count * WAIT_MS);
  }
  return undefined;
}
