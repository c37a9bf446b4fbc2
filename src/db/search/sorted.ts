import type { Sort, WorkSearch } from "../../search/engine.ts";
import { FIELDS } from "../../search/fields.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { byYearSql } from "./by-year.ts";
import type { IndexReader } from "./generation.ts";
import { type FoundPage, readCounted } from "./read-works.ts";
import { type SelectionSql, countSql, idsSql, selectionSql } from "./selection.ts";
import { type SqlContext, SqlValues, randomOrder } from "./sql-values.ts";
import { workReading } from "./stored-work.ts";

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

/** Columns available in a selection with `popularity`. */
const POPULAR_COLUMNS: ReadonlyMap<string, "id" | "boost" | "editions"> = new Map([
  ["w.id", "id"],
  ["w.boost", "boost"],
  ["w.edition_count", "editions"],
]);

/** Counts a selection and reads a page of it, in one round trip. The number of the work is the last sort key. */
export async function sortedPage(
  index: IndexReader,
  selection: Selection,
  page: Pick<WorkSearch, "sort" | "start" | "rows" | "fields" | "withEditions">,
): Promise<FoundPage> {
  const { generation, prefix } = index;
  const values = new SqlValues();
  const context = { generation, values };
  const terms = page.sort.flatMap((sort) => orderTerm(sort, prefix) ?? []);
  const isIndexed = terms.every(({ sql }) => POPULAR_COLUMNS.has(sql));
  const sorted = selectionSql(selection, { ...context, withColumns: isIndexed ? "popularity" : true });
  const orderOf = (works: SelectionSql): string =>
    orderSql([...terms, { sql: "w.id", descending: false }], (sql) => {
      const column = POPULAR_COLUMNS.get(sql);
      return column === undefined ? sql : works[column];
    });
  const branch = (works: SelectionSql, condition: string): string =>
    `SELECT ${works.id} AS id FROM ${works.from} WHERE ${works.where} ORDER BY ${orderOf(works)}
     LIMIT iif(${condition}, ${page.rows}, 0) OFFSET ${page.start}`;
  const [first] = page.sort;
  const years = byYearSql(selection, {
    ...context,
    first,
    order: orderOf(sorted),
    need: page.start + page.rows,
  });
  const walk = walkSql(selection, context, first);
  const few = `(SELECT n FROM total) <= ${years === undefined ? SORTED_WORKS_MAX : SORTED_YEARS_MAX}`;
  const branches = [
    branch(sorted, years === undefined && walk === undefined ? "1" : few),
    ...(walk === undefined ? [] : [branch(walk, `NOT ${few}`)]),
    ...(years === undefined
      ? []
      : [`SELECT id FROM (${years}) LIMIT iif(${few}, 0, ${page.rows}) OFFSET ${page.start}`]),
  ];
  const sql = branches.map((one) => `SELECT id FROM (${one})`).join(" UNION ALL ");
  const total = countSql(selection, context);
  return await readCounted(index, { total, page: sql, values, reading: workReading(page) });
}

/**
 * Returns the selection as a condition on rows that an index of `work` yields in order. Returns undefined without such
 * an index.
 */
function walkSql(
  selection: Selection,
  context: SqlContext,
  first: Sort | undefined,
): SelectionSql | undefined {
  if (first === undefined || selection.ids !== undefined || selection.match === undefined) return undefined;
  if (!WALKED.has(`${first.field} ${first.descending ? "desc" : "asc"}`)) return undefined;
  const ids = idsSql({ ...selection, conditions: [] }, context);
  const all = selectionSql({ ...selection, match: undefined }, { ...context, withColumns: true });
  return { ...all, where: `w.id IN (${ids}) AND ${all.where}` };
}

/** Sort key. */
export interface OrderTerm {
  readonly sql: string;
  readonly descending: boolean;
  /** True if rows without a value come last in both directions. */
  readonly isOptional?: boolean;
}

/** Returns SQL of an order. `columnOf` maps columns to their names in that place. */
export function orderSql(terms: readonly OrderTerm[], columnOf = (sql: string): string => sql): string {
  const written = terms.map(
    ({ sql, descending, isOptional }) =>
      `${columnOf(sql)} ${descending ? "DESC" : "ASC"}${isOptional ? " NULLS LAST" : ""}`,
  );
  return written.join(", ");
}

/** Returns the sort key of works for a field. Returns undefined for fields that cannot be sorted by. */
export function orderTerm({ field, descending, seed }: Sort, prefix: string): OrderTerm | undefined {
  if (field === "score") return { sql: "w.boost", descending };
  if (field === "random") return { sql: randomOrder("w.random", seed ?? ""), descending };
  if (field === "key") return { sql: keySql(prefix), descending };
  switch (FIELDS.get(field)?.sorted) {
    case "zero":
      return { sql: `coalesce(w.${field}, 0)`, descending };
    case "last":
      return { sql: `w.${field}`, descending, isOptional: true };
    case "all":
      return { sql: `w.${field}`, descending };
    default:
      return undefined;
  }
}

/** Returns SQL that orders keys as texts: `/works/OL10W` comes before `/works/OL2W`. */
function keySql(prefix: string): string {
  const quoted = prefix.replaceAll("'", "''");
  return `CASE WHEN w.id < 0 THEN '${quoted}' || -w.id || 'M' ELSE '${quoted}' || w.id || 'W' END`;
}
