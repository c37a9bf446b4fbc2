import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { type Naming, type RecordPage, readNaming } from "../../db/indexing/named-records.ts";
import { type SourcePage, type SourceRows, readWorkSources } from "../../db/indexing/works.ts";
import { readWorkCounts } from "../../db/patrons/counts.ts";
import { buildAuthor, buildList } from "../../search/documents/named-documents.ts";
import { type WorkCounts, NO_COUNTS } from "../../search/documents/types.ts";
import { draftWork } from "../../search/documents/work.ts";
import type { Update, Versioned } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { logLine } from "../http/log.ts";
import type { Indexing } from "./indexing.ts";

const SERIES_MEMBERS_MAX = 5000;

export const NO_UPDATE: Update = { works: [], authors: [], lists: [], deletes: [] };

const AUTHOR_TYPES: ReadonlySet<string | undefined> = new Set(["/type/author"]);
const LIST_TYPES: ReadonlySet<string | undefined> = new Set(["/type/list", "/type/series"]);

type WorkPage = { page: SourcePage; counts: ReadonlyMap<number, WorkCounts> };

/** Sources of works that were read before, and the reader of their counts. */
export interface WorkReads {
  readonly prefetch?: SourceRows;
  /** Reads counts of works from `PATRONS`. */
  readCounts?(ids: readonly number[]): Promise<ReadonlyMap<number, WorkCounts>>;
}

/** Reads the sources of works by their numbers in the index, as many as fit into memory. */
export async function readWorks(
  { catalog, patrons }: Indexing,
  ids: readonly number[],
  { prefetch, readCounts = (countedIds) => readWorkCounts(patrons, countedIds) }: WorkReads = {},
): Promise<WorkPage> {
  const page = await readWorkSources(catalog, ids, prefetch);
  const postponed = new Set(page.deferred);
  const countedIds = ids.filter((id) => id >= 0 && !postponed.has(id));
  // Counts are read last, so that fewer concurrent changes are missed.
  return { page, counts: await readCounts(countedIds) };
}

export const PAGE_WORKS_MAX = 500;

/** Reads works page by page. Works left by the first page are read again: what was read before may lack their documents. */
export async function* readWorkPages(
  indexing: Indexing,
  ids: readonly number[],
  { prefetch, ...reads }: WorkReads = {},
): AsyncGenerator<WorkPage> {
  let next: WorkReads = { ...reads, ...(prefetch && { prefetch }) };
  for (let waiting = ids; waiting.length > 0; next = reads) {
    const works = await readWorks(indexing, waiting.slice(0, PAGE_WORKS_MAX), next);
    waiting = [...works.page.deferred, ...waiting.slice(PAGE_WORKS_MAX)];
    yield works;
  }
}

/** Builds the documents of works. Works that no longer exist become deletions. */
export function toWorksUpdate({ prefix, deriveItems }: Indexing, { page, counts }: WorkPage): Update {
  const { version } = page;
  const works = page.works.flatMap(({ id, sources }) =>
    buildOrLog(keyOfWorkId(id, prefix), version, () =>
      draftWork({ ...sources, counts: counts.get(id) ?? NO_COUNTS, prefix, deriveItems }),
    ),
  );
  const deletes = page.missing.map((id) => ({ key: keyOfWorkId(id, prefix), version }));
  return { ...NO_UPDATE, works, deletes };
}

/** Builds the documents of a page's authors, by default all. Keys without a current author become deletions. */
export function toAuthorsUpdate(page: RecordPage, keys: readonly string[] = [...page.records.keys()]) {
  const { live, deletes } = partitionRecords(keys, page, AUTHOR_TYPES);
  const authors = live.flatMap(([key, record]) => buildOrLog(key, page.version, () => buildAuthor(record)));
  return { ...NO_UPDATE, authors, deletes };
}

/** Builds lists and series. Keys without a current one become deletions. One round trip for most series. */
export async function buildListsUpdate(
  indexing: Indexing,
  page: RecordPage,
  keys: readonly string[] = [...page.records.keys()],
): Promise<Update> {
  const { live, deletes } = partitionRecords(keys, page, LIST_TYPES);
  const members = await seriesMembers(
    indexing,
    live.map(([key]) => key).filter((key) => key.startsWith("/series/")),
  );
  const lists = live.flatMap(([key, record]) =>
    buildOrLog(key, page.version, () => buildList(record, members.get(key))),
  );
  return { ...NO_UPDATE, lists, deletes };
}

async function seriesMembers({ catalog, prefix }: Indexing, keys: readonly string[]) {
  const members = new Map<string, string[]>();
  let remaining = keys;
  while (remaining.length > 0) {
    const rows = await readNaming(catalog, {
      shown: "series",
      keys: remaining,
      after: 0,
      upTo: Number.MAX_SAFE_INTEGER,
      limit: SERIES_MEMBERS_MAX,
    });
    const { complete, incomplete } = completeKeys(remaining, rows);
    const works = Map.groupBy(rows, ({ key }) => key);
    for (const key of complete) {
      const ids = [...new Set((works.get(key) ?? []).map(({ workId }) => workId))].sort((a, b) => a - b);
      const workKeys = ids.map((id) => keyOfWorkId(id, prefix));
      members.set(key, workKeys);
    }
    remaining = incomplete;
  }
  return members;
}

/** Separates the series whose members were all read from those cut off by the row limit. */
function completeKeys(keys: readonly string[], rows: readonly Naming[]) {
  const last = rows.at(-1)?.key;
  if (rows.length < SERIES_MEMBERS_MAX || last === undefined) return { complete: keys, incomplete: [] };
  // A series that fills a page alone has more members than are shown.
  const isAlone = rows[0]?.key === last;
  const complete = keys.filter((key) => key < last || (isAlone && key === last));
  return { complete, incomplete: keys.filter((key) => !complete.includes(key)) };
}

function partitionRecords(
  keys: readonly string[],
  { version, records }: RecordPage,
  types: ReadonlySet<string | undefined>,
): { live: [string, CatalogRecord][]; deletes: Update["deletes"] } {
  const live = [...records].filter(([, record]) => types.has(typeKeyOf(record)));
  const present = new Set(live.map(([key]) => key));
  return { live, deletes: keys.filter((key) => !present.has(key)).map((key) => ({ key, version })) };
}

/** Builds a document. A record that cannot be built is logged and skipped, so that it does not stop the others. */
function buildOrLog<D>(key: string, version: number, build: () => D): Versioned<D>[] {
  try {
    return [{ version, document: build() }];
  } catch (error) {
    logLine("error", "index", { key, problem: "no document can be built", error: String(error) });
    return [];
  }
}
