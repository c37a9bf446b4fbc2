import { MIB } from "../../catalog/units.ts";
import { PLATFORM } from "../platform-limits.ts";
import { type Database, type Statement, batchRows, rows } from "../statement.ts";

export type BackupRow = Readonly<Record<string, string | number | null>>;

interface TableRule {
  /** Columns of the primary key. */
  readonly keys: readonly [string, ...string[]];
  /** Column whose values can be long. */
  readonly long?: string;
  /** SQL condition of the rows that a backup has. */
  readonly within?: string;
  /** Column of which the higher value wins, so that no number is given out twice. */
  readonly highest?: string;
  /** True if the restored rows replace those that triggers have written. */
  readonly isReplaced?: boolean;
}

/**
 * Tables that are in backups row by row, in the order in which they are restored: what neither the log of changes nor the
 * objects of patrons and loans have. `service_state` comes last, because it may forbid to write.
 */
export const BACKUP_TABLES: Readonly<Record<"catalog" | "patrons", Readonly<Record<string, TableRule>>>> = {
  catalog: {
    sequence: { keys: ["name"], highest: "value" },
    item: { keys: ["ocaid"] },
    merge_request: { keys: ["id"], long: "comments" },
    merge_job: { keys: ["id"] },
    proposal: { keys: ["id"], long: "changes" },
    import_batch: { keys: ["id"] },
    import_item: { keys: ["id"], long: "data" },
    cover: { keys: ["id"] },
    cover_log: { keys: ["id"], isReplaced: true },
    removed_revision: { keys: ["key", "revision"], long: "document" },
    service_state: { keys: ["name"] },
  },
  patrons: {
    account: { keys: ["username_folded"] },
    api_key: { keys: ["username_folded"] },
    oauth_client: { keys: ["id"] },
    removed_account: { keys: ["username_hash"] },
    store_rev: { keys: ["id"], highest: "value" },
    store_document: { keys: ["key"], long: "document" },
    store_index: { keys: ["key", "name", "value"] },
    award_number: { keys: ["id"], highest: "value" },
    // Works of removed accounts, under names that no object has.
    patron_work: {
      keys: ["patron", "work_id"],
      within: "patron > 'anonymous-' AND patron < 'anonymous.'",
    },
    lending_item: { keys: ["ocaid"] },
    loan: { keys: ["uuid"] },
    loan_history: { keys: ["patron", "ocaid"] },
    waiting_loan: { keys: ["ocaid", "number"] },
    lending_change: { keys: ["uid"] },
    work_move: { keys: ["from_id"] },
    removal: { keys: ["id"] },
    import_job: { keys: ["username_folded"] },
    log_visibility: { keys: ["publisher"] },
    work_trend: { keys: ["work_id"] },
    activity_state: { keys: ["name"] },
    audit: { keys: ["id"] },
  },
};
export type BackupStore = keyof typeof BACKUP_TABLES;

/** Rows of a page, and bytes of its long values: D1 limits the result of a statement. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 4 * MIB;

/** Returns the rule of a table; undefined if it is not in backups. */
export function tableRule(store: BackupStore, table: string): TableRule | undefined {
  return Object.hasOwn(BACKUP_TABLES[store], table) ? BACKUP_TABLES[store][table] : undefined;
}

/** Reads rows of a table after the key of a row. `next` is the key of the last one, if there may be more. One statement. */
export async function readTablePage(
  database: Database,
  { table, rule, after }: { table: string; rule: TableRule; after: readonly (string | number)[] | null },
): Promise<{ rows: BackupRow[]; next: (string | number | null)[] | null }> {
  const { keys, long, within } = rule;
  const key = keys.join(", ");
  const conditions = [
    ...(within === undefined ? [] : [within]),
    ...(after === null ? [] : [`(${key}) > (${keys.map((_, place) => `?${place + 1}`).join(", ")})`]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const page = `FROM ${table} ${where} ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
  // The lengths are added up before any long value is read.
  const sql =
    long === undefined
      ? `SELECT * ${page}`
      : `SELECT t.* FROM (SELECT ${key}, sum(bytes) OVER (ORDER BY ${key}) - bytes AS before
           FROM (SELECT ${key}, coalesce(octet_length(${long}), 0) AS bytes ${page}) p) f
         JOIN ${table} t ON ${keys.map((name) => `t.${name} = f.${name}`).join(" AND ")}
         WHERE f.before < ${PAGE_BYTES} ORDER BY ${keys.map((name) => `t.${name}`).join(", ")}`;
  const found = await rows<BackupRow>(database, { sql, values: [...(after ?? [])] });
  const last = found.at(-1);
  const isLast = last === undefined || (long === undefined && found.length < PAGE_ROWS);
  return { rows: found, next: isLast ? null : keys.map((name) => last[name] ?? null) };
}

/**
 * Writes rows of a backup, in one transaction; rows with the same keys are replaced. Throws a RangeError for columns that
 * the table does not have.
 */
export async function writeTableRows(
  database: Database,
  {
    table,
    rule,
    written,
    isFirst,
  }: { table: string; rule: TableRule; written: readonly BackupRow[]; isFirst: boolean },
): Promise<void> {
  const statements: Statement[] = [];
  if (isFirst && rule.isReplaced === true) statements.push({ sql: `DELETE FROM ${table}`, values: [] });
  for (const group of groupsOf(written)) {
    const columns = Object.keys(group[0] ?? {});
    if (columns.length === 0 || columns.length > PLATFORM.D1_BOUND_VALUES_MAX)
      throw new RangeError("not the columns of a table");
    const strange = columns.find((name) => !/^[a-z][a-z0-9_]*$/.test(name));
    if (strange !== undefined) throw new RangeError(`no column ${strange}`);
    let place = 0;
    const lines = group.map(
      (row) =>
        `(${Object.values(row)
          .map(() => `?${(place += 1)}`)
          .join(", ")})`,
    );
    const others = columns.filter((name) => !rule.keys.includes(name));
    const sets = others.map((name) =>
      name === rule.highest
        ? `${name} = CASE WHEN excluded.${name} > ${table}.${name} THEN excluded.${name} ELSE ${table}.${name} END`
        : `${name} = excluded.${name}`,
    );
    const action = sets.length === 0 ? "DO NOTHING" : `DO UPDATE SET ${sets.join(", ")}`;
    statements.push({
      sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${lines.join(", ")}
            ON CONFLICT (${rule.keys.join(", ")}) ${action}`,
      values: group.flatMap((row) => Object.values(row)),
    });
  }
  await batchRows(database, statements);
}

/** Groups rows with the same columns, as many as one statement can bind. */
function groupsOf(written: readonly BackupRow[]): BackupRow[][] {
  const groups: BackupRow[][] = [];
  let [columns, size] = ["none", 0];
  for (const row of written) {
    const names = Object.keys(row);
    if (String(names) !== columns || size + names.length > PLATFORM.D1_BOUND_VALUES_MAX) {
      groups.push([]);
      [columns, size] = [String(names), 0];
    }
    groups.at(-1)?.push(row);
    size += names.length;
  }
  return groups;
}

/** Counts the rows of all tables that are in backups. One round trip; reads every row. */
export async function countTables(database: Database, store: BackupStore): Promise<Map<string, number>> {
  const names = Object.entries(BACKUP_TABLES[store]);
  const counts = await batchRows(
    database,
    names.map(([table, { within = "1 = 1" }]) => ({
      sql: `SELECT count(*) AS n FROM ${table} WHERE ${within}`,
      values: [],
    })),
  );
  // The rows are those of the statements.
  return new Map(names.map(([name], place) => [name, (counts[place] as { n: number }[])[0]?.n ?? 0]));
}
