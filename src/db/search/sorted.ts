import type { Sort, WorkSearch } from "../../search/engine.ts";
import { FIELDS } from "../../search/fields.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { countSql, idsSql, selectionSql } from "./selection.ts";
import { type SqlContext, SqlValues, randomOrder } from "./sql-values.ts";

/** Up to so many matches are sorted; of more, the index of the column is walked until the page is full. */
const SORTED_WORKS_MAX = 5000;

/** Columns with an index that yields the works in the order of the sort, by direction. */
const WALKED = new Set([
  "boost desc",
  "edition_count desc",
  "ratings_sortable desc",
  "readinglog_count desc",
  "trending_z_score desc",
  "first_publish_year desc",
  "first_publish_year asc",
  "title_sort asc",
]);

/** Counts a selection and reads the works of a page of it, in one round trip. The number of the work decides last. */
export async function sortedPage(
  { database, generation, prefix }: IndexReader,
  selection: Selection,
  page: Pick<WorkSearch, "sort" | "start" | "rows">,
): Promise<{ readonly numFound: number; readonly ids: readonly number[] }> {
  const values = new SqlValues();
  const context = { generation, values };
  const count = countSql(selection, context);
  const terms = page.sort.flatMap((sort) => orderTerm(sort, prefix) ?? []);
  const order = orderSql([...terms, { sql: "w.id", descending: false }]);
  const sorted = selectionSql(selection, { ...context, withColumns: true });
  const branch = (from: string, where: string, condition: string): string =>
    `SELECT id FROM (SELECT w.id AS id FROM ${from} WHERE ${where} ORDER BY ${order}
     LIMIT CASE WHEN ${condition} THEN ${page.rows} ELSE 0 END OFFSET ${page.start})`;
  const walk = walkSql(selection, context, page.sort[0]);
  const few = `(SELECT n FROM total) <= ${SORTED_WORKS_MAX}`;
  const branches =
    walk === undefined
      ? [branch(sorted.from, sorted.where, "1")]
      : [branch(sorted.from, sorted.where, few), branch(walk.from, walk.where, `NOT ${few}`)];
  const found = await rows<{ n: number; id: number | null }>(database, {
    sql: `WITH total AS MATERIALIZED (${count}), page AS MATERIALIZED (${branches.join(" UNION ALL ")})
      SELECT total.n, page.id FROM total LEFT JOIN page ON 1`,
    values: values.values,
  });
  return { numFound: found[0]?.n ?? 0, ids: found.flatMap(({ id }) => id ?? []) };
}

/** The selection as a condition on rows that an index of `work` yields in order; undefined without such an index. */
function walkSql(
  selection: Selection,
  context: SqlContext,
  first: Sort | undefined,
): { from: string; where: string } | undefined {
  if (first === undefined || selection.ids !== undefined || selection.match === undefined) return undefined;
  if (!WALKED.has(`${first.field} ${first.descending ? "desc" : "asc"}`)) return undefined;
  const ids = idsSql({ ...selection, conditions: [] }, context);
  const { from, where } = selectionSql({ ...selection, match: undefined }, { ...context, withColumns: true });
  return { from, where: `w.id IN (${ids}) AND ${where}` };
}

/** One key of an order. */
export interface OrderTerm {
  readonly sql: string;
  readonly descending: boolean;
  /** Rows without a value come last, both ways. */
  readonly isOptional?: boolean;
}

/** SQL of an order. */
export function orderSql(terms: readonly OrderTerm[]): string {
  const written = terms.map(
    ({ sql, descending, isOptional }) =>
      `${sql} ${descending ? "DESC" : "ASC"}${isOptional ? " NULLS LAST" : ""}`,
  );
  return written.join(", ");
}

/** One key of an order of works; undefined for fields that they are not sorted by. */
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

/** Keys in order of their texts: `/works/OL10W` stands before `/works/OL2W`. */
function keySql(prefix: string): string {
  const quoted = prefix.replaceAll("'", "''");
  return `CASE WHEN w.id < 0 THEN '${quoted}' || -w.id || 'M' ELSE '${quoted}' || w.id || 'W' END`;
}
