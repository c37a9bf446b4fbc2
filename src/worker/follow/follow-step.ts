import { english } from "../../catalog/texts.ts";
import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { findExistingKeys, recordConflicts } from "../../db/service/follow.ts";
import { loadRecords } from "../../db/editing/load-records.ts";
import {
  type Position,
  WANTED_PREFIX,
  advancePage,
  listEarlierRevisions,
  pickBatch,
  entryKeyOf,
  parseListing,
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

/** Fetches and stores what comes next. Returns undefined if all changes have been read. */
export async function nextStep(
  position: Position,
  jobs: Jobs,
  policy: CrawlPolicy,
): Promise<Position | undefined> {
  const { todo, caught_up: isCaughtUp, kinds, part, history } = position;
  const listing = parseListing(todo[0] ?? "");
  if (listing !== undefined) return processListing(position, listing, jobs, policy);
  if (todo.length > 0) return processRecords(position, jobs, policy);
  if (isCaughtUp) return undefined;
  const now = jobs.sources.now();
  const page = await fetchChanges(position, policy, now);
  const keys = page.changes.flatMap(({ changes }) => changes.map(({ key }) => key));
  const localKeys = part ? await findExistingKeys(jobs.stores.catalog, [...new Set(keys)]) : undefined;
  const entryFor = ({ key, revision }: NamedRecord): string | undefined => {
    if (!isFollowed(key, kinds)) return undefined;
    if (localKeys === undefined || localKeys.has(key)) return history ? `${key}?v=${revision}` : key;
    // The works of an edition are not known yet.
    return key.startsWith("/books/") ? key : undefined;
  };
  return advancePage(position, page, { now, entryFor });
}

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

async function processListing(
  position: Position,
  { path, offset }: { path: string; offset: number },
  { sources }: Jobs,
  policy: CrawlPolicy,
): Promise<Position> {
  const { source, todo, kinds } = position;
  const { json } = await fetchJson(source + listingPathOf(path, offset), policy, sources.now());
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
  const { source, part, history } = position;
  const entries = pickBatch(position);
  const { json } = await fetchJson(source + recordsPathOf(entries), policy, jobs.sources.now());
  const isSingle = entries.length === 1;
  // A single record that no longer exists is skipped.
  const single = json === undefined ? {} : { [entryKeyOf(entries.join(""))]: json };
  const found = isSingle ? single : parseManyRecords(json);
  // Some services only return single ones.
  if (found === undefined) return deferBatch(position);
  // Missing records are requested one by one: some services omit deleted records from responses for many.
  const missing = entries.filter((entry) => !isSingle && !Object.hasOwn(found, entryKeyOf(entry)));
  // Records that were not requested are dropped: they could make an account an administrator.
  const requested = new Set(entries.map(entryKeyOf));
  const records = Object.entries(found).flatMap(([key, value]) => {
    if (!requested.has(key)) return [];
    const record = toDumpRecord(key, value);
    if (!("reason" in record)) return [record];
    logLine("error", "follow", { key, problem: english(record.reason) });
    return [];
  });
  const selected = part ? await selectPart(records, position, jobs) : { records, named: [] };
  const stored = await storeRecords(selected.records, position, jobs);
  const earlier = history ? listEarlierRevisions(selected.records, entries) : [];
  const rest = position.todo.slice(entries.length);
  const todo = [...missing.map((entry) => `${entry}?`), ...selected.named, ...earlier, ...rest];
  return { ...position, todo: [...new Set(todo)], stored: position.stored + stored };
}

async function selectPart(records: readonly DumpRecord[], { todo, kinds }: Position, { stores }: Jobs) {
  const requested = new Set(todo.filter((entry) => entry.startsWith(WANTED_PREFIX)).map(entryKeyOf));
  const keys = records.flatMap(({ key, record }) => [key, ...referencedKeysOf(record)]);
  const localKeys = await findExistingKeys(stores.catalog, keys);
  const selected = records.filter(
    ({ key, record }) =>
      requested.has(key) ||
      localKeys.has(key) ||
      referencedKeysOf(record).some((name) => name.startsWith("/works/") && localKeys.has(name)),
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
    const conflicts = refused
      .flatMap(({ index }) => loaded[index] ?? [])
      .map(({ key, revision }) => ({ key, there: revision }));
    await recordConflicts(stores.catalog, conflicts, now);
    if (change === null) continue;
    await announceChange(stores.indexQueue, change);
    await wakeListeners(stores.changeFeed, change);
  }
  return stored;
}
