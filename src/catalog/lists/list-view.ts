import { textOf, type CatalogRecord, type JsonObject } from "../record.ts";
import { toSlug, recordUrlOf } from "../slug.ts";
import { renderAtom, type FeedEntry } from "../web-feed.ts";
import { editionTitleOf } from "../document.ts";

/** Formats a stored time for responses about lists: naive UTC, without a zero fraction. */
export function formatWireTime(stored: string): string {
  return stored.replace(/\.0+$/, "");
}

/** Row of a list or series without its members. Times are naive UTC. */
export interface ListHead {
  readonly key: string;
  readonly type: "/type/list" | "/type/series";
  readonly revision: number;
  readonly created: string;
  readonly lastModified: string;
  /** Name and description as stored: texts or text objects. */
  readonly members: CatalogRecord;
  /** Number of seeds of a list, or of works that refer to a series. */
  readonly seedCount: number;
}

/** Builds the response of `GET <key>.json`. */
export function toListView(head: ListHead): CatalogRecord {
  const { key, type, revision, created, lastModified, seedCount } = head;
  const isSeries = type === "/type/series";
  return {
    links: {
      self: key,
      seeds: `${key}/seeds`,
      ...(isSeries ? {} : { subjects: `${key}/subjects`, editions: `${key}/editions` }),
    },
    name: listNameOf(head) === "" ? null : listNameOf(head),
    // Q241: the type, not the list's own key.
    type: { key: type },
    description: listDescriptionOf(head) === "" ? null : listDescriptionOf(head),
    seed_count: seedCount,
    meta: { revision, created: formatWireTime(created), last_modified: formatWireTime(lastModified) },
  };
}

/** Returns the name of a list; empty if it has none. */
export function listNameOf({ members }: Pick<ListHead, "members">): string {
  return textOf(members["name"]) ?? "";
}

/** Returns the description of a list; empty if it has none. */
export function listDescriptionOf({ members }: Pick<ListHead, "members">): string {
  return textOf(members["description"]) ?? "";
}

/** Returns the path of a list with its slug, raw: `/lists/OL1L/Time_Travel`; `unnamed` for lists without a name. */
export function listUrlOf(key: string, name: string): string {
  const slug = toSlug(name === "" ? "unnamed" : name);
  return slug === "" ? key : `${key}/${slug}`;
}

export interface ListEntry {
  readonly key: string;
  readonly revision: number;
  /** Empty if it has none. */
  readonly name: string;
  readonly seedCount: number;
  /** Time of the latest change of its member records, naive UTC; null without member records. */
  readonly lastUpdate: string | null;
}

interface ListsPage {
  readonly self: string;
  readonly path: string;
  readonly size: number;
  readonly entries: readonly ListEntry[];
  readonly limit: number;
  readonly offset: number;
}

/** Builds the JSON of a page of lists. Members without a value are absent. */
export function toListsPage(page: ListsPage): JsonObject {
  const { self, size, entries } = page;
  return { links: { self, ...neighbourLinksOf(page) }, size, entries: entries.map(toListEntry) };
}

function toListEntry({ key, name, seedCount, lastUpdate }: ListEntry): JsonObject {
  return {
    url: key,
    full_url: listUrlOf(key, name),
    name,
    seed_count: seedCount,
    ...(lastUpdate === null ? {} : { last_update: formatWireTime(lastUpdate) }),
  };
}

function neighbourLinksOf({ path, limit, offset, size, entries }: ListsPage): JsonObject {
  // Q242: an empty page has no neighbours, and does not link to itself.
  if (limit === 0) return {};
  const to = (start: number): string => `${path}?limit=${limit}&offset=${start}`;
  return {
    ...(entries.length > 0 && offset + entries.length < size ? { next: to(offset + limit) } : {}),
    ...(offset > 0 ? { prev: to(Math.max(0, offset - limit)) } : {}),
  };
}

/** Latest change of an edition in a list, or of a work in a series. */
export interface ListMemberChange {
  readonly key: string;
  readonly type: string;
  readonly record: CatalogRecord;
  readonly changeId: number;
  /** Naive UTC. */
  readonly created: string;
  readonly comment: string | null;
  /** Key of the user; null for changes without one. */
  readonly author: string | null;
  readonly authorName: string | null;
}

/** Renders the changes of a list's members as an Atom feed. `baseUrl` has no trailing slash. */
export function renderListFeed(
  list: ListHead,
  changes: readonly ListMemberChange[],
  baseUrl: string,
): string {
  const name = listNameOf(list) === "" ? "List without a name" : listNameOf(list);
  const page = encodeURI(baseUrl + listUrlOf(list.key, listNameOf(list)));
  const self = `${encodeURI(baseUrl + list.key)}/feeds/updates.atom`;
  const [latest] = changes;
  return renderAtom({
    title: `Updates of ${name}`,
    self,
    page,
    updated: toZoned(latest?.created ?? list.lastModified),
    entries: changes.map((change) => toFeedEntry(change, baseUrl)),
  });
}

function toFeedEntry(
  { key, type, record: members, changeId, created, comment, author, authorName }: ListMemberChange,
  baseUrl: string,
): FeedEntry {
  const record = { ...members, key, type: { key: type } };
  const title = editionTitleOf(record);
  const name = authorName ?? author?.slice("/people/".length) ?? "";
  return {
    title: title === undefined || title === "" ? key : title,
    href: encodeURI(recordUrlOf(baseUrl, record)),
    id: `${baseUrl}/recentchanges/goto/${changeId}#${key}`,
    updated: toZoned(created),
    summary: comment ?? "",
    authors: [name === "" ? "Anonymous" : name],
  };
}

function toZoned(time: string): string {
  return `${time}Z`;
}
