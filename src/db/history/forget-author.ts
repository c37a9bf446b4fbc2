import { formatDocument } from "../../catalog/editing/rights.ts";
import { type Database, batchRows, rows, run } from "../statement.ts";
import { bytesBefore, documentWithin, fitting } from "../records/record-rows.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";

/** Rows per transaction: revisions to blank, changes to empty, changes to rename. */
const REVISIONS = 200;
const CHANGES = 100;
const RENAMED_CHANGES = 2000;

/** Ids of a person's own records; `?1`: `/people/<username>`. */
const OWN = `SELECT id FROM record WHERE key = ?1
  UNION SELECT id FROM record WHERE key > ?1 || '/' AND key < ?1 || '0'`;

// Bounded by bytes: a list may have thousands of revisions of several hundred kilobytes each.
const UNBLANKED = `
  SELECT id, key, revision, created, now, total FROM (
    SELECT u.*, count(*) OVER () AS total, ${bytesBefore("u.bytes", "u.key, u.revision")} AS before FROM (
      SELECT r.id, r.key, v.revision, r.created, v.last_modified AS now, octet_length(v.document) AS bytes
      FROM (${OWN}) o CROSS JOIN record r ON r.id = o.id CROSS JOIN revision v ON v.record_id = r.id
      WHERE NOT EXISTS (SELECT 1 FROM removed_revision x WHERE x.key = r.key AND x.revision = v.revision)
      ORDER BY r.key, v.revision LIMIT ?2) u) w
  WHERE before < ${READ_DOCUMENT_BYTES} ORDER BY key, revision`;
const NAMED = `json_each(?1) e JOIN revision v
  ON v.record_id = CAST(e.value->>0 AS BIGINT) AND v.revision = CAST(e.value->>1 AS BIGINT)`;
const KEEP = `
  INSERT INTO removed_revision (key, revision, last_modified, document)
  SELECT e.value->>2, v.revision, v.last_modified, v.document FROM ${NAMED} WHERE true
  ON CONFLICT (key, revision) DO NOTHING`;
const BLANK = `
  INSERT INTO revision (record_id, revision, change_id, last_modified, document)
  SELECT v.record_id, v.revision, v.change_id, v.last_modified, e.value->>3 FROM ${NAMED} WHERE true
  ON CONFLICT (record_id, revision) DO UPDATE SET document = excluded.document`;

interface Unblanked {
  readonly id: number;
  readonly key: string;
  readonly revision: number;
  readonly created: string;
  readonly now: string;
  /** Revisions considered, including those beyond the byte limit. */
  readonly total: number;
}

/**
 * Replaces superseded revisions of a person's own records by deletions, so that no reader of revisions needs a check of
 * its own, and stores the originals in `removed_revision`. Handles one batch in one transaction; returns true after the
 * last batch. The latest revisions must already be deletions.
 */
export async function blankOwnRevisions(catalog: Database, person: string): Promise<boolean> {
  const revisions = await rows<Unblanked>(catalog, { sql: UNBLANKED, values: [person, REVISIONS] });
  const [first] = revisions;
  if (first === undefined) return true;
  const list = revisions.map(({ id, key, revision, created, now }) => {
    const document = { key, type: "/type/delete", members: {} };
    return [id, revision, key, formatDocument(document, { revision, created, now })];
  });
  const values = [JSON.stringify(list)];
  await batchRows(catalog, [
    { sql: KEEP, values },
    { sql: BLANK, values },
  ]);
  return first.total < REVISIONS && revisions.length === first.total;
}

/** Changes of a person's own records: all changes by the person, and changes by others that touch nothing else. */
const OWN_CHANGES = `
  SELECT c.id, c.data FROM (
    SELECT r.change_id FROM record r WHERE r.id IN (${OWN})
    UNION SELECT v.change_id FROM revision v WHERE v.record_id IN (${OWN})) t
  CROSS JOIN change c ON c.id = t.change_id
  WHERE c.changes IS NOT NULL AND (c.author = ?1 OR ((c.comment IS NOT NULL OR c.data <> '{}') AND NOT EXISTS (
    SELECT 1 FROM json_each(c.changes) e WHERE e.value->>'key' <> ?1
      AND substr(e.value->>'key', 1, length(?1) + 1) <> ?1 || '/')))
  ORDER BY c.id LIMIT ?2`;
const EMPTY_CHANGES = `
  UPDATE change SET author = CASE WHEN author = ?2 THEN NULL ELSE author END,
    ip = CASE WHEN author = ?2 THEN NULL ELSE ip END, comment = NULL, data = '{}'
  WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?1))`;
const FORGET_DATA = `
  DELETE FROM change_data WHERE (name, value, change_id) IN (
    SELECT e.value->>0, e.value->>1, CAST(e.value->>2 AS BIGINT) FROM json_each(?1) e)`;

/**
 * Clears author, address, comment and data of changes of a person's own records. The keys of these records contain the
 * username, so a neutral author would link both names. Handles one batch; returns true after the last batch.
 */
export async function emptyOwnChanges(catalog: Database, person: string): Promise<boolean> {
  const changes = await rows<{ id: number; data: string }>(catalog, {
    sql: OWN_CHANGES,
    values: [person, CHANGES],
  });
  if (changes.length === 0) return true;
  const data = changes.flatMap((change) => dataRowsOf(change));
  await batchRows(catalog, [
    { sql: FORGET_DATA, values: [JSON.stringify(data)] },
    { sql: EMPTY_CHANGES, values: [JSON.stringify(changes.map(({ id }) => id)), person] },
  ]);
  return changes.length < CHANGES;
}

/** Returns the rows that the trigger on `change` may have added to `change_data`. */
function dataRowsOf({ id, data }: { id: number; data: string }): [string, string, number][] {
  // This service wrote the stored data.
  return Object.entries(JSON.parse(data) as Record<string, unknown>).flatMap(([name, member]) =>
    [member]
      .flat()
      .filter((value) => typeof value === "string" || typeof value === "number")
      .map((value): [string, string, number] => [name, String(value), id]),
  );
}

const RENAME_CHANGES = `
  UPDATE change SET author = ?2 WHERE id IN (SELECT id FROM change WHERE author = ?1 ORDER BY created, id LIMIT ?3)`;

interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** Renames the author of one batch of changes; returns true after the last batch. One statement. */
export async function renameChanges(catalog: Database, { from, to }: Renaming): Promise<boolean> {
  return (await run(catalog, { sql: RENAME_CHANGES, values: [from, to, RENAMED_CHANGES] })) < RENAMED_CHANGES;
}

const REVERTED = "name = 'reverted_author' AND value = ?1";

/** Renames the person in reverts, covers and imports. One transaction. */
export async function renameElsewhere(catalog: Database, { from, to }: Renaming): Promise<void> {
  const usernames = [from, to].map((key) => key.slice("/people/".length));
  await batchRows(catalog, [
    {
      sql: `UPDATE change SET data = replace(data, ?2, ?3) WHERE id IN (SELECT change_id FROM change_data WHERE ${REVERTED})`,
      values: [from, JSON.stringify(from), JSON.stringify(to)],
    },
    { sql: `UPDATE change_data SET value = ?2 WHERE ${REVERTED}`, values: [from, to] },
    { sql: "UPDATE cover SET author = ?2 WHERE author = ?1", values: [from, to] },
    ...["import_batch", "import_item"].map((table) => ({
      sql: `UPDATE ${table} SET submitter = ?2 WHERE submitter = ?1`,
      values: usernames,
    })),
  ]);
}

export interface RemovedRevision {
  readonly key: string;
  readonly revision: number;
  readonly lastModified: string;
  readonly document: string;
}

const REMOVED = `
  WITH part AS MATERIALIZED (
    SELECT key, revision, ${bytesBefore("octet_length(document)", "key, revision")} AS before FROM (
      SELECT * FROM removed_revision WHERE (key = ?1 OR (key > ?1 || '/' AND key < ?1 || '0'))
        AND (key, revision) > (?2, CAST(?3 AS BIGINT)) ORDER BY key, revision LIMIT ?4) r)
  SELECT x.key, x.revision, x.last_modified AS lastModified, ${documentWithin("p.before", "x.document")}
  FROM part p CROSS JOIN removed_revision x ON x.key = p.key AND x.revision = p.revision ORDER BY x.key, x.revision`;

/** Reads the kept revisions of a person's own records after a position, by key and revision. One statement. */
export async function readRemovedRevisions(
  catalog: Database,
  person: string,
  { after, limit }: { after: Pick<RemovedRevision, "key" | "revision">; limit: number },
): Promise<{ readonly revisions: readonly RemovedRevision[]; readonly isLast: boolean }> {
  const values = [person, after.key, after.revision, limit];
  const revisionRows = await rows<unknown>(catalog, { sql: REMOVED, values });
  const revisions = fitting<RemovedRevision>(revisionRows);
  return { revisions, isLast: revisionRows.length < limit && revisions.length === revisionRows.length };
}
