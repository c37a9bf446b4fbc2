import { latestRecord } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { idRange } from "../../catalog/record-id.ts";
import { type RecordRow, latestOfMany } from "../records/read-record.ts";
import { type Database, type Statement, batchRows } from "../statement.ts";

/** Records with the position in the log at which they were read. */
export interface RecordPage {
  readonly version: number;
  readonly records: ReadonlyMap<string, CatalogRecord>;
  /** Where a walk goes on; the id of the last record of a page. */
  readonly position: number;
}

const AUTHORS = idRange("A");
const VERSION: Statement = { sql: "SELECT coalesce(max(id), 0) AS version FROM change", values: [] };
const COLUMNS = "id, key, type, revision, revision AS latest, flags, last_modified AS lastModified, document";

/** Records by key as readers get them, deleted and redirected ones too. One round trip. */
export function readNamed(catalog: Database, keys: readonly string[]): Promise<RecordPage> {
  return readPage(catalog, latestOfMany(keys));
}

/** Records under keys of authors whose ids follow `after`, whatever their type. One round trip. */
export function readAuthorPage(catalog: Database, after: number, limit: number): Promise<RecordPage> {
  return readPage(catalog, {
    sql: `SELECT ${COLUMNS} FROM record WHERE id > ?1 AND id >= ${AUTHORS.from} AND id < ${AUTHORS.to}
          ORDER BY id LIMIT ?2`,
    values: [after, limit],
  });
}

/** Lists, then series, whose ids follow `after`; one type at a time. One round trip. */
export function readListPage(
  catalog: Database,
  { type, after, limit }: { type: "/type/list" | "/type/series"; after: number; limit: number },
): Promise<RecordPage> {
  return readPage(catalog, {
    sql: `SELECT ${COLUMNS} FROM record WHERE type = ?1 AND id > ?2 ORDER BY id LIMIT ?3`,
    values: [type, after, limit],
  });
}

async function readPage(catalog: Database, statement: Statement): Promise<RecordPage> {
  const [versions = [], found = []] = await batchRows(catalog, [VERSION, statement]);
  // The rows have the columns of the statements.
  const rows = found as RecordRow[];
  return {
    version: (versions as { version: number }[])[0]?.version ?? 0,
    records: new Map(rows.map((row) => [row.key, latestRecord(row)])),
    position: rows.at(-1)?.id ?? 0,
  };
}
