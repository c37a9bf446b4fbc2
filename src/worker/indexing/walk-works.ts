import { type SizedWork, pagesOf, readLonePage, readWorkPage } from "../../db/index-sources/pages.ts";
import { apply } from "./apply.ts";
import { type WorkPage, readPages, readWorks, worksUpdate } from "./build.ts";
import type { Indexing } from "./indexing.ts";
import type { Rebuild } from "./rebuild.ts";
import { PAGE_WORKS_MAX } from "./update.ts";

/** Records under keys of editions that one page looks at for those without a work. */
export const LONE_EDITIONS_LOOKED_AT_MAX = 5000;

/** A page of works that has been read, and how many records it stands for. */
interface Ready {
  readonly works: WorkPage;
  readonly position: number;
  readonly records: number;
}

/** Builds all works. Positions are their numbers. While one page is written, the next one is read. */
export async function walkWorks({ indexing, state, writing, isOver, move }: Rebuild): Promise<boolean> {
  if (isOver()) return false;
  const pages = new WorkReader(indexing, state.position);
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
    const update = worksUpdate(indexing, ready.works);
    await apply(indexing, { ...update, deletes: [] }, writing);
    await move(ready.position, ready.records);
  }
  return false;
}

/** Reads works page by page. */
class WorkReader {
  readonly #indexing: Indexing;
  #after: number;
  #planned: SizedWork[][] = [];

  constructor(indexing: Indexing, after: number) {
    this.#indexing = indexing;
    this.#after = after;
  }

  /** The next page; undefined at the end. Never called again before it has resolved. */
  async next(): Promise<Ready | undefined> {
    const page = this.#planned.shift() ?? (await this.#plan());
    if (page === undefined) return undefined;
    const works = await readWorks(
      this.#indexing,
      page.map(({ id }) => id),
    );
    const left = new Set(works.page.left);
    const rest = page.filter(({ id }) => left.has(id));
    if (rest.length > 0) this.#planned.unshift(rest);
    const done = page.filter(({ id }) => !left.has(id));
    const editions = works.page.works.reduce((sum, { sources }) => sum + sources.editions.length, 0);
    return { works, position: done.at(-1)?.id ?? this.#after, records: done.length + editions };
  }

  async #plan(): Promise<SizedWork[] | undefined> {
    const sizes = await readWorkPage(this.#indexing.catalog, this.#after, PAGE_WORKS_MAX);
    this.#after = sizes.at(-1)?.id ?? this.#after;
    const byId = new Map(sizes.map((size) => [size.id, size]));
    this.#planned = pagesOf(sizes, PAGE_WORKS_MAX).map((ids) => ids.flatMap((id) => byId.get(id) ?? []));
    return this.#planned.shift();
  }
}

/** Builds pseudo-works of editions without a work. Positions are numbers of editions. */
export async function walkLoneEditions({
  indexing,
  state,
  writing,
  isOver,
  move,
}: Rebuild): Promise<boolean> {
  for (let after = state.position; !isOver();) {
    const walk = await readLonePage(indexing.catalog, after, LONE_EDITIONS_LOOKED_AT_MAX);
    const ids = walk.ids.map((id) => ({ id, editions: 1 }));
    for await (const page of readPages(indexing, pagesOf(ids, PAGE_WORKS_MAX))) {
      const update = worksUpdate(indexing, page);
      await apply(indexing, { ...update, deletes: [] }, writing);
    }
    after = walk.position;
    await move(after, walk.ids.length);
    if (walk.end) return true;
  }
  return false;
}
