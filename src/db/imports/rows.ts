import type { ImportFormat } from "../../import/formats.ts";
import type { BatchState, ItemStatus } from "../../import/statuses.ts";

/** `import_batch` in D1 `CATALOG`: a file, or what came in one call. Times are naive UTC. */
export interface ImportBatch {
  readonly id: number;
  readonly name: string;
  readonly submitter: string | null;
  readonly submit_time: string;
  /** Key in R2 of the file that items are made of; null when they came with the batch. */
  readonly object: string | null;
  readonly format: ImportFormat | null;
  /** SHA-256 of the file in hex, as whoever put it there said. */
  readonly digest: string | null;
  readonly size: number | null;
  /** How far the file has been split, in bytes. */
  readonly position: number;
  /** Records, or lines, split so far. */
  readonly records: number;
  /** Those of them that were items already. */
  readonly skipped: number;
  readonly state: BatchState;
  readonly problem: string | null;
  readonly updated: string;
}

/** `import_item` in D1 `CATALOG`: something to be imported, and what became of it. Times are naive UTC. */
export interface ImportItem {
  readonly id: number;
  readonly batch_id: number;
  readonly added_time: string;
  /** When it was done with. */
  readonly import_time: string | null;
  readonly status: ItemStatus;
  /** Code of what went wrong. */
  readonly error: string | null;
  /** Id of an archive item, or `<source>:<id>`. */
  readonly ia_id: string;
  /** JSON text of the record; null: to be imported by its id, or done. */
  readonly data: string | null;
  /** Key of the edition that it is now. */
  readonly ol_key: string | null;
  readonly comments: string | null;
  readonly submitter: string | null;
  /** Where it stands in the file of the batch. */
  readonly place: number | null;
  /** How often the service has failed at it. */
  readonly attempts: number;
}

/** `lookup` in D1 `CATALOG`: a book to be looked up elsewhere; one of `isbn` and `asin` is set. */
export interface LookupRow {
  /** ISBN-13 of a book that has one. */
  readonly identifier: string;
  readonly isbn: string | null;
  readonly asin: string | null;
  readonly priority: "high" | "low";
  /** `done` where the book is staged now, `failed` where nobody knows it. */
  readonly status: "pending" | "done" | "failed";
}

/** Numbers of items by status; those of which there are none are absent. */
export type StatusCounts = Partial<Record<ItemStatus, number>>;

/** A row of a count. */
export type CountRow = Pick<ImportItem, "status"> & { readonly items: number };

/** Rows of a count as one object. */
export function countsOf(counts: readonly CountRow[]): StatusCounts {
  return Object.fromEntries(counts.map(({ status, items }) => [status, items]));
}
