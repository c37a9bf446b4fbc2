import { idRangeOf } from "../../catalog/key-numbers.ts";
import type { ListHead, ListMemberChange } from "../../catalog/lists/list-view.ts";
import type { ListSeed } from "../../catalog/lists/seed-entry.ts";
import { LIST_SEEDS_MAX, SERIES_SEEDS_MAX } from "../../catalog/lists/seeds.ts";
import { edgeOf, sortBySeriesPosition } from "../../catalog/lists/series.ts";
import type { Json } from "../../catalog/record.ts";
import { type Fitting, type RecordRow, fitting, fittingRecords } from "../records/record-rows.ts";
import { targetKeySql } from "../redirects.ts";
import type { Database, Statement, Window } from "../statement.ts";
import {
  type MemberRow,
  type SeedRow,
  MEMBER_COLUMNS,
  SEED_KEY,
  SEED_TARGET,
  SHOWN_MEMBERS,
  isWorkOfSeries,
  readListWith,
  seedOfRow,
  seedRecordOf,
  shownMembersOf,
} from "./read-lists.ts";

type EditionRow = { readonly size: number } & (Fitting<RecordRow> | { readonly id: null });

const { from, to } = idRangeOf("M");

/**
 * SQL of the editions in a list. The id of an edition is computed from its key, so only the records of the page are
 * read; keys without such a number are looked up, and so are the targets of merged editions (Q683).
 */
const EDITIONS = `
  WITH seed AS MATERIALIZED (
    SELECT e.key AS place, ${SEED_KEY} AS named FROM record l, json_each(l.document, '$.seeds') e
    WHERE l.key = ?1 AND l.type = '/type/list' AND instr(l.document, '/b') > 0 AND instr(e.value, '/b') > 0),
  numbered AS MATERIALIZED (
    SELECT place, named, CASE WHEN length(digits) BETWEEN 1 AND 12 AND rtrim(digits, '0123456789') = ''
      THEN CAST(digits AS BIGINT) END AS number
    FROM (SELECT place, named, rtrim(substr(named, length('/books/' || ?4) + 1), 'M') AS digits FROM seed
      WHERE named >= '/books/' AND named < '/books0')),
  placed AS MATERIALIZED (
    SELECT place, named, CASE WHEN named = '/books/' || ?4 || number || 'M' AND number BETWEEN 0 AND ${to - from - 1}
      THEN ${from} + number ELSE (SELECT id FROM record WHERE key = named) END AS id FROM numbered),
  edition AS MATERIALIZED (
    SELECT id, min(place) AS place FROM (
      SELECT m.id, s.place FROM placed s
      CROSS JOIN record m INDEXED BY record_by_type ON m.type = '/type/edition' AND m.id = s.id
      UNION ALL
      SELECT t.id, s.place FROM placed s
      CROSS JOIN record m INDEXED BY record_by_type ON m.type = '/type/redirect' AND m.id = s.id
      CROSS JOIN record t ON t.key = ${targetKeySql("s.named")} AND t.type = '/type/edition') e
    GROUP BY id)
  SELECT n.size, p.* FROM (SELECT count(*) AS size FROM edition) n
  LEFT JOIN (${fittingRecords({
    source: "SELECT id, place FROM edition ORDER BY place LIMIT ?2 OFFSET ?3",
    order: "place",
    more: ["place"],
  })}) p ON true
  ORDER BY p.place`;

/**
 * Reads a page of the editions among the seeds of a list, in its order, fewer than requested if they exceed the size limit
 * of a response; empty for series. Returns undefined if there is no such list. One round trip.
 */
export async function readListEditions(
  database: Database,
  key: string,
  { limit, offset, prefix }: Window & { prefix: string },
) {
  const values = [key, limit, offset, prefix];
  const page = await readListWith<EditionRow>(database, key, { sql: EDITIONS, values });
  if (page === undefined) return undefined;
  const editions = fitting<RecordRow>(page.content.filter(({ id }) => id !== null));
  return { list: page.list, size: page.content[0]?.size ?? 0, editions };
}

/** Maximum entries of a feed: the editions changed last. */
const FEED_ENTRIES_MAX = 500;

type ChangeRow = Omit<ListMemberChange, "record"> & { readonly members: string };

/**
 * Reads a list with the latest changes of its editions, or a series with those of its works, newest first. Returns
 * undefined if there is none. One round trip.
 */
export async function readMemberChanges(
  database: Database,
  key: string,
): Promise<{ readonly list: ListHead; readonly changes: readonly ListMemberChange[] } | undefined> {
  const sql = `SELECT ${SHOWN_MEMBERS}, m.key, m.type, c.id AS changeId, c.created, c.comment, c.author,
               u.document ->> '$.displayname' AS authorName
             FROM (SELECT DISTINCT ${SEED_TARGET} AS named FROM record l, json_each(l.document, '$.seeds') e
                   WHERE l.key = ?1 AND l.type = '/type/list'
                   UNION SELECT r.key FROM property p CROSS JOIN record r ON r.id = p.record_id
                   WHERE ${isWorkOfSeries("?1")}) s
             CROSS JOIN record m ON m.key = s.named
               AND m.type = CASE WHEN substr(?1, 1, 8) = '/series/' THEN '/type/work' ELSE '/type/edition' END
             CROSS JOIN change c ON c.id = m.change_id
             LEFT JOIN record u ON u.key = c.author
             ORDER BY c.id DESC, m.id LIMIT ${FEED_ENTRIES_MAX}`;
  const page = await readListWith<ChangeRow>(database, key, { sql, values: [key] });
  const changes = page?.content.map(({ members, ...row }) => ({ record: shownMembersOf(members), ...row }));
  return page && { list: page.list, changes: changes ?? [] };
}

export type ExportedType = "/type/edition" | "/type/work" | "/type/author";

export interface ExportedRecord {
  readonly id: number;
  readonly key: string;
  readonly type: ExportedType;
}

/**
 * Reads a list or series with the records to export, newest first, without duplicates. Returns undefined if there is
 * none. One round trip.
 */
export async function readListExport(database: Database, key: string) {
  const sql = `SELECT id, key, type FROM (
               SELECT DISTINCT m.id, m.type, m.last_modified, m.key
               FROM record l, json_each(l.document, '$.seeds') e CROSS JOIN record m ON m.key = ${SEED_TARGET}
               WHERE l.key = ?1 AND l.type = '/type/list' AND e.key < ${LIST_SEEDS_MAX}
                 AND m.type IN ('/type/edition', '/type/work', '/type/author')
               UNION SELECT m.id, m.type, m.last_modified, m.key FROM property p CROSS JOIN record m ON m.id = p.record_id
               WHERE ${isWorkOfSeries("?1")}
               ORDER BY 3 DESC, 4 LIMIT ${LIST_SEEDS_MAX})`;
  const page = await readListWith<ExportedRecord>(database, key, { sql, values: [key] });
  return page && { list: page.list, records: page.content };
}

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
    const seeds = page?.content.flatMap((row) => seedOfRow(row) ?? []) ?? [];
    return page && { list: page.list, seeds: distinctSeeds(seeds) };
  }
  const page = await readListWith<EdgeRow>(database, key, seriesMembersStatement(key));
  const works = sortBySeriesPosition(page?.content.map((row) => seriesSeedOf(row, key)) ?? []);
  return page && { list: page.list, seeds: works.slice(start, start + count) };
}

/** Keeps the first of seeds with one key: a list may hold a merged record and its target. */
function distinctSeeds(seeds: readonly ListSeed[]): ListSeed[] {
  return [...Map.groupBy(seeds, ({ key }) => key).values()].flatMap(([first]) => first ?? []);
}

/**
 * Returns the statement for the members of a list by position, each with its record. The limit ends the scan, the
 * positions decide.
 */
function seedsStatement(key: string, { start, count }: SeedWindow): Statement {
  return {
    sql: `SELECT s.seed, ${MEMBER_COLUMNS}
          FROM (SELECT e.key AS place, ${SEED_TARGET} AS named,
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
