import type { DumpKind } from "../../catalog/dumps/files.ts";
import type { DumpRow } from "../../db/dumps/dumps.ts";
import { cleanDump } from "./clean.ts";
import { composeFiles } from "./compose.ts";
import { digestFile } from "./digest.ts";
import type { DumpWork, StageStep } from "./dump-work.ts";
import { writeManifest } from "./manifest.ts";
import { readRatings, readReadingLog } from "./read-activity.ts";
import { readChanges } from "./read-changes.ts";
import { readCoverData } from "./read-cover-data.ts";
import { readRecords } from "./read-records.ts";
import { verifyFiles } from "./verify.ts";

type Run = (work: DumpWork, position: unknown) => Promise<StageStep>;

/** What is done at each stage, and which one follows. */
const STAGES: Readonly<Record<string, { readonly run: Run; readonly next: string }>> = {
  records: { run: readRecords, next: "ratings" },
  ratings: { run: readRatings, next: "reading-log" },
  "reading-log": { run: readReadingLog, next: "covers" },
  covers: { run: readCoverData, next: "compose" },
  changes: { run: readChanges, next: "compose" },
  compose: { run: composeFiles, next: "verify" },
  verify: { run: verifyFiles, next: "digest" },
  digest: { run: digestFile, next: "publish" },
  publish: { run: writeManifest, next: "clean" },
  clean: { run: cleanDump, next: "done" },
};

/** Where each kind of dump begins. */
export const FIRST_STAGE: Readonly<Record<DumpKind, string>> = { full: "records", delta: "changes" };

/** How a dump stands after a step, and what came of it. */
export interface Stepped extends StageStep {
  readonly state: DumpRow["state"];
  readonly stage: string;
  readonly position: object;
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
