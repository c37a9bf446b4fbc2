import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";
import { datetimeText } from "../../catalog/datetime.ts";
import { keysHere, noteKept } from "../../db/service/follow.ts";
import { loadRecords } from "../../db/editing/load-records.ts";
import {
  WANTED,
  earlierRevisions,
  firstBatch,
  keyOf,
  listingOf,
  recordsPath,
  setAside,
} from "../../import/follow/entries.ts";
import { type Position, afterPage, pagePath } from "../../import/follow/position.ts";
import {
  LISTING_ENTRIES,
  type ListedPage,
  type NamedRecord,
  followedRecord,
  isFollowed,
  listedChanges,
  listedKeys,
  listingPath,
  manyRecords,
  namedBy,
} from "../../import/follow/source.ts";
import { wakeListeners } from "../history/feed.ts";
import { type Jobs, announceChange } from "../http/queue.ts";
import { logLine } from "../http/log.ts";
import { transactions } from "../service/load.ts";
import { type Manners, Unanswered, ask } from "./ask.ts";

/** Does what comes next, with one request at most; undefined when there is nothing to do. */
export async function nextStep(
  position: Position,
  jobs: Jobs,
  manners: Manners,
): Promise<Position | undefined> {
  const [first] = position.todo;
  if (first === undefined) return position.caught_up ? undefined : readPage(position, jobs, manners);
  const listing = listingOf(first);
  if (listing !== undefined) return readListing(position, listing, { jobs, manners });
  return readRecords(position, jobs, manners);
}

/** The changes that come next. Throws `Unanswered` where the other service lists none, as one with another interface. */
export async function changesOf(
  position: Pick<Position, "source" | "day" | "offset">,
  manners: Manners,
  now: number,
): Promise<ListedPage> {
  const path = pagePath(position);
  const { json, status } = await ask(position.source + path, manners, now);
  const page = listedChanges(json);
  if (page === undefined)
    throw new Unanswered(`${position.source}${path} answered ${status}, and no list of changes`);
  return page;
}

async function readPage(position: Position, { stores, sources }: Jobs, manners: Manners): Promise<Position> {
  const { kinds, part, history } = position;
  const now = sources.now();
  const page = await changesOf(position, manners, now);
  const keys = page.changes.flatMap(({ changes }) => changes.map(({ key }) => key));
  const here = part ? await keysHere(stores.catalog, [...new Set(keys)]) : undefined;
  const entryFor = ({ key, revision }: NamedRecord): string | undefined => {
    if (!isFollowed(key, kinds)) return undefined;
    if (here === undefined || here.has(key)) return history ? `${key}?v=${revision}` : key;
    // Which works an edition has is not known yet.
    return key.startsWith("/books/") ? key : undefined;
  };
  return afterPage(position, page, { now, entryFor });
}

async function readListing(
  position: Position,
  { path, offset }: { readonly path: string; readonly offset: number },
  { jobs, manners }: { readonly jobs: Jobs; readonly manners: Manners },
): Promise<Position> {
  const { source, todo, kinds } = position;
  const { json } = await ask(source + listingPath(path, offset), manners, jobs.sources.now());
  if (json === undefined && !path.startsWith("/works/")) return setAside(position);
  const { keys, hasMore } = listedKeys(path, json ?? null, kinds);
  // Editions of a work are wanted with it; what a work's editions name is there already.
  const works = kinds.includes("editions") ? keys.filter((key) => key.startsWith("/works/")) : [];
  const rest = hasMore ? [`${path}@${offset + LISTING_ENTRIES}`] : [];
  const found = [...keys, ...works.map((key) => `${key}/editions`), ...rest].map((entry) => WANTED + entry);
  return { ...position, todo: [...new Set([...found, ...todo.slice(1)])] };
}

async function readRecords(position: Position, jobs: Jobs, manners: Manners): Promise<Position> {
  const entries = firstBatch(position);
  const rest = position.todo.slice(entries.length);
  const found = await fetched(position, entries, { jobs, manners });
  if (found === undefined) return setAside(position);
  const { records, missing } = found;
  const taken = position.part ? await partOf(records, position, jobs) : { records, named: [] };
  const stored = await store(taken.records, position, jobs);
  const earlier = position.history ? earlierRevisions(taken.records, entries) : [];
  const todo = [...new Set([...missing, ...taken.named, ...earlier, ...rest])];
  return { ...position, todo, stored: position.stored + stored };
}

/** Reads records; undefined when the other service has to be asked for one at a time. */
async function fetched(
  { source }: Position,
  entries: readonly string[],
  { jobs, manners }: { readonly jobs: Jobs; readonly manners: Manners },
) {
  const { json } = await ask(source + recordsPath(entries), manners, jobs.sources.now());
  if (entries.length === 1) {
    // A record that is gone for good is one that nobody needs.
    return { records: json === undefined ? [] : readable([[keyOf(entries.join("")), json]]), missing: [] };
  }
  const many = manyRecords(json);
  if (many === undefined) return undefined;
  // One of several is asked for alone: an answer for many leaves out what it does not have, some also what is deleted.
  const missing = entries.filter((entry) => !Object.hasOwn(many, keyOf(entry))).map((entry) => `${entry}?`);
  // What was not asked for is not taken: it could make somebody an administrator.
  const asked = new Set(entries.map(keyOf));
  return { records: readable(Object.entries(many).filter(([key]) => asked.has(key))), missing };
}

function readable(found: readonly (readonly [string, unknown])[]): DumpRecord[] {
  return found.flatMap(([key, value]) => {
    const record = followedRecord(key, value);
    if (!("reason" in record)) return [record];
    logLine("error", "follow", { key, problem: record.reason });
    return [];
  });
}

/** Of a part of a catalog: records that belong to it, and what they name that is not here. */
async function partOf(records: readonly DumpRecord[], { todo, kinds }: Position, { stores }: Jobs) {
  const asked = new Set(todo.filter((entry) => entry.startsWith(WANTED)).map(keyOf));
  const names = records.map(({ record }) => namedBy(record));
  const here = await keysHere(stores.catalog, [...records.map(({ key }) => key), ...names.flat()]);
  const own = records.filter(
    ({ key }, at) =>
      asked.has(key) ||
      here.has(key) ||
      names[at]?.some((name) => name.startsWith("/works/") && here.has(name)),
  );
  const named = own
    .flatMap(({ record }) => namedBy(record))
    .filter((key) => isFollowed(key, kinds) && !here.has(key) && !asked.has(key));
  return { records: own, named: [...new Set(named)].map((key) => WANTED + key) };
}

/** Stores records as a load does, but for those that were edited here; answers how many revisions are new. */
async function store(
  records: readonly DumpRecord[],
  { source }: Position,
  { stores, settings, sources }: Jobs,
) {
  const now = datetimeText(sources.now());
  const session = stores.catalog.withSession("first-primary");
  const options = { prefix: settings.RECORD_PREFIX, now, comment: `Followed ${source}`, isFollowed: true };
  let stored = 0;
  for (const part of transactions(records.map((record) => ({ record })))) {
    const loaded = part.map(({ record }) => record);
    const { change, created, updated, refused } = await loadRecords(session, loaded, options);
    stored += created + updated;
    const kept = refused.flatMap(({ index }) => loaded[index] ?? []);
    const noted = kept.map(({ key, revision }) => ({ key, there: revision }));
    await noteKept(stores.catalog, noted, now);
    if (change === null) continue;
    await announceChange(stores.indexQueue, change);
    await wakeListeners(stores.changeFeed, change);
  }
  return stored;
}
