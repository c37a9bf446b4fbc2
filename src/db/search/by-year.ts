import type { Sort } from "../../search/engine.ts";
import { codeOf } from "../../search/fields.ts";
import { INDEXED_YEAR_MAX } from "../../search/indexing/filter-token.ts";
import { type Selection, narrowed } from "../../search/plan/selection.ts";
import { yearMatch } from "../../search/plan/typed-leaf.ts";
import { narrowestSql, selectionSql } from "./selection.ts";
import type { SqlContext } from "./sql-values.ts";
import { TEXT_ROW } from "./text-rows.ts";

const FIELD = "first_publish_year";
/** First years of the spans in which the newest works are searched, from the fewest works to the most. */
const NEWEST_FROM = [2024, 2020, 2010, 2000, 1950] as const;
/** Last years of the spans in which the oldest works are searched. */
const OLDEST_TO = [1799, 1899, 1949, 1989] as const;

interface YearOptions extends SqlContext {
  /** First key of the order; `order` is SQL of the whole order over rows of `work_<generation>` as `w`. */
  readonly first: Sort | undefined;
  readonly order: string;
  /** Number of works needed, including those before the page. */
  readonly need: number;
}

/**
 * Returns SQL for the numbers of a selection's works, as `id`, if the year is the first sort key; undefined for other
 * orders. Works are sorted within the newest or oldest years that have enough of them, so the others need not be looked
 * up.
 */
export function byYearSql(selection: Selection, options: YearOptions): string | undefined {
  const { first, order, need, generation } = options;
  if (first?.field !== FIELD || selection.match === undefined || selection.ids !== undefined)
    return undefined;
  const spans = first.descending
    ? NEWEST_FROM.map((from) => [from, INDEXED_YEAR_MAX] as const)
    : OLDEST_TO.map((to) => [0, to] as const);
  const narrower = spans.flatMap(([from, to]) => {
    const match = yearMatch(codeOf(FIELD), from, to);
    return match === undefined ? [] : [narrowed(selection, match)];
  });
  const expression = narrowestSql([...narrower, selection], options);
  const { from, where } = selectionSql(selection, { ...options, withColumns: true, expression });
  const rest = `ORDER BY ${order} LIMIT ${need}`;
  if (!first.descending) return `SELECT w.id AS id FROM ${from} WHERE ${where} ${rest}`;
  // Later years have no tokens. Such works are rare, and the index of years finds them.
  const beyond = `w.${FIELD} > ${INDEXED_YEAR_MAX}`;
  const all = selectionSql(selection, { ...options, withColumns: true });
  return `SELECT id FROM (SELECT w.id AS id FROM work_${generation} AS w CROSS JOIN work_text_${generation}
      WHERE ${beyond} AND ${all.row} = ${TEXT_ROW} AND ${all.where} ${rest})
    UNION ALL SELECT id FROM (SELECT w.id AS id FROM ${from} WHERE ${where} AND NOT coalesce(${beyond}, 0) ${rest})`;
}
