import { lastSegmentOf } from "../../catalog/keys.ts";
import { type ShelfCounts, SHELVES, mapShelves } from "../../catalog/patrons/shelves.ts";
import type { Versioned } from "../../search/engine.ts";
import { joinTitle } from "../../search/documents/titles.ts";
import {
  type AuthorDocument,
  type AuthorSums,
  type StoredAuthor,
  NO_COUNTS,
} from "../../search/documents/types.ts";
import { toFilterToken, quoteTokenPhrase } from "../../search/indexing/filter-token.ts";
import { authorIdOfKey, keyOfAuthorId } from "../../search/indexing/ids.ts";
import { type AuthorRows, toAuthorRows } from "../../search/indexing/plain-rows.ts";
import type { IndexReader } from "../search/generation.ts";
import { subjectCountsSql } from "../search/facets.ts";
import { workOfRow } from "../search/text-rows.ts";
import { type Statement, batchRows, rows } from "../statement.ts";
import { authorStatements } from "./write-documents.ts";

export const TOP_SUBJECTS = 10;
/** Maximum number of an author's works whose subjects are counted: those with most editions. */
const AUTHOR_SUBJECT_WORKS_MAX = 5000;
const AGGREGATED_AUTHORS_MAX = 200;

interface SumsRow extends ShelfCounts, Readonly<Record<`r${1 | 2 | 3 | 4 | 5}`, number>> {
  readonly author: number;
  readonly works: number;
  readonly title: string | null;
  readonly subtitle: string | null;
  /** JSON list of the works' subjects, most frequent first; null if they have none. */
  readonly subjects: string | null;
}

export function numberAuthors(authors: readonly Versioned<AuthorDocument>[], prefix: string) {
  return authors.flatMap(({ document, version }) => {
    const id = authorIdOfKey(document.key, prefix);
    return id === undefined ? [] : [{ id, version, document }];
  });
}

export const NO_SUMS: AuthorSums = { work_count: 0, top_subjects: [], counts: NO_COUNTS };

/**
 * Returns the sums over the works of authors that are in the index now, by author number. Authors without works are
 * absent.
 */
export async function sumAuthors(
  { database, generation, prefix }: IndexReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AuthorSums>> {
  const sums = new Map<number, AuthorSums>();
  for (let at = 0; at < ids.length; at += AGGREGATED_AUTHORS_MAX) {
    const phrases = ids
      .slice(at, at + AGGREGATED_AUTHORS_MAX)
      .map((id) => [id, quoteTokenPhrase(toFilterToken("ak", lastSegmentOf(keyOfAuthorId(id, prefix))))]);
    // One round trip per page, so that no statement runs for long.
    const results = await rows<SumsRow>(database, sumsStatement(generation, JSON.stringify(phrases)));
    for (const row of results) sums.set(row.author, sumsOf(row));
  }
  return sums;
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
    ...(row.title !== null && { top_work: joinTitle(row.title, row.subtitle ?? undefined) }),
    top_subjects: [...new Set(subjects)].slice(0, TOP_SUBJECTS),
    counts: { ratings, ...mapShelves("member", ({ member }) => row[member]) },
  };
}

/**
 * Maximum number of works of an author whose sums are updated with every write of a work. The nightly pass updates the
 * others.
 */
export const SUMMED_WORKS_MAX = 20_000;

interface AuthorRow {
  readonly id: number;
  readonly version: number;
  readonly document: string;
  readonly work_count: number;
}

/** Recomputes the sums of authors that are in the index and do not have too many works. */
export async function refreshAuthors(index: IndexReader, ids: readonly number[]): Promise<void> {
  const authors = await rows<AuthorRow>(index.database, {
    sql: `SELECT a.id, a.version, a.document, a.work_count
          FROM json_each(?1) j JOIN author_${index.generation} a ON a.id = j.value`,
    values: [JSON.stringify(ids)],
  });
  const summed = authors.filter((row) => row.work_count <= SUMMED_WORKS_MAX);
  if (summed.length === 0) return;
  const sums = await sumAuthors(
    index,
    summed.map(({ id }) => id),
  );
  const changed = summed.flatMap((row) => findChangedRows(row, sums.get(row.id) ?? NO_SUMS));
  if (changed.length > 0) await batchRows(index.database, authorStatements(changed, index.generation));
}

function findChangedRows({ id, version, document }: AuthorRow, sums: AuthorSums): AuthorRows[] {
  // The column holds a document built by `toAuthorRows`.
  const rowsNow = toAuthorRows(omitSums(JSON.parse(document) as StoredAuthor), { id, version, sums });
  return rowsNow.columns.includes(document) ? [] : [rowsNow];
}

/** Removes the members computed from an author's works, because some may no longer apply. */
export function omitSums({
  work_count: _count,
  top_work: _work,
  top_subjects: _subjects,
  counts: _counts,
  ...author
}: StoredAuthor): AuthorDocument {
  return author;
}
