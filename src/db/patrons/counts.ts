import type { WorkActivity } from "../../catalog/patrons/activity.ts";
import { mapShelves } from "../../catalog/patrons/shelves.ts";
import { NO_COUNTS, type WorkCounts } from "../../search/documents/types.ts";
import { batchGroups, firstValue, rows, type Database, type Statement } from "../statement.ts";
import type { ObservationCountRow, PatronWorkRow, WorkCountRow } from "./patron-rows.ts";

/** Counts of a work, by the number of its key, with the position of their last change among all changes of counts. */
export interface ChangedCounts {
  readonly workId: number;
  readonly counts: WorkCounts;
  readonly version: number;
}

/** Reads counts of works by the numbers of their keys; works without a row are absent. One statement. */
export async function readWorkCounts(
  patrons: Database,
  workIds: readonly number[],
): Promise<Map<number, WorkCounts>> {
  if (workIds.length === 0) return new Map();
  return countsByWork(await rows<WorkCountRow>(patrons, workCountsStatement(workIds)));
}

function workCountsStatement(workIds: readonly number[]): Statement {
  const sql = "SELECT * FROM work_count WHERE work_id IN (SELECT value FROM json_each(?1))";
  return { sql, values: [JSON.stringify(workIds)] };
}

function countsByWork(counts: readonly WorkCountRow[]): Map<number, WorkCounts> {
  return new Map(counts.map((row) => [row.work_id, countsOfRow(row)]));
}

/** Changes of counts after a version. */
export interface CountChanges {
  /** In the order of their changes, at most as many as were asked for. */
  readonly changed: readonly ChangedCounts[];
  /** Version of the newest change; 0 if there was none. */
  readonly end: number;
}

/** Reads counts of works like `readWorkCounts`, and at most `limit` changes of counts after a version. One round trip. */
export async function readCountChanges(
  patrons: Database,
  { workIds, after, limit }: { workIds: readonly number[]; after: number; limit: number },
): Promise<CountChanges & { readonly counts: ReadonlyMap<number, WorkCounts> }> {
  const { counted, changed, versions } = await batchGroups<{
    counted: WorkCountRow;
    changed: WorkCountRow;
    versions: { value: number };
  }>(patrons, {
    counted: workIds.length === 0 ? [] : workCountsStatement(workIds),
    changed: {
      sql: "SELECT * FROM work_count WHERE version > ?1 ORDER BY version LIMIT ?2",
      values: [after, limit],
    },
    versions: COUNTS_END,
  });
  return {
    counts: countsByWork(counted),
    changed: changed.map((row) => ({ workId: row.work_id, counts: countsOfRow(row), version: row.version })),
    end: versions[0]?.value ?? 0,
  };
}

const COUNTS_END: Statement = { sql: "SELECT max(version) AS value FROM work_count", values: [] };

/** Reads the version of the newest change of counts; 0 if there was none. */
export async function readCountsEnd(patrons: Database): Promise<number> {
  return (await firstValue<number>(patrons, COUNTS_END)) ?? 0;
}

function countsOfRow(row: WorkCountRow): WorkCounts {
  return {
    ratings: [row.ratings_1, row.ratings_2, row.ratings_3, row.ratings_4, row.ratings_5],
    ...mapShelves("member", ({ count }) => row[count]),
  };
}

export interface ObservationCounts {
  readonly respondents: number;
  /** Patrons with any observation of a type, by its number. */
  readonly types: ReadonlyMap<number, number>;
  /** Patrons who chose a value, by `<type>.<value>`. */
  readonly values: ReadonlyMap<string, number>;
}

export const NO_OBSERVATIONS: ObservationCounts = { respondents: 0, types: new Map(), values: new Map() };

/** Reads counts of observations of works, by the numbers of their keys; works without any are absent. One statement. */
export async function readObservationCounts(
  patrons: Database,
  works: readonly number[],
): Promise<Map<number, ObservationCounts>> {
  if (works.length === 0) return new Map();
  const counts = await rows<ObservationCountRow>(patrons, observationCountsStatement(works));
  const byWork = Map.groupBy(counts, (row) => row.work_id);
  return new Map([...byWork].map(([work, ownCounts]) => [work, countsOfRows(ownCounts)]));
}

function observationCountsStatement(works: readonly number[]): Statement {
  const sql = `SELECT work_id, code, patrons FROM observation_count
               WHERE work_id IN (SELECT value FROM json_each(?1)) ORDER BY work_id, code`;
  return { sql, values: [JSON.stringify(works)] };
}

function countsOfRows(rowsOfWork: readonly ObservationCountRow[]): ObservationCounts {
  const [types, values] = [new Map<number, number>(), new Map<string, number>()];
  let respondents = 0;
  for (const { code, patrons } of rowsOfWork) {
    if (code === "") respondents = patrons;
    else if (code.includes(".")) values.set(code, patrons);
    else types.set(Number(code), patrons);
  }
  return { respondents, types, values };
}

export type CountedState = Pick<WorkActivity, "shelf" | "stars" | "observations">;

export interface CountsWithOwn {
  readonly counts: WorkCounts;
  readonly observations: ObservationCounts;
  readonly own: CountedState;
  /** Sequence of the patron's state; 0 if none was ever stored. */
  readonly sequence: number;
}

/** Reads counts of a work and a patron's contribution to them. One round trip. */
export async function readCountsWithOwn(
  patrons: Database,
  work: number,
  patron: string,
): Promise<CountsWithOwn> {
  const { counted, observed, owned } = await batchGroups<{
    counted: WorkCountRow;
    observed: ObservationCountRow;
    owned: Pick<PatronWorkRow, "sequence" | "shelf" | "stars" | "observations">;
  }>(patrons, {
    counted: [{ sql: "SELECT * FROM work_count WHERE work_id = ?1", values: [work] }],
    observed: [observationCountsStatement([work])],
    owned: [{ sql: OWN, values: [patron.toLowerCase(), work] }],
  });
  const [count] = counted;
  const [{ sequence, shelf, stars, observations } = NOTHING] = owned;
  return {
    counts: count === undefined ? NO_COUNTS : countsOfRow(count),
    observations: countsOfRows(observed),
    sequence,
    // `storeActivity` writes the column.
    own: { shelf, stars, observations: JSON.parse(observations ?? "[]") as string[] },
  };
}

const OWN = "SELECT sequence, shelf, stars, observations FROM patron_work WHERE patron = ?1 AND work_id = ?2";
const NOTHING = { sequence: 0, shelf: null, stars: null, observations: null };

interface AwardFilter {
  readonly work?: number | undefined;
  /** Username in any case. */
  readonly patron?: string | undefined;
  readonly topic?: string | undefined;
}

/** Counts the awards of a work, by a patron, for a topic, or for several of these at once. */
export async function countAwards(patrons: Database, { work, patron, topic }: AwardFilter): Promise<number> {
  // Many patrons have a work, and one may have very many works: these indexes contain awards only.
  const index = work !== undefined ? "award" : patron !== undefined ? "awarder" : "topic";
  const conditions = Object.entries({ work_id: work, patron: patron?.toLowerCase(), award_topic: topic });
  const set = conditions.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const sql = `SELECT count(*) FROM patron_work INDEXED BY patron_work_by_${index}
               WHERE ${["award_id IS NOT NULL", ...set.map(({ name }) => `${name} = ?`)].join(" AND ")}`;
  return (await firstValue<number>(patrons, { sql, values: set.map(({ value }) => value) })) ?? 0;
}

/** Counts the patrons who like a record, and those who dislike it; `own`: one patron's opinion, null if none. One statement. */
export async function readLikes(patrons: Database, key: string, patron = "") {
  const sql = `SELECT coalesce(sum(likes), 0) AS likes, coalesce(sum(dislikes), 0) AS dislikes,
      (SELECT value FROM patron_like WHERE patron = ?2 AND record_key = ?1) AS own
    FROM like_count WHERE record_key = ?1`;
  const values = [key, patron.toLowerCase()];
  type Likes = { likes: number; dislikes: number; own: 1 | -1 | null };
  const [likes = { likes: 0, dislikes: 0, own: null }] = await rows<Likes>(patrons, { sql, values });
  return likes;
}
