import { type Database, rows } from "../statement.ts";

/** What has become of a work that the search index has not, and where its edition is. */
export interface LostWork {
  readonly key: string;
  /** Key of the type, such as `/type/redirect`; null: there is no such record. */
  readonly type: string | null;
  /** Key of the edition's work; null when no edition is named, or it has none. */
  readonly workOfEdition: string | null;
}

/** Looks up works and, beside each, an edition (null: none). One statement. */
export function readLostWorks(
  database: Database,
  wanted: readonly (readonly [work: string, edition: string | null])[],
): Promise<LostWork[]> {
  return rows<LostWork>(database, {
    sql: `SELECT w.value->>0 AS key, r.type, e.document->>'$.works[0].key' AS workOfEdition
          FROM json_each(?1) w LEFT JOIN record r ON r.key = w.value->>0 LEFT JOIN record e ON e.key = w.value->>1`,
    values: [JSON.stringify(wanted)],
  });
}
