import { all, storedValues } from "./storage.ts";

type TableRow = Readonly<Record<string, string | number | null>>;
/** Rows of an object's tables by the name of the table. */
export type ObjectTables = Readonly<Record<string, readonly TableRow[]>>;

/** Place in the rows of an object: the next row of a table. */
export interface RowPlace {
  readonly table: string;
  readonly row: number;
}

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'step'
  AND substr(name, 1, 4) <> '_cf_' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`;

/** Returns the names of an object's own tables, which are from its schema. */
function tablesOf(sql: SqlStorage): string[] {
  return storedValues<string>(sql, TABLES);
}

/** Reads rows of all tables but some from a place on, until they have about `bytes` as JSON. `next` is null at the end. */
export function readTables(
  sql: SqlStorage,
  { without, from, bytes }: { without: readonly string[]; from: RowPlace | null; bytes: number },
): { readonly tables: ObjectTables; readonly next: RowPlace | null } {
  const tables: Record<string, TableRow[]> = {};
  let size = 0;
  for (const name of tablesOf(sql)) {
    if (without.includes(name) || (from !== null && name < from.table)) continue;
    let row = name === from?.table ? from.row : 0;
    const rows: TableRow[] = (tables[name] = []);
    for (const values of sql.exec<Record<string, string | number | null>>(
      `SELECT * FROM "${name}" LIMIT -1 OFFSET ?`,
      row,
    )) {
      if (size >= bytes) return { tables, next: { table: name, row } };
      size += JSON.stringify(values).length;
      rows.push(values);
      row += 1;
    }
  }
  return { tables, next: null };
}

/** Deletes the rows of all tables but some. */
export function emptyTables(sql: SqlStorage, without: readonly string[]): void {
  for (const name of tablesOf(sql)) if (!without.includes(name)) sql.exec(`DELETE FROM "${name}"`);
}

/** Writes rows that `readTables` has read, also of an earlier schema. Throws for tables and columns that do not exist. */
export function writeObjectTables(sql: SqlStorage, tables: ObjectTables): void {
  const known = new Map(
    tablesOf(sql).map((name) => [
      name,
      new Set(storedValues<string>(sql, "SELECT name FROM pragma_table_info(?)", name)),
    ]),
  );
  for (const [name, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const columns = Object.keys(row);
      const strange = columns.find((column) => known.get(name)?.has(column) !== true);
      if (strange !== undefined) throw new RangeError(`no column ${name}.${strange}`);
      const places = columns.map(() => "?").join(", ");
      const names = columns.map((column) => `"${column}"`).join(", ");
      all(sql, `INSERT OR REPLACE INTO "${name}" (${names}) VALUES (${places})`, ...Object.values(row));
    }
  }
}
