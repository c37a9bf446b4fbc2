import { DocumentsTooLarge, bytesBefore, withinSql } from "../records/record-rows.ts";
import {
  allValues,
  firstValue,
  rows,
  whereSql,
  type Database,
  type Statement,
  type Window,
} from "../statement.ts";

/** `change` in D1 `CATALOG`: a row of the log. `created` is naive UTC. */
export interface ChangeRow {
  readonly id: number;
  readonly kind: string;
  readonly author: string | null;
  readonly comment: string | null;
  readonly bot: number;
  readonly ip: string | null;
  readonly created: string;
  /** JSON text of `[{key, revision}]`; null for a batch of a dump. */
  readonly changes: string | null;
  /** JSON object as text. */
  readonly data: string;
}

/** Conditions on changes; all must hold. Dates are naive UTC, `end` exclusive. */
export interface ChangeFilter {
  readonly id?: number | undefined;
  readonly key?: string | undefined;
  readonly author?: string | undefined;
  readonly ip?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly notKinds?: readonly string[] | undefined;
  /** Filter for changes by bots, or by others. `keys` are the current bot accounts (`readBotKeys`). */
  readonly bots?: { readonly keys: readonly string[]; readonly byBot: boolean } | undefined;
  readonly begin?: string | undefined;
  readonly end?: string | undefined;
  /** Members that the data of the change must have, whole numbers as text. */
  readonly data?: readonly (readonly [name: string, value: string])[] | undefined;
}

/**
 * Reads changes, newest first, ties by number. One statement. Throws `DocumentsTooLarge`: a change can have ten
 * thousand records.
 */
export async function readChanges(
  database: Database,
  filter: ChangeFilter,
  slice: Window,
): Promise<ChangeRow[]> {
  const { source, values } = changesSql(filter, slice);
  return requireWholeChanges<ChangeRow>(
    await rows<unknown>(database, {
      sql: `SELECT c.id, c.kind, c.author, c.comment, c.bot, c.ip, c.created, ${changeWithinSql("f.before")}
            FROM (SELECT m.id, ${bytesBefore("m.bytes", "m.created DESC, m.id DESC")} AS before
                  FROM (SELECT c.id, c.created, ${CHANGE_BYTES} AS bytes ${source}) m) f
            CROSS JOIN change c ON c.id = f.id ORDER BY c.created DESC, c.id DESC`,
      values,
    }),
  );
}

export function changeWithinSql(before: string): string {
  return `${withinSql(before, "c.changes")} AS changes, ${withinSql(before, "c.data")} AS data`;
}

export const CHANGE_BYTES = "octet_length(c.data) + coalesce(octet_length(c.changes), 0)";

/** Returns rows with the data of changes. Throws `DocumentsTooLarge` if some did not fit (null). */
export function requireWholeChanges<Row extends { readonly data: string }>(
  changes: readonly unknown[],
): Row[] {
  // The rows have the columns of a statement whose data is null if it did not fit.
  const all = changes as readonly (Omit<Row, "data"> & { readonly data: string | null })[];
  if (all.some(({ data }) => data === null)) throw new DocumentsTooLarge();
  return all as readonly Row[] as Row[];
}

export interface ShortChange extends Omit<ChangeRow, "changes" | "data"> {
  /** Number of records; null for a batch of a dump. */
  readonly size: number | null;
  /** Keys of the first records, as JSON text. */
  readonly keys: string;
}

const SHORT_CHANGE_RECORDS = 3;

/** Reads changes without their records and data, whose size is unlimited. One statement. */
export function readShortChanges(
  database: Database,
  filter: ChangeFilter,
  slice: Window,
): Promise<ShortChange[]> {
  const { source, values } = changesSql(filter, slice);
  return rows<ShortChange>(database, {
    sql: `SELECT c.id, c.kind, c.author, c.comment, c.bot, c.ip, c.created, json_array_length(c.changes) AS size,
            (SELECT json_group_array(e.key) FROM (
              SELECT value ->> 'key' AS key FROM json_each(c.changes) LIMIT ${SHORT_CHANGE_RECORDS}) e) AS keys ${source}`,
    values,
  });
}

function changesSql(filter: ChangeFilter, { limit, offset }: Window) {
  const { id, key, author, ip, kinds, notKinds, bots, begin, end, data = [] } = filter;
  const { where, values } = whereSql([
    ["c.id = ?", id],
    [OF_KEY, key, key],
    ["c.author = ?", author],
    ["c.ip = ? AND c.author IS NULL", ip],
    kindsCondition(kinds),
    [`c.kind NOT ${IN}`, notKinds && JSON.stringify(notKinds)],
    botsCondition(bots),
    ["c.created >= ?", begin],
    ["c.created < ?", end],
    ...data.map(([name, value]) => [WITH_DATA, name, value] as const),
    ...(needsScan(filter)
      ? [end === undefined ? ([AMONG_NEWEST] as const) : ([AMONG_NEWEST_BEFORE, end] as const)]
      : []),
  ]);
  return {
    source: `FROM change c ${where} ORDER BY c.created DESC, c.id DESC
            LIMIT ?${values.length + 1} OFFSET ?${values.length + 2}`,
    values: [...values, limit, offset],
  };
}

export function kindsCondition(
  kinds: ChangeFilter["kinds"],
): readonly [sql: string, value: string | undefined] {
  // A single kind is compared directly, so that the index provides the order too.
  return kinds?.length === 1 ? ["c.kind = ?", kinds[0]] : [`c.kind ${IN}`, kinds && JSON.stringify(kinds)];
}

export function botsCondition(bots: ChangeFilter["bots"]): readonly [sql: string, value: string | undefined] {
  return [bots?.byBot === true ? BY_BOT : NOT_BY_BOT, bots && JSON.stringify(bots.keys)];
}

/** Q565: number of newest changes scanned if no index finds the matching ones. */
export const CHANGES_LOOKED_AT = 100_000;

/** Returns true if the conditions alone do not bound a scan of the changes. */
function needsScan({ id, key, author, ip, kinds = [], notKinds, bots, data = [] }: ChangeFilter): boolean {
  const isFound = [id, key, author, ip, data[0]].some((value) => value !== undefined);
  return !isFound && (bots !== undefined || notKinds !== undefined || kinds.length > 1);
}

const amongNewestSql = (last: string): string => `c.created >= coalesce((SELECT created FROM change
  WHERE id <= (${last}) - ${CHANGES_LOOKED_AT} ORDER BY id DESC LIMIT 1), '')`;
const AMONG_NEWEST = amongNewestSql("SELECT max(id) FROM change");
const AMONG_NEWEST_BEFORE = amongNewestSql(
  "SELECT id FROM change WHERE created < ? ORDER BY created DESC, id DESC LIMIT 1",
);
const IN = "IN (SELECT value FROM json_each(?))";
const OF_KEY = `c.id IN (SELECT r.change_id FROM record r WHERE r.key = ? UNION
  SELECT v.change_id FROM record r JOIN revision v ON v.record_id = r.id WHERE r.key = ?)`;
// The `+` prevents the use of the author's index: bots make most changes, and all of those would be sorted by time.
const BY_BOT = `(+c.author ${IN} OR (c.author IS NULL AND c.bot = 1))`;
const NOT_BY_BOT = `((c.author IS NOT NULL AND c.author NOT ${IN})
  OR (c.author IS NULL AND c.bot = 0))`;
const WITH_DATA = "c.id IN (SELECT d.change_id FROM change_data d WHERE d.name = ? AND d.value = ?)";

const BOT_AUTHORS_MAX = 1000;

const STORED_BOTS = `
  WITH RECURSIVE known (author, place) AS (
    SELECT min(author), 1 FROM change WHERE bot = 1
    UNION ALL
    SELECT (SELECT min(author) FROM change WHERE bot = 1 AND author > known.author), known.place + 1
    FROM known WHERE known.author IS NOT NULL AND known.place < ?1)
  SELECT author FROM known WHERE author IS NOT NULL`;

/** Reads the authors that have made changes as bots. One statement, which steps from author to author in an index. */
export async function readStoredBots(database: Database): Promise<string[]> {
  return allValues<string>(database, { sql: STORED_BOTS, values: [BOT_AUTHORS_MAX] });
}

/** Reads the changes from an address by any author, newest first; for administrators only. One statement. */
export function readChangesByAddress(
  database: Database,
  ip: string,
  { limit, offset }: Window,
): Promise<ChangeRow[]> {
  const sql = "SELECT * FROM change WHERE ip = ?1 ORDER BY created DESC, id DESC LIMIT ?2 OFFSET ?3";
  return rows<ChangeRow>(database, { sql, values: [ip, limit, offset] });
}

const COUNTED_EDITS_MAX = 10_000;

/** Counts the changes by an author (`/people/<username>`), up to `COUNTED_EDITS_MAX`. */
export async function countEdits(database: Database, author: string): Promise<number> {
  const sql = `SELECT count(*) AS edits FROM (SELECT 1 FROM change WHERE author = ?1 LIMIT ${COUNTED_EDITS_MAX})`;
  return (await firstValue<number>(database, { sql, values: [author] })) ?? 0;
}

/** Statement for the number (`id`) of the newest change; 0 if there is none. */
export const LAST_CHANGE: Statement = { sql: "SELECT coalesce(max(id), 0) AS id FROM change", values: [] };

/** Returns the number of the newest change; 0 if there is none. One statement. */
export async function readLastChange(catalog: Database): Promise<number> {
  return (await firstValue<number>(catalog, LAST_CHANGE)) ?? 0;
}
