import * as z from "zod";
import {
  type CatalogRecord,
  type Json,
  authorKeys,
  isObject,
  keysOf,
  typeKey,
} from "../../catalog/record.ts";
import { type DumpRecord, parseDumpLine } from "../../catalog/dumps/read-line.ts";

/** Kinds of records that may be followed. Accounts, groups and rights of another service are nobody's business here. */
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

/** True for the key of a record of these kinds. */
export function isFollowed(key: string, kinds: readonly FollowedKind[]): boolean {
  return kinds.some((kind) => KEYS[kind].test(key));
}

/** A record that a change has made, and its revision then. */
export interface NamedRecord {
  readonly key: string;
  readonly revision: number;
}

/** A change as `/recentchanges` lists it. */
export interface ListedChange {
  readonly id: number;
  readonly changes: readonly NamedRecord[];
}

/** The beginning of a page of `/recentchanges`: entries on it, the changes that they are, and whether that is all of it. */
export interface ListedPage {
  readonly size: number;
  readonly changes: readonly ListedChange[];
  readonly isWhole: boolean;
}

/** Records that the changes of a page may name; further changes are left for the next request. One is always taken. */
const NAMED_MAX = 10_000;

const namedSchema = z.object({ key: z.string(), revision: z.coerce.number().int().positive() });
const changeSchema = z.object({
  id: z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]),
  changes: z.array(z.unknown()).nullish(),
});

/** The changes of an answer, as far as they can be read: very old ones name no records. Undefined when it is none. */
export function listedChanges(answer: unknown): ListedPage | undefined {
  if (!Array.isArray(answer)) return undefined;
  const changes = answer.flatMap((value) => {
    const change = changeSchema.safeParse(value).data;
    const named = change?.changes?.flatMap((one) => namedSchema.safeParse(one).data ?? []);
    return change === undefined ? [] : [{ id: change.id, changes: named ?? [] }];
  });
  if (answer.length > 0 && changes.length === 0) return undefined;
  let named = 0;
  const end = changes.findIndex((one) => (named += one.changes.length) > NAMED_MAX);
  if (end === -1) return { size: answer.length, changes, isWhole: true };
  const taken = changes.slice(0, Math.max(end, 1));
  return { size: taken.length, changes: taken, isWhole: taken.length === answer.length };
}

const manySchema = z.object({ status: z.literal("ok"), result: z.record(z.string(), z.unknown()) });

/** The records of an answer for many keys, by their keys; undefined when it is none. */
export function manyRecords(answer: unknown): Readonly<Record<string, unknown>> | undefined {
  return manySchema.safeParse(answer).data?.result;
}

/** A record as another service sends it, in the form in which dumps are loaded; why not, where it is none. */
export function followedRecord(key: string, value: unknown): DumpRecord | { readonly reason: string } {
  if (!isObject(value)) return { reason: "no record" };
  const modified = value["last_modified"];
  const time = isObject(modified) ? modified["value"] : modified;
  const columns = [typeKey(value), key, value["revision"], time, JSON.stringify(value)];
  return parseDumpLine(columns.join("\t"));
}

/** Keys of works and authors without which a record is not whole. */
export function namedBy(record: CatalogRecord): string[] {
  return [...keysOf(record["works"]), ...authorKeys(record["authors"])];
}

/** A list of records that a service is asked for page by page: what is in it, and how its entries name them. */
const LISTINGS: readonly { readonly path: RegExp; readonly member: string; readonly name: string }[] = [
  { path: /^\/(?:people\/[^/?]+\/)?(?:lists|series)\/[A-Z]{2}\d+L\/seeds$/, member: "entries", name: "url" },
  { path: /^\/subjects\/[^/?]+$/, member: "works", name: "key" },
  { path: /^\/works\/[A-Z]{2}\d+W\/editions$/, member: "entries", name: "key" },
];
/** Entries of a listing that one request asks for. */
export const LISTING_ENTRIES = 100;

/** True for what can be followed in part: `<list>/seeds`, `/subjects/<name>`, `<work>/editions`. */
export function isListing(path: string): boolean {
  return LISTINGS.some((one) => one.path.test(path));
}

/** Address of a page of a listing. */
export function listingPath(path: string, offset: number): string {
  return `${path}.json?limit=${LISTING_ENTRIES}&offset=${offset}`;
}

/** Keys of these kinds on a page of a listing, and whether another page may follow. Lists answer all of their seeds at once. */
export function listedKeys(
  path: string,
  answer: Json,
  kinds: readonly FollowedKind[],
): { readonly keys: string[]; readonly hasMore: boolean } {
  const listing = LISTINGS.find((one) => one.path.test(path));
  const found = isObject(answer) && listing !== undefined ? answer[listing.member] : undefined;
  const entries = Array.isArray(found) ? found : [];
  const keys = entries.flatMap((entry) => {
    const key = isObject(entry) ? entry[listing?.name ?? ""] : undefined;
    return typeof key === "string" && isFollowed(key, kinds) ? [key] : [];
  });
  return { keys, hasMore: listing?.name === "key" && entries.length === LISTING_ENTRIES };
}
