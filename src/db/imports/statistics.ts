import type { ItemStatus } from "../../import/statuses.ts";
import { type Database, batchGroups, rows } from "../statement.ts";
import { type StatusCountRow, type ImportItem, type StatusCounts, countsByStatusOf } from "./import-rows.ts";

export type ImportedItem = Pick<
  ImportItem,
  "id" | "batch_id" | "added_time" | "status" | "error" | "ia_id" | "ol_key"
> & { readonly import_time: string };

type DeadItem = ImportedItem & Pick<ImportItem, "comments">;

interface Items {
  readonly items: number;
}

interface StatisticsRows {
  pending: Items;
  processing: Items;
  /** Items that ended, imported or failed, since `hour`. */
  lastHour: Items;
  /** Items added per day since `addedFrom`, by status. */
  byDate: Items & { readonly date: string; readonly status: ItemStatus };
  /** Editions created per day since `createdFrom`. */
  created: Items & { readonly date: string };
  last: ImportedItem;
}

const IMPORTED = "id, batch_id, added_time, import_time, status, error, ia_id, ol_key";

const COUNT = "SELECT count(*) AS items FROM import_item WHERE status = ?1";

/** Reads statistics of all imports. One round trip; everything but the last items comes from indexes. */
export async function readStatistics(
  catalog: Database,
  {
    hour,
    addedFrom,
    createdFrom,
    last,
  }: { hour: string; addedFrom: string; createdFrom: string; last: number },
) {
  const { pending, processing, lastHour, ...lists } = await batchGroups<StatisticsRows>(catalog, {
    pending: { sql: COUNT, values: ["pending"] },
    processing: { sql: COUNT, values: ["processing"] },
    lastHour: { sql: "SELECT count(*) AS items FROM import_item WHERE import_time >= ?1", values: [hour] },
    byDate: {
      sql: `SELECT substr(added_time, 1, 10) AS date, status, count(*) AS items FROM import_item
            WHERE added_time >= ?1 GROUP BY date, status ORDER BY date DESC, status`,
      values: [addedFrom],
    },
    created: {
      sql: `SELECT substr(import_time, 1, 10) AS date, count(*) AS items FROM import_item
            WHERE import_time >= ?1 AND status = 'created' GROUP BY date ORDER BY date`,
      values: [createdFrom],
    },
    last: {
      sql: `SELECT ${IMPORTED} FROM import_item WHERE import_time IS NOT NULL
            ORDER BY import_time DESC, id DESC LIMIT ?1`,
      values: [last],
    },
  });
  const [waiting, working, ended] = [pending, processing, lastHour].map(([row]) => row?.items);
  return { ...lists, pending: waiting ?? 0, processing: working ?? 0, lastHour: ended ?? 0 };
}

type FailedItems = Items & { readonly error: string | null };

/**
 * Reads the counts of failed items by error code, most frequent first, and the newest items that failed with `error`.
 * One round trip.
 */
export async function readFailures(
  catalog: Database,
  { error, limit }: { error: string; limit: number },
): Promise<{ byError: FailedItems[]; dead: DeadItem[] }> {
  return batchGroups<{ byError: FailedItems; dead: DeadItem }>(catalog, {
    byError: {
      sql: `SELECT error, count(*) AS items FROM import_item WHERE status = 'failed'
            GROUP BY error ORDER BY items DESC, error`,
      values: [],
    },
    dead: {
      sql: `SELECT ${IMPORTED}, comments FROM import_item WHERE status = 'failed' AND error = ?1
            ORDER BY import_time DESC, id DESC LIMIT ?2`,
      values: [error, limit],
    },
  });
}

/** Counts the items added on a day (`2026-11-21`) by status. One statement. */
export async function countDay(catalog: Database, day: string): Promise<StatusCounts> {
  const sql = `SELECT status, count(*) AS items FROM import_item
               WHERE added_time >= ?1 AND added_time < ?1 || 'U' GROUP BY status`;
  return countsByStatusOf(await rows<StatusCountRow>(catalog, { sql, values: [day] }));
}

/** Counts the pending items and the items being imported. One round trip. */
export async function countWaitingItems(catalog: Database): Promise<{ pending: number; processing: number }> {
  const sql = `SELECT status, count(*) AS items FROM import_item WHERE status IN ('pending', 'processing') GROUP BY status`;
  const { pending = 0, processing = 0 } = countsByStatusOf(
    await rows<StatusCountRow>(catalog, { sql, values: [] }),
  );
  return { pending, processing };
}
