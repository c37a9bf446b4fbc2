import type { Mark, WorkSearch } from "../../search/engine.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { type OrderTerm, afterSql, orderSql, walkTerms } from "./order-terms.ts";
import { countSql, selectionSql } from "./selection.ts";
import { workTerms } from "./sorted.ts";
import { type SqlContext, SqlValues } from "./sql-values.ts";
import { numberedSql } from "./text-rows.ts";
import type { WorkPage } from "./work-search.ts";

interface WalkOptions extends SqlContext {
  terms: readonly OrderTerm[];
  after: Mark;
  limit: number;
}

/** Implements `WorkSource.readWalk`. One round trip. */
export async function readWalk(
  { database, generation, prefix }: IndexReader,
  selection: Selection,
  { sort, rows: limit, after }: Pick<WorkSearch, "sort" | "rows"> & { readonly after: Mark },
): Promise<WorkPage> {
  const values = new SqlValues();
  const terms = walkTerms(sort, "w.id", (key) => workTerms(key, prefix));
  const options = { generation, values, terms, after, limit };
  const total = after.length === 0 ? countSql(selection, options) : "SELECT 0 AS n";
  // Works found by full text are walked by number.
  const isNumbered = selection.match !== undefined && selection.ids === undefined && terms.length === 1;
  const page = isNumbered ? numberedPage(selection, options) : orderedPage(selection, options);
  type Row = Readonly<Record<string, string | number | null>> & { readonly n: number };
  const found = await rows<Row>(database, {
    sql: `WITH total AS MATERIALIZED (${total}), page AS MATERIALIZED (${page}) SELECT total.n, page.* FROM total LEFT JOIN page ON 1`,
    values: values.values,
  });
  const marks = found.map((row): Mark => terms.map((_term, at) => row[`o${at}`] ?? null));
  const ids = marks.flatMap((mark) => mark.at(-1) ?? []).map(Number);
  return {
    numFound: found[0]?.n ?? 0,
    works: ids.map((id) => ({ id, score: 0 })),
    mark: ids.length === 0 ? undefined : marks.at(-1),
  };
}

function orderedPage(selection: Selection, { terms, after, limit, ...context }: WalkOptions): string {
  const follows = after.length === 0 ? "1" : afterSql(terms, after, (value) => context.values.value(value));
  const { from, where } = selectionSql(selection, { ...context, withColumns: true });
  const columns = terms.map(({ value }, at) => `${value} AS o${at}`).join(", ");
  return `SELECT ${columns} FROM ${from} WHERE ${where} AND ${follows} ORDER BY ${orderSql(terms)} LIMIT ${limit}`;
}

function numberedPage(selection: Selection, { terms, after, limit, ...context }: WalkOptions): string {
  const [mark] = after;
  const works = numberedSql(selectionSql(selection, { ...context, withColumns: false }), {
    limit,
    descending: terms[0]?.descending ?? false,
    ...(mark !== undefined && { after: context.values.value(mark) }),
  });
  return `SELECT id AS o0 FROM (${works})`;
}
