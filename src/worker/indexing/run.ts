import { type LogPart, advanceAll, readLogPart, readTouched } from "../../db/indexing/log.ts";
import { type CountChanges, readCountChanges } from "../../db/patrons/counts.ts";
import { type IndexJob, dropJobs, moveJob, putJobs } from "../../db/indexing/jobs.ts";
import type { RecordPage } from "../../db/indexing/named-records.ts";
import type { IndexState } from "../../db/indexing/index-state.ts";
import type { SearchIndex } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { logLine } from "../http/log.ts";
import { openIndex } from "./make-index.ts";
import { type Affected, findAffected, startFinding } from "./affected.ts";
import { RETRY_MS, indexAuthors, indexKeys, indexLists, indexWorks } from "./apply.ts";
import { type WorkReads, toAuthorsUpdate } from "./build.ts";
import { FAN_OUT_KINDS, addDependents, runFanOutPage } from "./fan-out.ts";
import { type Indexing, PROJECTIONS, projectionIn, timeFromNow } from "./indexing.ts";
import { MAINTENANCE_KINDS, runMaintenance } from "./maintenance.ts";

/** Maximum revisions per step, exceeded only by a single change; and per page of such a change. */
const STEP_RECORDS = 500;
const INDEX_WORKS_MAX = 2000;
const COUNTED_WORKS_MAX = 500;
const JOB_DOCUMENTS_MAX = 500;
const JOB_PAGES_MAX = 10;

/** Positions of projections to store once a step is done. */
export type Cursors = readonly (readonly [projection: string, change: number])[];

/** Follows a part of the log for other projections than those of the index. */
export type Follower = (part: LogPart) => Promise<Cursors>;

/** Result of a step or run. `isBehind`: there is more to do at once. `state` is that of the index at the start. */
export interface Run {
  readonly isBehind: boolean;
  readonly works: number;
  readonly state: IndexState;
}

/**
 * Runs one step of the projections `search` and `counts`, and of `follow`: reads the next changes of the log and reindexes
 * what they affect. At the end of the log, follows counts and runs due jobs. Cursors advance only when everything is
 * written or stored as jobs, so an interrupted step is repeated with the same effect. Two workers may run the same step
 * concurrently.
 */
async function runStep(indexing: Indexing, follow: Follower, projections: readonly string[]): Promise<Run> {
  const { catalog } = indexing;
  const part = await readLogPart(catalog, projections, STEP_RECORDS);
  const followed = follow(part);
  // An error is thrown when it is awaited. Until then it must not count as unhandled.
  followed.catch(() => undefined);
  const finder = await startFinding(indexing, part.touched);
  const { lookup } = finder;
  const [now, limit] = [timeFromNow(indexing), JOB_DOCUMENTS_MAX];
  const { state, jobs, index, found } = await openIndex(indexing, { now, limit, lookup });
  const projection = projectionIn(indexing, state);
  const { range, start, end } = part;
  // Another projection was ahead: the search database is older than the log.
  if ((part.cursors.get(projection) ?? 0) < start) return runStep(indexing, follow, [projection]);
  finder.addFound(found);
  const counts = new CountsFollower(indexing, part);
  const reads = {
    ...(part.prefetch && { prefetch: part.prefetch }),
    readCounts: (ids: readonly number[]) => counts.read(ids),
  };
  let [works, postponed] = [0, 0];
  if (range !== undefined) {
    const known = { version: end, records: new Map(part.touched.map(({ key, latest }) => [key, latest])) };
    const written = await writeAffected(indexing, finder.affected, {
      index,
      change: range.to,
      known,
      reads,
      naming: part.naming,
    });
    [works, postponed] = [written.works, written.postponed];
    for (let page: Pick<LogPart, "touched" | "isLast"> = part; !page.isLast;) {
      const after = page.touched.at(-1)?.id ?? 0;
      page = await readTouched(catalog, range, { after, limit: STEP_RECORDS });
      const affected = await findAffected(indexing, page.touched, index);
      const more = await writeAffected(indexing, affected, { index, change: range.to });
      works += more.works;
      postponed += more.postponed;
    }
  }
  const done: (readonly [string, number])[] = range === undefined ? [] : [[projection, range.to]];
  const isAtEnd = range === undefined || range.to >= end;
  try {
    if (isAtEnd) done.push(...(await counts.follow(index)));
    done.push(...(await followed));
  } finally {
    await advanceAll(catalog, done);
  }
  if (isAtEnd) await runJobs(indexing, jobs, index);
  return { isBehind: !isAtEnd || counts.isBehind || jobs.length + postponed > 0, works, state };
}

/** Follows changed ratings and shelf counts, which are read together with the counts of works if there are any. */
class CountsFollower {
  isBehind = false;
  readonly #indexing: Indexing;
  readonly #after: number;
  readonly #projection: string;
  #changes: CountChanges | undefined;

  constructor(indexing: Indexing, { cursors }: LogPart) {
    this.#indexing = indexing;
    this.#projection = PROJECTIONS[indexing.search.engine].counts;
    this.#after = cursors.get(this.#projection) ?? 0;
  }

  async read(workIds: readonly number[]) {
    const { patrons } = this.#indexing;
    const read = await readCountChanges(patrons, { workIds, after: this.#after, limit: COUNTED_WORKS_MAX });
    this.#changes ??= read;
    return read.counts;
  }

  /**
   * Updates changed counts in place, and reindexes works whose popularity changed. Skips works that are not in the index,
   * because indexing them reads the counts.
   */
  async follow(index: SearchIndex): Promise<Cursors> {
    if (this.#changes === undefined) await this.read([]);
    const { changed = [], end = 0 } = this.#changes ?? {};
    const last = changed.at(-1);
    if (last === undefined) return [];
    const patches = changed.map(({ workId, counts }) => ({ id: workId, counts }));
    const moved = await index.patchCounts(patches, true);
    await indexWorks(this.#indexing, moved, { index });
    this.isBehind = last.version < end;
    return [[this.#projection, last.version]];
  }
}

/** Reindexes affected documents. `known` has current authors that need not be read again. */
async function writeAffected(
  indexing: Indexing,
  affected: Affected,
  {
    index,
    change,
    known,
    reads,
    naming,
  }: {
    index: SearchIndex;
    change: number;
    known?: RecordPage;
    reads?: WorkReads;
    naming?: LogPart["naming"];
  },
): Promise<{ works: number; postponed: number }> {
  // Q66: documents show the names of authors and series, and change with them.
  const shown = affected.shown.author.union(affected.shown.series);
  const isPrefetched = known !== undefined && shown.isSubsetOf(known.records);
  const dependents = await addDependents(indexing, affected, {
    index,
    upTo: change,
    naming: isPrefetched ? naming : undefined,
  });
  const ids = [...affected.works];
  const [kind, due] = ["document", timeFromNow(indexing)];
  const postponed = ids
    .splice(INDEX_WORKS_MAX)
    .map((id) => ({ kind, key: keyOfWorkId(id, indexing.prefix), position: 0, due, change }));
  // Stored before anything is written, because a repeated step may find less to do.
  await putJobs(indexing.search, postponed);
  const ready = [...affected.authors].filter((key) => known?.records.has(key) === true);
  const authors = known === undefined ? undefined : toAuthorsUpdate(known, ready);
  await indexWorks(indexing, ids, { index, ...reads, ...(authors && { authors }) });
  await indexAuthors(indexing, [...affected.authors.difference(new Set(ready))], index);
  await indexLists(indexing, [...affected.lists], index);
  return { works: ids.length, postponed: dependents + postponed.length };
}

const DOCUMENT_KINDS: ReadonlySet<string> = new Set(["document", "counts"]);

/** Runs due jobs: documents, fan-out pages, maintenance. A failed job is postponed and does not stop the others. */
async function runJobs(indexing: Indexing, jobs: readonly IndexJob[], index: SearchIndex): Promise<void> {
  const documents = jobs.filter(({ kind }) => DOCUMENT_KINDS.has(kind));
  const pageJobs = jobs.filter(({ kind }) => !DOCUMENT_KINDS.has(kind)).slice(0, JOB_PAGES_MAX);
  if (documents.length > 0) {
    const keys = documents.map(({ key }) => key);
    await indexKeys(indexing, keys, index);
    // Documents that failed again have a new job for later, which is not dropped here.
    await dropJobs(indexing.search, documents);
  }
  for (const job of pageJobs) await runJob(indexing, job, index);
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

const NO_CURSORS: Follower = () => Promise.resolve([]);

/**
 * Follows the log, then counts, then jobs, until `isOver`, and other projections with the log. The caller repeats it
 * while the index is behind.
 */
export async function indexNow(
  indexing: Indexing,
  { isOver, follow = NO_CURSORS }: { isOver: () => boolean; follow?: Follower | undefined },
): Promise<Run> {
  const { log, rebuild } = PROJECTIONS[indexing.search.engine];
  let works = 0;
  for (;;) {
    // The cursor in use is the higher one: see `projectionIn`.
    const step = await runStep(indexing, follow, [log, rebuild]);
    works += step.works;
    if (!step.isBehind || isOver()) return { ...step, works };
  }
}
