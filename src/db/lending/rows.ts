import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";

/** `item` in D1 `CATALOG`: a scan that the holdings have; `restricted` is the column `access_restricted`. */
export interface ItemRow {
  readonly ocaid: string;
  /** JSON array. */
  readonly collections: string;
  readonly restricted: number;
  readonly copies: number;
  readonly browse: number;
}

/** A row of a join with `item`: all columns are null where the holdings do not have the scan. */
export type Joined<Column extends keyof ItemRow> = { readonly [Name in Column]: ItemRow[Name] | null };

/** What the holdings say of a scan; undefined when they do not have it. */
export function metadataOf(row: Joined<"collections" | "restricted">): ItemMetadata | undefined {
  if (row.collections === null) return undefined;
  return { collections: textsOf(row.collections), accessRestricted: row.restricted === 1 };
}

/** The texts of a JSON array, as columns hold them. */
export function textsOf(json: string): readonly string[] {
  return stringsOf(JSON.parse(json) as Json);
}

/** `lending_item` in D1 `PATRONS`: how an item stands, as its desk told last. Times are milliseconds since the epoch. */
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

/** `waiting_loan` in D1 `PATRONS`: a place in the queue of an item. */
export interface WaitingRow {
  readonly number: number;
  readonly patron: string;
  readonly book: string;
  readonly since: number;
  readonly updated: number;
  /** A copy is kept until then; null: still waiting. */
  readonly expiry: number | null;
}
