import type { Selection } from "../../search/plan/selection.ts";
import { OF_KNOWN, knownSql, selectionSql } from "./selection.ts";
import type { SqlContext } from "./sql-values.ts";
import { popularRows, workOfRow } from "./text-rows.ts";

/** What works in order of popularity are asked for. */
interface PopularOptions extends SqlContext {
  /** How many works to leave out at the start, and how many to return. */
  readonly offset: number;
  readonly limit: number;
  /** SQL of whether any are wanted; without it they are. */
  readonly when?: string;
  /** Works that are left out, by number. */
  readonly without?: readonly number[];
}

/**
 * SQL for the numbers of a selection's works, as `id`, and their popularity, as `boost`, the most popular first; equally popular ones
 * by number. No more works are looked up than may be among them.
 */
export function popularSql(
  selection: Selection,
  { offset, limit, when, without = [], ...context }: PopularOptions,
): string {
  const isWanted = when === undefined ? String(limit) : `iif(${when}, ${limit}, 0)`;
  const page = `ORDER BY boost DESC, id LIMIT ${isWanted} OFFSET ${offset}`;
  const others = (id: string): string =>
    without.length === 0 ? "1" : `${id} NOT IN (${context.values.list(without)})`;
  if (selection.match === undefined || selection.ids !== undefined) {
    const { from, where, id, boost } = selectionSql(selection, { ...context, withColumns: "popularity" });
    return `SELECT ${id} AS id, ${boost} AS boost FROM ${from} WHERE ${where} AND ${others(id)} ${page}`;
  }
  const found = selectionSql(selection, { ...context, withColumns: false });
  const rows = popularRows(found, {
    generation: context.generation,
    need: without.length + offset + limit,
    when,
  });
  return `WITH found AS MATERIALIZED (SELECT ${workOfRow("row")} AS id FROM (${rows}))
    SELECT found.id AS id, ${OF_KNOWN.boost} AS boost FROM found ${knownSql(context.generation, "found.id")}
    WHERE ${others("found.id")} ${page}`;
}
