import type { ImportWarning } from "../../import/warning.ts";
import type { ItemStatus } from "../../import/statuses.ts";
import {
  rows,
  allValues,
  batchGroups,
  overList,
  type Database,
  type Window,
  type Statement,
} from "../statement.ts";
import { storedWarnings, type ImportItem, type StatusCounts } from "./import-rows.ts";

/** Conditions of the sets of items that are counted. `?1` is the batch, or the day (`2026-11-21`). */
const COUNTED = {
  batch: "batch_id = ?1",
  warned: "batch_id = ?1 AND warnings IS NOT NULL",
  day: "added_time >= ?1 AND added_time < ?1 || 'U'",
  waiting: "status IN ('pending', 'processing')",
};

/** Counts items by status: of a batch, with warnings, added on a day, or waiting. One statement. */
export async function countItems(
  catalog: Database,
  set: keyof typeof COUNTED,
  ...values: (string | number)[]
): Promise<StatusCounts> {
  const sql = `SELECT status, count(*) AS items FROM import_item WHERE ${COUNTED[set]} GROUP BY status`;
  const counts = await rows<{ status: ItemStatus; items: number }>(catalog, { sql, values });
  return Object.fromEntries(counts.map(({ status, items }) => [status, items]));
}

/** Returns true if at least `many` items are pending. One statement, which stops counting there. */
export async function areManyPending(catalog: Database, many: number): Promise<boolean> {
  const sql = `SELECT count(*) AS items FROM (
                 SELECT 1 FROM import_item WHERE status = 'pending' LIMIT ?1)`;
  const [row] = await rows<{ items: number }>(catalog, { sql, values: [many] });
  return (row?.items ?? 0) >= many;
}

type ItemRow = Omit<ImportItem, "attempts">;

/** Item as shown, with its warnings if it has any. */
export interface ShownItem extends Omit<ItemRow, "warnings"> {
  readonly warnings?: ImportWarning[];
}

function toShownItem({ warnings, ...item }: ItemRow): ShownItem {
  return warnings === null ? item : { ...item, warnings: storedWarnings({ warnings }) };
}

/** Maximum length of a record in lists, in characters. Longer ones are left out. */
const SHOWN_DATA_LENGTH = 20_000;

const SHOWN_COLUMNS = `id, batch_id, added_time, import_time, status, error, ia_id,
  CASE WHEN length(data) <= ${SHOWN_DATA_LENGTH} THEN data END AS data, ol_key, comments, warnings, submitter, place`;

export const ITEM_ORDERS = ["added_time", "import_time", "status"] as const;

export interface ItemPage {
  readonly sort: { readonly by: (typeof ITEM_ORDERS)[number]; readonly order: "asc" | "desc" };
  readonly limit: number;
  readonly offset: number;
  /** Status to filter by. The items are then sorted by number, the order in which they were added. */
  readonly status?: ItemStatus | undefined;
  /** Number after which the page starts. The items are then sorted by number. */
  readonly after?: number | undefined;
  /** True for items with warnings only, which are then sorted by number. */
  readonly warned?: boolean;
}

export async function readImportItems(
  catalog: Database,
  batch: number,
  page: ItemPage,
): Promise<ShownItem[]> {
  const { sort, limit, offset, status = null, after = null, warned = false } = page;
  const order = sort.order === "asc" ? "ASC" : "DESC";
  // The column name is one of three. Within one status, the index only provides the order of the numbers.
  const by = status === null && !warned ? `${sort.by} ${order}, id ${order}` : `id ${order}`;
  const hasWarnings = warned ? " AND warnings IS NOT NULL" : "";
  const isWanted = `${status === null ? "CAST(?2 AS TEXT) IS NULL" : "status = ?2"} AND ${after === null ? "CAST(?3 AS BIGINT) IS NULL" : "id > ?3"}${hasWarnings}`;
  const sql = `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE batch_id = ?1 AND ${isWanted}
               ORDER BY ${after === null ? by : "id"} LIMIT ?4 OFFSET ?5`;
  return (await rows<ItemRow>(catalog, { sql, values: [batch, status, after, limit, offset] })).map(
    toShownItem,
  );
}

export type WarnedItem = Pick<ItemRow, "id" | "place" | "ia_id" | "status" | "ol_key" | "warnings">;

/** Reads the items of a batch that have warnings, in order of their numbers, from a number on. One statement. */
export function readWarnedItems(
  catalog: Database,
  batch: number,
  { after, limit }: { after: number; limit: number },
): Promise<WarnedItem[]> {
  const sql = `SELECT id, place, ia_id, status, ol_key, warnings FROM import_item
               WHERE batch_id = ?1 AND warnings IS NOT NULL AND id > ?2 ORDER BY id LIMIT ?3`;
  return rows(catalog, { sql, values: [batch, after, limit] });
}

/** Reads the items added on a day (`2026-11-21`) in order of arrival. One statement. */
export async function readItemsOfDay(
  catalog: Database,
  day: string,
  { limit, offset }: Window,
): Promise<ShownItem[]> {
  const sql = `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE added_time >= ?1 AND added_time < ?1 || 'U'
               ORDER BY added_time, id LIMIT ?2 OFFSET ?3`;
  return (await rows<ItemRow>(catalog, { sql, values: [day, limit, offset] })).map(toShownItem);
}

/**
 * An item to add to a batch: `pending` by default; imported by its id if it has no `data`. `error` and `comments`
 * belong to items that are `failed` from the start.
 */
export type NewItem = Pick<ImportItem, "ia_id"> &
  Partial<Pick<ImportItem, "data" | "status" | "submitter" | "place" | "error" | "comments" | "warnings">>;

type AddedRow = Pick<ImportItem, "id" | "ia_id" | "status">;

interface AddContext {
  readonly batch: number;
  /** Naive UTC. */
  readonly now: string;
}

// Skips ids that are in the table already, in any batch and status. `?2`, `?3`: batch and time.
const INSERT = `
  INSERT INTO import_item
    (batch_id, added_time, import_time, status, error, ia_id, data, comments, submitter, place, warnings, sent)
  SELECT CAST(?2 AS BIGINT), CAST(?3 AS TEXT), CASE WHEN e.value->>2 = 'failed' THEN ?3 END, e.value->>2, e.value->>3, e.value->>0, e.value->>1,
         e.value->>4, e.value->>5, CAST(e.value->>6 AS BIGINT), e.value->>7, CASE WHEN e.value->>2 = 'pending' THEN ?3 ELSE '' END
  FROM json_each(?1) e
  WHERE NOT EXISTS (SELECT 1 FROM import_item i WHERE i.ia_id = e.value->>0)
  ORDER BY e.key RETURNING id, ia_id, status`;

/** Returns the items without those that repeat an earlier id. */
function dropRepeatedIds(items: readonly NewItem[]): NewItem[] {
  const seen = new Set<string>();
  return items.filter(({ ia_id: id }) => !seen.has(id) && seen.add(id));
}

/**
 * Returns statements that add items with distinct ids; each returns `AddedRow`s. No list exceeds the parameter size
 * limit.
 */
function insertItems(items: readonly NewItem[], { batch, now }: AddContext): Statement[] {
  const list = items.map((item) => [
    item.ia_id,
    item.data ?? null,
    item.status ?? "pending",
    item.error ?? null,
    item.comments ?? null,
    item.submitter ?? null,
    item.place ?? null,
    item.warnings ?? null,
  ]);
  return overList(list, INSERT).map(({ sql, values }) => ({ sql, values: [...values, batch, now] }));
}

/**
 * Adds items to a batch in one transaction. Skips ids that are in the table already, in any batch, and repeated ids.
 * One statement per megabyte.
 */
export async function addItems(catalog: Database, items: readonly NewItem[], adding: AddContext) {
  const named = items.map(toWellFormedItem).filter(({ ia_id: id }) => id !== "");
  const { added } = await batchGroups<{ added: AddedRow }>(catalog, {
    added: insertItems(dropRepeatedIds(named), adding),
  });
  const isNew = new Set(added.map(({ ia_id: id }) => id));
  const skipped = new Set<string>();
  // The first item with a new id is added; later ones are skipped.
  for (const { ia_id: id } of named) if (!isNew.delete(id)) skipped.add(id);
  return {
    total_submitted: named.length,
    total_queued: added.length,
    total_skipped: named.length - added.length,
    /** Distinct ids that were present already. */
    items_skipped: [...skipped],
    pending: pendingOf(added),
  };
}

function pendingOf(added: readonly AddedRow[]): number[] {
  return added.flatMap(({ id, status }) => (status === "pending" ? [id] : []));
}

/** Replaces lone surrogates in the id, so that ids compare as in the database. */
function toWellFormedItem(item: NewItem): NewItem {
  return { ...item, ia_id: item.ia_id.toWellFormed() };
}

/** Approves the waiting items of a batch and returns their numbers. One statement. */
export async function approveItems(catalog: Database, { batch, now }: AddContext): Promise<number[]> {
  const sql = `UPDATE import_item SET status = 'pending', sent = ?2
               WHERE batch_id = ?1 AND status = 'needs_review' RETURNING id`;
  return (await allValues<number>(catalog, { sql, values: [batch, now] })).toSorted((a, b) => a - b);
}

interface FilePart {
  readonly batch: number;
  /** Start of the part in the file, in bytes; `to` is its end. */
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly items: readonly NewItem[];
  /** True if no part follows. */
  readonly isLast: boolean;
}

// Counts before the inserts, in the same transaction. `?6`: distinct ids; `?7`: number of repeated ids.
const ADVANCE = `
  UPDATE import_batch SET position = ?3, records = records + ?4, updated = ?5, state = ?8,
    skipped = skipped + ?7 + (
      SELECT count(*) FROM json_each(?6) e WHERE EXISTS (SELECT 1 FROM import_item i WHERE i.ia_id = e.value))
  WHERE id = ?1 AND position = ?2 AND state = 'splitting' RETURNING id`;

/**
 * Adds the items of a part of a file and advances the position of the batch, in one transaction. If the part was
 * already added concurrently, nothing is added or counted and `isMoved` is false. `pending` holds the numbers of the
 * new items that are ready to import.
 */
export async function storePart(catalog: Database, part: FilePart, now: string) {
  const { batch, from, to, records, isLast } = part;
  const items = dropRepeatedIds(part.items.map(toWellFormedItem));
  const ids = JSON.stringify(items.map(({ ia_id: id }) => id));
  const state = isLast ? "ready" : "splitting";
  const values = [batch, from, to, records, now, ids, part.items.length - items.length, state];
  const { moved, added } = await batchGroups<{ moved: { id: number }; added: AddedRow }>(catalog, {
    moved: { sql: ADVANCE, values },
    added: insertItems(items, { batch, now }),
  });
  return { isMoved: moved.length > 0, pending: pendingOf(added) };
}
