import { LAST_BAND, maxEditionsOf } from "../../search/documents/popularity.ts";
import type { OrderTerm } from "../../search/engine/order-terms.ts";
import type { Generation, Mark, Sort } from "../../search/engine.ts";
import type { SelectedRowsSql } from "./selection.ts";
import { FIRST_ROW, bandOfRow, numberOfRow } from "./text-rows.ts";

/** Returns SQL of an order. `columnOf` maps columns to their names in that place. */
export function orderSql(terms: readonly OrderTerm[], columnOf = (value: string): string => value): string {
  const keys = terms.map(
    ({ value, descending, isOptional }) =>
      `${columnOf(value)} ${descending ? "DESC" : "ASC"}${isOptional ? " NULLS LAST" : ""}`,
  );
  return keys.join(", ");
}

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
  const { value: sql, descending, isOptional } = term;
  const beyond = `${sql} ${descending ? "<" : ">"}`;
  if (isOptional && value === null) return `(${sql} IS NULL AND ${afterSql(more, others, bind)})`;
  const bound = bind(value);
  if (more.length === 0) return `${beyond} ${bound}`;
  const rest = `(${sql} = ${bound} AND ${afterSql(more, others, bind)})`;
  return isOptional
    ? `(${beyond} ${bound} OR ${sql} IS NULL OR ${rest})`
    : `(${beyond}= ${bound} AND (${beyond} ${bound} OR ${rest}))`;
}

/** Number of works, the most popular ones, among which those with most editions are searched first. */
const POPULAR_WORKS = 1000;
const EDITIONS_BY_BAND = `'[${Array.from({ length: LAST_BAND + 1 }, (_band, at) => maxEditionsOf(at)).join(",")}]'`;

interface PageOptions {
  generation: Generation;
  sort: readonly Sort[];
  start: number;
  limit: number;
}

/**
 * Returns WITH clauses for the works with most editions; undefined for other orders. `sure` is the page if all its works
 * are among the first rows: later rows are less popular, so they cannot have more editions. Otherwise it is empty.
 */
export function mostEditionsSql(
  { from, where, row, id, editions }: SelectedRowsSql,
  { generation, sort: [first, ...more], start, limit }: PageOptions,
): string | undefined {
  if (first?.field !== "edition_count" || more.length > 0 || start + limit > POPULAR_WORKS) return undefined;
  return `WITH popular AS MATERIALIZED (
      SELECT ${row} AS row, ${id} AS id, ${editions} AS editions FROM ${from}
      WHERE ${where} AND ${row} > ${FIRST_ROW} ORDER BY ${row}
      LIMIT iif((SELECT n FROM total) > ${POPULAR_WORKS}, ${POPULAR_WORKS}, 0)),
    best AS MATERIALIZED (SELECT id, editions FROM popular ORDER BY editions DESC, id LIMIT ${limit} OFFSET ${start}),
    later(id, editions) AS (
      SELECT ${numberOfRow("max(row)")}, ${EDITIONS_BY_BAND} ->> ${bandOfRow("max(row)")} FROM popular
      HAVING count(*) = ${POPULAR_WORKS} AND NOT EXISTS (SELECT 1 FROM work_${generation} WHERE text_row IS NULL)),
    sure AS MATERIALIZED (SELECT best.id FROM later CROSS JOIN best
      WHERE (SELECT min((best.editions, -best.id) >= (later.editions, -later.id)) FROM best))
    `;
}
