import { type Database, rows } from "../statement.ts";
import { dumpedKey, newestAsOf } from "./conditions.ts";

/** How much one statement reads: records, and bytes of documents after which no other one begins. */
export interface ReadBounds {
  readonly records: number;
  readonly bytes: number;
}

/** A record as it was; without a revision when it was not there yet. */
export type DumpedRow = { readonly key: string } & (
  | {
      readonly type: string | null;
      readonly revision: number;
      readonly lastModified: string;
      readonly document: string;
    }
  | { readonly type: null; readonly revision: null; readonly lastModified: null; readonly document: null }
);

// Lengths are known without a look at the texts, so nothing is read that is not sent.
const NEWEST = `
  WITH part AS MATERIALIZED (
    SELECT r.id, r.key, ${newestAsOf("?2")} AS revision, octet_length(r.document) AS bytes FROM record r
    WHERE r.key > ?1 AND ${dumpedKey("r.key")} ORDER BY r.key LIMIT ?3
  ), sized AS MATERIALIZED (
    SELECT id, key, revision, sum(bytes) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING) - bytes AS before FROM part
  )
  SELECT s.key, n.type, s.revision, coalesce(n.last_modified, o.last_modified) AS lastModified,
    coalesce(n.document, o.document) AS document
  FROM sized s LEFT JOIN record n ON n.id = s.id AND n.revision = s.revision
    LEFT JOIN revision o ON o.record_id = s.id AND o.revision = s.revision
  WHERE s.before < ?4 ORDER BY s.key`;

/** The records after a key, by key, as they were when the change `upTo` was. Nothing: there are no more. One statement. */
export async function readNewest(
  catalog: Database,
  { after, upTo }: { after: string; upTo: number },
  { records, bytes }: ReadBounds,
): Promise<DumpedRow[]> {
  return rows<DumpedRow>(catalog, { sql: NEWEST, values: [after, upTo, records, bytes] });
}
