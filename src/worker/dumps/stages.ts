import * as z from "zod";
import { type DumpKind, dumpFolderOf } from "../../catalog/dumps/dump-files.ts";
import { formatCoverLine } from "../../catalog/dumps/dump-lines.ts";
import { type DumpRow, readCompleteFiles } from "../../db/dumps/read-dumps.ts";
import { forgetMembers } from "../../db/dumps/write-dumps.ts";
import { readDumpedCovers } from "../../db/dumps/read-records.ts";
import { type DumpContext, type StepResult, Chunk, workFolderOf, workObjectOf } from "./dump-step.ts";
import { abortUpload, composeFiles, unfinishedSchema } from "./compose.ts";
import { readDumpChanges, readRatings, readReadingLog, readDumpRecords } from "./read-catalog.ts";
import { writeParquetTables } from "./parquet-tables.ts";
import { verifyFiles } from "./verify.ts";

const cleaningSchema = z.object({ unfinished: unfinishedSchema.optional() });

/**
 * Deletes the working objects of a dump, and its files unless they are served; the next step deletes the rest. Aborts an
 * unfinished upload, so that its parts are deleted too.
 */
async function cleanDump({ stores, dump }: DumpContext, position: unknown): Promise<StepResult> {
  const { unfinished } = cleaningSchema.parse(position);
  if (unfinished !== undefined) await abortUpload(stores.archive, unfinished);
  const isServed = dump.state === "published";
  const folders = isServed ? [] : [`${dumpFolderOf(dump.kind, dump.date)}/`];
  for (const prefix of [workFolderOf(dump), ...folders]) {
    const { objects, truncated } = await stores.archive.list({ prefix });
    if (objects.length > 0) await stores.archive.delete(objects.map(({ key }) => key));
    if (truncated) return { position: {} };
  }
  await forgetMembers(stores.catalog, dump.id, !isServed);
  return { position: null };
}

async function writeManifest({ stores, dump }: DumpContext): Promise<StepResult> {
  const files = await readCompleteFiles(stores.catalog, dump.id);
  const manifest = {
    kind: dump.kind,
    date: dump.date,
    begun: dump.begun,
    after_change: dump.after_change,
    change: dump.change_id,
    files: files.map(({ name, bytes, lines, digest }) => ({ name, bytes, lines, sha256: digest })),
  };
  await stores.archive.put(
    `${dumpFolderOf(dump.kind, dump.date)}/manifest.json`,
    `${JSON.stringify(manifest, null, 2)}\n`,
    { httpMetadata: { contentType: "application/json" } },
  );
  return { position: null };
}

const coverPositionSchema = z.object({ after: z.int().default(0) });

async function readCoverData(context: DumpContext, position: unknown): Promise<StepResult> {
  const { stores, dump, limits } = context;
  const { after } = coverPositionSchema.parse(position);
  const range = { after, until: dump.begun, limit: limits.chunkLines };
  const covers = await readDumpedCovers(stores.catalog, range);
  const last = covers.at(-1);
  if (last === undefined) return { position: null };
  const chunk = new Chunk(limits);
  for (const { id, width, height, date } of covers) {
    if (width !== null) chunk.add("covers_metadata", formatCoverLine({ id, width, height, date }));
  }
  return { position: { after: last.id }, members: await chunk.store(stores.archive, workObjectOf(context)) };
}

type Run = (context: DumpContext, position: unknown) => Promise<StepResult>;

const STAGES: Readonly<Record<string, { readonly run: Run; readonly next: string }>> = {
  records: { run: readDumpRecords, next: "ratings" },
  ratings: { run: readRatings, next: "reading-log" },
  "reading-log": { run: readReadingLog, next: "covers" },
  covers: { run: readCoverData, next: "tables" },
  tables: { run: writeParquetTables, next: "compose" },
  changes: { run: readDumpChanges, next: "compose" },
  compose: { run: composeFiles, next: "verify" },
  verify: { run: verifyFiles, next: "publish" },
  publish: { run: writeManifest, next: "clean" },
  clean: { run: cleanDump, next: "done" },
};

export const FIRST_STAGE: Readonly<Record<DumpKind, string>> = { full: "records", delta: "changes" };

export function stagesOf({ kind, stage }: Pick<DumpRow, "kind" | "stage">): { done: number; total: number } {
  const names: string[] = [];
  for (let name = FIRST_STAGE[kind]; name !== "done"; name = STAGES[name]?.next ?? "done") names.push(name);
  return { done: stage === "done" ? names.length : Math.max(0, names.indexOf(stage)), total: names.length };
}

export async function runStage(context: DumpContext) {
  const { dump } = context;
  const stage = STAGES[dump.stage];
  if (stage === undefined) throw new Error(`there is no stage ${dump.stage}`);
  const result = await stage.run(context, JSON.parse(dump.position));
  const { state } = dump;
  if (result.position !== null) return { ...result, position: result.position, state, stage: dump.stage };
  // From here on this dump is the latest one.
  const isPublished = dump.stage === "publish";
  return { ...result, position: {}, state: isPublished ? "published" : state, stage: stage.next };
}
