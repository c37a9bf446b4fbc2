import { type Database, type Statement, allValues, batchGroups, overList } from "../statement.ts";
import type { ImportItem } from "./rows.ts";

/**
 * Something to be imported, as it is added to a batch: `pending` unless stated; without `data` by its id. `error` and
 * `comments` are of items that are `failed` from the beginning.
 */
export type NewItem = Pick<ImportItem, "ia_id"> &
  Partial<Pick<ImportItem, "data" | "status" | "submitter" | "place" | "error" | "comments">>;

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

type AddedRow = Pick<ImportItem, "id" | "ia_id" | "status">;

interface Adding {
  readonly batch: number;
  /** Naive UTC. */
  readonly now: string;
}

// What is in the table already, in whatever batch and status, is left out. `?2`, `?3`: batch and time.
const INSERT = `
  INSERT INTO import_item
    (batch_id, added_time, import_time, status, error, ia_id, data, comments, submitter, place, sent)
  SELECT CAST(?2 AS BIGINT), CAST(?3 AS TEXT), CASE WHEN e.value->>2 = 'failed' THEN ?3 END, e.value->>2, e.value->>3, e.value->>0, e.value->>1,
         e.value->>4, e.value->>5, CAST(e.value->>6 AS BIGINT), CASE WHEN e.value->>2 = 'pending' THEN ?3 ELSE '' END
  FROM json_each(?1) e
  WHERE NOT EXISTS (SELECT 1 FROM import_item i WHERE i.ia_id = e.value->>0)
  ORDER BY e.key RETURNING id, ia_id, status`;

/** Items whose id was not among those before them. */
function distinctItems<Item extends Pick<NewItem, "ia_id">>(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter(({ ia_id: id }) => !seen.has(id) && seen.add(id));
}

/** Statements that add items with distinct ids; each answers `AddedRow`s. None is longer than a parameter may be. */
function insertStatements(items: readonly NewItem[], { batch, now }: Adding): Statement[] {
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
  const { added } = await batchGroups<{ added: AddedRow }>(catalog, {
    added: insertStatements(distinctItems(named), adding),
  });
  const isNew = new Set(added.map(({ ia_id: id }) => id));
  const skipped = new Set<string>();
  // Of an id that is new the first one is added, and the others are skipped.
  for (const { ia_id: id } of named) if (!isNew.delete(id)) skipped.add(id);
  return {
    total_submitted: named.length,
    total_queued: added.length,
    total_skipped: named.length - added.length,
    items_skipped: [...skipped],
    pending: pendingOf(added),
  };
}

function pendingOf(added: readonly AddedRow[]): number[] {
  return added.flatMap(({ id, status }) => (status === "pending" ? [id] : []));
}

/** Ids are compared as the database has them. */
function wellFormed(item: NewItem): NewItem {
  return { ...item, ia_id: item.ia_id.toWellFormed() };
}

/** Lets the items of a batch that wait for approval be imported; answers their numbers. One statement. */
export async function approveItems(catalog: Database, { batch, now }: Adding): Promise<number[]> {
  const sql = `UPDATE import_item SET status = 'pending', sent = ?2
               WHERE batch_id = ?1 AND status = 'needs_review' RETURNING id`;
  return (await allValues<number>(catalog, { sql, values: [batch, now] })).toSorted((a, b) => a - b);
}

interface FilePart {
  readonly batch: number;
  /** Where it begins and ends, in bytes. */
  readonly from: number;
  readonly to: number;
  /** Records, or lines, in it. */
  readonly records: number;
  readonly items: readonly NewItem[];
  /** Nothing follows. */
  readonly isLast: boolean;
}

// Counted before anything is inserted, in the same transaction. `?6`: ids, each once; `?7`: how often others stand twice.
const ADVANCE = `
  UPDATE import_batch SET position = ?3, records = records + ?4, updated = ?5, state = ?8,
    skipped = skipped + ?7 + (
      SELECT count(*) FROM json_each(?6) e WHERE EXISTS (SELECT 1 FROM import_item i WHERE i.ia_id = e.value))
  WHERE id = ?1 AND position = ?2 AND state = 'splitting' RETURNING id`;

/**
 * Adds the items of a part of a file, and moves the batch's position beyond it, in one transaction. Of a part that somebody
 * else has added meanwhile nothing is added and nothing counted, and `isMoved` is false. `pending` are the numbers of the
 * new items that may be imported now.
 */
export async function storePart(
  catalog: Database,
  part: FilePart,
  now: string,
): Promise<{ readonly isMoved: boolean; readonly pending: readonly number[] }> {
  const { batch, from, to, records, isLast } = part;
  const items = distinctItems(part.items.map(wellFormed));
  const ids = JSON.stringify(items.map(({ ia_id: id }) => id));
  const state = isLast ? "ready" : "splitting";
  const values = [batch, from, to, records, now, ids, part.items.length - items.length, state];
  const { moved, added } = await batchGroups<{ moved: { id: number }; added: AddedRow }>(catalog, {
    moved: { sql: ADVANCE, values },
    added: insertStatements(items, { batch, now }),
  });
  return { isMoved: moved.length > 0, pending: pendingOf(added) };
}
