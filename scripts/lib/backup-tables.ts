import { createWriteStream } from "node:fs";
import { appendFile, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandError } from "./command.ts";
import { openDump, splitLines } from "./lines.ts";
import { type Wrangler, answerOf } from "./wrangler.ts";

/** Tables of `CATALOG` that the log of changes fills, or that are made anew of what it fills. */
export const LOG_TABLES = [
  "change",
  "change_data",
  "record",
  "revision",
  "property",
  "identifier",
  "edition_language",
  "projection",
  "expectation",
  "index_backfill",
  "dump",
  "dump_file",
  "dump_member",
];

/** The others: what is not in the log of changes. Of `sequence` the log fills a part. */
export const OTHER_TABLES = [
  "sequence",
  "item",
  "lookup",
  "service_state",
  "merge_job",
  "merge_request",
  "import_batch",
  "import_item",
  "cover",
  "cover_log",
  "removed_revision",
];

/** File of a backup with these. */
export const CATALOG_FILE = "catalog-tables.sql";

/** Longest statement that D1 takes, in bytes. An export has one a row, whatever its length. */
const STATEMENT_BYTES_MAX = 100_000;
const DUMPED_COVER_LOG = 'INSERT INTO "cover_log" ';

/**
 * Exports what is not in the log of changes by Wrangler: all of `PATRONS`, and the other tables of `CATALOG`.
 * `account`: configuration of the deployed service; whether it has its catalog in no D1. Returns the files, and how
 * many rows each lacks because D1 would not take them.
 */
export async function exportTables(
  folder: string,
  {
    wrangler,
    config,
    isCatalogElsewhere = false,
  }: { wrangler: Wrangler; config: string; isCatalogElsewhere?: boolean },
): Promise<{ file: string; left: number }[]> {
  const common = ["--remote", "--skip-confirmation", "--config", config];
  const tables = OTHER_TABLES.flatMap((name) => ["--table", name]);
  const exports = [
    { file: "patrons.sql", args: ["d1", "export", "PATRONS", ...common] },
    { file: CATALOG_FILE, args: ["d1", "export", "CATALOG", ...common, "--no-schema", ...tables] },
  ].slice(0, isCatalogElsewhere ? 1 : 2);
  const made = [];
  for (const { file, args } of exports) {
    const raw = path.join(folder, `${file}.raw`);
    await answerOf(wrangler, [...args, "--output", raw]);
    made.push({ file, left: await makeReadable(raw, path.join(folder, file)) });
    await rm(raw);
  }
  return made;
}

/**
 * Makes a file of an export that can be read into a service whose tables are not quite empty. Numbers that were given
 * out are not given out again, whatever the log says: the higher one holds. Rows of `cover_log` come last and alone,
 * because covers that are stored are logged anew. Rows that D1 does not take are put aside. Line by line, as an export
 * may be larger than a text can be. Returns how many rows were put aside.
 */
export async function makeReadable(raw: string, file: string): Promise<number> {
  let left = 0;
  let hasCovers = false;
  await Promise.all([file, asideOf(file)].map((one) => rm(one, { force: true })));
  await addLines(file, raw, (line) => {
    hasCovers ||= startsWith(line, DUMPED_COVER_LOG);
    left += isTooLong(line) ? 1 : 0;
    return isTooLong(line) || startsWith(line, DUMPED_COVER_LOG) ? undefined : withHigherNumber(line);
  });
  if (hasCovers) {
    await appendFile(file, 'DELETE FROM "cover_log";\n');
    await addLines(file, raw, (line) => (startsWith(line, DUMPED_COVER_LOG) ? line : undefined));
  }
  if (left > 0) await addLines(asideOf(file), raw, (line) => (isTooLong(line) ? line : undefined));
  return left;
}

/** Where rows are that D1 does not take. */
export const asideOf = (file: string) => file.replace(/\.sql$/, "-too-long.sql");

const isTooLong = (line: Buffer) => line.length > STATEMENT_BYTES_MAX && startsWith(line, "INSERT ");

function withHigherNumber(line: Buffer) {
  if (!startsWith(line, 'INSERT INTO "sequence" ')) return line;
  return line
    .toString()
    .replace(/;$/, " ON CONFLICT (name) DO UPDATE SET value = max(sequence.value, excluded.value);");
}

/** `start`: ASCII. */
function startsWith(line: Buffer, start: string) {
  return line.toString("latin1", 0, start.length) === start;
}

/**
 * Adds the lines of a source, as they are to be, to a file for its owner alone; those that become undefined are left
 * out.
 */
function addLines(file: string, source: string, changed: (line: Buffer) => Buffer | string | undefined) {
  return pipeline(ended(linesOf(source, changed)), createWriteStream(file, { flags: "a", mode: 0o600 }));
}

async function* ended(lines: AsyncIterable<Buffer | string>) {
  for await (const line of lines) yield* [line, "\n"];
}

/** Lines of a file, as they are to be. */
export async function* linesOf(source: string, changed: (line: Buffer) => Buffer | string | undefined) {
  for await (const { number, text } of splitLines(openDump(source).stream)) {
    if (text === undefined) throw new CommandError(`${source}: line ${number} is too long.`);
    const line = changed(text);
    if (line !== undefined) yield line;
  }
}
