import { bytesBefore } from "../records/whole-documents.ts";
import { type Database, type Statement, type Window, rows } from "../statement.ts";
import { CHANGE_BYTES, changeWithin, wholeChanges } from "./changes.ts";
import type { ChangeRow } from "./rows.ts";

/** One revision with the change that made it; `created` is the time of the revision. */
export interface VersionRow extends ChangeRow {
  readonly key: string;
  readonly revision: number;
}

/** Conditions on revisions; all must hold. */
interface VersionFilter {
  readonly key?: string;
  readonly type?: string;
  readonly revision?: number;
  readonly author?: string;
  readonly ip?: string;
  readonly comment?: string;
  readonly created?: string;
  readonly bot?: boolean;
}

interface VersionPage extends Window {
  readonly descending: boolean;
}

/**
 * Revisions that meet the conditions, in one statement: those of one record by their numbers, others in the
 * order of the changes that made them. Throws `DocumentsTooLarge`: a change can have ten thousand records.
 */
export async function readVersions(
  database: Database,
  filter: VersionFilter,
  page: VersionPage,
): Promise<VersionRow[]> {
  const { found, order, values } = versionsSql(filter, page);
  return wholeChanges<VersionRow>(
    await rows<unknown>(database, {
      sql: `SELECT ${COLUMNS}, ${changeWithin("n.before")}
            FROM (SELECT m.*, ${bytesBefore("m.bytes", order("m"))} AS before FROM (${found}) m) n
            CROSS JOIN change c ON c.id = n.id ORDER BY ${order("n")}`,
      values,
    }),
  );
}

/** A revision without all that its change says. */
export type ShortVersion = Omit<VersionRow, "changes" | "data">;

/** The same revisions without what there is no bound of. */
export function readShortVersions(
  database: Database,
  filter: VersionFilter,
  page: VersionPage,
): Promise<ShortVersion[]> {
  const { found, order, values } = versionsSql(filter, page);
  const sql = `SELECT ${COLUMNS} FROM (${found}) n CROSS JOIN change c ON c.id = n.id ORDER BY ${order("n")}`;
  return rows<ShortVersion>(database, { sql, values });
}

const COLUMNS = "n.key, n.revision, n.created, c.id, c.kind, c.comment, c.bot, c.author, c.ip";

interface VersionsSql extends Pick<Statement, "values"> {
  /** Revisions by the number of their change (`id`), with the size of what it says (`bytes`). */
  readonly found: string;
  /** Their order under a name. */
  readonly order: (name: string) => string;
}

/** Latest revisions and superseded ones stand in two tables; either part is cut off before they are joined. */
function versionsSql(filter: VersionFilter, page: VersionPage): VersionsSql {
  const { where, values } = conditions(filter);
  const direction = page.descending ? "DESC" : "ASC";
  const ordered = (columns: readonly string[]): string =>
    columns.map((column) => `${column} ${direction}`).join(", ");
  const order = (columns: readonly string[]): string => `ORDER BY ${ordered(columns)}`;
  const [latest, superseded, both] =
    filter.key === undefined
      ? [
          ["r.change_id", "r.id"],
          ["v.change_id", "v.record_id", "v.revision"],
          ["id", "record_id", "revision"],
        ]
      : [["r.revision"], ["v.revision"], ["revision"]];
  const [limit, offset] = [`?${values.length + 1}`, `?${values.length + 2}`];
  const cut = `LIMIT ${limit} + ${offset}`;
  return {
    found: `
          SELECT * FROM (
            SELECT * FROM (SELECT r.key, r.revision, c.id, ${CHANGE_BYTES} AS bytes, r.last_modified AS created, r.id AS record_id
              FROM record r JOIN change c ON c.id = r.change_id ${where("r")} ${order(latest)} ${cut})
            UNION ALL
            SELECT * FROM (SELECT r.key, v.revision, c.id, ${CHANGE_BYTES} AS bytes, v.last_modified AS created, v.record_id
              FROM revision v JOIN record r ON r.id = v.record_id JOIN change c ON c.id = v.change_id
              ${where("v")} ${order(superseded)} ${cut}))
          ${order(both)} LIMIT ${limit} OFFSET ${offset}`,
    order: (name) => ordered(both.map((column) => `${name}.${column}`)),
    values: [...values, page.limit, page.offset],
  };
}

type Where = (revisions: "r" | "v") => string;

function conditions(filter: VersionFilter): { where: Where; values: (string | number)[] } {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    parts.push(`${sql} ?${values.length}`);
  };
  add("r.key =", filter.key);
  add("r.type =", filter.type);
  add("v.revision =", filter.revision);
  add("c.author =", filter.author);
  add("c.ip =", filter.ip);
  add("c.comment =", filter.comment);
  add("v.last_modified =", filter.created);
  add("c.bot =", filter.bot === undefined ? undefined : Number(filter.bot));
  const sql = parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`;
  return { where: (revisions) => sql.replaceAll("v.", `${revisions}.`), values };
}
