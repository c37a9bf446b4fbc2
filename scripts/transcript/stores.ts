// Compares the files of the stores, all of them SQLite databases and blobs, with those of a world.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Caches of answers and images, and the index of objects: nothing that a request leaves behind. */
const NOT_COMPARED = /^(?:cache|images)\/|\/metadata\.sqlite$/;
/** Tables of the runtime, and those in which FTS5 keeps its index. */
const TABLES_NOT_COMPARED = /^_cf_METADATA$|_text_\w+_(?:data|idx|docsize|content|config)$/;
/** Columns that the local runtime fills by its own clock and random numbers, and the time of a session's last use. */
const COLUMNS_NOT_COMPARED = new Set(["version", "uploaded", "expiration", "seen"]);

/** Writes the logs of all databases into their files, so that copies of a file are whole. */
export function flushLogs(folder: string) {
  for (const file of databasesIn(folder)) {
    const database = new DatabaseSync(path.join(folder, file));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  }
}

/**
 * Lists the rows that a folder has more (`+`) or less (`-`) than the world. `clean` remembers the stamps of databases whose
 * rows are the same.
 */
export function changesOf(live: string, world: string, clean: Map<string, string>): string[] {
  return databasesIn(live).flatMap((file) => {
    const [here, there] = [path.join(live, file), path.join(world, file)];
    const stamp = stampOf(here);
    if (NOT_COMPARED.test(file) || stamp === stampOf(there) || stamp === clean.get(file)) return [];
    const changes = databaseChanges(file, here, there);
    if (changes.length === 0) clean.set(file, stamp);
    return changes;
  });
}

function databasesIn(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".sqlite"),
  );
}

/** Sizes and times of a database and its log: another stamp means that it was written. */
function stampOf(file: string) {
  const stats = [file, `${file}-wal`].map((name) => statSync(name, { throwIfNoEntry: false }));
  return stats
    .flatMap((one) => (one === undefined || one.size === 0 ? [] : [`${one.size} ${one.mtimeMs}`]))
    .join();
}

function databaseChanges(name: string, live: string, world: string): string[] {
  const database = new DatabaseSync(live, { readOnly: true });
  try {
    const hasWorld = existsSync(world);
    if (hasWorld) database.prepare("ATTACH ? AS world").run(world);
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .all()
      .map((row) => String(row["name"]))
      .filter((table) => !TABLES_NOT_COMPARED.test(table));
    const known = new Set(
      hasWorld
        ? database
            .prepare("SELECT name FROM world.sqlite_schema")
            .all()
            .map((row) => String(row["name"]))
        : [],
    );
    return tables.flatMap((table) => {
      const [here, there] = [`main."${table}"`, `world."${table}"`];
      const rows = (sql: string) => {
        const statement = database.prepare(sql);
        statement.setReadBigInts(true);
        return statement.all();
      };
      const columns = database
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all()
        .flatMap(({ name: column }) =>
          COLUMNS_NOT_COMPARED.has(String(column)) ? [] : [`"${String(column)}"`],
        )
        .join();
      const [all, before] = [`SELECT ${columns} FROM ${here}`, `SELECT ${columns} FROM ${there}`];
      const more = known.has(table) ? `${all} EXCEPT ${before}` : all;
      const less = known.has(table) ? rows(`${before} EXCEPT ${all}`) : [];
      const line = (sign: string, folder: string) => (row: Record<string, unknown>) =>
        `${sign} ${labelOf(name)} ${table} ${rowText(row, path.dirname(folder))}`;
      return rows(more)
        .map(line("+", live))
        .concat(less.map(line("-", world)));
    });
  } finally {
    database.close();
  }
}

/** Shortens `do/carrel-Patron/<64 digits>.sqlite`. */
function labelOf(file: string) {
  return file
    .replace(/\.sqlite$/, "")
    .replace(/^(?:do|d1|kv|r2)\/(?:carrel-|miniflare-)?/, "")
    .replace(/([0-9a-f]{8})[0-9a-f]{56}/, "$1");
}

function rowText(row: Record<string, unknown>, folder: string) {
  const members = Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
    if (column === "blob_id" && typeof value === "string") return [["blob", blobText(folder, value)]];
    if (typeof value === "bigint") return [[column, value.toString()]];
    return [[column, value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value]];
  });
  return JSON.stringify(Object.fromEntries(members));
}

function blobText(folder: string, id: string) {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(id));
  return found === undefined ? "" : readFileSync(path.join(folder, found), "latin1");
}
