import { type Database, batchRows } from "../statement.ts";
import { type AddedRow, type NewItem, distinctItems, insertStatements } from "./items.ts";

/** A part of a batch's file, read. */
export interface FilePart {
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

/** What became of a part. */
export interface StoredPart {
  /** False when the batch was elsewhere by then: somebody else splits it. */
  readonly isMoved: boolean;
  /** Numbers of the new items that may be imported now. */
  readonly pending: readonly number[];
}

/**
 * Adds the items of a part of a file, and moves the batch's position beyond it, in one transaction. Of a part that somebody
 * else has added meanwhile nothing is added and nothing counted.
 */
export async function storePart(catalog: Database, part: FilePart, now: string): Promise<StoredPart> {
  const { batch, from, to, records, isLast } = part;
  const items = distinctItems(part.items.map((item) => ({ ...item, ia_id: item.ia_id.toWellFormed() })));
  const ids = JSON.stringify(items.map(({ ia_id: id }) => id));
  const state = isLast ? "ready" : "splitting";
  const [moved = [], ...added] = await batchRows(catalog, [
    {
      sql: ADVANCE,
      values: [batch, from, to, records, now, ids, part.items.length - items.length, state],
    },
    ...insertStatements(items, { batch, now }),
  ]);
  // The rows have the columns of the statements.
  const rows = added.flat() as AddedRow[];
  const pending = rows.flatMap(({ id, status }) => (status === "pending" ? [id] : []));
  return { isMoved: moved.length > 0, pending };
}
