import { REFERENCES, type RecordPart } from "../../catalog/lookup/expand.ts";
import { type Database, type Statement, rows } from "../statement.ts";
import { type RecordRow, DocumentsTooLarge, fittingRecords, requireWhole } from "./record-rows.ts";

/** Records of an answer with `expand`. */
const REACHED_MAX = 5000;
/** Steps from a record to what it shows: an edition, its work, an author of the work, and redirects between them. */
const STEPS_MAX = 12;

/** SQL of the canonical form of the key of `t`: documents that were loaded may have older ones. */
const KEY = `CASE substr(t.key, 1, 3) WHEN '/a/' THEN '/authors/' || substr(t.key, 4)
    WHEN '/l/' THEN '/languages/' || substr(t.key, 4) ELSE t.key END`;

/**
 * Returns SQL of the records that keys lead to, by redirects and by the members of a parameter `paths`: pairs of a type and
 * a path. `start`: SQL of the keys; of members of a page, whose records are read by another statement, only the others
 * are returned. CROSS JOIN keeps the order of the tables.
 */
function reachedSql(start: string, { paths, fromStep }: { paths: string; fromStep: 0 | 1 }): string {
  return `
  WITH RECURSIVE reached(key, steps) AS (
    SELECT s.key COLLATE BINARY, 0 FROM (${start}) s
    UNION
    SELECT CASE e.type WHEN 'text' THEN e.value WHEN 'object' THEN
        coalesce(e.value->>'$.key', e.value->>'$.author.key', e.value->>'$.series.key') END COLLATE BINARY, t.steps + 1
    FROM reached t
    CROSS JOIN record r ON r.key = ${KEY}
    CROSS JOIN json_each(${paths}) p
    CROSS JOIN json_each(r.document, p.value->>1) e
    WHERE t.steps < ${STEPS_MAX} AND p.value->>0 = r.type)
  ${fittingRecords({
    source: `SELECT r.id, min(t.steps) AS steps FROM reached t CROSS JOIN record r ON r.key = ${KEY}
             WHERE t.steps >= ${fromStep} GROUP BY r.id ORDER BY 2, 1 LIMIT ${REACHED_MAX + 1}`,
    order: "steps, id",
  })}`;
}

const BY_KEYS = reachedSql("SELECT value AS key FROM json_each(?1)", { paths: "?2", fromStep: 0 });

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
  const values = [JSON.stringify([...new Set(keys)]), pathsOf(parts)];
  return requireReached(await rows(database, { sql: BY_KEYS, values }));
}

/** Returns the statement of the records that the records of a page show as parts. `start`: SQL of the keys of the page. */
export function reachedStatement({ sql, values }: Statement, parts: ReadonlySet<RecordPart>): Statement {
  const paths = `?${values.length + 1}`;
  return { sql: reachedSql(sql, { paths, fromStep: 1 }), values: [...values, pathsOf(parts)] };
}

/** Reads the records that the records of an answer show as parts. One statement. Throws `DocumentsTooLarge`. */
export async function readShown(
  database: Database,
  start: Statement,
  parts: ReadonlySet<RecordPart>,
): Promise<RecordRow[]> {
  return requireReached(await rows(database, reachedStatement(start, parts)));
}

/** Returns the rows of one of the statements above. Throws `DocumentsTooLarge`. */
export function requireReached(reached: readonly unknown[]): RecordRow[] {
  if (reached.length > REACHED_MAX) throw new DocumentsTooLarge();
  return requireWhole<RecordRow>(reached);
}

function pathsOf(parts: ReadonlySet<RecordPart>): string {
  // Ratings are those of the work; an edition without authors shows those of its work.
  const isFollowed = ({ part }: { part: RecordPart }) =>
    parts.has(part) || (part === "works" && (parts.has("authors") || parts.has("ratings")));
  const members = REFERENCES.filter(isFollowed).map(({ from, member }) => [from, `$.${member}`]);
  return JSON.stringify([["/type/redirect", "$.location"], ...members]);
}
