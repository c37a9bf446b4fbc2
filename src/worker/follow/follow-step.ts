import { english } from "../../catalog/texts.ts";
import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { findExistingKeys, recordConflicts } from "../../db/service/follow.ts";
import { loadRecords } from "../../db/editing/load-records.ts";
import {
  type Position,
  WANTED_PREFIX,
  advancePage,
  earlierRevisionsOf,
  firstBatchOf,
  entryKeyOf,
  listingOf,
  pagePathOf,
  recordsPathOf,
  deferBatch,
} from "../../import/follow/position.ts";
import {
  type ListedPage,
  type NamedRecord,
  LISTING_ENTRIES,
  toDumpRecord,
  isFollowed,
  parseListedChanges,
  parseListedKeys,
  listingPathOf,
  parseManyRecords,
  referencedKeysOf,
} from "../../import/follow/source.ts";
import { wakeListeners } from "../history/change-feed.ts";
import { type Jobs, announceChange } from "../http/queue.ts";
import { logLine } from "../http/log.ts";
import { splitIntoTransactions } from "../operations/load.ts";
import { type CrawlPolicy, UpstreamError, fetchJson } from "./source-client.ts";

export async function nextStep(
  position: Position,
  jobs: Jobs,
  policy: CrawlPolicy,
): Promise<Position | undefined> {
  const [first] = position.todo;
  if (first === undefined) return position.caught_up ? undefined : processChanges(position, jobs, policy);
  const listing = listingOf(first);
  if (listing !== undefined) return processListing(position, listing, { jobs, policy });
  return processRecords(position, jobs, policy);
}

type Follower = { jobs: Jobs; policy: CrawlPolicy };

/** Fetches the next page of changes. Throws UpstreamError if the response is not a list of changes. */
export async function fetchChanges(
  position: Pick<Position, "source" | "day" | "offset">,
  policy: CrawlPolicy,
  now: number,
): Promise<ListedPage> {
  const path = pagePathOf(position);
  const { json, status } = await fetchJson(position.source + path, policy, now);
  const page = parseListedChanges(json);
  if (page === undefined)
    throw new UpstreamError(`${position.source}${path} answered ${status}, and no list of changes`);
  return page;
}

async function processChanges(position: Position, { stores, sources }: Jobs, policy: CrawlPolicy) {
  const { kinds, part, history } = position;
  const now = sources.now();
  const page = await fetchChanges(position, policy, now);
  const keys = page.changes.flatMap(({ changes }) => changes.map(({ key }) => key));
  const localKeys = part ? await findExistingKeys(stores.catalog, [...new Set(keys)]) : undefined;
  const entryFor = ({ key, revision }: NamedRecord): string | undefined => {
    if (!isFollowed(key, kinds)) return undefined;
    if (localKeys === undefined || localKeys.has(key)) return history ? `${key}?v=${revision}` : key;
    // The works of an edition are not known yet.
    return key.startsWith("/books/") ? key : undefined;
  };
  return advancePage(position, page, { now, entryFor });
}

async function processListing(
  position: Position,
  { path, offset }: { path: string; offset: number },
  { jobs, policy }: Follower,
): Promise<Position> {
  const { source, todo, kinds } = position;
  const { json } = await fetchJson(source + listingPathOf(path, offset), policy, jobs.sources.now());
  if (json === undefined && !path.startsWith("/works/")) return deferBatch(position);
  const { keys, hasMore } = parseListedKeys(path, json ?? null, kinds);
  // Listed works are fetched with their editions. A listing of editions names no works.
  const works = kinds.includes("editions") ? keys.filter((key) => key.startsWith("/works/")) : [];
  const rest = hasMore ? [`${path}@${offset + LISTING_ENTRIES}`] : [];
  const entries = [...keys, ...works.map((key) => `${key}/editions`), ...rest].map(
    (entry) => WANTED_PREFIX + entry,
  );
  return { ...position, todo: [...new Set([...entries, ...todo.slice(1)])] };
}

async function processRecords(position: Position, jobs: Jobs, policy: CrawlPolicy): Promise<Position> {
  const entries = firstBatchOf(position);
  const rest = position.todo.slice(entries.length);
  const fetched = await fetchRecords(position, entries, { jobs, policy });
  if (fetched === undefined) return deferBatch(position);
  const { records, missing } = fetched;
  const selected = position.part ? await selectPart(records, position, jobs) : { records, named: [] };
  const stored = await storeRecords(selected.records, position, jobs);
  const earlier = position.history ? earlierRevisionsOf(selected.records, entries) : [];
  const todo = [...new Set([...missing, ...selected.named, ...earlier, ...rest])];
  return { ...position, todo, stored: position.stored + stored };
}

/** Fetches records. Returns undefined if the source service only returns single ones. */
async function fetchRecords({ source }: Position, entries: readonly string[], { jobs, policy }: Follower) {
  const { json } = await fetchJson(source + recordsPathOf(entries), policy, jobs.sources.now());
  if (entries.length === 1) {
    // A record that no longer exists is skipped.
    return {
      records: json === undefined ? [] : parseRecords([[entryKeyOf(entries.join("")), json]]),
      missing: [],
    };
  }
  const many = parseManyRecords(json);
  if (many === undefined) return undefined;
  // Missing records are requested one by one: some services omit deleted records from responses for many.
  const missing = entries
    .filter((entry) => !Object.hasOwn(many, entryKeyOf(entry)))
    .map((entry) => `${entry}?`);
  // Records that were not requested are dropped: they could make an account an administrator.
  const requested = new Set(entries.map(entryKeyOf));
  return { records: parseRecords(Object.entries(many).filter(([key]) => requested.has(key))), missing };
}

function parseRecords(entries: readonly (readonly [string, unknown])[]): DumpRecord[] {
  return entries.flatMap(([key, value]) => {
    const record = toDumpRecord(key, value);
    if (!("reason" in record)) return [record];
    logLine("error", "follow", { key, problem: english(record.reason) });
    return [];
  });
}

async function selectPart(records: readonly DumpRecord[], { todo, kinds }: Position, { stores }: Jobs) {
  const requested = new Set(todo.filter((entry) => entry.startsWith(WANTED_PREFIX)).map(entryKeyOf));
  const names = records.map(({ record }) => referencedKeysOf(record));
  const localKeys = await findExistingKeys(stores.catalog, [
    ...records.map(({ key }) => key),
    ...names.flat(),
  ]);
  const selected = records.filter(
    ({ key }, at) =>
      requested.has(key) ||
      localKeys.has(key) ||
      names[at]?.some((name) => name.startsWith("/works/") && localKeys.has(name)),
  );
  const named = selected
    .flatMap(({ record }) => referencedKeysOf(record))
    .filter((key) => isFollowed(key, kinds) && !localKeys.has(key) && !requested.has(key));
  return { records: selected, named: [...new Set(named)].map((key) => WANTED_PREFIX + key) };
}

/** Stores records like a bulk load, except those edited locally. Returns the number of new revisions. */
async function storeRecords(
  records: readonly DumpRecord[],
  { source }: Position,
  { stores, settings, sources }: Jobs,
) {
  const now = formatDatetime(sources.now());
  const session = stores.catalog.withSession("first-primary");
  const options = { prefix: settings.RECORD_PREFIX, now, comment: `Followed ${source}`, isFollowed: true };
  let stored = 0;
  for (const part of splitIntoTransactions(records.map((record) => ({ record })))) {
    const loaded = part.map(({ record }) => record);
    const { change, created, updated, refused } = await loadRecords(session, loaded, options);
    stored += created + updated;
    const skipped = refused.flatMap(({ index }) => loaded[index] ?? []);
    const conflicts = skipped.map(({ key, revision }) => ({ key, there: revision }));
    await recordConflicts(stores.catalog, conflicts, now);
    if (change === null) continue;
    await announceChange(stores.indexQueue, change);
    await wakeListeners(stores.changeFeed, change);
  }
  return stored;
}
