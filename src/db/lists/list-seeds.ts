import { LIST_SEEDS_MAX, SERIES_SEEDS_MAX } from "../../catalog/lists/seeds.ts";
import type { ListSeed } from "../../catalog/lists/seed-entry.ts";
import { edgeOf, sortBySeriesPosition } from "../../catalog/lists/series.ts";
import type { ListHead } from "../../catalog/lists/list-view.ts";
import type { Json } from "../../catalog/record.ts";
import type { Database, Statement } from "../statement.ts";
import {
  readListWith,
  MEMBER_COLUMNS,
  SEED_KEY,
  isWorkOfSeries,
  seedRecordOf,
  seedOfRow,
  type MemberRow,
  type SeedRow,
} from "./read-lists.ts";

/** Window of members, by position from 0. */
export interface SeedWindow {
  readonly start: number;
  readonly count: number;
}

export const ALL_SEEDS: SeedWindow = { start: 0, count: LIST_SEEDS_MAX };

/**
 * Reads a list or series with a window of its members, in stored order, or sorted by position in the series. Returns
 * undefined if there is none. One round trip; only the records of the window are read.
 */
export async function readListSeeds(
  database: Database,
  key: string,
  window: SeedWindow,
): Promise<{ readonly list: ListHead; readonly seeds: readonly ListSeed[] } | undefined> {
  const { start, count } = window;
  if (!key.startsWith("/series/")) {
    const page = await readListWith<SeedRow>(database, key, seedsStatement(key, window));
    return page && { list: page.list, seeds: page.content.flatMap((row) => seedOfRow(row) ?? []) };
  }
  const page = await readListWith<EdgeRow>(database, key, seriesMembersStatement(key));
  const works = sortBySeriesPosition(page?.content.map((row) => seriesSeedOf(row, key)) ?? []);
  return page && { list: page.list, seeds: works.slice(start, start + count) };
}

/**
 * Returns the statement for the members of a list by position, each with its record. The limit ends the scan, the
 * positions decide.
 */
function seedsStatement(key: string, { start, count }: SeedWindow): Statement {
  return {
    sql: `SELECT s.seed, ${MEMBER_COLUMNS}
          FROM (SELECT e.key AS place, ${SEED_KEY} AS named,
                  CASE e.type WHEN 'object' THEN e.value ELSE json_quote(e.value) END AS seed
                FROM record l, json_each(l.document, '$.seeds') e
                WHERE l.key = ?1 AND l.type = '/type/list' AND e.key >= ?2 AND e.key < ?2 + ?3
                  AND e.type IN ('object', 'text')
                LIMIT ?3) s
          LEFT JOIN record m ON m.key = s.named
          ORDER BY s.place`,
    values: [key, start, count],
  };
}

interface EdgeRow extends MemberRow {
  readonly recordId: number;
  readonly recordKey: string;
  readonly series: string;
}

/** Returns the statement for the works of a series, by id, up to `SERIES_SEEDS_MAX`. */
function seriesMembersStatement(key: string): Statement {
  return {
    sql: `SELECT m.document -> '$.series' AS series, ${MEMBER_COLUMNS}
          FROM property p CROSS JOIN record m ON m.id = p.record_id
          WHERE ${isWorkOfSeries("?1")}
          ORDER BY p.record_id LIMIT ${SERIES_SEEDS_MAX}`,
    values: [key],
  };
}

function seriesSeedOf(row: EdgeRow, series: string): ListSeed & { readonly id: number } {
  const { recordId: id, recordKey } = row;
  // Part of a stored document.
  const edges = JSON.parse(row.series) as Json;
  return { id, key: recordKey, ...edgeOf({ series: edges }, series), record: seedRecordOf(row) };
}
