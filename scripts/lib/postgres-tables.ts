import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type Client as PostgresClient, Client, types } from "pg";
import { OTHER_TABLES, linesOf, makeReadable } from "./backup-tables.ts";
import { CommandError } from "./command.ts";

/** Rows per fetch. */
const ROWS_AT_ONCE = 500;
/** Numbers instead of strings for int8, as in SQLite. The catalog has no larger ones. */
types.setTypeParser(20, Number);

/**
 * Exports the tables that are not in the change log, in one snapshot, to a backup file. Returns the number of rows too
 * long for D1.
 */
export async function exportFromPostgres(url: string, file: string): Promise<number> {
  const raw = `${file}.raw`;
  await connected(url, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await pipeline(rowsOf(client), createWriteStream(raw, { mode: 0o600 }));
  });
  const left = await makeReadable(raw, file);
  await rm(raw);
  return left;
}

async function* rowsOf(client: PostgresClient) {
  for (const table of OTHER_TABLES) {
    await client.query(`DECLARE c CURSOR FOR SELECT * FROM ${table}`);
    for (;;) {
      const { rows, fields } = await client.query({ text: `FETCH ${ROWS_AT_ONCE} FROM c`, rowMode: "array" });
      const start = `INSERT INTO "${table}" (${fields.map(({ name }) => `"${name}"`).join(",")}) VALUES(`;
      for (const row of rows) yield `${start}${row.map(literal).join(",")});\n`;
      if (rows.length < ROWS_AT_ONCE) break;
    }
    await client.query("CLOSE c");
  }
}

/** Formats a value on one line, as D1 does. */
function literal(value: string | number | null) {
  if (typeof value !== "string") return String(value ?? "NULL");
  let [text, sql] = [value.replaceAll("'", "''"), ""];
  const ends = (
    [
      ["\n", 10],
      ["\r", 13],
    ] as const
  ).filter(([end]) => value.includes(end));
  for (const [end, code] of ends) {
    const mark = markOf(end, text);
    text = text.replaceAll(end, mark);
    sql += `,'${mark}',char(${code}))`;
  }
  return `${"replace(".repeat(ends.length)}'${text}'${sql}`;
}

/** Returns a placeholder for newlines that is not in the text. */
function markOf(end: string, text: string) {
  let mark = JSON.stringify(end).slice(1, -1);
  while (text.includes(mark)) mark += mark.at(-1);
  return mark;
}

/** Imports an exported tables file in one transaction. Returns the number of statements. */
export async function importIntoPostgres(url: string, file: string): Promise<number> {
  let count = 0;
  await connected(url, async (client) => {
    await client.query("BEGIN");
    for await (const line of linesOf(file, (text) => forPostgres(text.toString()))) {
      await client.query(line.toString());
      count += 1;
    }
    await passNumbers(client);
    await client.query("COMMIT");
  });
  return count;
}

/** Renames `char`, which is a type in PostgreSQL, and drops pragmas of D1. */
const forPostgres = (line: string) =>
  line.startsWith("PRAGMA ")
    ? undefined
    : line.replaceAll(/'(?:[^']|'')*'|\bchar\(/g, (found) => (found === "char(" ? "chr(" : found));

/** Advances sequences beyond the imported numbers. */
async function passNumbers(client: PostgresClient) {
  const { rows } = await client.query(
    `SELECT table_name AS name, column_name AS id FROM information_schema.columns
     WHERE table_schema = 'public' AND is_identity = 'YES'`,
  );
  for (const { name, id } of rows) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${name}', '${id}'), max(${id})) FROM ${name} HAVING max(${id}) IS NOT NULL`,
    );
  }
}

async function connected(url: string, task: (client: PostgresClient) => Promise<void>) {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await task(client);
  } catch (error) {
    // The message names the table and key, or the connection problem.
    throw new CommandError(error instanceof Error ? error.message : String(error));
  } finally {
    // A transaction that has not ended ends without effect.
    await client.end();
  }
}
