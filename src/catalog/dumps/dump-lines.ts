import { parseDocument } from "../document.ts";
import { rewriteLegacyKey } from "../keys.ts";
import { SHELVES, type ShelfId } from "../patrons/shelves.ts";
import { isObject, typeKey, type CatalogRecord, type Json } from "../record.ts";

/** Levels of a document in which keys and times are brought to the form of dumps; deeper ones stay as they are. */
const DUMP_DEPTH_MAX = 64;

/** What nearly no document has: a member `id`, a key of the early years, a time with a blank. */
const IS_CHANGED = /"id":|"key":"\/(?:[abl]|user)\/|"value":"\d{4}-\d\d-\d\d \d/;
const TIME_WITH_BLANK = /^(\d{4}-\d\d-\d\d) (?=\d)/;

/** A stored document as a dump has it: no `id` of its own, keys in today's folders, `T` in times. */
export function toDumpDocument(document: string): string {
  if (!IS_CHANGED.test(document)) return document;
  // What is stored was checked when it was written.
  const { id: _legacyId, ...members } = JSON.parse(document) as CatalogRecord;
  return JSON.stringify(toDumpMembers(members, 0));
}

function toDumpMembers(object: CatalogRecord, depth: number): CatalogRecord {
  const isTime = object["type"] === "/type/datetime";
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      if (typeof value !== "string") return [name, toDumpValue(value, depth + 1)];
      if (name === "key") return [name, rewriteLegacyKey(value)];
      return [name, name === "value" && isTime ? value.replace(TIME_WITH_BLANK, "$1T") : value];
    }),
  );
}

function toDumpValue(value: Json | undefined, depth: number): Json | undefined {
  if (depth > DUMP_DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((element) => toDumpValue(element, depth + 1) ?? null);
  return isObject(value) ? toDumpMembers(value, depth) : value;
}

/** A revision as it is stored. */
interface StoredRevision {
  readonly key: string;
  /** Null where only the document says it. */
  readonly type: string | null;
  readonly revision: number;
  /** Naive UTC, six fraction digits. */
  readonly lastModified: string;
  readonly document: string;
}

/** Type of revisions whose document names none. */
const UNTYPED = "/type/object";

/** The line of a revision, with its end, and its type: type, key, revision, last_modified, JSON. */
export function recordLine({ key, type, revision, lastModified, document }: StoredRevision) {
  const stated = type ?? typeKey(parseDocument(document)) ?? UNTYPED;
  const columns = [stated, rewriteLegacyKey(key), revision, lastModified, toDumpDocument(document)];
  return { type: stated, line: `${columns.join("\t")}\n` };
}

/** A cover as it is published. */
export interface DumpedCover {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** A line of the metadata of covers: id, width, height, day. */
export function coverLine({ id, width, height, date }: DumpedCover): string {
  return `${[id, width, height, date].join("\t")}\n`;
}

/** Folders whose records stand in no dump: what administrators and old programs kept there. */
export const UNDUMPED_FOLDERS = ["/admin/", "/b/", "/old/", "/scan", "/user/"] as const;
/** Of people their lists are dumped and nothing else. */
export const PEOPLE_FOLDER = "/people/";

const PERSONAL_LIST = /^\/people\/[^/]+\/lists\/([A-Z]{2})\d+L$/;

/** True for keys whose records everybody may download: of people their lists alone, of nobody else's folders anything. */
export function isDumpedKey(key: string, prefix: string): boolean {
  if (!key.startsWith("/")) return false;
  if (key.startsWith(PEOPLE_FOLDER)) return PERSONAL_LIST.exec(key)?.[1] === prefix;
  return !UNDUMPED_FOLDERS.some((folder) => key.startsWith(folder));
}

/** How a dump says that there is nothing. */
const NULL = "\\N";

interface DumpedEntry {
  readonly work: number;
  readonly edition: number | null;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** A line of the published reading log, without its end. `prefix` is that of record numbers. */
export function readingLogLine(row: DumpedEntry & { readonly shelf: ShelfId }, prefix: string): string {
  const name = SHELVES.find(({ id }) => id === row.shelf)?.name ?? "";
  return [...keyColumnsOf(row, prefix), name, row.date].join("\t");
}

/** A line of the published ratings, without its end. */
export function ratingLine(row: DumpedEntry & { readonly stars: number }, prefix: string): string {
  return [...keyColumnsOf(row, prefix), row.stars, row.date].join("\t");
}

function keyColumnsOf({ work, edition }: DumpedEntry, prefix: string): [string, string] {
  return [`/works/${prefix}${work}W`, edition === null ? NULL : `/books/${prefix}${edition}M`];
}
