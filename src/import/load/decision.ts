import { allowedUrl } from "../../catalog/allowed-url.ts";
import { isEnvelope } from "../../catalog/editing/members.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import type { CatalogRecord, Json } from "../../catalog/record.ts";

/** Number of a cover that has none yet: it stands in `covers` until the desk gives it one. */
export const COVER_TO_COME = -2;

type LoadStatus = "created" | "modified" | "matched";

/** What became of one record of the catalog. */
export interface Loaded {
  /** Key of a record; of a new one its place among `Decision.created`, `/__new__/2`. */
  readonly key: string;
  readonly status: LoadStatus;
}

/** The answer to an import, without what a preview adds. */
export interface LoadReply {
  readonly success: true;
  readonly authors?: readonly (Loaded & { readonly name: string })[];
  readonly edition: Loaded;
  readonly work: Loaded;
}

/** What is to be done about an import record. Data only. */
export interface Decision {
  /** New records: authors, work, edition. They have a type and no key, and name each other `{"key": "/__new__/2"}`. */
  readonly created: readonly CatalogRecord[];
  /** Changed records, whole, with key and type, without the envelope (revision, times). */
  readonly edits: readonly CatalogRecord[];
  readonly kind: "add-book" | "edit-book";
  readonly comment: string;
  /** Address of the image that `COVER_TO_COME` stands for. */
  readonly cover?: string;
  readonly reply: LoadReply;
}

/** How a record is to be decided on. */
export interface DecideOptions {
  /** Prefix of record numbers. */
  readonly prefix: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** True for records out of an item's own MARC file. */
  readonly fromMarc: boolean;
  /** Hosts whose images are taken, in lower case. */
  readonly coverHosts: readonly string[];
}

/** The address of a cover, if it is on a host whose images are taken. */
export function coverAddress(cover: Json | undefined, hosts: readonly string[]): string | undefined {
  return typeof cover === "string" ? allowedUrl(cover.trim(), hosts)?.href : undefined;
}

/** The number of a record's first cover; those below 1 say that it has none. */
export function firstCover(covers: Json | undefined): number | undefined {
  const numbers = Array.isArray(covers) ? covers.filter((cover) => typeof cover === "number") : [];
  return numbers.find((number) => number > 0);
}

/** The documents of a decision, as they come together. */
export class DecisionDraft {
  readonly created: CatalogRecord[] = [];
  readonly edits: CatalogRecord[] = [];

  /** Adds a new record; what it is called until it has a key. */
  create(record: CatalogRecord): Loaded {
    const place = this.created.push(record) - 1;
    return { key: `/__new__/${place}`, status: "created" };
  }

  /** Adds a record of the catalog with other members, if they are any. */
  edit({ key, document }: StoredForWrite, members: CatalogRecord): Loaded {
    if (Object.keys(members).length === 0) return { key, status: "matched" };
    this.edits.push({ ...withoutEnvelope(document), ...members });
    return { key, status: "modified" };
  }
}

/** A stored document with its key and type, without what the store says about its revision. */
function withoutEnvelope(document: CatalogRecord): CatalogRecord {
  return Object.fromEntries(
    Object.entries(document).filter(([name]) => name === "key" || name === "type" || !isEnvelope(name)),
  );
}
