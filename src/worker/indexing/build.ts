import { type CatalogRecord, typeKey } from "../../catalog/record.ts";
import type { RecordPage } from "../../db/indexing/named-records.ts";
import { type Naming, readNaming } from "../../db/indexing/naming.ts";
import { type SourcePage, readWorkSources } from "../../db/indexing/works.ts";
import { readWorkCounts } from "../../db/patrons/counts.ts";
import { buildAuthor, buildList } from "../../search/documents/named-documents.ts";
import { type WorkCounts, NO_COUNTS } from "../../search/documents/types.ts";
import { draftWork } from "../../search/documents/work.ts";
import type { Update, Versioned } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { logLine } from "../http/log.ts";
import type { Indexing } from "./indexing.ts";

/** Works that a series names as its members. */
const SERIES_MEMBERS_MAX = 5000;

/** An update that changes nothing. */
const NO_UPDATE: Update = { works: [], authors: [], lists: [], deletes: [] };

/** Types of the records that documents are made of. */
const AUTHOR_TYPES: ReadonlySet<string | undefined> = new Set(["/type/author"]);
const LIST_TYPES: ReadonlySet<string | undefined> = new Set(["/type/list", "/type/series"]);

/** Sources of a page of works with their counts: what takes waiting, apart from what takes computing. */
interface WorkPage {
  readonly page: SourcePage;
  readonly counts: ReadonlyMap<number, WorkCounts>;
}

/** Reads what documents of works are made of, by their numbers in the index, as far as there is room. */
export async function readWorks({ catalog, patrons }: Indexing, ids: readonly number[]): Promise<WorkPage> {
  const page = await readWorkSources(catalog, ids);
  const left = new Set(page.left);
  const counted = ids.filter((id) => id >= 0 && !left.has(id));
  // Counts last: the newer they are, the less can be lost when they change meanwhile.
  return { page, counts: await readWorkCounts(patrons, counted) };
}

/** Works that are read, built and written at once. */
export const PAGE_WORKS_MAX = 500;

/** Sources of works, as many at a time as there is room for. */
export async function* readPages(indexing: Indexing, ids: readonly number[]): AsyncGenerator<WorkPage> {
  for (let waiting = ids; waiting.length > 0;) {
    const works = await readWorks(indexing, waiting.slice(0, PAGE_WORKS_MAX));
    waiting = [...works.page.left, ...waiting.slice(PAGE_WORKS_MAX)];
    yield works;
  }
}

/** Documents of works; those that are gone as deletions. */
export function worksUpdate({ prefix, deriveItems }: Indexing, { page, counts }: WorkPage): Update {
  const { version } = page;
  const works = page.works.flatMap(({ id, sources }) =>
    built(keyOfWorkId(id, prefix), version, () =>
      draftWork({ ...sources, counts: counts.get(id) ?? NO_COUNTS, prefix, deriveItems }),
    ),
  );
  const deletes = page.gone.map((id) => ({ key: keyOfWorkId(id, prefix), version }));
  return { ...NO_UPDATE, works, deletes };
}

/** Documents of authors of a page by key, all that it has unless told; those that are none, or no more, as deletions. */
export function authorsOfPage(page: RecordPage, keys: readonly string[] = [...page.records.keys()]): Update {
  const { live, deletes } = sorted(keys, page, AUTHOR_TYPES);
  const authors = live.flatMap(([key, record]) => built(key, page.version, () => buildAuthor(record)));
  return { ...NO_UPDATE, authors, deletes };
}

/**
 * Documents of lists and series by key; those that are none, or no more, as deletions. One round trip for the works of
 * series, or few when these have very many.
 */
export async function listsOfPage(
  indexing: Indexing,
  page: RecordPage,
  keys: readonly string[] = [...page.records.keys()],
): Promise<Update> {
  const { live, deletes } = sorted(keys, page, LIST_TYPES);
  const members = await seriesMembers(
    indexing,
    live.map(([key]) => key).filter((key) => key.startsWith("/series/")),
  );
  const lists = live.flatMap(([key, record]) =>
    built(key, page.version, () => buildList(record, members.get(key))),
  );
  return { ...NO_UPDATE, lists, deletes };
}

async function seriesMembers(
  { catalog, prefix }: Indexing,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const members = new Map<string, string[]>();
  let remaining = keys;
  while (remaining.length > 0) {
    const found = await readNaming(catalog, {
      shown: "series",
      keys: remaining,
      after: 0,
      upTo: Number.MAX_SAFE_INTEGER,
      limit: SERIES_MEMBERS_MAX,
    });
    const { complete, incomplete } = completeKeys(remaining, found);
    const works = Map.groupBy(found, ({ key }) => key);
    for (const key of complete) {
      const ids = [...new Set((works.get(key) ?? []).map(({ workId }) => workId))].sort((a, b) => a - b);
      const workKeys = ids.map((id) => keyOfWorkId(id, prefix));
      members.set(key, workKeys);
    }
    remaining = incomplete;
  }
  return members;
}

/** Series whose members were all read, and those that an answer which is full has no room for. */
function completeKeys(
  keys: readonly string[],
  found: readonly Naming[],
): { complete: readonly string[]; incomplete: readonly string[] } {
  const last = found.at(-1)?.key;
  if (found.length < SERIES_MEMBERS_MAX || last === undefined) return { complete: keys, incomplete: [] };
  // One that fills an answer by itself has more members than are shown of a series.
  const isAlone = found[0]?.key === last;
  const complete = keys.filter((key) => key < last || (isAlone && key === last));
  return { complete, incomplete: keys.filter((key) => !complete.includes(key)) };
}

function sorted(
  keys: readonly string[],
  { version, records }: RecordPage,
  types: ReadonlySet<string | undefined>,
): { live: [string, CatalogRecord][]; deletes: Update["deletes"] } {
  const live = [...records].filter(([, record]) => types.has(typeKey(record)));
  const present = new Set(live.map(([key]) => key));
  return { live, deletes: keys.filter((key) => !present.has(key)).map((key) => ({ key, version })) };
}

/** A record that no document can be made of is left out with a line in the log: it must not stop the others. */
function built<D>(key: string, version: number, build: () => D): Versioned<D>[] {
  try {
    return [{ version, document: build() }];
  } catch (error) {
    logLine("error", "index", { key, problem: "no document can be built", error: String(error) });
    return [];
  }
}
