import { ProgressBar, duration, counted } from "./progress-bar.ts";
import { type Target, call } from "./service.ts";

/** Phases of a rebuild without a count, which share the end of the bar. */
const PHASES = ["subjects", "merge", "swap", "finish"];
/** Share of the bar that reading records takes. */
const RECORDS_SHARE = 0.9;

interface IndexProgress {
  change: number;
  end: number;
  records: number;
  jobs: number;
  rebuild: boolean;
  works: number;
  finished: boolean;
}
interface Rebuild {
  live: string;
  phase: string | null;
  done: number;
  /** Records done before the call. */
  before: number;
  total: number;
  ranges: number;
  finished: boolean;
}

/**
 * Updates the search index after a load: from the change log, or from the records if most are not indexed yet or a
 * rebuild is unfinished. Returns when the index has everything.
 */
export async function updateIndex(target: Target, { quiet = false }: { quiet?: boolean } = {}) {
  const first = await indexNext(target);
  const bar = quiet ? undefined : new ProgressBar("search index");
  const started = Date.now();
  let { works } = first;
  let now = first;
  const total = Math.max(1, first.records);
  while (!now.finished && !now.rebuild) {
    now = await indexNext(target);
    works += now.works;
    bar?.update(Math.max(0, 1 - now.records / total), total - now.records);
  }
  if (now.rebuild) {
    if (!quiet && now.records > 0)
      console.log(`search index: rebuilding it, because it lacks ${counted(now.records, "record")}`);
    return rebuildIndex(target, { start: true }, { quiet });
  }
  bar?.done();
  const seconds = (Date.now() - started) / 1000;
  if (!quiet)
    console.log(`search index: up to date, ${counted(works, "work")} built in ${duration(seconds)}`);
}

/**
 * Rebuilds the search index from the records, or resumes an interrupted rebuild. `atOnce` is the number of parallel
 * calls in phases that allow it.
 */
export async function rebuildIndex(
  target: Target,
  command: { start?: boolean; restart?: boolean; shadow?: boolean },
  { quiet = false, atOnce = 1 }: { quiet?: boolean; atOnce?: number } = {},
) {
  const { shadow = false } = command;
  const started = Date.now();
  // Its clock goes from before the first call, which has read many records already.
  const bar = quiet ? undefined : new ProgressBar("search index");
  let now = await continueRebuild(target, command);
  const { before } = now;
  if (!quiet && before > 0)
    console.log(`search index: resuming an unfinished rebuild after ${counted(before, "record")}`);
  while (!now.finished) {
    if (bar !== undefined) bar.label = `search index, ${now.phase}`;
    bar?.update(shareOf(now), now.done - before);
    now = await sideBySide(() => continueRebuild(target, { shadow }), Math.min(atOnce, now.ranges));
  }
  bar?.done();
  // A shadow follows by itself.
  if (!shadow) await updateIndex(target, { quiet: true });
  const seconds = (Date.now() - started) / 1000;
  if (quiet) return;
  const rate = Math.round((now.done - before) / Math.max(seconds, 0.001));
  const earlier = before === 0 ? "" : `, ${before} of them before`;
  console.log(
    `search index: rebuilt from ${counted(now.done, "record")}${earlier}, in ${duration(seconds)} (${rate}/s)`,
  );
}

/** Compares all works of an index with their records and repairs differences. Prints their number. */
export async function checkIndex(target: Target, { shadow }: { shadow: boolean }) {
  let [works, repaired] = [0, 0];
  for (let after = 0; ;) {
    const part: { position: number; works: number; repaired: string[]; stray: string[] } = await call(
      target,
      "/system/index-check",
      { method: "POST", json: { after, shadow } },
    );
    works += part.works;
    const keys = [...part.repaired, ...part.stray];
    repaired += keys.length;
    if (keys.length > 0) console.log(`repaired: ${keys.join(" ")}`);
    if (part.position === 0) break;
    after = part.position;
  }
  console.log(
    `search index: ${counted(works, "work")} compared with their records, ${repaired} of them repaired`,
  );
}

function shareOf({ phase, done, total }: Rebuild) {
  const last = PHASES.indexOf(phase ?? "");
  if (last !== -1) return RECORDS_SHARE + ((1 - RECORDS_SHARE) * last) / PHASES.length;
  return RECORDS_SHARE * Math.min(1, done / Math.max(1, total));
}

/** Makes parallel calls, at least one, and returns the furthest progress. */
export async function sideBySide(goOn: () => Promise<Rebuild>, calls: number) {
  const answers = await Promise.all(Array.from({ length: Math.max(1, calls) }, goOn));
  return answers.reduce((one, other) => (isFurther(other, one) ? other : one));
}

function isFurther(one: Rebuild, other: Rebuild) {
  return one.finished || (!other.finished && one.done > other.done);
}

/** Indexes the next part of the change log. */
function indexNext(target: Target): Promise<IndexProgress> {
  return call(target, "/system/index", { method: "POST", json: {} });
}

/** Starts or resumes a rebuild. */
function continueRebuild(
  target: Target,
  json: { start?: boolean; restart?: boolean; shadow?: boolean },
): Promise<Rebuild> {
  return call(target, "/system/reindex", { method: "POST", json });
}
