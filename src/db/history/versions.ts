import { bytesBefore } from "../records/record-rows.ts";
import { type Database, type Window, rows, whereSql } from "../statement.ts";
import {
  type ChangeFilter,
  type ChangeRow,
  CHANGES_LOOKED_AT,
  CHANGE_BYTES,
  botsCondition,
  changeWithinSql,
  kindsCondition,
  requireWholeChanges,
} from "./changes.ts";

/** Revision with the change that made it. `created` is the time of the revision. */
export interface VersionRow extends ChangeRow {
  readonly key: string;
  readonly revision: number;
}

/** Conditions on revisions; all must hold. Conditions on their changes are intended for the revisions of one record. */
interface VersionFilter extends Pick<ChangeFilter, "author" | "kinds" | "bots" | "begin" | "end"> {
  readonly key?: string;
  readonly type?: string;
  readonly revision?: number;
  readonly ip?: string;
  readonly comment?: string;
  readonly created?: string;
  readonly bot?: boolean;
}

interface VersionPage extends Window {
  readonly descending: boolean;
}

/**
 * Reads revisions that meet the conditions, in one statement: those of one record by number, others in the order of
 * their changes. Throws `DocumentsTooLarge`: a change can have ten thousand records.
 */
export async function readVersions(
  database: Database,
  filter: VersionFilter,
  page: VersionPage,
): Promise<VersionRow[]> {
  const { source, order, values } = versionsSql(filter, page);
  return requireWholeChanges<VersionRow>(
    await rows<unknown>(database, {
      sql: `SELECT ${COLUMNS}, ${changeWithinSql("n.before")}
            FROM (SELECT m.*, ${bytesBefore("m.bytes", order("m"))} AS before FROM (${source}) m) n
            CROSS JOIN change c ON c.id = n.id ORDER BY ${order("n")}`,
      values,
    }),
  );
}

export type ShortVersion = Omit<VersionRow, "changes" | "data">;

/** Reads revisions without the records and data of their changes, whose size is unlimited. */
export function readShortVersions(
  database: Database,
  filter: VersionFilter,
  page: VersionPage,
): Promise<ShortVersion[]> {
  const { source, order, values } = versionsSql(filter, page);
  const sql = `SELECT ${COLUMNS} FROM (${source}) n CROSS JOIN change c ON c.id = n.id ORDER BY ${order("n")}`;
  return rows<ShortVersion>(database, { sql, values });
}

const COLUMNS = "n.key, n.revision, n.created, c.id, c.kind, c.comment, c.bot, c.author, c.ip";

/** Returns true if the conditions alone do not bound a scan of the changes. */
function needsScan({ key, author, ip, ...others }: VersionFilter): boolean {
  const isFound = [key, author, ip].some((value) => value !== undefined);
  return !isFound && Object.values(others).some((value) => value !== undefined);
}

const AMONG_NEWEST = `v.change_id > (SELECT max(id) FROM change) - ${CHANGES_LOOKED_AT}`;
const AMONG_OLDEST = `v.change_id < (SELECT min(id) FROM change) + ${CHANGES_LOOKED_AT}`;

/**
 * Builds the SQL of a page of revisions. `found` yields revisions with the number of their change (`id`) and the size
 * of the records and data of that change (`bytes`); `order` returns their order under an alias. Latest and superseded
 * revisions are in two tables, so each part is limited before they are joined.
 */
function versionsSql(filter: VersionFilter, page: VersionPage) {
  const { where, values } = whereSql([
    ["r.key = ?", filter.key],
    ["r.type = ?", filter.type],
    ["v.revision = ?", filter.revision],
    ["c.author = ?", filter.author],
    ["c.ip = ?", filter.ip],
    ["c.comment = ?", filter.comment],
    ["v.last_modified = ?", filter.created],
    kindsCondition(filter.kinds),
    botsCondition(filter.bots),
    ["v.last_modified >= ?", filter.begin],
    ["v.last_modified < ?", filter.end],
    ["c.bot = ?", filter.bot === undefined ? undefined : Number(filter.bot)],
    ...(needsScan(filter) ? [[page.descending ? AMONG_NEWEST : AMONG_OLDEST] as const] : []),
  ]);
  const direction = page.descending ? "DESC" : "ASC";
  const sortByRequest = (columns: readonly string[]): string =>
    columns.map((column) => `${column} ${direction}`).join(", ");
  const [latest, superseded, both] =
    filter.key === undefined
      ? [
          ["r.change_id", "r.id"],
          ["v.change_id", "v.record_id", "v.revision"],
          ["id", "record_id", "revision"],
        ]
      : [["r.revision"], ["v.revision"], ["revision"]];
  const [limit, offset] = [`?${values.length + 1}`, `?${values.length + 2}`];
  const cut = `LIMIT CAST(${limit} AS BIGINT) + CAST(${offset} AS BIGINT)`;
  return {
    source: `
          SELECT * FROM (
            SELECT * FROM (SELECT r.key, r.revision, c.id, ${CHANGE_BYTES} AS bytes, r.last_modified AS created, r.id AS record_id
              FROM record r JOIN change c ON c.id = r.change_id ${where.replaceAll("v.", "r.")} ORDER BY ${sortByRequest(latest)} ${cut})
            UNION ALL
            SELECT * FROM (SELECT r.key, v.revision, c.id, ${CHANGE_BYTES} AS bytes, v.last_modified AS created, v.record_id
              FROM revision v JOIN record r ON r.id = v.record_id JOIN change c ON c.id = v.change_id
              ${where} ORDER BY ${sortByRequest(superseded)} ${cut}))
          ORDER BY ${sortByRequest(both)} LIMIT ${limit} OFFSET ${offset}`,
    order: (name: string) => sortByRequest(both.map((column) => `${name}.${column}`)),
    values: [...values, page.limit, page.offset],
  };
}
