import type { ImportFormat } from "../../import/formats.ts";
import type { BatchState, ItemStatus } from "../../import/statuses.ts";
import type { ImportWarning } from "../../import/warning.ts";

/** `import_batch` in D1 `CATALOG`: an uploaded file, or the items of one call. Times are naive UTC. */
export interface ImportBatch {
  readonly id: number;
  readonly name: string;
  readonly submitter: string | null;
  readonly submit_time: string;
  /** R2 key of the file to split into items; null if the items came with the call. */
  readonly object: string | null;
  readonly format: ImportFormat | null;
  /** SHA-256 of the file in hex, as stated by the uploader. */
  readonly digest: string | null;
  readonly size: number | null;
  /** Split position in the file, in bytes. */
  readonly position: number;
  /** Number of records or lines split so far. */
  readonly records: number;
  /** Number of these records that were items already. */
  readonly skipped: number;
  readonly state: BatchState;
  readonly problem: string | null;
  readonly updated: string;
}

/** `import_item` in D1 `CATALOG`: an item to import and its outcome. Times are naive UTC. */
export interface ImportItem {
  readonly id: number;
  readonly batch_id: number;
  readonly added_time: string;
  readonly import_time: string | null;
  readonly status: ItemStatus;
  readonly error: string | null;
  /** Id of an archive item, or `<source>:<id>`. */
  readonly ia_id: string;
  /** JSON text of the record; null if it is imported by id, or done. */
  readonly data: string | null;
  readonly ol_key: string | null;
  readonly comments: string | null;
  /** JSON text of the list of warnings about the record; null if there are none. */
  readonly warnings: string | null;
  readonly submitter: string | null;
  /** Position in the file of the batch. */
  readonly place: number | null;
  readonly attempts: number;
}

/** `lookup` in D1 `CATALOG`: a book to look up at a provider. One of `isbn` and `asin` is set. */
export interface LookupRow {
  /** ISBN-13 if the book has one, otherwise its ISBN or ASIN. */
  readonly identifier: string;
  readonly isbn: string | null;
  readonly asin: string | null;
  readonly priority: "high" | "low";
  /** `done` if the book is staged now, `failed` if no provider knows it. */
  readonly status: "pending" | "done" | "failed";
}

/** Item counts by status. Zero counts are absent. */
export type StatusCounts = Partial<Record<ItemStatus, number>>;

/** Returns the stored warnings about the record of an item. */
export function storedWarnings({ warnings }: Pick<ImportItem, "warnings">): ImportWarning[] {
  // Only lists of warnings are stored.
  return warnings === null ? [] : (JSON.parse(warnings) as ImportWarning[]);
}
