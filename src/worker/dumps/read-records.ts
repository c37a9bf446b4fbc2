import * as z from "zod";
import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import { isDumpedKey, recordLine } from "../../catalog/dumps/dump-lines.ts";
import { sectionOfType } from "../../catalog/dumps/dump-files.ts";
import { readChangeAfterLoad } from "../../db/dumps/read-dumps.ts";
import { readChanged, readNewest, readSuperseded } from "../../db/dumps/read-records.ts";
import { takeTurns } from "../http/queue.ts";
import { Chunk } from "./chunk.ts";
import type { DumpLimits } from "./limits.ts";
import { type DumpWork, type StageStep, workObject } from "./step.ts";

/** Bytes of documents that one statement reads. */
const READ_BYTES = 2_000_000;
/** Statements of a step that find nothing for the dump, one after the other: very many records may have come since. */
export const EMPTY_READS = 20;
/** How long after its beginning a dump begins anew, in milliseconds, when a load came while it was made. */
export const DUMP_ANEW_MS = 21_600_000;
/** Above all numbers of revisions. */
const ALL_REVISIONS = 2 ** 31;

/**
 * After which key newest revisions are read next. `old`: first the superseded ones up to that key are, beginning after this
 * one.
 */
const positionSchema = z.object({
  after: z.string().default(""),
  old: z.object({ key: z.string(), revision: z.int() }).nullable().default(null),
});

/** Packs a chunk of newest revisions by key, or of superseded ones: those of the same records follow each chunk. */
export async function readRecords(work: DumpWork, position: unknown): Promise<StageStep> {
  const { after, old } = positionSchema.parse(position);
  return old === null ? newest(work, after) : superseded(work, { to: after, ...old });
}

async function newest(work: DumpWork, after: string): Promise<StageStep> {
  const { stores, settings, dump, limits } = work;
  const chunk = new Chunk(limits);
  let last = after;
  for (let reads = 1; !chunk.isFull; reads += 1) {
    const found = await readNewest(
      stores.catalog,
      { after: last, upTo: dump.change_id },
      bounds(chunk, limits),
    );
    if (found.length === 0) break;
    for (const row of found) {
      last = row.key;
      if (row.revision === null || !isDumpedKey(row.key, settings.RECORD_PREFIX)) continue;
      const { type, line } = recordLine(row);
      chunk.add(sectionOfType(type), line);
      if (chunk.isFull) break;
    }
    // Nothing older of these is for the dump either.
    if (chunk.isEmpty && reads >= EMPTY_READS) return { position: { after: last } };
    await takeTurns();
  }
  if (last === after) return ended(work);
  const members = await chunk.store(stores.archive, workObject(work));
  return { position: { after: last, old: { key: after, revision: ALL_REVISIONS } }, members };
}

/**
 * Every record was read. What a load has changed meanwhile nobody can tell apart any more (Q424), so the dump begins
 * anew then (Q505), for some hours.
 */
async function ended({ stores, sources, dump }: DumpWork): Promise<StageStep> {
  if (sources.now() >= datetimeMilliseconds(dump.begun) + DUMP_ANEW_MS) return { position: null };
  const change = await readChangeAfterLoad(stores.catalog, dump.change_id);
  return change === undefined ? { position: null } : { position: {}, anewAsOf: change };
}

async function superseded(
  work: DumpWork,
  range: { readonly key: string; readonly revision: number; readonly to: string },
): Promise<StageStep> {
  const { stores, settings, dump, limits } = work;
  const chunk = new Chunk(limits);
  let last = range;
  let isOver = false;
  while (!chunk.isFull) {
    const found = await readSuperseded(
      stores.catalog,
      { ...last, upTo: dump.change_id },
      bounds(chunk, limits),
    );
    isOver = found.length === 0;
    if (isOver) break;
    for (const row of found) {
      last = { ...range, key: row.key, revision: row.revision };
      if (!isDumpedKey(row.key, settings.RECORD_PREFIX)) continue;
      chunk.add("superseded", recordLine(row).line);
      if (chunk.isFull) break;
    }
    await takeTurns();
  }
  const { to: after, ...old } = last;
  const members = await chunk.store(stores.archive, workObject(work));
  return { position: { after, old: isOver ? null : old }, members };
}

/** What the next statement may read: no more than fits into the chunk. */
function bounds({ room }: Chunk, { statementRecords }: DumpLimits): { records: number; bytes: number } {
  return { records: Math.min(room.lines, statementRecords), bytes: Math.min(room.bytes, READ_BYTES) };
}

/** After which revision of the log reading goes on. */
const changePositionSchema = z.object({ change: z.int(), id: z.int(), revision: z.int() });

/** Packs a chunk of the revisions that the changes of a day made, in the order of the log. */
export async function readChanges(work: DumpWork, position: unknown): Promise<StageStep> {
  const { stores, settings, dump, limits } = work;
  const before = { change: dump.after_change + 1, id: 0, revision: 0 };
  const start = changePositionSchema.safeParse(position).data ?? before;
  const chunk = new Chunk(limits);
  let last = start;
  for (let reads = 1; !chunk.isFull; reads += 1) {
    const found = await readChanged(stores.catalog, { ...last, upTo: dump.change_id }, bounds(chunk, limits));
    if (found.length === 0) break;
    for (const row of found) {
      last = { change: row.change, id: row.id, revision: row.revision };
      if (!isDumpedKey(row.key, settings.RECORD_PREFIX)) continue;
      chunk.add("changes", recordLine(row).line);
      if (chunk.isFull) break;
    }
    if (chunk.isEmpty && reads >= EMPTY_READS) return { position: last };
    await takeTurns();
  }
  if (last === start) return { position: null };
  return { position: last, members: await chunk.store(stores.archive, workObject(work)) };
}
