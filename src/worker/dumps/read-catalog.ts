import * as z from "zod";
import { parseDatetime } from "../../catalog/datetime.ts";
import {
  isDumpedKey,
  formatRatingLine,
  formatReadingLogLine,
  formatRecordLine,
} from "../../catalog/dumps/dump-lines.ts";
import { type Section, sectionOfType } from "../../catalog/dumps/dump-files.ts";
import { readChangeAfterLoad } from "../../db/dumps/read-dumps.ts";
import { readChanged, readNewest, readSuperseded } from "../../db/dumps/read-records.ts";
import { yieldToTasks } from "../http/queue.ts";
import { type DumpContext, type DumpLimits, type StepResult, Chunk, workObjectOf } from "./dump-step.ts";
import {
  type DumpPage,
  type DumpWish,
  DUMP_START,
  readLoggedRows,
  readRatedRows,
} from "../../db/dumps/read-activity.ts";
import type { Database } from "../../db/statement.ts";

const READ_BYTES = 2_000_000;
/** Maximum consecutive statements per step that find nothing for the dump: many records may be newer than it. */
export const EMPTY_READS = 20;
/** Time in milliseconds within which a dump restarts if a bulk load ran while it was made. */
export const DUMP_ANEW_MS = 21_600_000;
const ALL_REVISIONS = 2 ** 31;

/** Newest revisions follow the key `after`; superseded ones up to that key follow `old`, and are read first. */
const recordPositionSchema = z.object({
  after: z.string().default(""),
  old: z.object({ key: z.string(), revision: z.int() }).nullable().default(null),
});

export async function readDumpRecords(context: DumpContext, position: unknown): Promise<StepResult> {
  const { after, old } = recordPositionSchema.parse(position);
  return old === null ? readNewestChunk(context, after) : readSupersededChunk(context, { to: after, ...old });
}

async function readNewestChunk(context: DumpContext, after: string): Promise<StepResult> {
  const { stores, settings, dump, limits } = context;
  const chunk = new Chunk(limits);
  let last = after;
  for (let reads = 1; !chunk.isFull; reads += 1) {
    const rows = await readNewest(
      stores.catalog,
      { after: last, upTo: dump.change_id },
      readBounds(chunk, limits),
    );
    if (rows.length === 0) break;
    for (const row of rows) {
      last = row.key;
      if (row.revision === null || !isDumpedKey(row.key, settings.RECORD_PREFIX)) continue;
      const { type, line } = formatRecordLine(row);
      chunk.add(sectionOfType(type), line);
      if (chunk.isFull) break;
    }
    // Superseded revisions of these records are too new as well.
    if (chunk.isEmpty && reads >= EMPTY_READS) return { position: { after: last } };
    await yieldToTasks();
  }
  if (last === after) {
    // Changes of a bulk load cannot be told apart afterwards (Q424), so a dump during which one ran restarts (Q505), within
    // `DUMP_ANEW_MS`.
    if (context.sources.now() >= parseDatetime(dump.begun) + DUMP_ANEW_MS) return { position: null };
    const change = await readChangeAfterLoad(stores.catalog, dump.change_id);
    return change === undefined ? { position: null } : { position: {}, anewAsOf: change };
  }
  const members = await chunk.store(stores.archive, workObjectOf(context));
  return { position: { after: last, old: { key: after, revision: ALL_REVISIONS } }, members };
}

async function readSupersededChunk(
  context: DumpContext,
  range: { key: string; revision: number; to: string },
): Promise<StepResult> {
  const { stores, settings, dump, limits } = context;
  const chunk = new Chunk(limits);
  let last = range;
  let isDone = false;
  while (!chunk.isFull) {
    const rows = await readSuperseded(
      stores.catalog,
      { ...last, upTo: dump.change_id },
      readBounds(chunk, limits),
    );
    isDone = rows.length === 0;
    if (isDone) break;
    for (const row of rows) {
      last = { ...range, key: row.key, revision: row.revision };
      if (!isDumpedKey(row.key, settings.RECORD_PREFIX)) continue;
      chunk.add("superseded", formatRecordLine(row).line);
      if (chunk.isFull) break;
    }
    await yieldToTasks();
  }
  const { to: after, ...old } = last;
  const members = await chunk.store(stores.archive, workObjectOf(context));
  return { position: { after, old: isDone ? null : old }, members };
}

function readBounds({ room }: Chunk, { statementRecords }: DumpLimits): { records: number; bytes: number } {
  return { records: Math.min(room.lines, statementRecords), bytes: Math.min(room.bytes, READ_BYTES) };
}

const changePositionSchema = z.object({ change: z.int(), id: z.int(), revision: z.int() });

export async function readDumpChanges(context: DumpContext, position: unknown): Promise<StepResult> {
  const { stores, settings, dump, limits } = context;
  const before = { change: dump.after_change + 1, id: 0, revision: 0 };
  const start = changePositionSchema.safeParse(position).data ?? before;
  const chunk = new Chunk(limits);
  let last = start;
  for (let reads = 1; !chunk.isFull; reads += 1) {
    const rows = await readChanged(
      stores.catalog,
      { ...last, upTo: dump.change_id },
      readBounds(chunk, limits),
    );
    if (rows.length === 0) break;
    for (const row of rows) {
      last = { change: row.change, id: row.id, revision: row.revision };
      if (!isDumpedKey(row.key, settings.RECORD_PREFIX)) continue;
      chunk.add("changes", formatRecordLine(row).line);
      if (chunk.isFull) break;
    }
    if (chunk.isEmpty && reads >= EMPTY_READS) return { position: last };
    await yieldToTasks();
  }
  if (last === start) return { position: null };
  return { position: last, members: await chunk.store(stores.archive, workObjectOf(context)) };
}

/** Target rows per step, at most twice as many; fewer after `ACTIVITY_PAGES` pages among many other rows. */
const ACTIVITY_ROWS = 10_000;
const ACTIVITY_PAGES = 10;

const activityPositionSchema = z.object({
  after: z.object({ work: z.int(), patron: z.string() }).default(DUMP_START),
});

export const readRatings = createActivityStage("ratings", readRatedRows, formatRatingLine);
export const readReadingLog = createActivityStage("reading-log", readLoggedRows, formatReadingLogLine);

/** Creates the stage of an anonymous file of patron activity. */
function createActivityStage<Row>(
  section: Section,
  read: (patrons: Database, query: DumpWish) => Promise<DumpPage<Row>>,
  line: (row: Row, prefix: string) => string,
) {
  return async (context: DumpContext, position: unknown): Promise<StepResult> => {
    const { stores, settings, dump, limits } = context;
    let { after } = activityPositionSchema.parse(position);
    const until = parseDatetime(dump.begun);
    const rows: Row[] = [];
    let isDone = false;
    for (let pages = 0; pages < ACTIVITY_PAGES && rows.length < ACTIVITY_ROWS && !isDone; pages += 1) {
      const page = await read(stores.patrons, { after, until, limit: ACTIVITY_ROWS });
      rows.push(...page.rows);
      isDone = page.next === null;
      after = page.next ?? after;
    }
    const chunk = new Chunk(limits);
    // Q423: sorted, so that the order does not depend on patrons.
    const lines = rows.map((row) => `${line(row, settings.RECORD_PREFIX)}\n`).toSorted();
    for (const text of lines) chunk.add(section, text);
    const members = await chunk.store(stores.archive, workObjectOf(context));
    return { position: isDone ? null : { after }, members };
  };
}
