import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type Client as PostgresClient, Client, types } from "pg";
import { OTHER_TABLES, linesOf, makeReadable } from "./backup-tables.ts";
import { CommandError } from "./command.ts";

/** Rows that are asked for at once. */
const ROWS_AT_ONCE = 500;
/** As SQLite has them, and not as texts: no number of a catalog is longer. */
types.setTypeParser(20, Number);

/**
 * Writes what is not in the log of changes, all of it as of one moment, into a file like that of a backup. `url`: of
 * the database. Returns how many rows were put aside, because D1 would not take them.
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

/** A value on one line, as D1 writes it. */
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

/** What stands for the end of a line: nothing that is in the text. */
function markOf(end: string, text: string) {
  let mark = JSON.stringify(end).slice(1, -1);
  while (text.includes(mark)) mark += mark.at(-1);
  return mark;
}

/**
 * Stores what an export, or a backup, has beside the log of changes, whole or not at all. `url`: of the database.
 * Returns how many statements that were.
 */
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

/** `char` is a type there, and pragmas are for D1 alone. Texts stay as they are. */
const forPostgres = (line: string) =>
  line.startsWith("PRAGMA ")
    ? undefined
    : line.replaceAll(/'(?:[^']|'')*'|\bchar\(/g, (found) => (found === "char(" ? "chr(" : found));

/** Numbers that rows have brought along are not given out again. */
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
    // What it says names the table and the key, or that nobody answers.
    throw new CommandError(error instanceof Error ? error.message : String(error));
  } finally {
    // A transaction that has not ended ends without effect.
    await client.end();
  }
}
