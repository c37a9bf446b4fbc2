import { createWriteStream } from "node:fs";
import { appendFile, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandError } from "./command.ts";
import { openDump, splitLines } from "./lines.ts";
import { type Wrangler, answerOf } from "./wrangler.ts";

/** Tables of `CATALOG` that the change log fills, or that are derived from those. */
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

/** Tables of `CATALOG` that are not in the change log, or, like `sequence`, only partly. */
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

export const CATALOG_FILE = "catalog-tables.sql";

/** Maximum statement length of D1 in bytes. Exports have one statement per row, even if it is longer. */
const STATEMENT_BYTES_MAX = 100_000;
const DUMPED_COVER_LOG = 'INSERT INTO "cover_log" ';

/**
 * Exports all of `PATRONS` and the tables of `CATALOG` that are not in the change log, with Wrangler. `config` is the
 * configuration file of the deployed service. Returns the files, and how many rows too long for D1 each one lacks.
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
 * Converts an export into a file that can be imported into tables that are not empty. The higher value of a sequence
 * wins, so that no number is assigned twice. Rows of `cover_log` come last and replace the existing ones, because
 * storing covers logs them again. Rows too long for D1 go to a second file. Works line by line, since an export can
 * exceed the maximum string length. Returns the number of rows in the second file.
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

/** Returns the file with the rows too long for D1. */
export const asideOf = (file: string) => file.replace(/\.sql$/, "-too-long.sql");

const isTooLong = (line: Buffer) => line.length > STATEMENT_BYTES_MAX && startsWith(line, "INSERT ");

function withHigherNumber(line: Buffer) {
  if (!startsWith(line, 'INSERT INTO "sequence" ')) return line;
  return line
    .toString()
    .replace(/;$/, " ON CONFLICT (name) DO UPDATE SET value = max(sequence.value, excluded.value);");
}

function startsWith(line: Buffer, start: string) {
  return line.toString("latin1", 0, start.length) === start;
}

/** Appends the transformed lines of a source to a file with mode 600. Lines transformed to undefined are dropped. */
function addLines(file: string, source: string, changed: (line: Buffer) => Buffer | string | undefined) {
  return pipeline(
    withNewlines(linesOf(source, changed)),
    createWriteStream(file, { flags: "a", mode: 0o600 }),
  );
}

async function* withNewlines(lines: AsyncIterable<Buffer | string>) {
  for await (const line of lines) yield* [line, "\n"];
}

/** Yields the transformed lines of a file. */
export async function* linesOf(source: string, changed: (line: Buffer) => Buffer | string | undefined) {
  for await (const { number, text } of splitLines(openDump(source).stream)) {
    if (text === undefined) throw new CommandError(`${source}: line ${number} is too long.`);
    const line = changed(text);
    if (line !== undefined) yield line;
  }
}
