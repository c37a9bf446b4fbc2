import { advance, readProgress } from "../../db/indexing/cursor.ts";
import { putJobs } from "../../db/indexing/jobs.ts";
import { readAuthorPage, readListPage } from "../../db/indexing/named-records.ts";
import { type PageOf, readLonePage, readWorkPage } from "../../db/indexing/pages.ts";
import { type Range, countRanges, leaveRange, moveRange, takeRange } from "../../db/indexing/ranges.ts";
import { type IndexState, swapGenerations } from "../../db/search/generation.ts";
import type { SearchIndex, Update } from "../../search/engine.ts";
import { apply } from "./apply.ts";
import { PAGE_WORKS_MAX, authorsOfPage, listsOfPage, readPages, readWorks, worksUpdate } from "./build.ts";
import { type Indexing, PROJECTIONS, timeFromNow } from "./indexing.ts";
import { emptying } from "./maintenance.ts";

/** What the steps of a rebuild work with. */
interface Rebuild {
  readonly indexing: Indexing;
  /** As it was when the call began; `move` keeps the place. */
  readonly state: IndexState;
  /** The generation that is rebuilt. */
  readonly index: SearchIndex;
  /** Whether the time of this call is over, or will be in some milliseconds; never when it is asked first. */
  readonly isOver: IsOver;
  /** Notes where the step goes on, and how many more records are done. */
  move(position: number, records: number): Promise<void>;
  /** The highest number of a key that the step is about, where it has ranges. */
  readonly last?: number | undefined;
}

type IsOver = (milliseconds?: number) => boolean;

/** What first says no, whatever the time: calls that are too short for anything would be repeated for ever. */
export function onceAtLeast(isOver: IsOver): IsOver {
  let isFirst = true;
  return (milliseconds) => {
    if (!isFirst) return isOver(milliseconds);
    isFirst = false;
    return false;
  };
}

/** Does a step until it is done or the time is over; true when it is done. */
type Phase = (rebuild: Rebuild) => Promise<boolean>;

/** The steps in their order. A rebuild that broke off goes on in the step, and at the place, that it had reached. */
export const PHASES: Readonly<Record<string, Phase>> = {
  clear,
  works: (rebuild) => inRanges(rebuild, walkWorks),
  editions: (rebuild) => inRanges(rebuild, walkLoneEditions),
  // Once before sums of authors and subjects are looked up: in one segment that takes an eighth of the time.
  compact: (rebuild) => merge(rebuild, "works"),
  authors: (rebuild) => inRanges(rebuild, authors),
  lists: (rebuild) => lists(rebuild, "/type/list"),
  series: (rebuild) => lists(rebuild, "/type/series"),
  subjects,
  merge: (rebuild) => merge(rebuild, "whole"),
  swap,
  finish,
};
/** Records under keys of editions that one page looks at for those without a work. */
const LONE_EDITIONS_LOOKED_AT_MAX = 5000;

/** Documents of a page of works, and how many records it stands for. */
interface Ready {
  readonly update: Update;
  readonly position: number;
  readonly records: number;
}

/** How long a range belongs to whoever writes a page of it, and how long one without a range waits, in milliseconds. */
const HOLD_MS = 10_000;
const WAIT_MS = 20;

/** Does a step range by range; others may do other ranges at the same time. Done when all of them are. */
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

/** The rebuild as a walk sees it that has one range of it. */
function withinRange(rebuild: Rebuild, range: Range): Rebuild {
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

/** After a page others have their turn, in milliseconds: calls of a database beside it leave a thread no time to look for requests. */
export const BREATH_MS = 1;

/** Builds all works. Positions are their numbers. While one page is written, the next one is read and built. */
async function walkWorks({ indexing, state, index, isOver, move, last }: Rebuild): Promise<boolean> {
  if (isOver()) return false;
  const pages = new WorkReader(indexing, { after: state.position, last, limit: PAGE_WORKS_MAX });
  let coming = pages.next();
  let began = indexing.now();
  for (let isLast = false; !isLast;) {
    const ready = await coming;
    if (ready === undefined) return true;
    // No page is read in vain: the next one is, when this one leaves time for it.
    const took = indexing.now() - began;
    began += took;
    isLast = isOver(took);
    if (!isLast) coming = pages.next();
    // A failure is thrown where the page's turn comes; until then it must not count as unhandled.
    coming.catch(() => undefined);
    await apply(indexing, ready.update, index);
    await move(ready.position, ready.records);
  }
  return false;
}

/** Reads works page by page, and builds their documents. */
class WorkReader {
  readonly #indexing: Indexing;
  #page: PageOf;
  /** Those that are next. */
  #ids: readonly number[] = [];

  constructor(indexing: Indexing, page: PageOf) {
    this.#indexing = indexing;
    this.#page = page;
  }

  /** The next page; undefined at the end. Never called again before it has resolved. */
  async next(): Promise<Ready | undefined> {
    if (this.#ids.length === 0) {
      this.#ids = await readWorkPage(this.#indexing.catalog, this.#page);
      if (this.#ids.length === 0) return undefined;
    }
    const works = await readWorks(this.#indexing, this.#ids);
    const left = new Set(works.page.left);
    const done = this.#ids.filter((id) => !left.has(id));
    this.#ids = this.#ids.filter((id) => left.has(id));
    const position = done.at(-1) ?? this.#page.after;
    this.#page = { ...this.#page, after: position };
    const editions = works.page.works.reduce((sum, { sources }) => sum + sources.editions.length, 0);
    const update = { ...worksUpdate(this.#indexing, works), deletes: [] };
    return { update, position, records: done.length + editions };
  }
}

/** Builds pseudo-works of editions without a work. Positions are numbers of editions. */
async function walkLoneEditions({ indexing, state, index, isOver, move, last }: Rebuild): Promise<boolean> {
  for (let after = state.position; !isOver();) {
    const walk = await readLonePage(indexing.catalog, { after, last, limit: LONE_EDITIONS_LOOKED_AT_MAX });
    for await (const page of readPages(indexing, walk.ids)) {
      await apply(indexing, { ...worksUpdate(indexing, page), deletes: [] }, index);
    }
    after = walk.position;
    await move(after, walk.ids.length);
    if (walk.end) return true;
  }
  return false;
}

/** Authors, or lists, that are read, built and written at once. */
const PAGE_DOCUMENTS_MAX = 500;

async function clear({ index, isOver }: Rebuild): Promise<boolean> {
  while (!isOver()) if (await index.clear()) return true;
  return false;
}

/** Authors after works, because their sums are made of these. */
function authors(rebuild: Rebuild): Promise<boolean> {
  return walkRecords(rebuild, async (after) => {
    const page = await readAuthorPage(rebuild.indexing.catalog, {
      after,
      last: rebuild.last,
      limit: PAGE_DOCUMENTS_MAX,
    });
    return { page, update: { ...authorsOfPage(page), deletes: [] } };
  });
}

function lists(rebuild: Rebuild, type: "/type/list" | "/type/series"): Promise<boolean> {
  return walkRecords(rebuild, async (after) => {
    const page = await readListPage(rebuild.indexing.catalog, { type, after, limit: PAGE_DOCUMENTS_MAX });
    return { page, update: await listsOfPage(rebuild.indexing, page) };
  });
}

interface BuiltPage {
  readonly page: Awaited<ReturnType<typeof readAuthorPage>>;
  readonly update: Update;
}

/** Writes documents page by page; one without records is the end. Positions are those of pages. */
async function walkRecords(
  { indexing, state, index, isOver, move }: Rebuild,
  build: (after: number) => Promise<BuiltPage>,
): Promise<boolean> {
  for (let after = state.position; !isOver();) {
    const { page, update } = await build(after);
    if (page.records.size === 0) return true;
    await apply(indexing, update, index);
    after = page.position;
    await move(after, page.records.size);
  }
  return false;
}

async function subjects({ index, isOver }: Rebuild): Promise<boolean> {
  while (!isOver()) if (await index.countSubjects()) return true;
  return false;
}

/** Positions are the index's own. */
async function merge(
  { index, state, isOver, move }: Rebuild,
  pass: Parameters<SearchIndex["merge"]>[0],
): Promise<boolean> {
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

/** From here on the usual cursor goes for the new generation: it has all that the other one has followed. */
async function finish({ indexing }: Rebuild): Promise<boolean> {
  const { catalog, search } = indexing;
  const { log, rebuild } = PROJECTIONS[search.engine];
  await advance(catalog, log, (await readProgress(catalog, rebuild)).cursor);
  await putJobs(search, [emptying(indexing)]);
  return true;
}
