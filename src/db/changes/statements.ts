import { type Statement, overList } from "../statement.ts";
import { indexStatements } from "./index-statements.ts";
import type { ChangeEntry, RevisionWrite } from "./revision-write.ts";

const LATEST_PLACES = new Set(["new-latest", "replace-latest"]);

/** Highest numbers in use after a change, by sequence name. */
export type SequenceMarks = ReadonlyMap<string, number>;

/**
 * Everything one change does, as one batch: log row, revisions, latest records, index rows, sequences.
 * Fails as a whole when a record is no longer at the revision that a write expected. The first statement
 * returns the id of the change.
 */
export function changeStatements(
  entry: ChangeEntry,
  writes: readonly RevisionWrite[],
  sequences: SequenceMarks,
): Statement[] {
  return [
    insertChange(entry),
    ...expectations(writes),
    ...keepSuperseded(writes),
    ...insertRevisions(writes),
    ...replaceRevisions(writes),
    ...insertRecords(writes),
    ...updateRecords(writes),
    ...indexStatements(writes),
    ...raiseSequences(sequences),
  ];
}

function insertChange(entry: ChangeEntry): Statement {
  return {
    sql: `INSERT INTO change (kind, author, comment, bot, ip, created, changes, data)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id`,
    values: [
      entry.kind,
      entry.author,
      entry.comment,
      Number(entry.bot),
      entry.ip,
      entry.created,
      entry.changes,
      entry.data,
    ],
  };
}

function expectations(writes: readonly RevisionWrite[]): Statement[] {
  return overList(
    writes.filter((write) => write.expected > 0).map((write) => [write.id, write.expected]),
    `INSERT INTO expectation (met)
     SELECT 0 FROM json_each(?1) e LEFT JOIN record r ON r.id = e.value->>0
     WHERE coalesce(r.revision, 0) <> e.value->>1 LIMIT 1`,
  );
}

/** The latest revision moves to `revision` before another takes its place. */
function keepSuperseded(writes: readonly RevisionWrite[]): Statement[] {
  return overList(
    writes.filter((write) => write.place === "new-latest").map((write) => write.id),
    `INSERT INTO revision (record_id, revision, change_id, last_modified, document)
     SELECT r.id, r.revision, r.change_id, r.last_modified, r.document
     FROM json_each(?1) e JOIN record r ON r.id = e.value`,
  );
}

function insertRevisions(writes: readonly RevisionWrite[]): Statement[] {
  return overList(
    writes.filter((write) => write.place === "history").map(revisionRow),
    `INSERT INTO revision (record_id, revision, change_id, last_modified, document)
     SELECT e.value->>0, e.value->>1, (SELECT max(id) FROM change), e.value->>2, e.value->>3
     FROM json_each(?1) e`,
  );
}

function replaceRevisions(writes: readonly RevisionWrite[]): Statement[] {
  return overList(
    writes.filter((write) => write.place === "replace-history").map(revisionRow),
    `UPDATE revision SET change_id = (SELECT max(id) FROM change), last_modified = e.value->>2,
            document = e.value->>3
     FROM json_each(?1) e
     WHERE revision.record_id = e.value->>0 AND revision.revision = e.value->>1`,
  );
}

function revisionRow({ id, revision, lastModified, document }: RevisionWrite): unknown[] {
  return [id, revision, lastModified, document];
}

function insertRecords(writes: readonly RevisionWrite[]): Statement[] {
  return overList(
    writes.filter((write) => write.place === "new-record").map(recordRow),
    `INSERT INTO record (id, key, type, revision, change_id, flags, created, last_modified, document)
     SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, (SELECT max(id) FROM change), e.value->>4,
            e.value->>5, e.value->>6, e.value->>7
     FROM json_each(?1) e`,
  );
}

function updateRecords(writes: readonly RevisionWrite[]): Statement[] {
  return overList(
    writes.filter((write) => LATEST_PLACES.has(write.place)).map(recordRow),
    `UPDATE record SET type = e.value->>2, revision = e.value->>3, change_id = (SELECT max(id) FROM change),
            flags = e.value->>4, created = e.value->>5, last_modified = e.value->>6, document = e.value->>7
     FROM json_each(?1) e WHERE record.id = e.value->>0`,
  );
}

function recordRow(write: RevisionWrite): unknown[] {
  const { id, key, type, revision, flags, created, lastModified, document } = write;
  return [id, key, type, revision, flags, created, lastModified, document];
}

function raiseSequences(sequences: SequenceMarks): Statement[] {
  return overList(
    [...sequences],
    `INSERT INTO sequence (name, value) SELECT e.value->>0, e.value->>1 FROM json_each(?1) e WHERE true
     ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
  );
}
