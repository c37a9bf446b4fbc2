import { parseDocument } from "../document.ts";
import { rewriteLegacyKey } from "../keys.ts";
import { SHELVES, type ShelfId } from "../patrons/shelves.ts";
import { isObject, typeKeyOf, type CatalogRecord, type Json } from "../record.ts";

const DUMP_DEPTH_MAX = 64;

/** Pattern of documents that dumps change: a member `id`, a legacy key, a time with a blank. Very few match. */
const IS_CHANGED = /"id":|"key":"\/(?:[abl]|user)\/|"value":"\d{4}-\d\d-\d\d \d/;
const TIME_WITH_BLANK = /^(\d{4}-\d\d-\d\d) (?=\d)/;

/** Converts a stored document to the form of dumps: no member `id`, current folders in keys, `T` in times. */
export function toDumpDocument(document: string): string {
  if (!IS_CHANGED.test(document)) return document;
  // Stored documents were checked when they were written.
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

interface StoredRevision {
  readonly key: string;
  /** Null if only the document states it. */
  readonly type: string | null;
  readonly revision: number;
  /** Naive UTC, six fraction digits. */
  readonly lastModified: string;
  readonly document: string;
}

const UNTYPED = "/type/object";

/** Formats a revision as a line (type, key, revision, last_modified, JSON) with its line end, and returns its type. */
export function formatRecordLine({ key, type, revision, lastModified, document }: StoredRevision) {
  const stated = type ?? typeKeyOf(parseDocument(document)) ?? UNTYPED;
  const columns = [stated, rewriteLegacyKey(key), revision, lastModified, toDumpDocument(document)];
  return { type: stated, line: `${columns.join("\t")}\n` };
}

export interface DumpedCover {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** Formats a line of cover metadata: id, width, height, day. */
export function formatCoverLine({ id, width, height, date }: DumpedCover): string {
  return `${[id, width, height, date].join("\t")}\n`;
}

/** Folders that dumps leave out: records of administrators and of old programs. */
export const UNDUMPED_FOLDERS = ["/admin/", "/b/", "/old/", "/scan", "/user/"] as const;
/** Folder of users. Dumps contain their lists only. */
export const PEOPLE_FOLDER = "/people/";

const PERSONAL_LIST = /^\/people\/[^/]+\/lists\/([A-Z]{2})\d+L$/;

/** Returns true for keys whose records are public. Of the folders of users only lists are. */
export function isDumpedKey(key: string, prefix: string): boolean {
  if (!key.startsWith("/")) return false;
  if (key.startsWith(PEOPLE_FOLDER)) return PERSONAL_LIST.exec(key)?.[1] === prefix;
  return !UNDUMPED_FOLDERS.some((folder) => key.startsWith(folder));
}

/** Text of a missing value in a dump. */
const NULL = "\\N";

interface DumpedEntry {
  readonly work: number;
  readonly edition: number | null;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** Formats a line of the published reading log, without a line end. `prefix` is the prefix of record numbers. */
export function formatReadingLogLine(row: DumpedEntry & { shelf: ShelfId }, prefix: string): string {
  const name = SHELVES.find(({ id }) => id === row.shelf)?.name ?? "";
  return [...keyColumnsOf(row, prefix), name, row.date].join("\t");
}

/** Formats a line of the published ratings, without a line end. */
export function formatRatingLine(row: DumpedEntry & { stars: number }, prefix: string): string {
  return [...keyColumnsOf(row, prefix), row.stars, row.date].join("\t");
}

function keyColumnsOf({ work, edition }: DumpedEntry, prefix: string): [string, string] {
  return [`/works/${prefix}${work}W`, edition === null ? NULL : `/books/${prefix}${edition}M`];
}
