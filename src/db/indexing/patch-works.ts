import { popularityBandOf, popularityScoreOf } from "../../search/documents/popularity.ts";
import { readerPointsOf } from "../../search/documents/scorecard.ts";
import type { SearchIndex, Generation } from "../../search/engine.ts";
import { READER_COLUMNS, readerValuesOf } from "../../search/indexing/work-rows.ts";
import type { IndexReader } from "../search/index-reader.ts";
import { type Database, batchGroups, batchRows } from "../statement.ts";
import { type AuthorRow, authorRowsStatement, planAuthors } from "./author-sums.ts";
import { type PlanState, PLAN_STATE, replanned, samePlanStatement } from "./plan-state.ts";
import { indexedColumnStatements, rowStatements } from "./row-statements.ts";
import { type IndexedRow, countIndexedWork, indexedRowsStatement } from "./work-changes.ts";
import { authorStatements } from "./write-documents.ts";

const COUNT_COLUMNS = ["id", "version", "boost", ...READER_COLUMNS];
/** The index of `ratings_sortable` changes with ratings only. */
const COUNT_GROUPS = [
  COUNT_COLUMNS.slice(2).filter((name) => name !== "ratings_sortable"),
  ["ratings_sortable"],
];
const TRENDING_COLUMNS = ["trending_score_hourly_sum", "trending_z_score", "trending"];

type CountPatches = Parameters<SearchIndex["patchCounts"]>[0];

/**
 * Implements `SearchIndex.patchCounts`. Returns the works whose popularity band changes: their text row depends on it. They
 * keep their old popularity, so that a repeated call returns them again.
 */
export function patchCounts(index: IndexReader, patches: CountPatches, isApplied = false): Promise<number[]> {
  return replanned(() => planAndPatch(index, patches, isApplied));
}

async function planAndPatch(
  index: IndexReader,
  patches: CountPatches,
  isApplied: boolean,
): Promise<number[]> {
  const { database, generation, prefix } = index;
  const ids = patches.map(({ id }) => id);
  const { state, indexed, authorRows } = await batchGroups<{
    state: PlanState;
    indexed: IndexedRow;
    authorRows: AuthorRow;
  }>(database, {
    state: PLAN_STATE,
    indexed: indexedRowsStatement(ids, generation),
    authorRows: authorRowsStatement({ ids: [], works: ids }, index),
  });
  const rowsById = new Map(indexed.map((row) => [row.id, row]));
  const moved: number[] = [];
  const planned = patches.flatMap(({ id, counts }) => {
    const row = rowsById.get(id);
    if (row === undefined) return [];
    const boost = popularityScoreOf({ edition_count: row.edition_count, counts });
    const isMoved = popularityBandOf(boost) !== popularityBandOf(row.boost);
    if (isMoved) moved.push(id);
    if (isMoved && isApplied) return [];
    const { share } = countIndexedWork(row, prefix);
    const [old, now] = [readerPointsOf(share.counts), readerPointsOf(counts)];
    return [
      {
        update: [id, row.version, isMoved ? row.boost : boost, ...readerValuesOf(counts)],
        change: { before: share, after: { ...share, counts } },
        gain: [id, now.discovery - old.discovery, now.evaluation - old.evaluation],
      },
    ];
  });
  if (planned.length === 0) return moved;
  const changes = planned.map(({ change }) => change);
  await batchRows(database, [
    samePlanStatement(state[0]),
    ...indexedColumnStatements(
      `work_${generation}`,
      { columns: COUNT_COLUMNS, groups: COUNT_GROUPS },
      planned.map(({ update }) => update),
    ),
    ...rowStatements(
      planned.map(({ gain }) => gain).filter(([, ...points]) => points.some((gained) => gained !== 0)),
      (source) => `UPDATE edition_${generation} SET document = json_set(document,
          '$.scores.discovery', document ->> '$.scores.discovery' + r.c1,
          '$.scores.evaluation', document ->> '$.scores.evaluation' + r.c2)
        FROM ${source} WHERE edition_${generation}.work = r.c0`,
    ),
    // Sums that would have to be computed from all works follow with the next work or at night.
    ...authorStatements(planAuthors([], { authorRows, sums: [], changes }), generation),
  ]);
  return moved;
}

export async function patchTrending(
  database: Database,
  generation: Generation,
  patches: Parameters<SearchIndex["patchTrending"]>[0],
): Promise<void> {
  const updates = patches.map(({ id, trending: { hourlySum, zScore, slots } }) => [
    id,
    hourlySum,
    zScore,
    slots === undefined ? null : JSON.stringify(slots),
  ]);
  const set = TRENDING_COLUMNS.map((column, index) => `${column} = r.c${index + 1}`).join(", ");
  const statements = rowStatements(
    updates,
    (source) => `UPDATE work_${generation} SET ${set} FROM ${source} WHERE work_${generation}.id = r.c0`,
  );
  await batchRows(database, statements);
}
