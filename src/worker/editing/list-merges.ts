import * as z from "zod";
import { parseDocument } from "../../catalog/document.ts";
import { followSeeds, withSeeds } from "../../catalog/lists/list-change.ts";
import { seedKeyOf, seedsOfRecord } from "../../catalog/lists/seeds.ts";
import { type CatalogRecord, keyOf, typeKeyOf } from "../../catalog/record.ts";
import { readListsHolding } from "../../db/lists/read-lists.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readTargets } from "../../db/redirects.ts";
import type { Database } from "../../db/statement.ts";
import type { Stores } from "../http/bindings.ts";
import { logLine } from "../http/log.ts";
import { jobKind } from "../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../http/queue.ts";
import { saveAs, writeError } from "./edit-desk.ts";

/** Merged records of one message, and lists of one change. */
const MERGED_RECORDS = 100;
const MERGED_LISTS = 50;

const message = z.object({
  keys: z.array(z.string()).max(MERGED_RECORDS),
  /** User who merged the records; null for the service. */
  author: z.string().nullable(),
  after: z.int().default(0),
});

/** Replaces merged records in lists by their targets (Q683). */
export const followMergesJob = jobKind("follow-merges", message, followMerges);

/** Sends jobs for the records that a saved change has redirected. A failure is logged: reads follow redirects, too. */
export async function announceMerges(
  stores: Pick<Stores, "patronJobs">,
  documents: readonly CatalogRecord[],
  author: string | null,
): Promise<void> {
  const redirects = documents.filter((document) => typeKeyOf(document) === "/type/redirect");
  const keys = redirects.flatMap((document) => keyOf(document) ?? []);
  for (let at = 0; at < keys.length; at += MERGED_RECORDS) {
    await followMergesJob.send(stores, { keys: keys.slice(at, at + MERGED_RECORDS), author });
  }
}

type Message = z.output<typeof message>;

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

/** Visits the lists by number. Lists that changed meanwhile fail the job at its end, so that it is repeated. */
async function followMerges({ keys, author, after }: Message, jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const targets = await readTargets(stores.catalog, keys);
  const deadline = sources.now() + JOB_BUDGET_MS;
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
    if (sources.now() >= deadline) {
      // Changed lists are visited again; the others do not hold the merged records any more.
      const next = conflicts > 0 ? after : position;
      return followMergesJob.send(stores, { keys, author, after: next });
    }
  }
  if (conflicts > 0) throw new Error(`lists with merged records have changed meanwhile: ${conflicts}`);
}

type Merges = Pick<Message, "author"> & { targets: ReadonlyMap<string, string> };

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
    logLine("error", "follow-merges", { list: lists[0]?.key, problem: failure.message });
    return 0;
  }
  let conflicts = 0;
  for (const list of lists) conflicts += await saveLists([list], merges, jobs);
  return conflicts;
}
