import type { Sort } from "../../search/engine.ts";
import { codeOf } from "../../search/fields.ts";
import { INDEXED_YEAR_MAX } from "../../search/indexing/filter-token.ts";
import { type Selection, narrowed } from "../../search/plan/selection.ts";
import { yearMatch } from "../../search/plan/typed-leaf.ts";
import { narrowestSql, selectionSql } from "./selection.ts";
import type { SqlContext } from "./sql-values.ts";
import { TEXT_ROW } from "./text-rows.ts";

const FIELD = "first_publish_year";
/** Years from which on the newest works are looked for, from the fewest works to the most. */
const NEWEST_FROM = [2024, 2020, 2010, 2000, 1950] as const;
/** Years up to which the oldest ones are looked for. */
const OLDEST_TO = [1799, 1899, 1949, 1989] as const;

interface YearOptions extends SqlContext {
  /** The first key of the order, and SQL of all of it over rows of `work_<generation>` as `w`. */
  readonly first: Sort | undefined;
  readonly order: string;
  /** How many works are asked for, with those before them. */
  readonly need: number;
}

/**
 * SQL for the numbers of a selection's works, as `id`, when the year decides first; undefined for other orders. Works
 * are sorted within the newest or oldest years that have enough of them: the others need not be looked up.
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
  // Later years have no tokens. There are hardly any: the index of years finds them.
  const beyond = `w.${FIELD} > ${INDEXED_YEAR_MAX}`;
  const all = selectionSql(selection, { ...options, withColumns: true });
  return `SELECT id FROM (SELECT w.id AS id FROM work_${generation} AS w CROSS JOIN work_text_${generation}
      WHERE ${beyond} AND ${all.row} = ${TEXT_ROW} AND ${all.where} ${rest})
    UNION ALL SELECT id FROM (SELECT w.id AS id FROM ${from} WHERE ${where} AND NOT coalesce(${beyond}, 0) ${rest})`;
}
