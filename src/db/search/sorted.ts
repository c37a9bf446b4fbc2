import type { Mark, Sort, SearchRequest } from "../../search/engine.ts";
import { FIELDS, codeOf } from "../../search/fields.ts";
import { INDEXED_YEAR_MAX, INDEXED_YEAR_MIN } from "../../search/indexing/filter-token.ts";
import { type Selection, narrowSelection } from "../../search/plan/selection.ts";
import { matchYears } from "../../search/plan/field-conditions.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./index-reader.ts";
import { type CountRow, NO_COUNT, knownCountSql, rememberCount } from "./known-counts.ts";
import { afterSql, mostEditionsSql, orderSql } from "./order-sql.ts";
import { type OrderTerm, walkTerms } from "../../search/engine/order-terms.ts";
import { readCounted } from "./read-works.ts";
import { type SelectedRowsSql, idsSql, narrowestSql, selectionSql } from "./selection.ts";
import { type SqlContext, SqlValues, randomOrderSql } from "./sql-values.ts";
import { workReadingOf } from "./stored-work.ts";
import { TEXT_ROW, numbersSql } from "./text-rows.ts";
import type { WorkPage } from "../../search/engine/search-works.ts";

/** Maximum number of matches that are sorted. Beyond it, the index of the column is scanned until the page is full. */
const SORTED_WORKS_MAX = 5000;
/** Maximum number of matches that are sorted by year. Beyond it, only those of the first years are sorted. */
const SORTED_YEARS_MAX = 1000;

/** Columns and directions with an index that yields works in the order of the sort. */
const WALKED = new Set([
  "boost desc",
  "edition_count desc",
  "ratings_sortable desc",
  "readinglog_count desc",
  "trending_z_score desc",
  "title_sort asc",
]);

const POPULAR_COLUMNS: ReadonlyMap<string, "id" | "boost" | "editions"> = new Map([
  ["w.id", "id"],
  ["w.boost", "boost"],
  ["w.edition_count", "editions"],
]);

/** Implements `WorkSource.readSorted`. One round trip. */
export function readSorted(
  index: IndexReader,
  selection: Selection,
  {
    sort,
    start,
    rows: limit,
    ...request
  }: Pick<SearchRequest, "sort" | "start" | "rows" | "fields" | "withEditions">,
): Promise<WorkPage> {
  const { generation, prefix } = index;
  const values = new SqlValues();
  const context = { generation, values };
  const terms = sort.flatMap((key) => workTerms(key, prefix));
  const isIndexed = terms.every(({ value }) => POPULAR_COLUMNS.has(value));
  const sorted = selectionSql(selection, { ...context, withColumns: isIndexed ? "popularity" : true });
  const orderOf = (works: SelectedRowsSql): string =>
    orderSql([...terms, { value: "w.id", descending: false }], (value) => {
      const column = POPULAR_COLUMNS.get(value);
      return column === undefined ? value : works[column];
    });
  const branch = (works: SelectedRowsSql, condition: string): string =>
    `SELECT ${works.id} AS id FROM ${works.from} WHERE ${works.where} ORDER BY ${orderOf(works)}
     LIMIT iif(${condition}, ${limit}, 0) OFFSET ${start}`;
  const [first] = sort;
  const years = yearsSql(selection, { ...context, first, order: orderOf(sorted), need: start + limit });
  const walk = walkSql(selection, context, first);
  const isFew = `(SELECT n FROM total) <= ${years === undefined ? SORTED_WORKS_MAX : SORTED_YEARS_MAX}`;
  const mostEditions = walk && mostEditionsSql(sorted, { generation, sort, start, limit });
  const isOpen = mostEditions === undefined ? "1" : "NOT EXISTS (SELECT 1 FROM sure)";
  const isSorted = years === undefined && walk === undefined ? "1" : `${isFew} AND ${isOpen}`;
  const branches = [branch(sorted, isSorted)];
  if (mostEditions !== undefined) branches.push("SELECT id FROM sure");
  if (walk !== undefined) branches.push(branch(walk, `NOT ${isFew} AND ${isOpen}`));
  if (years !== undefined) {
    branches.push(`SELECT id FROM (${years}) LIMIT iif(${isFew}, 0, ${limit}) OFFSET ${start}`);
  }
  const page = (mostEditions ?? "") + branches.map((sql) => `SELECT id FROM (${sql})`).join(" UNION ALL ");
  return readCounted(index, { counted: selection, page, values, reading: workReadingOf(request) });
}

/** Returns the selection as a condition on rows that an index of `work` yields in order; undefined without such an index. */
function walkSql(
  selection: Selection,
  context: SqlContext,
  first: Sort | undefined,
): SelectedRowsSql | undefined {
  if (first === undefined || selection.ids !== undefined || selection.match === undefined) return undefined;
  if (!WALKED.has(`${first.field} ${first.descending ? "desc" : "asc"}`)) return undefined;
  const ids = idsSql({ ...selection, conditions: [] }, context);
  const all = selectionSql({ ...selection, match: undefined }, { ...context, withColumns: true });
  return { ...all, where: `w.id IN (${ids}) AND ${all.where}` };
}

const YEAR = "first_publish_year";
/** First years of the spans in which the newest works are searched, from the fewest works to the most. */
const NEWEST_FROM = [2024, 2022, 2020, 2015, 2010, 2000, 1950] as const;
/** Last years of the spans in which the oldest works are searched. */
const OLDEST_TO = [1799, 1899, 1949, 1989] as const;

interface YearOptions extends SqlContext {
  /** First key of the order; `order` is SQL of the whole order over rows of `work_<generation>` as `w`. */
  first: Sort | undefined;
  order: string;
  need: number;
}

/**
 * Returns SQL for the numbers of a selection's works, as `id`, if the year is the first sort key; undefined for other
 * orders. Works are sorted within the newest or oldest years that have enough of them, so the others need not be looked
 * up.
 */
function yearsSql(selection: Selection, options: YearOptions): string | undefined {
  const { first, order, need, generation } = options;
  if (first?.field !== YEAR || selection.match === undefined || selection.ids !== undefined) return undefined;
  const spans = first.descending
    ? NEWEST_FROM.map((from) => [from, INDEXED_YEAR_MAX] as const)
    : OLDEST_TO.map((to) => [INDEXED_YEAR_MIN, to] as const);
  const narrower = spans.flatMap(([from, to]) => {
    const match = matchYears(codeOf(YEAR), from, to);
    return match === undefined ? [] : [narrowSelection(selection, match)];
  });
  const expression = narrowestSql([...narrower, selection], options);
  const { from, where } = selectionSql(selection, { ...options, withColumns: true, expression });
  const rest = `ORDER BY ${order} LIMIT ${need}`;
  if (!first.descending) return `SELECT w.id AS id FROM ${from} WHERE ${where} ${rest}`;
  // Later years have no tokens. Such works are rare, and the index of years finds them.
  const beyond = `w.${YEAR} > ${INDEXED_YEAR_MAX}`;
  const all = selectionSql(selection, { ...options, withColumns: true });
  return `SELECT id FROM (SELECT w.id AS id FROM work_${generation} AS w CROSS JOIN work_text_${generation}
      WHERE ${beyond} AND ${all.row} = ${TEXT_ROW} AND ${all.where} ${rest})
    UNION ALL SELECT id FROM (SELECT w.id AS id FROM ${from} WHERE ${where} AND NOT coalesce(${beyond}, 0) ${rest})`;
}

interface WalkOptions extends SqlContext {
  terms: readonly OrderTerm[];
  after: Mark;
  limit: number;
}

/** Implements `WorkSource.readWalk`. One round trip. */
export async function readWalk(
  { database, generation, prefix, counts }: IndexReader,
  selection: Selection,
  { sort, rows: limit, after }: Pick<SearchRequest, "sort" | "rows"> & { readonly after: Mark },
): Promise<WorkPage> {
  const values = new SqlValues();
  const terms = walkTerms(sort, "w.id", (key) => workTerms(key, prefix));
  const options = { generation, values, terms, after, limit };
  const isFirst = after.length === 0;
  const total = isFirst ? knownCountSql(selection, { ...options, counts }) : NO_COUNT;
  // Works found by full text are walked by number.
  const isNumbered = selection.match !== undefined && selection.ids === undefined && terms.length === 1;
  const page = isNumbered ? numberedPageSql(selection, options) : orderedPageSql(selection, options);
  type Row = Readonly<Record<string, string | number | null>> & CountRow;
  const results = await rows<Row>(database, {
    sql: `WITH total AS MATERIALIZED (${total}), page AS MATERIALIZED (${page}) SELECT total.*, page.* FROM total LEFT JOIN page ON 1`,
    values: values.values,
  });
  const marks = results.map((row): Mark => terms.map((_term, at) => row[`o${at}`] ?? null));
  const ids = marks.flatMap((mark) => mark.at(-1) ?? []).map(Number);
  return {
    numFound: isFirst ? rememberCount(counts, selection, results[0]) : 0,
    works: ids.map((id) => ({ id, score: 0 })),
    mark: ids.length === 0 ? undefined : marks.at(-1),
  };
}

function orderedPageSql(selection: Selection, { terms, after, limit, ...context }: WalkOptions): string {
  const follows = after.length === 0 ? "1" : afterSql(terms, after, (value) => context.values.value(value));
  const { from, where } = selectionSql(selection, { ...context, withColumns: true });
  const columns = terms.map(({ value }, at) => `${value} AS o${at}`).join(", ");
  return `SELECT ${columns} FROM ${from} WHERE ${where} AND ${follows} ORDER BY ${orderSql(terms)} LIMIT ${limit}`;
}

function numberedPageSql(selection: Selection, { terms, after, limit, ...context }: WalkOptions): string {
  const [mark] = after;
  const works = numbersSql(selectionSql(selection, { ...context, withColumns: false }), {
    limit,
    descending: terms[0]?.descending ?? false,
    ...(mark !== undefined && { after: context.values.value(mark) }),
  });
  return `SELECT id AS o0 FROM (${works})`;
}

/** Returns the sort key of works for a field; none for fields that cannot be sorted by. */
function workTerms({ field, descending, seed = "" }: Sort, prefix: string): OrderTerm[] {
  if (field === "score") return [{ value: "w.boost", descending }];
  if (field === "random") return [{ value: randomOrderSql("w.random", seed), descending }];
  if (field === "key") return [{ value: keySql(prefix), descending }];
  switch (FIELDS.get(field)?.sorted) {
    case "zero":
      return [{ value: `coalesce(w.${field}, 0)`, descending }];
    case "last":
      return [{ value: `w.${field}`, descending, isOptional: true }];
    case "all":
      return [{ value: `w.${field}`, descending }];
    default:
      return [];
  }
}

/** Returns SQL that orders keys as texts: `/works/OL10W` comes before `/works/OL2W`. */
function keySql(prefix: string): string {
  const quoted = prefix.replaceAll("'", "''");
  return `CASE WHEN w.id < 0 THEN '${quoted}' || -w.id || 'M' ELSE '${quoted}' || w.id || 'W' END`;
}
