import { REFERENCES, type RecordPart } from "../../catalog/lookup/expand.ts";
import type { Database } from "../statement.ts";
import { type RecordRow, DocumentsTooLarge, fittingRecords, wholeRows } from "./record-rows.ts";

/** Records of an answer with `expand`. */
const REACHED_MAX = 5000;
/** Steps from a record to what it shows: an edition, its work, an author of the work, and redirects between them. */
const STEPS_MAX = 12;

/** SQL of the canonical form of the key of `t`: documents that were loaded may have older ones. */
const KEY = `CASE substr(t.key, 1, 3) WHEN '/a/' THEN '/authors/' || substr(t.key, 4)
    WHEN '/l/' THEN '/languages/' || substr(t.key, 4) ELSE t.key END`;

/**
 * SQL of the records that keys lead to, by redirects and by the members of `?2`: pairs of a type and a path. CROSS JOIN
 * keeps the order of the tables.
 */
const REACHED = `
  WITH RECURSIVE reached(key, steps) AS (
    SELECT value COLLATE BINARY, 0 FROM json_each(?1)
    UNION
    SELECT CASE e.type WHEN 'text' THEN e.value WHEN 'object' THEN
        coalesce(e.value->>'$.key', e.value->>'$.author.key', e.value->>'$.series.key') END COLLATE BINARY, t.steps + 1
    FROM reached t
    CROSS JOIN record r ON r.key = ${KEY}
    CROSS JOIN json_each(?2) p ON p.value->>0 = r.type
    CROSS JOIN json_each(r.document, p.value->>1) e
    WHERE t.steps < ${STEPS_MAX})
  ${fittingRecords({
    source: `SELECT r.id, min(t.steps) AS steps FROM reached t CROSS JOIN record r ON r.key = ${KEY}
             GROUP BY r.id ORDER BY 2, 1 LIMIT ${REACHED_MAX + 1}`,
    order: "steps, id",
  })}`;

/**
 * Reads records by key, the records that they show as parts, and the targets of redirects among all these. One statement;
 * none without keys. Throws `DocumentsTooLarge`.
 */
export async function readReached(
  database: Database,
  keys: readonly string[],
  parts: ReadonlySet<RecordPart>,
): Promise<RecordRow[]> {
  if (keys.length === 0) return [];
  // Ratings are those of the work; an edition without authors shows those of its work.
  const isFollowed = ({ part }: { part: RecordPart }) =>
    parts.has(part) || (part === "works" && (parts.has("authors") || parts.has("ratings")));
  const members = REFERENCES.filter(isFollowed).map(({ from, member }) => [from, `$.${member}`]);
  const paths = [["/type/redirect", "$.location"], ...members];
  const values = [JSON.stringify([...new Set(keys)]), JSON.stringify(paths)];
  const reached = await wholeRows<RecordRow>(database, { sql: REACHED, values });
  if (reached.length > REACHED_MAX) throw new DocumentsTooLarge();
  return reached;
}
