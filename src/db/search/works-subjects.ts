import { tokenPhrase } from "../../search/index/filter-token.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./index-reader.ts";
import { type SubjectCount, subjectCountsSql } from "./subject-counts.ts";

/** Works whose subjects are counted together; those beyond are left out. */
export const SUBJECT_WORKS_MAX = 10_000;

/** Works by number in the index, and all works that have one of some tokens. */
export interface WorksMeant {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
}

/**
 * How often works have subjects, persons, places and times: the `limit` most frequent of each, then by text. Every work
 * counts once. One statement.
 */
export function countSubjectsOfWorks(
  { database, generation }: IndexReader,
  { ids, tokens }: WorksMeant,
  limit: number,
): Promise<SubjectCount[]> {
  if (ids.length + tokens.length === 0) return Promise.resolve([]);
  const text = `work_text_${generation}`;
  const match =
    tokens.length === 0
      ? ""
      : `UNION SELECT id FROM (SELECT rowid AS id FROM ${text} WHERE ${text} MATCH ?2 LIMIT ${SUBJECT_WORKS_MAX})`;
  const works = `(SELECT 0 AS owner, id FROM (SELECT value AS id FROM json_each(?1) ${match}) LIMIT ${SUBJECT_WORKS_MAX})`;
  return rows<SubjectCount>(database, {
    sql: subjectCountsSql(works, generation, { limit, ties: "ASC" }),
    values: [JSON.stringify(ids), ...(tokens.length === 0 ? [] : [tokens.map(tokenPhrase).join(" OR ")])],
  });
}
