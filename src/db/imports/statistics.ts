import type { ItemStatus } from "../../import/statuses.ts";
import { type Database, batchGroups } from "../statement.ts";
import type { ImportItem } from "./import-rows.ts";

export type ImportedItem = Pick<
  ImportItem,
  "id" | "batch_id" | "added_time" | "status" | "error" | "ia_id" | "ol_key"
> & { readonly import_time: string };

interface Items {
  readonly items: number;
}

const IMPORTED = "id, batch_id, added_time, import_time, status, error, ia_id, ol_key";

const COUNT = "SELECT count(*) AS items FROM import_item WHERE status = ?1";

/**
 * Reads statistics of all imports: items that ended since `hour`, items added per day since `addedFrom` by status,
 * editions created per day since `createdFrom`. One round trip; everything but the last items comes from indexes.
 */
export async function readStatistics(
  catalog: Database,
  from: { hour: string; addedFrom: string; createdFrom: string; last: number },
) {
  const { pending, processing, lastHour, ...lists } = await batchGroups<{
    pending: Items;
    processing: Items;
    lastHour: Items;
    byDate: Items & { readonly date: string; readonly status: ItemStatus };
    created_by_day: Items & { readonly date: string };
    last: ImportedItem;
  }>(catalog, {
    pending: { sql: COUNT, values: ["pending"] },
    processing: { sql: COUNT, values: ["processing"] },
    lastHour: {
      sql: "SELECT count(*) AS items FROM import_item WHERE import_time >= ?1",
      values: [from.hour],
    },
    byDate: {
      sql: `SELECT substr(added_time, 1, 10) AS date, status, count(*) AS items FROM import_item
            WHERE added_time >= ?1 GROUP BY date, status ORDER BY date DESC, status`,
      values: [from.addedFrom],
    },
    created_by_day: {
      sql: `SELECT substr(import_time, 1, 10) AS date, count(*) AS items FROM import_item
            WHERE import_time >= ?1 AND status = 'created' GROUP BY date ORDER BY date`,
      values: [from.createdFrom],
    },
    last: {
      sql: `SELECT ${IMPORTED} FROM import_item WHERE import_time IS NOT NULL
            ORDER BY import_time DESC, id DESC LIMIT ?1`,
      values: [from.last],
    },
  });
  const [waiting = 0, working = 0, ended = 0] = [pending, processing, lastHour].map(([row]) => row?.items);
  return { ...lists, pending: waiting, processing: working, imported_last_hour: ended };
}

/**
 * Reads the counts of failed items by error code, most frequent first, and the newest items that failed with `error`.
 * One round trip.
 */
export function readFailures(catalog: Database, { error, limit }: { error: string; limit: number }) {
  return batchGroups<{
    byError: Items & { readonly error: string };
    dead: ImportedItem & Pick<ImportItem, "comments">;
  }>(catalog, {
    byError: {
      sql: `SELECT coalesce(error, '') AS error, count(*) AS items FROM import_item WHERE status = 'failed'
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
