import { type Database, type Statement, batchRows, rows } from "../statement.ts";

const SNIPPET_PAGES = 5;
/**
 * Maximum number of matching pages that are scored by their text. Beyond it, books are ordered by their number of
 * matches.
 */
const SCORED_PAGES_MAX = 50_000;
/** Maximum number of books counted by aggregations: the best ones. */
const AGGREGATED_BOOKS_MAX = 5000;
const BUCKETS = 10;

interface InsideSearch {
  readonly expression: string;
  /** Folded English name of the language to filter by. */
  readonly language: string | undefined;
  readonly start: number;
  readonly rows: number;
  readonly aggregate: boolean;
}

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

interface BookBucket {
  readonly facet: string;
  readonly value: string | number;
  readonly books: number;
}

export interface InsideResult {
  readonly total: number;
  readonly maxScore: number | null;
  readonly hits: readonly InsideHit[];
  /** Buckets of each aggregation, largest first; empty unless requested. */
  readonly buckets: readonly BookBucket[];
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
  /** JSON of `BookBucket`s, in one of the rows. */
  readonly buckets: string;
  readonly places: string;
}

/** Searches the pages of all books. One statement. */
export async function searchInside(database: Database, search: InsideSearch): Promise<InsideResult> {
  const { expression, language = null, start, rows: count, aggregate } = search;
  const values = [expression, language, count, start, aggregate ? 1 : 0];
  const results = await rows<Row>(database, { sql: SEARCH, values });
  const [first] = results;
  return {
    total: first?.total ?? 0,
    maxScore: first?.best ?? null,
    hits: results.filter(({ no }) => no !== null).map(hitOf),
    // Built by json_object in the statement.
    buckets: results.flatMap(({ buckets }) => JSON.parse(buckets) as BookBucket[]),
  };
}

function hitOf({ no, score, identifier, metadata, blocks, object, places }: Row): InsideHit {
  // Built by json_group_array from integers.
  return { no, score, identifier, metadata, blocks, object, places: JSON.parse(places) as number[] };
}

interface StoredBook {
  readonly identifier: string;
  /** JSON texts of `BookMetadata`, `FacetValues`, folded language names, and `BlockMap`. */
  readonly metadata: string;
  readonly facets: string;
  readonly languages: string;
  readonly blocks: string;
  readonly object: string;
}

/** Maximum length of page tokens written per statement, in UTF-16 units: their JSON stays below 2,000,000 bytes. */
const STATEMENT_LENGTH = 400_000;

const OBJECT = "SELECT object FROM book WHERE identifier = ?1";
const DELETE_PAGES = `
  DELETE FROM page_text WHERE rowid
    BETWEEN (SELECT no FROM book WHERE identifier = ?1) * 10000
    AND (SELECT no FROM book WHERE identifier = ?1) * 10000 + 9999`;
const UPSERT = `
  INSERT INTO book (identifier, metadata, facets, languages, blocks, object, pages)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
  ON CONFLICT (identifier) DO UPDATE SET
    metadata = excluded.metadata, facets = excluded.facets, languages = excluded.languages,
    blocks = excluded.blocks, object = excluded.object, pages = excluded.pages`;
const INSERT_PAGES = `
  INSERT INTO page_text (rowid, text)
  SELECT (SELECT no FROM book WHERE identifier = ?1) * 10000 + ?2 + p.key, p.value FROM json_each(?3) p`;

/**
 * Stores a book with the tokens of its pages, replacing any earlier version, in one transaction. Returns the R2 object
 * with the old text, or undefined if there was none.
 */
export async function putBook(
  database: Database,
  book: StoredBook,
  pages: readonly string[],
): Promise<string | undefined> {
  const { identifier, metadata, facets, languages, blocks, object } = book;
  const values = [identifier, metadata, facets, languages, blocks, object, pages.length];
  return replace(database, identifier, [{ sql: UPSERT, values }, ...insertPages(identifier, pages)]);
}

export function deleteBook(database: Database, identifier: string): Promise<string | undefined> {
  return replace(database, identifier, [
    { sql: "DELETE FROM book WHERE identifier = ?1", values: [identifier] },
  ]);
}

async function replace(
  database: Database,
  identifier: string,
  statements: readonly Statement[],
): Promise<string | undefined> {
  const before = [OBJECT, DELETE_PAGES].map((sql) => ({ sql, values: [identifier] }));
  const [results = []] = await batchRows(database, [...before, ...statements]);
  // The statement selects one column of at most one row.
  const [row] = results as { object: string }[];
  return row?.object;
}

function insertPages(identifier: string, pages: readonly string[]): Statement[] {
  const statements: Statement[] = [];
  let first = 0;
  let length = 0;
  for (const [place, page] of pages.entries()) {
    length += page.length;
    if (length < STATEMENT_LENGTH && place < pages.length - 1) continue;
    const texts = JSON.stringify(pages.slice(first, place + 1));
    statements.push({ sql: INSERT_PAGES, values: [identifier, first, texts] });
    first = place + 1;
    length = 0;
  }
  return statements;
}
