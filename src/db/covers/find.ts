import type { Identifier } from "../../catalog/identifiers/edition.ts";
import { pairsOf } from "../records/identifiers.ts";
import { type Database, type Statement, firstValue } from "../statement.ts";

/** Editions with one identifier that are searched for a cover, the longest unchanged first. */
const COVER_EDITIONS_MAX = 10;
/** Maximum number of editions with the identifier that are read at all. */
const IDENTIFIED_MAX = 1000;
/** Editions of a work without covers that are searched for one. */
const COVER_WORK_EDITIONS_MAX = 100;

/** SQL of an element of `covers` or `photos` if it is the number of a cover: records contain -1 and null, too. */
export const COVER_NUMBER = "CASE c.type WHEN 'integer' THEN CAST(c.value AS BIGINT) END";

/** Builds the query for the cover of the first edition with an identifier and a cover. One indexed statement. */
export function coverOfEdition(identifiers: readonly Identifier[]): Statement {
  return {
    sql: `WITH identified (id) AS (
            SELECT DISTINCT i.edition_id FROM json_each(?1) w
            JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1 LIMIT ${IDENTIFIED_MAX}),
          edition AS (
            SELECT r.id, r.last_modified, r.document FROM identified f JOIN record r ON r.id = f.id
            ORDER BY r.last_modified, r.id LIMIT ${COVER_EDITIONS_MAX})
          SELECT ${COVER_NUMBER} AS id FROM edition e, json_each(e.document, '$.covers') c WHERE ${COVER_NUMBER} > 0
          ORDER BY e.last_modified, e.id, c.key LIMIT 1`,
    values: [pairsOf(identifiers)],
  };
}

/** Records of a key: the record itself, and the target of its redirect. */
const SHOWN = `shown (place, key) AS (
  SELECT 0, CAST(?1 AS TEXT) UNION ALL
  SELECT 1, document->>'$.location' FROM record WHERE key = ?1 AND type = '/type/redirect')`;

/**
 * Builds the statement that finds the first cover of a record, or of the target of its redirect; `member` is `covers`,
 * or for authors `photos`.
 */
export function coverOfRecord(key: string, member: "covers" | "photos"): Statement {
  return {
    sql: `WITH ${SHOWN}
          SELECT ${COVER_NUMBER} AS id FROM shown s CROSS JOIN record r ON r.key = s.key, json_each(r.document, ?2) c
          WHERE ${COVER_NUMBER} > 0 ORDER BY s.place, c.key LIMIT 1`,
    values: [key, `$.${member}`],
  };
}

/** Builds the query of the first cover of a work, or, if it has none, of its first edition with a cover. */
export function coverOfWork(key: string): Statement {
  return {
    sql: `WITH ${SHOWN},
          part (place, id) AS (
            SELECT s.place, r.id FROM shown s CROSS JOIN record r ON r.key = s.key UNION ALL
            SELECT 2 + s.place, p.id FROM shown s, (
              SELECT p.value AS work, p.record_id AS id FROM property p
              WHERE p.name = 'works' AND p.value IN (SELECT key FROM shown)
              ORDER BY p.record_id LIMIT ${COVER_WORK_EDITIONS_MAX}) p WHERE p.work = s.key)
          SELECT ${COVER_NUMBER} AS id FROM part p CROSS JOIN record r ON r.id = p.id, json_each(r.document, '$.covers') c
          WHERE ${COVER_NUMBER} > 0 ORDER BY p.place, p.id, c.key LIMIT 1`,
    values: [key],
  };
}

/** Runs one of the statements above and returns the number of the cover; undefined if there is none. */
export async function findCover(database: Database, statement: Statement): Promise<number | undefined> {
  return firstValue<number>(database, statement);
}
