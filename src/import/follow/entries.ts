import type { DumpRecord } from "../../catalog/dumps/read-line.ts";
import type { Position } from "./position.ts";
import { isListing } from "./source.ts";

/**
 * What is to be asked for is noted as texts: `<key>` is the newest revision of a record, `<key>?v=3` that one, `<key>?` the
 * newest by a request of its own, `<path>@100` a listing (source.ts) from an offset on. What begins with this is wanted whatever
 * is here: records of a list or a subject, and what these name.
 */
export const WANTED = "+";

/** Keys of one request: as many as clients of the interface send; and where each brings its earlier revisions along. */
const KEYS_AT_ONCE = { newest: 100, whole: 10 };
/** Earlier revisions of a record that are asked for, at most. */
const EARLIER_MAX = 1000;

/** The key of an entry for a record. */
export function keyOf(entry: string): string {
  const [key = ""] = entry.replace(/^\+/, "").split("?");
  return key;
}

/** The listing of an entry; undefined when it is for a record. */
export function listingOf(entry: string): { readonly path: string; readonly offset: number } | undefined {
  const [, path = "", offset = "0"] = /^\+(.*?)(?:@(\d+))?$/.exec(entry) ?? [];
  return isListing(path) ? { path, offset: Number(offset) } : undefined;
}

/** The entries at the beginning of `todo` that one request asks for. */
export function firstBatch({ todo, history }: Pick<Position, "todo" | "history">): string[] {
  const most = history ? KEYS_AT_ONCE.whole : KEYS_AT_ONCE.newest;
  const end = todo.findIndex((entry) => entry.includes("?") || listingOf(entry) !== undefined);
  return todo.slice(0, end === -1 ? most : Math.min(Math.max(end, 1), most));
}

/** Where the other service shows what entries for records ask for: one, or several newest ones. */
export function recordsPath(entries: readonly string[]): string {
  if (entries.length > 1)
    return `/api/get_many?keys=${encodeURIComponent(JSON.stringify(entries.map(keyOf)))}`;
  const [key = "", revision = ""] = entries.flatMap((entry) => entry.replace(/^\+/, "").split("?"));
  // Lists and series are shown otherwise than they are stored.
  const raw = /\/(?:lists|series)\//.test(key) ? "_raw=true" : "";
  const query = [revision, raw].filter((one) => one !== "").join("&");
  return `${encodeURI(key)}.json${query && `?${query}`}`;
}

/** Entries for the revisions before those of these records, where entries have asked for the newest ones. */
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

/** The position after a request that the other service does not answer: its records are asked for one by one, and those alone are put off. */
export function setAside(position: Position): Position {
  const batch = firstBatch(position);
  const rest = position.todo.slice(batch.length);
  if (batch.length > 1) return { ...position, todo: [...batch.map((entry) => `${entry}?`), ...rest] };
  return { ...position, todo: rest, failed: [...new Set([...position.failed, ...batch])] };
}
