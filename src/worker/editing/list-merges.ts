import { english } from "../../catalog/texts.ts";
import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { followSeeds, withSeeds } from "../../catalog/lists/list-change.ts";
import { seedKeyOf, seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, keyOf, typeKeyOf } from "../../catalog/record.ts";
import { type LogPart, advance, readNextRange, readProgress } from "../../db/indexing/log.ts";
import { readListsHolding } from "../../db/lists/read-lists.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { LIST_MERGES, readRedirects, readTargets } from "../../db/redirects.ts";
import { readServiceState } from "../../db/service/service-state.ts";
import type { Database } from "../../db/statement.ts";
import { logLine } from "../http/log.ts";
import { jobKind } from "../platform/patron-job.ts";
import type { BudgetedJobs, Jobs } from "../http/queue.ts";
import { saveAs, writeError } from "./edit-desk.ts";

/** Revisions of the log that one statement looks through, and lists of one change. */
const RANGE_RECORDS = 5000;
const MERGED_LISTS = 50;

/**
 * Position after a message whose budget was over: the merge, and the number of the last list that was visited for it:
 * `{"change": 1284, "after": 3}`.
 */
const message = z.object({ change: z.int().default(0), after: z.int().default(0) });
type Position = z.output<typeof message>;

/** Replaces merged records in lists by their targets (Q683). Messages only wake it: the cursor decides. */
export const followMergesJob = jobKind("follow-merges", message, followMerges);

/** Follows the merges of the log from the cursor. A step of the sweep. */
export async function followMerges({ change, after }: Partial<Position>, jobs: BudgetedJobs): Promise<void> {
  const { stores, budget } = jobs;
  const { catalog } = stores;
  let { cursor } = await readProgress(catalog, LIST_MERGES);
  for (;;) {
    const range = await readNextRange(catalog, cursor, RANGE_RECORDS);
    if (range === undefined) return;
    // A load stores the lists and redirects of another service as they are there.
    const merged = (await readRedirects(catalog, range)).filter(({ isLoaded }) => isLoaded === 0);
    for (const [id, redirects] of Map.groupBy(merged, (redirect) => redirect.change)) {
      // The list cannot be saved: the scheduled task retries.
      if ((await readServiceState(catalog))?.value === "on") return;
      const next = await visitLists(redirects, id === change ? (after ?? 0) : 0, jobs);
      if (next !== undefined) return followMergesJob.send(stores, { change: id, after: next });
      await advance(catalog, LIST_MERGES, id);
    }
    await advance(catalog, LIST_MERGES, range.to);
    cursor = range.to;
    if (budget.isOver()) return followMergesJob.send(stores, {});
  }
}

/** Follows a part of the log that others have read. Wakes the job if it is behind, or a record became a redirect. */
export async function followMergesIn(
  { cursors, start, end, range, touched, isLast }: LogPart,
  { stores }: Jobs,
): Promise<(readonly [string, number])[]> {
  const cursor = cursors.get(LIST_MERGES) ?? 0;
  if (cursor >= (range?.to ?? end)) return [];
  const hasMerges = !isLast || touched.some(({ latest }) => typeKeyOf(latest) === "/type/redirect");
  if (range !== undefined && cursor >= start && !hasMerges) return [[LIST_MERGES, range.to]];
  await followMergesJob.send(stores, {});
  return [];
}

/** Replaces merged records among the seeds of lists by their targets (Q683). At most one statement. */
export async function followLists(
  catalog: Database,
  documents: readonly CatalogRecord[],
): Promise<CatalogRecord[]> {
  const lists = documents.filter((document) => typeKeyOf(document) === "/type/list");
  const seeds = new Set(
    lists.flatMap((list) => seedsOfRecord(list).flatMap((seed) => seedKeyOf(seed) ?? [])),
  );
  // Records that are saved together with the lists are no redirects any more.
  for (const document of documents) seeds.delete(keyOf(document) ?? "");
  const targets = await readTargets(catalog, [...seeds]);
  return documents.map((document) => (lists.includes(document) ? followedList(document, targets) : document));
}

/** Returns the list itself if nothing changes. */
function followedList(list: CatalogRecord, targets: ReadonlyMap<string, string>): CatalogRecord {
  const seeds = seedsOfRecord(list);
  const followed = followSeeds(seeds, targets);
  return followed === seeds ? list : withSeeds(list, followed);
}

type Merged = Awaited<ReturnType<typeof readRedirects>>;

/**
 * Visits the lists that hold records merged by one change, by number. Returns the number to continue after if the
 * budget is over. Lists that changed meanwhile fail the job at its end, so that it is repeated.
 */
async function visitLists(merged: Merged, after: number, jobs: BudgetedJobs): Promise<number | undefined> {
  const { stores, budget } = jobs;
  const author = merged[0]?.author ?? null;
  const targets = await readTargets(
    stores.catalog,
    merged.map(({ key }) => key),
  );
  let conflicts = 0;
  for (let position = after; targets.size > 0;) {
    const lists = await readListsHolding(stores.catalog, [...targets.keys()], {
      after: position,
      limit: MERGED_LISTS,
    });
    const last = lists.at(-1);
    if (last === undefined) break;
    conflicts += await saveLists(lists, { targets, author }, jobs);
    position = last.id;
    // Changed lists are visited again; the others do not hold the merged records any more.
    if (budget.isOver()) return conflicts > 0 ? after : position;
  }
  if (conflicts > 0) throw new Error(`lists with merged records have changed meanwhile: ${conflicts}`);
  return undefined;
}

type Merges = Pick<Merged[number], "author"> & { targets: ReadonlyMap<string, string> };

/**
 * Saves lists in one change, or one by one if that is refused. Returns the number of lists that have changed meanwhile.
 * A list that cannot be saved is logged. Throws `writeError` if the service is busy.
 */
async function saveLists(lists: readonly RecordRow[], merges: Merges, jobs: Jobs): Promise<number> {
  const { author, targets } = merges;
  const documents = lists.flatMap(({ document }) => {
    const list = parseDocument(document);
    const followed = followedList(list, targets);
    return followed === list ? [] : [followed];
  });
  if (documents.length === 0) return 0;
  const writer = { author, bot: false, ip: null, authority: "service" } as const;
  const result = await saveAs(writer, jobs, {
    documents,
    expected: Object.fromEntries(lists.map(({ key, revision }) => [key, revision])),
    kind: "edit-list-seeds",
    comment: "Seeds of merged records.",
    data: { merged: Object.fromEntries(targets) },
  });
  if (result.ok) return 0;
  const [failure] = result.failures;
  if (failure === undefined || failure.status >= 500) throw writeError(result.failures);
  if (lists.length === 1) {
    if (failure.error === "conflict") return 1;
    logLine("error", "follow-merges", { list: lists[0]?.key, problem: english(failure.text) });
    return 0;
  }
  let conflicts = 0;
  for (const list of lists) conflicts += await saveLists([list], merges, jobs);
  return conflicts;
}
