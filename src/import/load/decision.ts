import type { CatalogRecord } from "../../catalog/record.ts";

/** Number of a cover that has none yet: it stands in `covers` until the desk gives it one (import.md 15.7). */
export const COVER_TO_COME = -2;

export type LoadStatus = "created" | "modified" | "matched";

/** What became of one record of the catalog. */
export interface Loaded {
  /** Key of a record; of a new one its place among `Decision.created`, `/__new__/2`. */
  readonly key: string;
  readonly status: LoadStatus;
}

/** The answer to an import (import.md 15.9), without what a preview adds. */
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
  /** True for records out of an item's own MARC file (import.md 1). */
  readonly fromMarc: boolean;
  /** Hosts whose images are taken, in lower case (import.md 15.8). */
  readonly coverHosts: readonly string[];
}
