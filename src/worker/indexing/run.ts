import { advance, readNextRange, readProgress, readTouched } from "../../db/indexing/log.ts";
import { readChangedCounts, readCountsEnd } from "../../db/patrons/counts.ts";
import { type IndexJob, dropJobs, readDueJobs, moveJob, putJobs } from "../../db/indexing/jobs.ts";
import type { SearchIndex } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { logLine } from "../http/log.ts";
import { type Affected, findAffected } from "./affected.ts";
import { RETRY_MS, indexAuthors, indexKeys, indexLists, indexWorks } from "./apply.ts";
import { FAN_OUT_KINDS, addDependents, runFanOutPage } from "./fan-out.ts";
import { type Indexing, PROJECTIONS, targetOf, timeFromNow } from "./indexing.ts";
import { MAINTENANCE_KINDS, runMaintenance } from "./maintenance.ts";

const COUNTED_WORKS_MAX = 500;

/**
 * Runs one step of the projection `counts`: updates changed ratings and shelf counts in place, and reindexes works whose
 * popularity changed. The cursor advances when all is written. Skips works that are not in the index, because indexing
 * them reads the counts.
 */
async function followCounts(indexing: Indexing): Promise<{ cursor: number; end: number }> {
  const { catalog, patrons, search } = indexing;
  const { counts } = PROJECTIONS[search.engine];
  const { cursor } = await readProgress(catalog, counts);
  const end = await readCountsEnd(patrons);
  if (cursor >= end) return { cursor, end };
  const changed = await readChangedCounts(patrons, cursor, COUNTED_WORKS_MAX);
  const last = changed.at(-1);
  if (last === undefined) return { cursor, end };
  const { index } = await targetOf(indexing);
  const moved = await index.patchCounts(changed.map(({ workId, counts }) => ({ id: workId, counts })));
  await indexWorks(indexing, moved, index);
  await advance(catalog, counts, last.version);
  return { cursor: last.version, end };
}

/** Maximum revisions per step, exceeded only by a single change; and per page of such a change. */
const STEP_RECORDS = 500;
const INDEX_WORKS_MAX = 2000;

type Step = { cursor: number; end: number; works: number };

/**
 * Runs one step of the projection `search`: reads the next changes of the log and reindexes what they affect. The cursor
 * advances only when everything is written or stored as jobs, so an interrupted step is repeated with the same effect.
 * Two workers may run the same step concurrently.
 */
export async function followLog(indexing: Indexing): Promise<Step> {
  const { catalog } = indexing;
  const { index, projection } = await targetOf(indexing);
  const { cursor, end } = await readProgress(catalog, projection);
  const range = cursor >= end ? undefined : await readNextRange(catalog, cursor, STEP_RECORDS);
  if (range === undefined) return { cursor, end, works: 0 };
  let works = 0;
  for (let after = 0; ;) {
    const { touched, isLast } = await readTouched(catalog, range, { after, limit: STEP_RECORDS });
    const affected = await findAffected(indexing, touched, index);
    // Q66: documents show the names of authors and series, and change with them.
    await addDependents(indexing, affected, { index, upTo: range.to });
    works += await writeAffected(indexing, affected, { index, change: range.to });
    if (isLast) break;
    after = touched.at(-1)?.id ?? after;
  }
  await advance(catalog, projection, range.to);
  return { cursor: range.to, end, works };
}

async function writeAffected(
  indexing: Indexing,
  { works, authors, lists }: Affected,
  { index, change }: { index: SearchIndex; change: number },
): Promise<number> {
  const ids = [...works];
  const [kind, due] = ["document", timeFromNow(indexing)];
  const postponed = ids
    .splice(INDEX_WORKS_MAX)
    .map((id) => ({ kind, key: keyOfWorkId(id, indexing.prefix), position: 0, due, change }));
  // Stored before anything is written, because a repeated step may find less to do.
  await putJobs(indexing.search, postponed);
  await indexWorks(indexing, ids, index);
  await indexAuthors(indexing, [...authors], index);
  await indexLists(indexing, [...lists], index);
  return ids.length;
}

const JOB_DOCUMENTS_MAX = 500;
const JOB_PAGES_MAX = 10;

const DOCUMENT_KINDS: ReadonlySet<string> = new Set(["document", "counts"]);

/** Runs due jobs: documents, fan-out pages, maintenance. A failed job is postponed and does not stop the others. */
async function runJobs(indexing: Indexing): Promise<number> {
  const { search } = indexing;
  const jobs = await readDueJobs(search, timeFromNow(indexing), JOB_DOCUMENTS_MAX);
  if (jobs.length === 0) return 0;
  const { index } = await targetOf(indexing);
  const documents = jobs.filter(({ kind }) => DOCUMENT_KINDS.has(kind));
  const pageJobs = jobs.filter(({ kind }) => !DOCUMENT_KINDS.has(kind)).slice(0, JOB_PAGES_MAX);
  if (documents.length > 0) {
    const keys = documents.map(({ key }) => key);
    await indexKeys(indexing, keys, index);
    // Documents that failed again have a new job for later, which is not dropped here.
    await dropJobs(search, documents);
  }
  for (const job of pageJobs) await runJob(indexing, job, index);
  return documents.length + pageJobs.length;
}

async function runJob(indexing: Indexing, job: IndexJob, index: SearchIndex): Promise<void> {
  try {
    if (FAN_OUT_KINDS.has(job.kind)) await runFanOutPage(indexing, job, index);
    else if (MAINTENANCE_KINDS.has(job.kind)) await runMaintenance(indexing, job, index);
    else await dropJobs(indexing.search, [job]);
  } catch (error) {
    logLine("error", "index job", { kind: job.kind, key: job.key, error: String(error) });
    const due = timeFromNow(indexing, RETRY_MS);
    await moveJob(indexing.search, job, { position: job.position, due });
  }
}

const RUN_MS = 10_000;

/** Result of a run. `isBehind`: there is more to do at once. */
export type Run = { isBehind: boolean; works: number };

/** Follows the log, then counts, then jobs, while time allows. The caller repeats it while the index is behind. */
export async function indexNow(indexing: Indexing, milliseconds = RUN_MS): Promise<Run> {
  const deadline = indexing.now() + milliseconds;
  let works = 0;
  const isOver = (): boolean => indexing.now() >= deadline;
  for (;;) {
    const step = await followLog(indexing);
    works += step.works;
    if (step.cursor >= step.end) break;
    if (isOver()) return { isBehind: true, works };
  }
  for (;;) {
    const { cursor, end } = await followCounts(indexing);
    if (cursor >= end) break;
    if (isOver()) return { isBehind: true, works };
  }
  while ((await runJobs(indexing)) > 0) if (isOver()) return { isBehind: true, works };
  return { isBehind: false, works };
}
