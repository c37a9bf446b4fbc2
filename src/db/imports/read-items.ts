import type { ItemStatus } from "../../import/statuses.ts";
import { type Database, type Window, rows } from "../statement.ts";
import { type CountRow, type ImportItem, type StatusCounts, countsOf } from "./rows.ts";

/** How many items of a batch there are, by status. One statement. */
export async function countItems(catalog: Database, batch: number): Promise<StatusCounts> {
  const sql = "SELECT status, count(*) AS items FROM import_item WHERE batch_id = ?1 GROUP BY status";
  return countsOf(await rows<CountRow>(catalog, { sql, values: [batch] }));
}

/** True when at least so many items are pending. One statement, which counts no further. */
export async function areManyPending(catalog: Database, many: number): Promise<boolean> {
  const sql = `SELECT count(*) AS items FROM (
                 SELECT 1 FROM import_item WHERE status = 'pending' LIMIT ?1)`;
  const [row] = await rows<{ items: number }>(catalog, { sql, values: [many] });
  return (row?.items ?? 0) >= many;
}

/** An item as it is shown; `data` is null where it is very long, too. */
export type ShownItem = Omit<ImportItem, "attempts">;

/** Longest record that lists show, in characters: of a longer one there is nothing. */
const SHOWN_DATA_LENGTH = 20_000;

const SHOWN_COLUMNS = `id, batch_id, added_time, import_time, status, error, ia_id,
  CASE WHEN length(data) <= ${SHOWN_DATA_LENGTH} THEN data END AS data, ol_key, comments, submitter, place`;

/** What the items of a batch can be sorted by. */
export const ITEM_ORDERS = ["added_time", "import_time", "status"] as const;

/** Which items of a batch, and in which order. */
export interface ItemPage {
  readonly sort: { readonly by: (typeof ITEM_ORDERS)[number]; readonly order: "asc" | "desc" };
  readonly limit: number;
  readonly offset: number;
  /** Only those; they are sorted by number, which is the order in which they were added. */
  readonly status?: ItemStatus | undefined;
  /** Only those beyond this one, by number, which then is what they are sorted by. */
  readonly after?: number | undefined;
}

/** A page of the items of a batch. One statement. */
export function pageItems(catalog: Database, batch: number, page: ItemPage): Promise<ShownItem[]> {
  const { sort, limit, offset, status = null, after = null } = page;
  const order = sort.order === "asc" ? "ASC" : "DESC";
  // The name of the column is one of three. Of those of one status no index knows another order than that of their numbers.
  const by = status === null ? `${sort.by} ${order}, id ${order}` : `id ${order}`;
  const isWanted = `${status === null ? "CAST(?2 AS TEXT) IS NULL" : "status = ?2"} AND ${after === null ? "CAST(?3 AS BIGINT) IS NULL" : "id > ?3"}`;
  const sql = `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE batch_id = ?1 AND ${isWanted}
               ORDER BY ${after === null ? by : "id"} LIMIT ?4 OFFSET ?5`;
  return rows(catalog, { sql, values: [batch, status, after, limit, offset] });
}

/** Items added on a day (`2026-11-21`), in the order in which they came. One statement. */
export function itemsOfDay(catalog: Database, day: string, { limit, offset }: Window): Promise<ShownItem[]> {
  const sql = `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE added_time >= ?1 AND added_time < ?1 || 'U'
               ORDER BY added_time, id LIMIT ?2 OFFSET ?3`;
  return rows(catalog, { sql, values: [day, limit, offset] });
}
