import { type Database, type Statement, batchRows, overList, rows } from "../statement.ts";
import type { ItemStatus } from "../../import/statuses.ts";
import { type CountRow, type StatusCounts, countsOf } from "./statistics.ts";

/** Something to be imported, as it is added to a batch. */
export interface NewItem {
  /** Id of an archive item, or `<source>:<id>`. */
  readonly ia_id: string;
  /** JSON text of an import record; absent: to be imported by its id. */
  readonly data?: string | null;
  /** `pending` unless stated. */
  readonly status?: ItemStatus;
  readonly submitter?: string | null;
  /** Where it stands in the file of the batch. */
  readonly place?: number;
  /** Of items that are `failed` from the beginning: code and reason. */
  readonly error?: string;
  readonly comments?: string;
}

/** What became of items that were added. */
export interface Added {
  readonly total_submitted: number;
  readonly total_queued: number;
  readonly total_skipped: number;
  /** Ids of those that were there already, each once. */
  readonly items_skipped: readonly string[];
  /** Numbers of the new items that may be imported now. */
  readonly pending: readonly number[];
}

/** A row that an insertion made. */
export interface AddedRow {
  readonly id: number;
  readonly ia_id: string;
  readonly status: ItemStatus;
}

/** Where items go: the batch, and when. */
export interface Adding {
  readonly batch: number;
  /** Naive UTC. */
  readonly now: string;
}

// What is in the table already, in whatever batch and status, is left out. `?2`, `?3`: batch and time.
const INSERT = `
  INSERT INTO import_item
    (batch_id, added_time, import_time, status, error, ia_id, data, comments, submitter, place, sent)
  SELECT ?2, ?3, CASE WHEN e.value->>2 = 'failed' THEN ?3 END, e.value->>2, e.value->>3, e.value->>0, e.value->>1,
         e.value->>4, e.value->>5, e.value->>6, CASE WHEN e.value->>2 = 'pending' THEN ?3 ELSE '' END
  FROM json_each(?1) e
  WHERE NOT EXISTS (SELECT 1 FROM import_item i WHERE i.ia_id = e.value->>0)
  ORDER BY e.key RETURNING id, ia_id, status`;

/** Items whose id was not among those before them. */
export function distinctItems<Item extends Pick<NewItem, "ia_id">>(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter(({ ia_id: id }) => !seen.has(id) && seen.add(id));
}

/** Statements that add items with distinct ids; each answers `AddedRow`s. None is longer than a parameter may be. */
export function insertStatements(items: readonly NewItem[], { batch, now }: Adding): Statement[] {
  const list = items.map((item) => [
    item.ia_id,
    item.data ?? null,
    item.status ?? "pending",
    item.error ?? null,
    item.comments ?? null,
    item.submitter ?? null,
    item.place ?? null,
  ]);
  return overList(list, INSERT).map(({ sql, values }) => ({ sql, values: [...values, batch, now] }));
}

/**
 * Adds items to a batch, in one transaction. Those whose id is in the table already, in whatever batch, and those that
 * the list has twice are skipped. One statement for each megabyte of them.
 */
export async function addItems(catalog: Database, items: readonly NewItem[], adding: Adding): Promise<Added> {
  const named = items.map(wellFormed).filter(({ ia_id: id }) => id !== "");
  const found = await batchRows(catalog, insertStatements(distinctItems(named), adding));
  // The rows have the columns of the statement.
  const added = found.flat() as AddedRow[];
  const isNew = new Set(added.map(({ ia_id: id }) => id));
  const skipped = new Set<string>();
  // Of an id that is new the first one is added, and the others are skipped.
  for (const { ia_id: id } of named) if (!isNew.delete(id)) skipped.add(id);
  return {
    total_submitted: named.length,
    total_queued: added.length,
    total_skipped: named.length - added.length,
    items_skipped: [...skipped],
    pending: added.flatMap(({ id, status }) => (status === "pending" ? [id] : [])),
  };
}

/** Ids are compared as the database has them. */
function wellFormed(item: NewItem): NewItem {
  return { ...item, ia_id: item.ia_id.toWellFormed() };
}

/** Lets the items of a batch that wait for approval be imported; answers their numbers. One statement. */
export async function approveItems(catalog: Database, { batch, now }: Adding): Promise<number[]> {
  const found = await rows<{ id: number }>(catalog, {
    sql: `UPDATE import_item SET status = 'pending', sent = ?2
          WHERE batch_id = ?1 AND status = 'needs_review' RETURNING id`,
    values: [batch, now],
  });
  return found.map(({ id }) => id).toSorted((a, b) => a - b);
}

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

/** An item as it is shown. */
export interface ShownItem {
  readonly id: number;
  readonly batch_id: number;
  readonly added_time: string;
  readonly import_time: string | null;
  readonly status: ItemStatus;
  readonly error: string | null;
  readonly ia_id: string;
  /** JSON text of the record; null when there is none, or a very long one. */
  readonly data: string | null;
  readonly ol_key: string | null;
  readonly comments: string | null;
  readonly submitter: string | null;
  readonly place: number | null;
}

/** Longest record that lists show, in characters: of a longer one there is nothing. */
export const SHOWN_DATA_LENGTH = 20_000;

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
  const isWanted = `${status === null ? "?2 IS NULL" : "status = ?2"} AND ${after === null ? "?3 IS NULL" : "id > ?3"}`;
  return rows(catalog, {
    sql: `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE batch_id = ?1 AND ${isWanted}
          ORDER BY ${after === null ? by : "id"} LIMIT ?4 OFFSET ?5`,
    values: [batch, status, after, limit, offset],
  });
}

/** Items added on a day (`2026-11-21`), in the order in which they came. One statement. */
export function itemsOfDay(
  catalog: Database,
  day: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ShownItem[]> {
  return rows(catalog, {
    sql: `SELECT ${SHOWN_COLUMNS} FROM import_item WHERE added_time >= ?1 AND added_time < ?1 || 'U'
          ORDER BY added_time, id LIMIT ?2 OFFSET ?3`,
    values: [day, limit, offset],
  });
}
