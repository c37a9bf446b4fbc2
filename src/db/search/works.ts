import { type Mark, type WorkHits, type WorkSearch, WINDOW_WORKS_MAX } from "../../search/engine.ts";
import type { PreparedSelection, Selection } from "../../search/plan/selection.ts";
import { type Window, firstValue } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { popularSql } from "./popular.ts";
import { type FoundPage, type FoundWork, hitOf, readCounted, readPage, workHits } from "./read-works.ts";
import { isRanked, rankBest } from "./relevance.ts";
import { countSql, prepareSelection } from "./selection.ts";
import { sortedPage } from "./sorted.ts";
import { SqlValues } from "./sql-values.ts";
import { workReading } from "./stored-work.ts";
import { walkedPage } from "./walk.ts";

/** Works of a page, in order. */
interface Page extends FoundPage {
  readonly mark?: Mark | undefined;
}

const NO_PAGE: Page = { numFound: 0, works: [] };

/**
 * Searches works. `numFound` is exact. One round trip, two if many works are ranked; one more for wildcards inside
 * words, and one more for pages beyond the ranked candidates. Throws a `TooBroadError` for too many wildcards, and
 * database errors.
 */
export async function searchWorks(index: IndexReader, search: WorkSearch): Promise<WorkHits> {
  const page = await findPage(index, search);
  const ids = page.works.map(({ id }) => id);
  const known = new Map(page.works.flatMap(({ id, row }) => (row === undefined ? [] : [[id, row] as const])));
  const { withEditions, fields, editionFields } = search;
  const documents = await readPage(index, { ids, withEditions, fields, editionFields, known });
  const hits = workHits(
    page.numFound,
    page.works.flatMap(({ id, score }) => hitOf(documents.get(id), score)),
  );
  return { ...hits, mark: page.mark };
}

async function findPage(index: IndexReader, search: WorkSearch): Promise<Page> {
  const { all, strong } = await prepareSelection(index, search);
  if (all === undefined) return NO_PAGE;
  const { start, rows: wanted, sort, query, window = WINDOW_WORKS_MAX, after } = search;
  if (after !== undefined && wanted > 0) {
    const { ids, ...walked } = await walkedPage(index, all, { sort, rows: wanted, after });
    return { ...walked, works: ids.map((id) => ({ id, score: 0 })) };
  }
  if (wanted === 0 || start + wanted > window) return { numFound: await countWorks(index, all), works: [] };
  const [first] = sort;
  if (first !== undefined && !(first.field === "score" && first.descending)) {
    return await sortedPage(index, all, search);
  }
  return isRanked(query) ? rankedPage(index, { all, strong }, search) : popularPage(index, all, search);
}

/** Counts the works of a selection. One round trip. */
async function countWorks({ database, generation }: IndexReader, selection: Selection): Promise<number> {
  const values = new SqlValues();
  const sql = countSql(selection, { generation, values });
  return (await firstValue<number>(database, { sql, values: values.values })) ?? 0;
}

/**
 * Reads a page of works ranked by the words of the query: the ranked candidates, then the others by popularity (Q70).
 */
async function rankedPage(
  index: IndexReader,
  prepared: PreparedSelection & { readonly all: Selection },
  search: WorkSearch,
): Promise<Page> {
  const { start, rows: wanted } = search;
  const { numFound, best } = await rankBest(index, prepared, search);
  const works = best.slice(start, start + wanted);
  const end = Math.min(start + wanted, numFound);
  const missing = end - Math.max(start, best.length);
  if (missing <= 0) return { numFound, works };
  const offset = Math.max(0, start - best.length);
  const others = await popularWorks(index, prepared.all, {
    ...search,
    offset,
    limit: missing,
    without: best,
  });
  return { numFound, works: [...works, ...others] };
}

type OthersSearch = Window &
  Pick<WorkSearch, "fields" | "withEditions"> & { readonly without: readonly FoundWork[] };

async function popularWorks(
  index: IndexReader,
  selection: Selection,
  { offset, limit, without, ...wish }: OthersSearch,
): Promise<readonly FoundWork[]> {
  const { generation } = index;
  const values = new SqlValues();
  const others = { offset, limit, without: without.map(({ id }) => id) };
  const page = popularSql(selection, { generation, values, ...others });
  const reading = workReading(wish);
  return (await readCounted(index, { total: "SELECT 0 AS n", page, values, reading })).works;
}

/** Reads a page of works by popularity, for queries without words to compare. */
async function popularPage(
  index: IndexReader,
  selection: Selection,
  { start, rows: wanted, ...wish }: WorkSearch,
): Promise<Page> {
  const { generation } = index;
  const values = new SqlValues();
  const total = countSql(selection, { generation, values });
  const page = popularSql(selection, { generation, values, offset: start, limit: wanted });
  return await readCounted(index, { total, page, values, reading: workReading(wish) });
}
