import { type Database, rows } from "../statement.ts";

/** Maximum number of pages per book that are used for snippets. */
const SNIPPET_PAGES = 5;
/**
 * Maximum number of matching pages that are scored by their text. Beyond it, books are ordered by their number of
 * matches.
 */
const SCORED_PAGES_MAX = 50_000;
/** Maximum number of books counted by aggregations: the best ones. */
const AGGREGATED_BOOKS_MAX = 5000;
/** Maximum number of values per aggregation. */
const BUCKETS = 10;

/** Search for a phrase in the pages of all books. */
interface InsideSearch {
  /** FTS5 expression. */
  readonly expression: string;
  /** Folded English name of the language to filter by. */
  readonly language: string | undefined;
  readonly start: number;
  readonly rows: number;
  readonly aggregate: boolean;
}

/** Book with the phrase, best first. */
export interface InsideHit {
  readonly no: number;
  readonly score: number;
  readonly identifier: string;
  /** JSON of `BookMetadata` and `BlockMap`. */
  readonly metadata: string;
  readonly blocks: string;
  readonly object: string;
  /** Positions of its first pages with the phrase, from 0. */
  readonly places: readonly number[];
}

/** Value of an aggregation with its number of books. */
export interface Bucket {
  readonly facet: string;
  readonly value: string | number;
  readonly books: number;
}

export interface InsideResult {
  /** Exact number of books with the phrase. */
  readonly total: number;
  readonly maxScore: number | null;
  readonly hits: readonly InsideHit[];
  /** Buckets of each aggregation, largest first; empty unless requested. */
  readonly buckets: readonly Bucket[];
}

/**
 * Matching books, best first. Ties are broken by number, so that pages of results never overlap. Every row has the
 * total, and there is one row even if the page has no books.
 */
const SEARCH = `
  WITH hit AS MATERIALIZED (
    SELECT rowid / 10000 AS no,
           CASE WHEN (SELECT count(*) FROM page_text WHERE page_text MATCH ?1) <= ${SCORED_PAGES_MAX}
             THEN -bm25(page_text) ELSE 1.0 END AS score
    FROM page_text WHERE page_text MATCH ?1),
  found AS (SELECT no, max(score) * (1 + ln(count(*))) AS score FROM hit GROUP BY no),
  matched AS MATERIALIZED (
    SELECT f.no, f.score FROM found f JOIN book b ON b.no = f.no
    WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(b.languages) WHERE value = ?2)),
  counted AS (
    SELECT f.key AS facet, v.value AS value, count(*) AS books
    FROM (SELECT no FROM matched WHERE ?5 ORDER BY score DESC, no LIMIT ${AGGREGATED_BOOKS_MAX}) m
    JOIN book b ON b.no = m.no, json_each(b.facets) f, json_each(f.value) v
    GROUP BY 1, 2),
  bucket AS (
    SELECT *, row_number() OVER (PARTITION BY facet ORDER BY books DESC, value) AS place FROM counted),
  total AS MATERIALIZED (
    SELECT count(*) AS total, max(score) AS best,
           (SELECT json_group_array(json_object('facet', facet, 'value', value, 'books', books)
                                    ORDER BY facet, place) FROM bucket WHERE place <= ${BUCKETS}) AS buckets
    FROM matched)
  SELECT t.total, t.best, iif(row_number() OVER () = 1, t.buckets, '[]') AS buckets,
         m.no, m.score, b.identifier, b.metadata, b.blocks, b.object,
         (SELECT json_group_array(place) FROM (
            SELECT rowid % 10000 AS place FROM page_text
            WHERE page_text MATCH ?1 AND rowid BETWEEN m.no * 10000 AND m.no * 10000 + 9999
            ORDER BY rowid LIMIT ${SNIPPET_PAGES})) AS places
  FROM total t
  LEFT JOIN (SELECT no, score FROM matched ORDER BY score DESC, no LIMIT ?3 OFFSET ?4) m
  LEFT JOIN book b ON b.no = m.no
  ORDER BY m.score DESC, m.no`;

interface Row extends Omit<InsideHit, "places"> {
  readonly total: number;
  readonly best: number | null;
  /** JSON of `Bucket`s, in one of the rows. */
  readonly buckets: string;
  readonly places: string;
}

/** Searches the pages of all books. One statement. */
export async function searchInside(database: Database, search: InsideSearch): Promise<InsideResult> {
  const { expression, language = null, start, rows: count, aggregate } = search;
  const values = [expression, language, count, start, aggregate ? 1 : 0];
  const found = await rows<Row>(database, { sql: SEARCH, values });
  const [first] = found;
  return {
    total: first?.total ?? 0,
    maxScore: first?.best ?? null,
    hits: found.filter(({ no }) => no !== null).map(hitOf),
    // Built by json_object in the statement.
    buckets: found.flatMap(({ buckets }) => JSON.parse(buckets) as Bucket[]),
  };
}

function hitOf({ no, score, identifier, metadata, blocks, object, places }: Row): InsideHit {
  // Built by json_group_array from integers.
  return { no, score, identifier, metadata, blocks, object, places: JSON.parse(places) as number[] };
}
