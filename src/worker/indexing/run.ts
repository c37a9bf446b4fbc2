import { nextRange, readTouched } from "../../db/indexing/log.ts";
import { type ChangedCounts, readChangedCounts, readCountsEnd } from "../../db/patrons/counts.ts";
import { advance, readProgress } from "../../db/indexing/cursor.ts";
import { type IndexJob, dropJobs, dueJobs, moveJob, putJobs } from "../../db/indexing/jobs.ts";
import type { SearchIndex } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { logLine } from "../http/log.ts";
import { type Affected, findAffected } from "./affected.ts";
import { RETRY_MS, indexAuthors, indexKeys, indexLists, indexWorks } from "./apply.ts";
import { SHOWING_KINDS, addShowing, showingPage } from "./fan-out.ts";
import { type Indexing, PROJECTIONS, targetOf, timeFromNow } from "./indexing.ts";
import { MAINTENANCE_KINDS, maintain } from "./maintenance.ts";

/** Works whose counts are taken over at once. */
const COUNTED_WORKS_MAX = 500;

/**
 * The projection `counts`, one step of it: takes over ratings and shelf counts that have changed, in place, and
 * builds works anew that have become more or less popular by them. The cursor moves when all is written. Counts of
 * works that the index has not are passed over: whoever builds those reads the counts.
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
  await patch(indexing, changed, (await targetOf(indexing)).index);
  await advance(catalog, counts, last.version);
  return { cursor: last.version, end };
}

/**
 * A work's new popularity is written before its document is: in between, jobs remember the documents, as a second
 * attempt would see no difference any more.
 */
async function patch(
  indexing: Indexing,
  changed: readonly ChangedCounts[],
  index: SearchIndex,
): Promise<void> {
  const { search, prefix } = indexing;
  const [kind, due] = ["counts", timeFromNow(indexing, RETRY_MS)];
  const jobs = changed.map(({ workId, version: change }) => {
    return { kind, key: keyOfWorkId(workId, prefix), position: 0, due, change };
  });
  await putJobs(search, jobs);
  const patches = changed.map(({ workId, counts }) => ({ id: workId, counts }));
  await indexWorks(indexing, await index.patchCounts(patches), index);
  await dropJobs(search, jobs);
}

/** Revisions of one step, but always those of one whole change; and of one page of a large change. */
const STEP_RECORDS = 500;
/** Works that are built anew at once for a page of changes; the others become jobs. */
const INDEX_WORKS_MAX = 2000;

/** What a step did. */
interface Step {
  readonly cursor: number;
  readonly end: number;
  /** Works that were built anew. */
  readonly works: number;
}

/**
 * The projection `search`, one step of it: takes the next changes of the log and builds anew what they affect. The
 * cursor moves only when all of it has been written or stored as jobs, so a step that breaks off anywhere is done
 * again, with the same effect. Two workers may do the same step at the same time.
 */
export async function followStep(indexing: Indexing): Promise<Step> {
  const { catalog } = indexing;
  const { index, projection } = await targetOf(indexing);
  const { cursor, end } = await readProgress(catalog, projection);
  const range = cursor >= end ? undefined : await nextRange(catalog, cursor, STEP_RECORDS);
  if (range === undefined) return { cursor, end, works: 0 };
  let works = 0;
  for (let after = 0; ;) {
    const { touched, isLast } = await readTouched(catalog, range, { after, limit: STEP_RECORDS });
    const affected = await findAffected(indexing, touched, index);
    // Q66: names of others that documents show change with them.
    await addShowing(indexing, affected, { index, upTo: range.to });
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
  const later = ids
    .splice(INDEX_WORKS_MAX)
    .map((id) => ({ kind, key: keyOfWorkId(id, indexing.prefix), position: 0, due, change }));
  // Stored before anything is written: what is written must not make a repeated step see less.
  await putJobs(indexing.search, later);
  await indexWorks(indexing, ids, index);
  await indexAuthors(indexing, [...authors], index);
  await indexLists(indexing, [...lists], index);
  return ids.length;
}

/** Documents that one run builds anew, and pages of other jobs that it does. */
const JOB_DOCUMENTS_MAX = 500;
const JOB_PAGES_MAX = 10;

/** Jobs whose key is that of a document to be built anew. */
const DOCUMENT_KINDS: ReadonlySet<string> = new Set(["document", "counts"]);

/**
 * Does what is due: documents that were put off, then pages of works that show something of others, then the
 * maintenance of the night. Answers how many jobs it worked at. A job that fails is put off, and stops no other.
 */
async function runJobs(indexing: Indexing): Promise<number> {
  const { search } = indexing;
  const jobs = await dueJobs(search, timeFromNow(indexing), JOB_DOCUMENTS_MAX);
  if (jobs.length === 0) return 0;
  const { index } = await targetOf(indexing);
  const documents = jobs.filter(({ kind }) => DOCUMENT_KINDS.has(kind));
  const others = jobs.filter(({ kind }) => !DOCUMENT_KINDS.has(kind)).slice(0, JOB_PAGES_MAX);
  if (documents.length > 0) {
    const keys = documents.map(({ key }) => key);
    await indexKeys(indexing, keys, index);
    // What has failed again is stored as a job for later by now, which is another than the one that is removed.
    await dropJobs(search, documents);
  }
  for (const job of others) await runOne(indexing, job, index);
  return documents.length + others.length;
}

async function runOne(indexing: Indexing, job: IndexJob, index: SearchIndex): Promise<void> {
  try {
    if (SHOWING_KINDS.has(job.kind)) await showingPage(indexing, job, index);
    else if (MAINTENANCE_KINDS.has(job.kind)) await maintain(indexing, job, index);
    else await dropJobs(indexing.search, [job]);
  } catch (error) {
    logLine("error", "index job", { kind: job.kind, key: job.key, error: String(error) });
    const due = timeFromNow(indexing, RETRY_MS);
    await moveJob(indexing.search, job, { position: job.position, due });
  }
}

/** How long one run goes on taking steps, in milliseconds; the step under way is finished. */
const RUN_MS = 10_000;

/** What a run left: true when there is more to do at once. */
export interface Run {
  readonly isBehind: boolean;
  /** Works that were built anew. */
  readonly works: number;
}

/**
 * Brings the index up to date as far as the time allows: first the log, then counts, then jobs. Whoever calls it
 * calls it again while it is behind.
 */
export async function indexNow(indexing: Indexing, milliseconds = RUN_MS): Promise<Run> {
  const deadline = indexing.now() + milliseconds;
  let works = 0;
  const isOver = (): boolean => indexing.now() >= deadline;
  for (;;) {
    const step = await followStep(indexing);
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
