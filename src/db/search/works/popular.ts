import { popularityToken } from "../../../search/index/filter-token.ts";
import { matchText, withToken } from "../../../search/plan/match.ts";
import type { Generation } from "../generation.ts";
import { type Selection, narrowed, selectionSql } from "./selection.ts";
import type { SqlValues } from "./sql-values.ts";

/** The levels that are tried, from the fewest works to the most: each has some four to ten times the works. */
const TRIED_LEVELS = [8, 4, 2, 0] as const;

/** What works in order of popularity are asked for. */
export interface PopularOptions {
  readonly generation: Generation;
  readonly values: SqlValues;
  /** SQL of how many works to leave out at the start, and of how many to return. */
  readonly offset: string;
  readonly limit: string;
  /** How many of the most popular works are looked at: the works left out and those returned are among them. */
  readonly need: number;
  /** SQL of the numbers of works that are left out. */
  readonly without?: string;
}

/**
 * SQL for the numbers of a selection's works, as `id`, the most popular first; equally popular ones by number. A
 * popularity level holds exactly the works above it, so the smallest one with enough works gives the same answer
 * as all of them (search.md 13.3 step 2), without looking at the others.
 */
export function popularSql(selection: Selection, options: PopularOptions): string {
  const { generation, values, offset, limit, without } = options;
  const expression = tierSql(selection, options);
  const { from, where } = selectionSql(selection, { generation, values, withColumns: true, expression });
  const others = without === undefined ? "" : ` AND w.id NOT IN (${without})`;
  return `SELECT w.id AS id FROM ${from} WHERE ${where}${others}
    ORDER BY w.boost DESC, w.id LIMIT ${limit} OFFSET ${offset}`;
}

/** SQL of the expression: that of the smallest level with enough works. */
function tierSql(selection: Selection, { generation, values, need }: PopularOptions): string | undefined {
  const { match, ids } = selection;
  if (match === undefined) return undefined;
  const whole = values.text(matchText(match));
  if (ids !== undefined) return whole;
  const tiers = TRIED_LEVELS.map((level) => {
    const tier = narrowed(selection, withToken(popularityToken(level)));
    const { from, where, id } = selectionSql(tier, { generation, values, withColumns: false });
    const expression = values.text(matchText(tier.match ?? match));
    return `WHEN (SELECT count(*) FROM (SELECT ${id} FROM ${from} WHERE ${where} LIMIT ${need})) >= ${need} THEN ${expression}`;
  });
  return `CASE ${tiers.join(" ")} ELSE ${whole} END`;
}
