import { readAuthorPage, readListPage } from "../../db/indexing/named-records.ts";
import { readWorkPage } from "../../db/indexing/pages.ts";
import { type IndexJob, addJobs, moveJob } from "../../db/indexing/jobs.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { idleGeneration, readIndexState } from "../../db/search/generation.ts";
import type { SearchIndex } from "../../search/engine.ts";
import { logLine } from "../http/log.ts";
import { indexOf } from "../search/engine.ts";
import { apply, indexWorks } from "./apply.ts";
import { authorsOfPage, listsOfPage, readPages, worksUpdate } from "./build.ts";
import { type Indexing, timeFromNow } from "./indexing.ts";

/** Works that one night compares with their records; authors, lists and series each that it makes anew. */
const AUDIT_WORKS_MAX = 1000;
const AUDIT_DOCUMENTS_MAX = 500;
/** How long deletions are remembered, in milliseconds: longer than any message takes. */
const TOMBSTONE_MS = 7 * 86_400_000;
/** When the night's work begins, in milliseconds after midnight (UTC). */
const NIGHT_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;

/** What one run of a job left: where the next one begins, and whether that waits for the next night. */
interface Outcome {
  readonly position: number;
  readonly isDone: boolean;
}

type Maintenance = (indexing: Indexing, position: number, index: SearchIndex) => Promise<Outcome>;

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

/** Kinds of jobs that come again every night. */
export const MAINTENANCE_KINDS: ReadonlySet<string> = new Set(Object.keys(JOBS));

/** Makes sure that every job of the night waits for its time. */
export async function planMaintenance(indexing: Indexing): Promise<void> {
  const due = timeFromNow(indexing, untilNight(indexing));
  const jobs = [...MAINTENANCE_KINDS].map((kind) => ({ kind, key: "", position: 0, due, change: 0 }));
  await addJobs(indexing.search, jobs);
}

/** Does a bounded part of a job of the night, and puts it off to the next night when it is done. */
export async function maintain(indexing: Indexing, job: IndexJob, index: SearchIndex): Promise<void> {
  const run = JOBS[job.kind];
  if (run === undefined) throw new Error(`no such job: ${job.kind}`);
  const { position, isDone } = await run(indexing, job.position, index);
  const due = timeFromNow(indexing, isDone ? untilNight(indexing) : 0);
  await moveJob(indexing.search, job, { position, due });
}

function untilNight({ now }: Indexing): number {
  return (((NIGHT_MS - now()) % DAY_MS) + DAY_MS) % DAY_MS || DAY_MS;
}

/** How long the old generation is left alone after a swap, in milliseconds: isolates that do not know of it still ask it. */
const EMPTYING_MS = 60_000;

/** The job that empties the generation that has answered until now. */
export function emptying(indexing: Indexing): IndexJob {
  return { kind: idle.name, key: "", position: 0, due: timeFromNow(indexing, EMPTYING_MS), change: 0 };
}

/** Empties the generation that does not answer, unless it is being rebuilt. */
async function idle(indexing: Indexing): Promise<Outcome> {
  const state = await readIndexState(indexing.search);
  const isEmpty =
    state.phase !== null || (await indexOf(indexing, { generations: [idleGeneration(state)] }).clear());
  return { position: 0, isDone: isEmpty };
}

/** Positions are the index's own. */
async function merge(_: Indexing, position: number, index: SearchIndex): Promise<Outcome> {
  const next = await index.merge("nightly", position);
  return { position: next ?? 0, isDone: next === undefined };
}

async function tombstones({ now }: Indexing, _: number, index: SearchIndex): Promise<Outcome> {
  const isMore = await index.dropTombstones(new Date(now() - TOMBSTONE_MS).toISOString());
  return { position: 0, isDone: !isMore };
}

/** Positions are numbers of works; each night goes on where the last one ended. */
async function auditWorks(indexing: Indexing, after: number, index: SearchIndex): Promise<Outcome> {
  const { position, repaired, stray } = await compareWorks(indexing, after, index);
  if (repaired.length + stray.length > 0) {
    logLine("error", "index audit", { repaired: repaired.slice(0, 10), count: repaired.length, stray });
  }
  return { position, isDone: true };
}

/**
 * Builds the next works anew and compares: those that differ are written, and those that have no record are
 * deleted. Resolves to where the next call begins, 0 at the end, how many works there were, and the keys of those that
 * differed, and that had no record.
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
  for await (const page of readPages(indexing, ids)) {
    const { works } = worksUpdate(indexing, page);
    const differing = await index.differing(works);
    repaired.push(...differing.map(({ document }) => document.key));
    await apply(indexing, { works: differing, authors: [], lists: [], deletes: [] }, index);
  }
  const known = new Set(ids);
  const present = await index.worksBetween({ from: position + 1, to: last });
  const strange = present.filter((id) => !known.has(id)).slice(0, AUDIT_WORKS_MAX);
  await indexWorks(indexing, strange, index);
  return {
    position: last === Number.MAX_SAFE_INTEGER ? 0 : last,
    works: ids.length,
    repaired,
    stray: strange.map((id) => keyOfWorkId(id, indexing.prefix)),
  };
}

/** Counts the next authors anew. Positions are their numbers. */
async function auditAuthors(indexing: Indexing, position: number, index: SearchIndex): Promise<Outcome> {
  const page = await readAuthorPage(indexing.catalog, { after: position, limit: AUDIT_DOCUMENTS_MAX });
  await apply(indexing, authorsOfPage(page), index);
  return { position: page.isLast ? 0 : page.position, isDone: true };
}

/** Counts the next subjects anew, until all have been. */
async function auditSubjects(_: Indexing, position: number, index: SearchIndex): Promise<Outcome> {
  const isDone = await index.countSubjects();
  return { position: isDone ? 0 : position + 1, isDone };
}

/** Lists show what their works are about, which may have changed. Positions are ids of records. */
function auditLists(type: "/type/list" | "/type/series"): Maintenance {
  return async (indexing, after, index) => {
    const page = await readListPage(indexing.catalog, { type, after, limit: AUDIT_DOCUMENTS_MAX });
    await apply(indexing, await listsOfPage(indexing, page), index);
    return { position: page.isLast ? 0 : page.position, isDone: true };
  };
}
