import { advance, readProgress } from "../../db/indexing/log.ts";
import { putJobs } from "../../db/indexing/jobs.ts";
import { readAuthorPage, readListPage } from "../../db/indexing/named-records.ts";
import {
  type PageOf,
  type NumberRange,
  countRanges,
  leaveRange,
  moveRange,
  readLonePage,
  readWorkPage,
  takeRange,
} from "../../db/indexing/ranges.ts";
import { type IndexState, swapGenerations } from "../../db/indexing/index-state.ts";
import type { SearchIndex, Update } from "../../search/engine.ts";
import { applyToIndex } from "./apply.ts";
import {
  PAGE_WORKS_MAX,
  toAuthorsUpdate,
  buildListsUpdate,
  readWorkPages,
  readWorks,
  toWorksUpdate,
} from "./build.ts";
import { type Indexing, PROJECTIONS, timeFromNow } from "./indexing.ts";
import { emptyingJob } from "./maintenance.ts";

interface Rebuild {
  readonly indexing: Indexing;
  /** State at the start of the call. `move` tracks the position. */
  readonly state: IndexState;
  readonly index: SearchIndex;
  /** Returns true if the time is over, or will be in some milliseconds. The first call always returns false. */
  readonly isOver: IsOver;
  /** Stores the position to continue from, and adds to the number of finished records. */
  move(position: number, records: number): Promise<void>;
  readonly last?: number | undefined;
}

type IsOver = (milliseconds?: number) => boolean;

/** Returns a function whose first call returns false, so that very short calls make progress too. */
export function onceAtLeast(isOver: IsOver): IsOver {
  let isFirst = true;
  return (milliseconds) => {
    if (!isFirst) return isOver(milliseconds);
    isFirst = false;
    return false;
  };
}

/** Runs a step until it is done or the time is over. Returns true when it is done. */
type Phase = (rebuild: Rebuild) => Promise<boolean>;

/** Steps in order. An interrupted rebuild resumes in its step at its position. */
export const PHASES: Readonly<Record<string, Phase>> = {
  clear,
  works: (rebuild) => inRanges(rebuild, walkWorks),
  editions: (rebuild) => inRanges(rebuild, walkLoneEditions),
  // Before the sums of authors and subjects are looked up: in one segment that takes an eighth of the time.
  compact: (rebuild) => merge(rebuild, "works"),
  authors: (rebuild) => inRanges(rebuild, rebuildAuthors),
  lists: (rebuild) => rebuildLists(rebuild, "/type/list"),
  series: (rebuild) => rebuildLists(rebuild, "/type/series"),
  subjects,
  merge: (rebuild) => merge(rebuild, "whole"),
  swap,
  finish,
};
const LONE_EDITIONS_LOOKED_AT_MAX = 5000;

/** Lease of a range while a page is written, and delay before looking for a free range again, in milliseconds. */
const HOLD_MS = 10_000;
const WAIT_MS = 20;

/** Runs a step range by range, concurrently with other workers. Returns true when all ranges are done. */
async function inRanges(rebuild: Rebuild, walk: Phase): Promise<boolean> {
  const { indexing, state, isOver } = rebuild;
  const { search } = indexing;
  while (!isOver()) {
    const times = { now: timeFromNow(indexing), until: timeFromNow(indexing, HOLD_MS) };
    const range = await takeRange(search, state, times);
    if (range === undefined) {
      if ((await countRanges(search, state)) === 0) return true;
      await scheduler.wait(WAIT_MS);
      continue;
    }
    let isDone = false;
    try {
      isDone = await walk(withinRange(rebuild, range));
    } finally {
      await leaveRange(search, state, { range, isDone });
    }
  }
  return false;
}

function withinRange(rebuild: Rebuild, range: NumberRange): Rebuild {
  const { indexing, state } = rebuild;
  let from = range;
  return {
    ...rebuild,
    state: { ...state, position: range.position },
    last: range.last,
    isOver: onceAtLeast(rebuild.isOver),
    move: async (to, records) => {
      const until = timeFromNow(indexing, HOLD_MS);
      await moveRange(indexing.search, { started: state.started, from, to, records, until });
      from = { ...from, position: to };
      await scheduler.wait(BREATH_MS);
    },
  };
}

/** Pause after each page in milliseconds, so that the thread can accept requests between calls of a local database. */
export const BREATH_MS = 1;

/** Indexes all works. Positions are their numbers. The next page is read and built while one is written. */
async function walkWorks({ indexing, state, index, isOver, move, last }: Rebuild): Promise<boolean> {
  if (isOver()) return false;
  const pages = new WorkReader(indexing, { after: state.position, last, limit: PAGE_WORKS_MAX });
  let nextPage = pages.next();
  let began = indexing.now();
  for (let isLast = false; !isLast;) {
    const built = await nextPage;
    if (built === undefined) return true;
    // The next page is only read if there will be time to write it.
    const elapsed = indexing.now() - began;
    began += elapsed;
    isLast = isOver(elapsed);
    if (!isLast) nextPage = pages.next();
    // An error is thrown when the page is awaited. Until then it must not count as unhandled.
    nextPage.catch(() => undefined);
    await applyToIndex(indexing, built.update, index);
    await move(built.position, built.records);
  }
  return false;
}

class WorkReader {
  readonly #indexing: Indexing;
  #page: PageOf;
  #ids: readonly number[] = [];

  constructor(indexing: Indexing, page: PageOf) {
    this.#indexing = indexing;
    this.#page = page;
  }

  /** Returns the next page, or undefined at the end. Calls must not overlap. */
  async next() {
    if (this.#ids.length === 0) {
      this.#ids = await readWorkPage(this.#indexing.catalog, this.#page);
      if (this.#ids.length === 0) return undefined;
    }
    const works = await readWorks(this.#indexing, this.#ids);
    const deferred = new Set(works.page.deferred);
    const done = this.#ids.filter((id) => !deferred.has(id));
    this.#ids = this.#ids.filter((id) => deferred.has(id));
    const position = done.at(-1) ?? this.#page.after;
    this.#page = { ...this.#page, after: position };
    const editions = works.page.works.reduce((sum, { sources }) => sum + sources.editions.length, 0);
    const update = { ...toWorksUpdate(this.#indexing, works), deletes: [] };
    return { update, position, records: done.length + editions };
  }
}

async function walkLoneEditions({ indexing, state, index, isOver, move, last }: Rebuild): Promise<boolean> {
  for (let after = state.position; !isOver();) {
    const walk = await readLonePage(indexing.catalog, { after, last, limit: LONE_EDITIONS_LOOKED_AT_MAX });
    for await (const page of readWorkPages(indexing, walk.ids)) {
      await applyToIndex(indexing, { ...toWorksUpdate(indexing, page), deletes: [] }, index);
    }
    after = walk.position;
    await move(after, walk.ids.length);
    if (walk.end) return true;
  }
  return false;
}

const PAGE_DOCUMENTS_MAX = 500;

async function clear({ index, isOver }: Rebuild): Promise<boolean> {
  while (!isOver()) if (await index.clear()) return true;
  return false;
}

/** Indexes authors after works, because their sums are computed from these. */
function rebuildAuthors(rebuild: Rebuild): Promise<boolean> {
  return walkRecords(rebuild, async (after) => {
    const page = await readAuthorPage(rebuild.indexing.catalog, {
      after,
      last: rebuild.last,
      limit: PAGE_DOCUMENTS_MAX,
    });
    return { page, update: { ...toAuthorsUpdate(page), deletes: [] } };
  });
}

function rebuildLists(rebuild: Rebuild, type: "/type/list" | "/type/series"): Promise<boolean> {
  return walkRecords(rebuild, async (after) => {
    const page = await readListPage(rebuild.indexing.catalog, { type, after, limit: PAGE_DOCUMENTS_MAX });
    return { page, update: await buildListsUpdate(rebuild.indexing, page) };
  });
}

/** Writes documents page by page until a page has no records. Positions are those of the pages. */
async function walkRecords(
  { indexing, state, index, isOver, move }: Rebuild,
  build: (after: number) => Promise<{ page: Awaited<ReturnType<typeof readAuthorPage>>; update: Update }>,
): Promise<boolean> {
  for (let after = state.position; !isOver();) {
    const { page, update } = await build(after);
    if (page.records.size === 0) return true;
    await applyToIndex(indexing, update, index);
    after = page.position;
    await move(after, page.records.size);
  }
  return false;
}

async function subjects({ index, isOver }: Rebuild): Promise<boolean> {
  while (!isOver()) if (await index.countSubjects()) return true;
  return false;
}

/** Merges segments. Positions are defined by the index. */
async function merge({ index, state, isOver, move }: Rebuild, pass: Parameters<SearchIndex["merge"]>[0]) {
  for (let position = state.position; !isOver();) {
    const next = await index.merge(pass, position);
    if (next === undefined) return true;
    position = next;
    await move(position, 0);
  }
  return false;
}

async function swap({ indexing, state }: Rebuild): Promise<boolean> {
  await swapGenerations(indexing.search, state, "finish");
  return true;
}

/** Moves the usual cursor to that of the rebuild, which is now in use, and plans to empty the old generation. */
async function finish({ indexing }: Rebuild): Promise<boolean> {
  const { catalog, search } = indexing;
  const { log, rebuild } = PROJECTIONS[search.engine];
  await advance(catalog, log, (await readProgress(catalog, rebuild)).cursor);
  await putJobs(search, [emptyingJob(indexing)]);
  return true;
}
