import type { Selection } from "../../search/plan/selection.ts";
import { OF_KNOWN, knownSql, selectionSql } from "./selection.ts";
import type { SqlContext } from "./sql-values.ts";
import { popularRows, workOfRow } from "./text-rows.ts";

/** Options of a page of works in order of popularity. */
interface PopularOptions extends SqlContext {
  /** Number of works to skip at the start, and number to return. */
  readonly offset: number;
  readonly limit: number;
  /** SQL condition under which works are returned. Defaults to true. */
  readonly when?: string;
  /** Numbers of works to exclude. */
  readonly without?: readonly number[];
}

/**
 * Returns SQL for the numbers of a selection's works, as `id`, and their popularity, as `boost`, most popular first,
 * ties by number. Looks up only works that can be on the page.
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
