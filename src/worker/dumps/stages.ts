import * as z from "zod";
import { type DumpKind, folderOf } from "../../catalog/dumps/dump-files.ts";
import { coverLine } from "../../catalog/dumps/dump-lines.ts";
import type { DumpRow } from "../../db/dumps/read-dumps.ts";
import { forgetMembers } from "../../db/dumps/write-dumps.ts";
import { madeFiles } from "../../db/dumps/read-files.ts";
import { readDumpedCovers } from "../../db/dumps/read-records.ts";
import { Chunk } from "./chunk.ts";
import { abortUpload, composeFiles, unfinishedSchema } from "./compose.ts";
import { readRatings, readReadingLog } from "./read-activity.ts";
import { readChanges, readRecords } from "./read-records.ts";
import { type DumpWork, type StageStep, workFolder, workObject } from "./step.ts";
import { writeTables } from "./tables.ts";
import { verifyFiles } from "./verify.ts";

/** What a dump that has failed was uploading. */
const cleaningSchema = z.object({ unfinished: unfinishedSchema.optional() });

/**
 * Deletes what a dump was put together of, and its files too unless they are served. What is not deleted in one step is in
 * the next one. An upload that was not finished is given up, so that its parts go too.
 */
async function cleanDump({ stores, dump }: DumpWork, position: unknown): Promise<StageStep> {
  const { unfinished } = cleaningSchema.parse(position);
  if (unfinished !== undefined) await abortUpload(stores.archive, unfinished);
  const isServed = dump.state === "published";
  const folders = isServed ? [] : [`${folderOf(dump.kind, dump.date)}/`];
  for (const prefix of [workFolder(dump), ...folders]) {
    const { objects, truncated } = await stores.archive.list({ prefix });
    if (objects.length > 0) await stores.archive.delete(objects.map(({ key }) => key));
    if (truncated) return { position: {} };
  }
  await forgetMembers(stores.catalog, dump.id, !isServed);
  return { position: null };
}

/** Puts what a dump consists of beside its files; after that it is published. */
async function writeManifest({ stores, dump }: DumpWork): Promise<StageStep> {
  const files = await madeFiles(stores.catalog, dump.id);
  const manifest = {
    kind: dump.kind,
    date: dump.date,
    begun: dump.begun,
    after_change: dump.after_change,
    change: dump.change_id,
    files: files.map(({ name, bytes, lines, digest }) => ({ name, bytes, lines, sha256: digest })),
  };
  await stores.archive.put(
    `${folderOf(dump.kind, dump.date)}/manifest.json`,
    `${JSON.stringify(manifest, null, 2)}\n`,
    { httpMetadata: { contentType: "application/json" } },
  );
  return { position: null };
}

const coverPositionSchema = z.object({ after: z.int().default(0) });

async function readCoverData(work: DumpWork, position: unknown): Promise<StageStep> {
  const { stores, dump, limits } = work;
  const { after } = coverPositionSchema.parse(position);
  const range = { after, until: dump.begun, limit: limits.chunkLines };
  const found = await readDumpedCovers(stores.catalog, range);
  const last = found.at(-1);
  if (last === undefined) return { position: null };
  const chunk = new Chunk(limits);
  for (const { id, width, height, date } of found) {
    if (width !== null) chunk.add("covers_metadata", coverLine({ id, width, height, date }));
  }
  return { position: { after: last.id }, members: await chunk.store(stores.archive, workObject(work)) };
}

type Run = (work: DumpWork, position: unknown) => Promise<StageStep>;

/** What is done at each stage, and which one follows. */
const STAGES: Readonly<Record<string, { readonly run: Run; readonly next: string }>> = {
  records: { run: readRecords, next: "ratings" },
  ratings: { run: readRatings, next: "reading-log" },
  "reading-log": { run: readReadingLog, next: "covers" },
  covers: { run: readCoverData, next: "tables" },
  tables: { run: writeTables, next: "compose" },
  changes: { run: readChanges, next: "compose" },
  compose: { run: composeFiles, next: "verify" },
  verify: { run: verifyFiles, next: "publish" },
  publish: { run: writeManifest, next: "clean" },
  clean: { run: cleanDump, next: "done" },
};

/** Where each kind of dump begins. */
export const FIRST_STAGE: Readonly<Record<DumpKind, string>> = { full: "records", delta: "changes" };

/** How a dump stands after a step, and what came of it. */
interface Stepped extends StageStep {
  readonly state: DumpRow["state"];
  readonly stage: string;
  readonly position: object;
}

/** How many stages a dump has, and how many of them are over. */
export function stagesOf({ kind, stage }: Pick<DumpRow, "kind" | "stage">): { done: number; total: number } {
  const names: string[] = [];
  for (let name = FIRST_STAGE[kind]; name !== "done"; name = STAGES[name]?.next ?? "done") names.push(name);
  return { done: stage === "done" ? names.length : Math.max(0, names.indexOf(stage)), total: names.length };
}

/** Does the next step of a dump. */
export async function runStage(work: DumpWork): Promise<Stepped> {
  const { dump } = work;
  const stage = STAGES[dump.stage];
  if (stage === undefined) throw new Error(`there is no stage ${dump.stage}`);
  const done = await stage.run(work, JSON.parse(dump.position));
  const { state } = dump;
  if (done.position !== null) return { ...done, position: done.position, state, stage: dump.stage };
  // Whoever asks for the newest one gets this one from here on.
  const isPublished = dump.stage === "publish";
  return { ...done, position: {}, state: isPublished ? "published" : state, stage: stage.next };
}
