import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";

/** Row of `item` in D1 `CATALOG`: a scan of the holdings; `restricted` is the column `access_restricted`. */
export interface ItemRow {
  readonly ocaid: string;
  /** JSON array. */
  readonly collections: string;
  readonly restricted: number;
  readonly copies: number;
  readonly browse: number;
}

/** Row of a join with `item`: all columns are null if the holdings do not have the scan. */
export type Joined<Column extends keyof ItemRow> = { readonly [Name in Column]: ItemRow[Name] | null };

/** Returns the metadata of a scan; undefined if the holdings do not have it. */
export function metadataOf(row: Joined<"collections" | "restricted">): ItemMetadata | undefined {
  if (row.collections === null) return undefined;
  return { collections: textsOf(row.collections), accessRestricted: row.restricted === 1 };
}

/** Returns the texts of a JSON array from a column. */
export function textsOf(json: string): readonly string[] {
  return stringsOf(JSON.parse(json) as Json);
}

/**
 * Row of `lending_item` in D1 `PATRONS`: an item as its desk last reported it. Times in milliseconds since the epoch.
 */
export interface LentItem {
  readonly ocaid: string;
  readonly borrows: number;
  readonly browses: number;
  readonly waiting: number;
  readonly reserved: number;
  readonly lastLoan: number | null;
  readonly lastWaiting: number | null;
  readonly nextExpiry: number | null;
}

/** Row of `waiting_loan` in D1 `PATRONS`: a place in the queue of an item. */
export interface WaitingRow {
  readonly number: number;
  readonly patron: string;
  readonly book: string;
  readonly since: number;
  readonly updated: number;
  /** End of the reservation of a copy; null: still waiting. */
  readonly expiry: number | null;
}
