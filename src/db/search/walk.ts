import type { Mark, Sort, WorkSearch } from "../../search/engine.ts";
import type { Selection } from "../../search/plan/selection.ts";
import { rows } from "../statement.ts";
import type { IndexReader } from "./generation.ts";
import { countSql, selectionSql } from "./selection.ts";
import { type OrderTerm, orderSql, orderTerm } from "./sorted.ts";
import { type SqlContext, SqlValues } from "./sql-values.ts";
import { numberedSql } from "./text-rows.ts";

/**
 * Returns SQL of the rows after a mark in an order; `bind` turns a value of the mark into SQL. The last term must be
 * unique per row.
 */
export function afterSql(
  terms: readonly OrderTerm[],
  mark: Mark,
  bind: (value: Mark[number]) => string,
): string {
  const [term, ...more] = terms;
  if (term === undefined) return "0";
  const [value = null, ...others] = mark;
  const { sql, descending, isOptional } = term;
  const beyond = `${sql} ${descending ? "<" : ">"}`;
  if (isOptional && value === null) return `(${sql} IS NULL AND ${afterSql(more, others, bind)})`;
  const bound = bind(value);
  if (more.length === 0) return `${beyond} ${bound}`;
  const rest = `(${sql} = ${bound} AND ${afterSql(more, others, bind)})`;
  return isOptional
    ? `(${beyond} ${bound} OR ${sql} IS NULL OR ${rest})`
    : `(${beyond}= ${bound} AND (${beyond} ${bound} OR ${rest}))`;
}

/** Returns the sort keys up to the unique one, which is the number, regardless of the texts of the keys (Q561). */
export function walkTerms(
  sorts: readonly Sort[],
  id: string,
  termOf: (sort: Sort) => OrderTerm | undefined,
): OrderTerm[] {
  const at = sorts.findIndex(({ field }) => field === "key");
  const before = (at === -1 ? sorts : sorts.slice(0, at)).flatMap((sort) => termOf(sort) ?? []);
  return [...before, { sql: id, descending: sorts[at]?.descending ?? false }];
}

/** Reads the next works of a walk, the total on the first page, and the mark of the last work. One round trip. */
export async function walkedPage(
  { database, generation, prefix }: IndexReader,
  selection: Selection,
  { sort, rows: wanted, after }: Pick<WorkSearch, "sort" | "rows"> & { readonly after: Mark },
) {
  const values = new SqlValues();
  const context = { generation, values };
  const terms = walkTerms(sort, "w.id", (one) => orderTerm(one, prefix));
  const total = after.length === 0 ? countSql(selection, context) : "SELECT 0 AS n";
  const page = isNumbered(selection, terms)
    ? numberedPage(selection, { ...context, terms, after, limit: wanted })
    : orderedPage(selection, { ...context, terms, after, limit: wanted });
  type Row = Readonly<Record<string, string | number | null>> & { readonly n: number };
  const found = await rows<Row>(database, {
    sql: `WITH total AS MATERIALIZED (${total}), page AS MATERIALIZED (${page}) SELECT total.n, page.* FROM total LEFT JOIN page ON 1`,
    values: values.values,
  });
  const marks = found.map((row): Mark => terms.map((_term, at) => row[`o${at}`] ?? null));
  const ids = marks.flatMap((mark) => mark.at(-1) ?? []).map(Number);
  return { numFound: found[0]?.n ?? 0, ids, mark: ids.length === 0 ? undefined : marks.at(-1) };
}

interface WalkOptions extends SqlContext {
  readonly terms: readonly OrderTerm[];
  readonly after: Mark;
  readonly limit: number;
}

function orderedPage(selection: Selection, { terms, after, limit, ...context }: WalkOptions): string {
  const follows = after.length === 0 ? "1" : afterSql(terms, after, (value) => context.values.value(value));
  const { from, where } = selectionSql(selection, { ...context, withColumns: true });
  const columns = terms.map(({ sql }, at) => `${sql} AS o${at}`).join(", ");
  return `SELECT ${columns} FROM ${from} WHERE ${where} AND ${follows} ORDER BY ${orderSql(terms)} LIMIT ${limit}`;
}

/** Returns true if works found by full text are walked by number. */
function isNumbered({ match, ids }: Selection, terms: readonly OrderTerm[]): boolean {
  return match !== undefined && ids === undefined && terms.length === 1;
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
