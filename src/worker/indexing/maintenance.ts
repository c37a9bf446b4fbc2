import { HOUR_MS, DAY_MS } from "../../catalog/units.ts";
import { readAuthorPage, readListPage } from "../../db/indexing/named-records.ts";
import { readWorkPage } from "../../db/indexing/ranges.ts";
import { type IndexJob, addJobs, moveJob } from "../../db/indexing/jobs.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { idleGenerationOf, readIndexState } from "../../db/indexing/index-state.ts";
import type { SearchIndex } from "../../search/engine.ts";
import { logLine } from "../http/log.ts";
import { makeIndex } from "./make-index.ts";
import { applyToIndex, indexWorks } from "./apply.ts";
import { toAuthorsUpdate, buildListsUpdate, readWorkPages, toWorksUpdate } from "./build.ts";
import { type Indexing, timeFromNow } from "./indexing.ts";

/** Works compared with their records per night, and number each of authors, lists and series reindexed. */
const AUDIT_WORKS_MAX = 1000;
const AUDIT_DOCUMENTS_MAX = 500;
/** Lifetime of tombstones in milliseconds: longer than any message takes. */
const TOMBSTONE_MS = 7 * DAY_MS;
/** Start of the nightly maintenance, in milliseconds after midnight UTC. */
const NIGHT_MS = 3 * HOUR_MS;

type JobResult = { position: number; isDone: boolean };

type Maintenance = (indexing: Indexing, position: number, index: SearchIndex) => Promise<JobResult>;

const JOBS: Readonly<Record<string, Maintenance>> = {
  idle,
  merge,
  tombstones,
  "audit-works": auditWorks,
  "audit-authors": auditAuthors,
  "audit-subjects": auditSubjects,
  "audit-lists": auditLists("/type/list"),
  "audit-series": auditLists("/type/series"),
};

export const MAINTENANCE_KINDS: ReadonlySet<string> = new Set(Object.keys(JOBS));

export async function planMaintenance(indexing: Indexing): Promise<void> {
  const due = timeFromNow(indexing, untilNight(indexing));
  const jobs = [...MAINTENANCE_KINDS].map((kind) => ({ kind, key: "", position: 0, due, change: 0 }));
  await addJobs(indexing.search, jobs);
}

/** Runs a bounded part of a nightly job. Postpones the job to the next night when it is done. */
export async function runMaintenance(indexing: Indexing, job: IndexJob, index: SearchIndex): Promise<void> {
  const run = JOBS[job.kind];
  if (run === undefined) throw new Error(`no such job: ${job.kind}`);
  const { position, isDone } = await run(indexing, job.position, index);
  const due = timeFromNow(indexing, isDone ? untilNight(indexing) : 0);
  await moveJob(indexing.search, job, { position, due });
}

function untilNight({ now }: Indexing): number {
  return (((NIGHT_MS - now()) % DAY_MS) + DAY_MS) % DAY_MS || DAY_MS;
}

/** Delay in milliseconds between a swap and emptying the old generation: other isolates may still query it. */
const EMPTYING_MS = 60_000;

export function emptyingJob(indexing: Indexing): IndexJob {
  return { kind: "idle", key: "", position: 0, due: timeFromNow(indexing, EMPTYING_MS), change: 0 };
}

async function idle(indexing: Indexing): Promise<JobResult> {
  const state = await readIndexState(indexing.search);
  const isEmpty =
    state.phase !== null || (await makeIndex(indexing, { generations: [idleGenerationOf(state)] }).clear());
  return { position: 0, isDone: isEmpty };
}

/** Merges segments. Positions are defined by the index. */
async function merge(_: Indexing, position: number, index: SearchIndex): Promise<JobResult> {
  const next = await index.merge("nightly", position);
  return { position: next ?? 0, isDone: next === undefined };
}

async function tombstones({ now }: Indexing, _: number, index: SearchIndex): Promise<JobResult> {
  const isMore = await index.dropTombstones(new Date(now() - TOMBSTONE_MS).toISOString());
  return { position: 0, isDone: !isMore };
}

async function auditWorks(indexing: Indexing, after: number, index: SearchIndex): Promise<JobResult> {
  const { position, repaired, stray } = await compareWorks(indexing, after, index);
  if (repaired.length + stray.length > 0) {
    logLine("error", "index audit", { repaired: repaired.slice(0, 10), count: repaired.length, stray });
  }
  return { position, isDone: true };
}

/**
 * Compares the next works with the index, writes those that differ, and deletes those without a record. Returns the
 * position of the next call (0 at the end), the number of works, the keys of repaired works, and those of stray ones.
 */
export async function compareWorks(
  indexing: Indexing,
  position: number,
  index: SearchIndex,
): Promise<{ position: number; works: number; repaired: string[]; stray: string[] }> {
  const { catalog } = indexing;
  const ids = await readWorkPage(catalog, { after: position, limit: AUDIT_WORKS_MAX });
  const last = ids.length < AUDIT_WORKS_MAX ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? 0);
  const repaired: string[] = [];
  for await (const page of readWorkPages(indexing, ids)) {
    const { works } = toWorksUpdate(indexing, page);
    const differing = await index.differing(works);
    repaired.push(...differing.map(({ document }) => document.key));
    await applyToIndex(indexing, { works: differing, authors: [], lists: [], deletes: [] }, index);
  }
  const known = new Set(ids);
  const present = await index.worksBetween({ from: position + 1, to: last });
  const strayIds = present.filter((id) => !known.has(id)).slice(0, AUDIT_WORKS_MAX);
  await indexWorks(indexing, strayIds, { index });
  return {
    position: last === Number.MAX_SAFE_INTEGER ? 0 : last,
    works: ids.length,
    repaired,
    stray: strayIds.map((id) => keyOfWorkId(id, indexing.prefix)),
  };
}

/** Recounts the next authors. Positions are their numbers. */
async function auditAuthors(indexing: Indexing, position: number, index: SearchIndex): Promise<JobResult> {
  const page = await readAuthorPage(indexing.catalog, { after: position, limit: AUDIT_DOCUMENTS_MAX });
  await applyToIndex(indexing, toAuthorsUpdate(page), index);
  return { position: page.isLast ? 0 : page.position, isDone: true };
}

async function auditSubjects(_: Indexing, position: number, index: SearchIndex): Promise<JobResult> {
  const isDone = await index.countSubjects();
  return { position: isDone ? 0 : position + 1, isDone };
}

/** Returns a job that reindexes lists, because the subjects of their works may have changed. Positions are record ids. */
function auditLists(type: "/type/list" | "/type/series"): Maintenance {
  return async (indexing, after, index) => {
    const page = await readListPage(indexing.catalog, { type, after, limit: AUDIT_DOCUMENTS_MAX });
    await applyToIndex(indexing, await buildListsUpdate(indexing, page), index);
    return { position: page.isLast ? 0 : page.position, isDone: true };
  };
}
