import type { Text } from "../../catalog/texts.ts";
import * as z from "zod";
import {
  type CatalogRecord,
  type Json,
  authorKeysIn,
  isObject,
  keysOf,
  typeKeyOf,
} from "../../catalog/record.ts";
import { type DumpRecord, parseDumpLine } from "../../catalog/dumps/parse-dump-line.ts";

/** Record kinds that can be followed. Accounts, groups and permissions of the source service are never copied. */
export const FOLLOWED_KINDS = [
  "works",
  "editions",
  "authors",
  "lists",
  "series",
  "tags",
  "languages",
] as const;
type FollowedKind = (typeof FOLLOWED_KINDS)[number];

const KEYS: Readonly<Record<FollowedKind, RegExp>> = {
  works: /^\/works\/[A-Z]{2}\d+W$/,
  editions: /^\/books\/[A-Z]{2}\d+M$/,
  authors: /^\/authors\/[A-Z]{2}\d+A$/,
  lists: /^(?:\/people\/[^/?]+)?\/lists\/[A-Z]{2}\d+L$/,
  series: /^\/series\/[A-Z]{2}\d+L$/,
  tags: /^\/tags\/[A-Z]{2}\d+T$/,
  languages: /^\/languages\/[a-z]{3}$/,
};

/** Returns true for the key of a record of these kinds. */
export function isFollowed(key: string, kinds: readonly FollowedKind[]): boolean {
  return kinds.some((kind) => KEYS[kind].test(key));
}

export interface NamedRecord {
  readonly key: string;
  readonly revision: number;
}

/** Change as listed by `/recentchanges`. */
interface ListedChange {
  readonly id: number;
  readonly changes: readonly NamedRecord[];
}

/** Start of a page of `/recentchanges`: number of entries, their changes, and whether the page is complete. */
export interface ListedPage {
  readonly size: number;
  readonly changes: readonly ListedChange[];
  readonly isWhole: boolean;
}

/** Maximum number of records per page of changes. Further changes wait; at least one is taken. */
const NAMED_MAX = 10_000;

const namedSchema = z.object({ key: z.string(), revision: z.coerce.number().int().positive() });
const changeSchema = z.object({
  id: z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]),
  changes: z.array(z.unknown()).nullish(),
});

/**
 * Parses the changes of a response. Skips unreadable data: very old changes name no records. Returns undefined if it is
 * not a list of changes.
 */
export function parseListedChanges(response: unknown): ListedPage | undefined {
  if (!Array.isArray(response)) return undefined;
  const changes = response.flatMap((value) => {
    const change = changeSchema.safeParse(value).data;
    const named = change?.changes?.flatMap((record) => namedSchema.safeParse(record).data ?? []);
    return change === undefined ? [] : [{ id: change.id, changes: named ?? [] }];
  });
  if (response.length > 0 && changes.length === 0) return undefined;
  let named = 0;
  const end = changes.findIndex((change) => (named += change.changes.length) > NAMED_MAX);
  if (end === -1) return { size: response.length, changes, isWhole: true };
  const page = changes.slice(0, Math.max(end, 1));
  return { size: page.length, changes: page, isWhole: page.length === response.length };
}

const manySchema = z.object({ status: z.literal("ok"), result: z.record(z.string(), z.unknown()) });

/** Returns the records in a response for many keys, by key. Returns undefined if it is not such a response. */
export function parseManyRecords(response: unknown): Readonly<Record<string, unknown>> | undefined {
  return manySchema.safeParse(response).data?.result;
}

/** Converts a record of a source service to the form of a dump record. Returns the reason if it is not valid. */
export function toDumpRecord(key: string, value: unknown): DumpRecord | { readonly reason: Text } {
  if (!isObject(value)) return { reason: { key: "dump_line.json" } };
  const modified = value["last_modified"];
  const time = isObject(modified) ? modified["value"] : modified;
  const columns = [typeKeyOf(value), key, value["revision"], time, JSON.stringify(value)];
  return parseDumpLine(columns.join("\t"));
}

/** Returns the keys of the works and authors that a record needs to be complete. */
export function referencedKeysOf(record: CatalogRecord): string[] {
  return [...keysOf(record["works"]), ...authorKeysIn(record["authors"])];
}

/** Paged listings of records at the source service, with the list member and the member that holds the key. */
const LISTINGS: readonly { readonly path: RegExp; readonly member: string; readonly name: string }[] = [
  { path: /^\/(?:people\/[^/?]+\/)?(?:lists|series)\/[A-Z]{2}\d+L\/seeds$/, member: "entries", name: "url" },
  { path: /^\/subjects\/[^/?]+$/, member: "works", name: "key" },
  { path: /^\/works\/[A-Z]{2}\d+W\/editions$/, member: "entries", name: "key" },
];
export const LISTING_ENTRIES = 100;

/** Returns true for listings that can be followed: `<list>/seeds`, `/subjects/<name>`, `<work>/editions`. */
export function isListing(path: string): boolean {
  return LISTINGS.some((listing) => listing.path.test(path));
}

export function listingPathOf(path: string, offset: number): string {
  return `${path}.json?limit=${LISTING_ENTRIES}&offset=${offset}`;
}

/** Returns the keys of these kinds on a page of a listing. Lists return all their seeds at once. */
export function parseListedKeys(
  path: string,
  response: Json,
  kinds: readonly FollowedKind[],
): { readonly keys: string[]; readonly hasMore: boolean } {
  const listing = LISTINGS.find((candidate) => candidate.path.test(path));
  const list = isObject(response) && listing !== undefined ? response[listing.member] : undefined;
  const entries = Array.isArray(list) ? list : [];
  const keys = entries.flatMap((entry) => {
    const key = isObject(entry) ? entry[listing?.name ?? ""] : undefined;
    return typeof key === "string" && isFollowed(key, kinds) ? [key] : [];
  });
  return { keys, hasMore: listing?.name === "key" && entries.length === LISTING_ENTRIES };
}
