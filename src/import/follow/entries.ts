import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";
import type { Position } from "./position.ts";
import { isListing } from "./source.ts";

/**
 * Prefix of entries to fetch regardless of the local catalog: records of a list or subject, and the records they refer
 * to. Entries are texts: `<key>` is the newest revision of a record, `<key>?v=3` that revision, `<key>?` the newest by
 * a request of its own, `<path>@100` a listing (source.ts) from an offset on.
 */
export const WANTED = "+";

/** Keys per request: as many as clients of the interface send, and fewer if each adds its earlier revisions. */
const KEYS_AT_ONCE = { newest: 100, whole: 10 };
/** Maximum number of earlier revisions requested per record. */
const EARLIER_MAX = 1000;

/** Returns the key of an entry for a record. */
export function keyOf(entry: string): string {
  const [key = ""] = entry.replace(/^\+/, "").split("?");
  return key;
}

/** Returns the listing of an entry, or undefined if the entry is for a record. */
export function listingOf(entry: string): { readonly path: string; readonly offset: number } | undefined {
  const [, path = "", offset = "0"] = /^\+(.*?)(?:@(\d+))?$/.exec(entry) ?? [];
  return isListing(path) ? { path, offset: Number(offset) } : undefined;
}

/** Returns the entries at the start of `todo` for the next request. */
export function firstBatch({ todo, history }: Pick<Position, "todo" | "history">): string[] {
  const most = history ? KEYS_AT_ONCE.whole : KEYS_AT_ONCE.newest;
  const end = todo.findIndex((entry) => entry.includes("?") || listingOf(entry) !== undefined);
  return todo.slice(0, end === -1 ? most : Math.min(Math.max(end, 1), most));
}

/** Returns the path at the source service for record entries: one entry, or several newest revisions. */
export function recordsPath(entries: readonly string[]): string {
  if (entries.length > 1)
    return `/api/get_many?keys=${encodeURIComponent(JSON.stringify(entries.map(keyOf)))}`;
  const [key = "", revision = ""] = entries.flatMap((entry) => entry.replace(/^\+/, "").split("?"));
  // The source service does not show lists and series in their stored form by default.
  const raw = /\/(?:lists|series)\//.test(key) ? "_raw=true" : "";
  const query = [revision, raw].filter((one) => one !== "").join("&");
  return `${encodeURI(key)}.json${query && `?${query}`}`;
}

/** Returns entries for the revisions before these records, for entries that requested the newest ones. */
export function earlierRevisions(records: readonly DumpRecord[], entries: readonly string[]): string[] {
  const wanted = new Set(entries.filter((one) => !one.includes("?v=")).map(keyOf));
  return records
    .filter(({ key }) => wanted.has(key))
    .flatMap(({ key, revision }) =>
      Array.from(
        { length: Math.min(revision - 1, EARLIER_MAX) },
        (_, n) => `${WANTED}${key}?v=${revision - 1 - n}`,
      ),
    );
}

/**
 * Returns the position after a request without a response: its records are retried one by one, and single ones are set
 * aside.
 */
export function setAside(position: Position): Position {
  const batch = firstBatch(position);
  const rest = position.todo.slice(batch.length);
  if (batch.length > 1) return { ...position, todo: [...batch.map((entry) => `${entry}?`), ...rest] };
  return { ...position, todo: rest, failed: [...new Set([...position.failed, ...batch])] };
}
