import type { ItemStatus } from "../../import/statuses.ts";
import { type Database, type Window, rows } from "../statement.ts";
import { type CountRow, type ImportItem, type StatusCounts, countsOf } from "./rows.ts";

/** Counts the items of a batch by status. One statement. */
export async function countItems(catalog: Database, batch: number): Promise<StatusCounts> {
  const sql = "SELECT status, count(*) AS items FROM import_item WHERE batch_id = ?1 GROUP BY status";
  return countsOf(await rows<CountRow>(catalog, { sql, values: [batch] }));
}

/** Returns true if at least `many` items are pending. One statement, which stops counting there. */
export async function areManyPending(catalog: Database, many: number): Promise<boolean> {
  const sql = `SELECT count(*) AS items FROM (
                 SELECT 1 FROM import_item WHERE status = 'pending' LIMIT ?1)`;
  const [row] = await rows<{ items: number }>(catalog, { sql, values: [many] });
  return (row?.items ?? 0) >= many;
}

/** An item for display. `data` is also null if it is very long. */
export type ShownItem = Omit<ImportItem, "attempts">;

/** Maximum length of a record in lists, in characters. Longer ones are left out. */
const SHOWN_DATA_LENGTH = 20_000;

const SHOWN_COLUMNS = `id, batch_id, added_time, import_time, status, error, ia_id,
  CASE WHEN length(data) <= ${SHOWN_DATA_LENGTH} THEN data END AS data, ol_key, comments, submitter, place`;

/** Sort keys for the items of a batch. */
export const ITEM_ORDERS = ["added_time", "import_time", "status"] as const;

/** Filter, order and window for the items of a batch. */
export interface ItemPage {
  readonly sort: { readonly by: (typeof ITEM_ORDERS)[number]; readonly order: "asc" | "desc" };
  readonly limit: number;
  readonly offset: number;
  /** Status to filter by. The items are then sorted by number, the order in which they were added. */
  readonly status?: ItemStatus | undefined;
  /** Number after which the page starts. The items are then sorted by number. */
  readonly after?: number | undefined;
}

/** Reads a page of the items of a batch. One statement. */
export function pageItems(catalog: Database, batch: number, page: ItemPage): Promise<ShownItem[]> {
  const { sort, limit, offset, status = null, after = null } = page;
  const order = sort.order === "asc" ? "ASC" : "DESC";
  // The column name is one of three. Within one status, the index only provides the order of the numbers.
  const by = status === null ? `${sort.by} ${order}, id ${order}` : `id ${order}`;
  const isWanted = `${status === null ? "CAST(?2 AS TEXT) IS NULL" : "status = ?2"} AND ${after === null ? "CAST(?3 AS BIGINT) IS NULL" : "id > ?3"}`;
  const sql = `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE batch_id = ?1 AND ${isWanted}
               ORDER BY ${after === null ? by : "id"} LIMIT ?4 OFFSET ?5`;
  return rows(catalog, { sql, values: [batch, status, after, limit, offset] });
}

/** Reads the items added on a day (`2026-11-21`) in order of arrival. One statement. */
export function itemsOfDay(catalog: Database, day: string, { limit, offset }: Window): Promise<ShownItem[]> {
  const sql = `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE added_time >= ?1 AND added_time < ?1 || 'U'
               ORDER BY added_time, id LIMIT ?2 OFFSET ?3`;
  return rows(catalog, { sql, values: [day, limit, offset] });
}
