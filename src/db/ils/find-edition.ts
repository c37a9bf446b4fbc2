import type { Identifier } from "../../catalog/identifiers/edition.ts";
import type { RecordRow } from "../records/read-record.ts";
import { type Database, type Statement, batchGroups } from "../statement.ts";

/** The edition that most of the identifiers are of; of several the one with the lowest number. */
const MOST_HITS = `
  SELECT r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags, r.last_modified AS lastModified, r.document
  FROM (SELECT i.edition_id FROM json_each(?1) w
        CROSS JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1
        GROUP BY i.edition_id ORDER BY count(*) DESC, i.edition_id LIMIT 1) found
  JOIN record r ON r.id = found.edition_id`;

/**
 * The edition that a library system means (import.md 5.1): one with any of the ISBNs, else the one with most of the other
 * identifiers. They are in the forms of the index, each once. One round trip.
 */
export async function findByIdentifiers(
  database: Database,
  wanted: readonly Identifier[],
): Promise<RecordRow | undefined> {
  const found = await batchGroups<{ isbns: RecordRow; others: RecordRow }>(database, {
    isbns: mostHits(wanted.filter(({ kind }) => kind === "isbn")),
    others: mostHits(wanted.filter(({ kind }) => kind !== "isbn")),
  });
  return found.isbns[0] ?? found.others[0];
}

function mostHits(wanted: readonly Identifier[]): Statement[] {
  if (wanted.length === 0) return [];
  return [{ sql: MOST_HITS, values: [JSON.stringify(wanted.map(({ kind, value }) => [kind, value]))] }];
}
