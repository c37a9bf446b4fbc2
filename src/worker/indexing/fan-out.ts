import { type Naming, type Shown, readNaming } from "../../db/indexing/named-records.ts";
import { type IndexJob, dropJobs, moveJob, putJobs } from "../../db/indexing/jobs.ts";
import type { SearchIndex } from "../../search/engine.ts";
import { BEFORE_ALL_WORKS } from "../../search/indexing/ids.ts";
import { type Affected, KINDS_SHOWN, shownValues } from "./affected.ts";
import { indexWorks } from "./apply.ts";
import { type Indexing, FAN_OUT, timeFromNow } from "./indexing.ts";

/** Source of the works: records that name the key, or documents that show it. */
type Way = "named" | "shown";

/**
 * Adds works that show changed authors and series to `affected` if they are few; stores jobs if they are many, and
 * returns their number.
 */
export async function addDependents(
  indexing: Indexing,
  affected: Affected,
  options: { index: SearchIndex; upTo: number; naming: readonly Naming[] | undefined },
): Promise<number> {
  let stored = 0;
  const [due, change] = [timeFromNow(indexing), options.upTo];
  for (const shown of KINDS_SHOWN) {
    const keys = [...affected.shown[shown]];
    if (keys.length === 0) continue;
    const postponed = [
      ...(await addNaming(indexing, affected, { ...options, shown, keys })),
      ...(await addShown(indexing, affected, { shown, keys, index: options.index })),
    ];
    const jobs = postponed.map(({ kind, key, position }) => ({ kind, key, position, due, change }));
    await putJobs(indexing.search, jobs);
    stored += jobs.length;
  }
  return stored;
}

type NewJob = Pick<IndexJob, "kind" | "key" | "position">;

async function addNaming(
  { catalog, showing = FAN_OUT }: Indexing,
  { works }: Affected,
  {
    shown,
    keys,
    upTo,
    naming,
  }: { shown: Shown; keys: readonly string[]; upTo: number; naming: readonly Naming[] | undefined },
): Promise<NewJob[]> {
  const limit = showing.atOnce;
  const rows =
    naming?.filter(({ key }) => keys.includes(key)).slice(0, limit) ??
    (await readNaming(catalog, { shown, keys, after: 0, upTo, limit }));
  // Rows are ordered by key, so a full page is complete up to its last key.
  const cutKey = rows.length < limit ? undefined : rows.at(-1)?.key;
  for (const { key, workId } of rows) if (cutKey === undefined || key < cutKey) works.add(workId);
  const postponed = cutKey === undefined ? [] : keys.filter((key) => key >= cutKey);
  return postponed.map((key) => ({ kind: kindOf(shown, "named"), key, position: 0 }));
}

async function addShown(
  indexing: Indexing,
  affected: Affected,
  { shown, keys, index }: { shown: Shown; keys: readonly string[]; index: SearchIndex },
): Promise<NewJob[]> {
  const query = shownValues(indexing, shown, keys);
  const ids = affected.showing.get(shown) ?? (await index.worksShowing(query));
  if (ids.length < query.limit) {
    for (const id of ids) affected.works.add(id);
    return [];
  }
  return keys.map((key) => ({ kind: kindOf(shown, "shown"), key, position: BEFORE_ALL_WORKS }));
}

export const FAN_OUT_KINDS: ReadonlyMap<string, { readonly shown: Shown; readonly way: Way }> = new Map(
  KINDS_SHOWN.flatMap((shown) =>
    (["named", "shown"] as const).map((way) => [kindOf(shown, way), { shown, way }]),
  ),
);

function kindOf(shown: Shown, way: Way): string {
  return `${shown}-${way}`;
}

export async function runFanOutPage(indexing: Indexing, job: IndexJob, index: SearchIndex): Promise<void> {
  const kind = FAN_OUT_KINDS.get(job.kind);
  if (kind === undefined) throw new Error(`no such job: ${job.kind}`);
  const { ids, position } =
    kind.way === "named"
      ? await namedPage(indexing, job, kind.shown)
      : await shownPage(indexing, { index, job, shown: kind.shown });
  await indexWorks(indexing, new Set(ids), { index });
  if (ids.length < (indexing.showing ?? FAN_OUT).page) await dropJobs(indexing.search, [job]);
  else await moveJob(indexing.search, job, { position, due: timeFromNow(indexing) });
}

async function namedPage(
  { catalog, showing = FAN_OUT }: Indexing,
  { key, position }: IndexJob,
  shown: Shown,
) {
  const upTo = Number.MAX_SAFE_INTEGER;
  const query = { shown, keys: [key], after: position, upTo, limit: showing.page };
  const rows = await readNaming(catalog, query);
  return { ids: rows.map(({ workId }) => workId), position: rows.at(-1)?.recordId ?? position };
}

async function shownPage(
  indexing: Indexing,
  { index, job: { key, position }, shown }: { index: SearchIndex; job: IndexJob; shown: Shown },
) {
  const { page: limit } = indexing.showing ?? FAN_OUT;
  const ids = await index.worksShowing({ ...shownValues(indexing, shown, [key]), after: position, limit });
  return { ids, position: ids.at(-1) ?? position };
}
