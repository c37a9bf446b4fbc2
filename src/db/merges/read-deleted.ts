import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, rows } from "../statement.ts";

/** A record that is deleted now, as it was when it was last alive. */
export interface DeletedRecord {
  readonly key: string;
  /** Its latest revision, which says that it is deleted. */
  readonly latest: number;
  readonly alive: CatalogRecord;
}

/** Those of the keys whose records are deleted and were something once. One statement. */
export async function readDeleted(database: Database, keys: readonly string[]): Promise<DeletedRecord[]> {
  if (keys.length === 0) return [];
  const found = await rows<{ key: string; latest: number; document: string }>(database, {
    // CROSS JOIN keeps the order: else all deleted records of the catalog would be looked at.
    sql: `SELECT r.key, r.revision AS latest, v.document FROM json_each(?1) e
          CROSS JOIN record r ON r.key = e.value AND r.type = '/type/delete'
          CROSS JOIN revision v ON v.record_id = r.id AND v.revision = (
            SELECT max(o.revision) FROM revision o WHERE o.record_id = r.id
              AND coalesce(o.document->>'$.type.key', o.document->>'$.type')
                NOT IN ('/type/delete', '/type/redirect'))`,
    values: [JSON.stringify(keys)],
  });
  // What was stored went through validation when it was written.
  return found.map(({ key, latest, document }) => ({
    key,
    latest,
    alive: JSON.parse(document) as CatalogRecord,
  }));
}
