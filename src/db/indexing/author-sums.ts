import { lastSegment } from "../../catalog/keys.ts";
import { type ShelfCounts, SHELVES, byShelf } from "../../catalog/patrons/shelves.ts";
import { fullTitle } from "../../search/documents/titles.ts";
import { type AuthorSums, NO_COUNTS } from "../../search/documents/types.ts";
import { filterToken, tokenPhrase } from "../../search/indexing/filter-token.ts";
import { keyOfAuthorId } from "../../search/indexing/ids.ts";
import type { IndexReader } from "../search/generation.ts";
import { subjectCountsSql } from "../search/subject-counts.ts";
import { workOfRow } from "../search/text-rows.ts";
import { type Statement, rows } from "../statement.ts";

/** Number of most frequent subjects in an author's document. */
const TOP_SUBJECTS = 10;
/** Maximum number of an author's works whose subjects are counted: those with most editions. */
const AUTHOR_SUBJECT_WORKS_MAX = 5000;
/** Maximum number of authors per statement. */
const AGGREGATED_AUTHORS_MAX = 200;

interface SumsRow extends ShelfCounts, Readonly<Record<`r${1 | 2 | 3 | 4 | 5}`, number>> {
  readonly author: number;
  readonly works: number;
  readonly title: string | null;
  readonly subtitle: string | null;
  /** JSON list of the works' subjects, most frequent first; null if they have none. */
  readonly subjects: string | null;
}

/** Sums of an author without works. */
export const NOTHING_SUMMED: AuthorSums = { work_count: 0, top_subjects: [], counts: NO_COUNTS };

/**
 * Returns the sums over the works of authors that are in the index now, by author number. Authors without works are
 * absent.
 */
export async function aggregateAuthors(
  { database, generation, prefix }: IndexReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AuthorSums>> {
  const sums = new Map<number, AuthorSums>();
  for (let at = 0; at < ids.length; at += AGGREGATED_AUTHORS_MAX) {
    const page = ids.slice(at, at + AGGREGATED_AUTHORS_MAX);
    // One round trip per page, so that no statement runs for long.
    const found = await rows<SumsRow>(database, sumsStatement(generation, expressions(page, prefix)));
    for (const row of found) sums.set(row.author, sumsOf(row));
  }
  return sums;
}

function expressions(ids: readonly number[], prefix: string): string {
  const list = ids.map((id) => [id, tokenPhrase(filterToken("ak", lastSegment(keyOfAuthorId(id, prefix))))]);
  return JSON.stringify(list);
}

function sumsStatement(generation: IndexReader["generation"], list: string): Statement {
  const work = `work_${generation}`;
  const text = `work_text_${generation}`;
  const works = `works AS MATERIALIZED (
      SELECT a.value ->> 0 AS owner, ${work}.id, ratings,
        ${SHELVES.map(({ count }) => `${count}_count`).join(", ")},
        row_number() OVER (PARTITION BY a.value ->> 0 ORDER BY edition_count DESC, ${work}.id) AS place
      FROM json_each(?1) a CROSS JOIN ${text} CROSS JOIN ${work} ON ${work}.id = ${workOfRow(`${text}.rowid`)}
      WHERE ${text} MATCH a.value ->> 1)`;
  const stars = [1, 2, 3, 4, 5].map((star) => `coalesce(sum(w.ratings ->> ${star - 1}), 0) AS r${star}`);
  const shelved = SHELVES.map(({ count, member }) => `sum(w.${count}_count) AS ${member}`);
  const counted = `(SELECT owner, id FROM works WHERE place <= ${AUTHOR_SUBJECT_WORKS_MAX})`;
  const subjects = `subjects AS MATERIALIZED (
      SELECT owner, json_group_array(value ORDER BY count DESC, value DESC) AS list
      FROM (${subjectCountsSql(counted, generation, { limit: TOP_SUBJECTS })}) GROUP BY owner)`;
  const sql = `WITH ${works}, ${subjects}
    SELECT w.owner AS author, count(*) AS works, ${[...shelved, ...stars].join(", ")},
      max(d.document ->> 'title') AS title, max(d.document ->> 'subtitle') AS subtitle, max(s.list) AS subjects
    FROM works w LEFT JOIN work_document_${generation} d ON d.id = w.id AND w.place = 1
    LEFT JOIN subjects s ON s.owner = w.owner AND w.place = 1 GROUP BY w.owner`;
  return { sql, values: [list] };
}

function sumsOf(row: SumsRow): AuthorSums {
  // JSON list built by the statement.
  const subjects = JSON.parse(row.subjects ?? "[]") as string[];
  const ratings = [row.r1, row.r2, row.r3, row.r4, row.r5] as const;
  return {
    work_count: row.works,
    ...(row.title !== null && { top_work: fullTitle(row.title, row.subtitle ?? undefined) }),
    top_subjects: [...new Set(subjects)].slice(0, TOP_SUBJECTS),
    counts: { ratings, ...byShelf("member", ({ member }) => row[member]) },
  };
}
