import { lastSegment } from "../../catalog/keys.ts";
import type { ListDocument, ListSubjects } from "../../search/documents/types.ts";
import { filterToken, tokenPhrase } from "../../search/indexing/filter-token.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { type SubjectCount, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import type { IndexReader } from "../search/generation.ts";
import { subjectCountsSql } from "../search/subject-counts.ts";
import { workOfRow } from "../search/text-rows.ts";
import { type Statement, batchRows } from "../statement.ts";

export const LIST_SUBJECTS = 50;
const LIST_SUBJECT_SEEDS_MAX = 1000;
const LIST_SUBJECT_WORKS_MAX = 2000;

/** Reads the subjects of the works in lists, in the order of the lists: works, works of editions and of authors. */
export async function readListSubjects(
  { database, generation, prefix }: IndexReader,
  lists: readonly ListDocument[],
): Promise<ListSubjects[]> {
  const text = `work_text_${generation}`;
  const statements = lists.map((list): Statement => {
    const { ids, tokens } = listedWorksOf(list, prefix);
    const match =
      tokens.length === 0 ? "" : `UNION SELECT ${workOfRow("rowid")} FROM ${text} WHERE ${text} MATCH ?2`;
    const works = `(SELECT 0 AS owner, id FROM (SELECT value AS id FROM json_each(?1) ${match}) LIMIT ${LIST_SUBJECT_WORKS_MAX})`;
    const phrases = tokens.map(tokenPhrase).join(" OR ");
    return {
      sql: subjectCountsSql(works, generation, { limit: LIST_SUBJECTS }),
      values: tokens.length === 0 ? [JSON.stringify(ids)] : [JSON.stringify(ids), phrases],
    };
  });
  // The rows have the columns of `subjectCountsSql`.
  const counts = (await batchRows(database, statements)) as SubjectCount[][];
  return counts.map(groupByField);
}

// Q64: an author stands for all of their works.
/** Returns the works of the first members of a list: their numbers, and the tokens of works of editions and authors. */
export function listedWorksOf({ seed }: ListDocument, prefix: string): { ids: number[]; tokens: string[] } {
  const seeds = seed.slice(0, LIST_SUBJECT_SEEDS_MAX);
  return {
    ids: seeds.flatMap((key) => workIdOfKey(key, prefix) ?? []),
    tokens: seeds.flatMap((key) => {
      if (key.startsWith("/books/")) return filterToken("ek", lastSegment(key));
      return key.startsWith("/authors/") ? filterToken("ak", lastSegment(key)) : [];
    }),
  };
}

export function groupByField(counts: readonly SubjectCount[]): ListSubjects {
  const entries = SUBJECT_COUNT_FIELDS.map(
    (name, field) => [name, counts.flatMap((count) => (count.field === field ? [count.value] : []))] as const,
  );
  // Names are those of the members; empty ones are omitted as in all documents.
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0)) as ListSubjects;
}
