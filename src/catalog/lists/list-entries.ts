import type { JsonObject } from "../record.ts";
import { listUrl } from "./list-view.ts";
import { wireTime } from "./wire-time.ts";

/** A list among others. */
export interface ListEntry {
  readonly key: string;
  readonly revision: number;
  /** Empty when it has none. */
  readonly name: string;
  readonly seedCount: number;
  /** When the newest of its member records was changed, naive UTC; null for a list without member records. */
  readonly lastUpdate: string | null;
}

/** A page of lists, and what it is a page of. */
export interface ListsPage {
  /** Key of the record, such as `/works/OL42W`. */
  readonly self: string;
  /** Path of the request. */
  readonly path: string;
  readonly size: number;
  readonly entries: readonly ListEntry[];
  readonly limit: number;
  readonly offset: number;
}

/** A page of lists as JSON (patrons.md 14.4); members without a value are left out. */
export function listsPage(page: ListsPage): JsonObject {
  const { self, size, entries } = page;
  return { links: { self, ...neighbours(page) }, size, entries: entries.map(listEntry) };
}

function listEntry({ key, name, seedCount, lastUpdate }: ListEntry): JsonObject {
  return {
    url: key,
    full_url: listUrl(key, name),
    name,
    seed_count: seedCount,
    ...(lastUpdate === null ? {} : { last_update: wireTime(lastUpdate) }),
  };
}

function neighbours({ path, limit, offset, size, entries }: ListsPage): JsonObject {
  // Q242: a page without room for lists leads nowhere, and not to itself.
  if (limit === 0) return {};
  const to = (start: number): string => `${path}?limit=${limit}&offset=${start}`;
  return {
    ...(entries.length > 0 && offset + entries.length < size ? { next: to(offset + limit) } : {}),
    ...(offset > 0 ? { prev: to(Math.max(0, offset - limit)) } : {}),
  };
}
