import { tokenPhrase } from "../../search/indexing/filter-token.ts";
import { type CountedWorks, type SubjectCount, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import { rows } from "../statement.ts";
import type { Generation, IndexReader } from "./generation.ts";
import { matchRowsSql, numbersSql, workOfRow } from "./text-rows.ts";

/**
 * Returns SQL that counts the subjects of works and keeps the `limit` most frequent of each field, as `SubjectCount`s:
 * ordered by count, then by text, ascending or, as in documents, descending. `works` is SQL of a table with columns
 * `owner` and `id`.
 */
export function subjectCountsSql(
  works: string,
  generation: Generation,
  { limit, ties = "DESC" }: { limit: number; ties?: "ASC" | "DESC" },
): string {
  const members = SUBJECT_COUNT_FIELDS.map((field) => `d.document -> '${field}'`).join(", ");
  return `
    SELECT owner, field, value, count FROM (
      SELECT owner, field, value, count(*) AS count,
        row_number() OVER (PARTITION BY owner, field ORDER BY count(*) DESC, value ${ties}) AS place
      FROM (
        SELECT DISTINCT w.owner, w.id, f.key AS field, v.value
        FROM ${works} w CROSS JOIN work_document_${generation} d ON d.id = w.id
        CROSS JOIN json_each(json_array(${members})) f CROSS JOIN json_each(f.value) v)
      GROUP BY owner, field, value)
    WHERE place <= ${limit} ORDER BY owner, count DESC, value ${ties}`;
}

/** Maximum number of works whose subjects are counted together: those of the most popular bands. */
const SUBJECT_WORKS_MAX = 10_000;

/** Implements `SearchEngine.subjectCounts`. One statement. */
export function countSubjectsOfWorks(
  { database, generation }: IndexReader,
  { ids, tokens }: CountedWorks,
  limit: number,
): Promise<SubjectCount[]> {
  if (ids.length + tokens.length === 0) return Promise.resolve([]);
  const text = `work_text_${generation}`;
  const match =
    tokens.length === 0
      ? ""
      : `UNION SELECT ${workOfRow("row")} FROM (SELECT rowid AS row FROM ${text} WHERE ${text} MATCH ?2 LIMIT ${SUBJECT_WORKS_MAX})`;
  const works = `(SELECT 0 AS owner, id FROM (SELECT value AS id FROM json_each(?1) ${match}) LIMIT ${SUBJECT_WORKS_MAX})`;
  return rows<SubjectCount>(database, {
    sql: subjectCountsSql(works, generation, { limit, ties: "ASC" }),
    values: [JSON.stringify(ids), ...(tokens.length === 0 ? [] : [tokens.map(tokenPhrase).join(" OR ")])],
  });
}

/** Maximum number of works of a subject, by number, that are searched for a cover. */
export const SUBJECT_COVER_WORKS_MAX = 50;

/** Implements `SearchEngine.subjectCovers`. One statement. */
export async function readSubjectCovers(
  { database, generation }: IndexReader,
  tokens: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const text = `work_text_${generation}`;
  const works = numbersSql(matchRowsSql(text, "s.value ->> 1"), { limit: SUBJECT_COVER_WORKS_MAX });
  const phrases = [...tokens].map(([name, token]) => [name, tokenPhrase(token)]);
  const results = await rows<{ name: string; cover: number | null }>(database, {
    sql: `SELECT s.value ->> 0 AS name, (
            SELECT w.cover_i FROM (${works}) found
            JOIN work_${generation} w ON w.id = found.id WHERE w.cover_i > 0 ORDER BY w.id LIMIT 1) AS cover
          FROM json_each(?1) s`,
    values: [JSON.stringify(phrases)],
  });
  return new Map(results.flatMap(({ name, cover }) => (cover === null ? [] : [[name, cover] as const])));
}
