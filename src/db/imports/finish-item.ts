import type { LoadStatus } from "../../import/load/decision.ts";
import type { Statement } from "../statement.ts";

/** An item of the queue that somebody works on. */
export interface ClaimedItem {
  readonly id: number;
  readonly claim: string;
}

/** What became of an item that was imported (import.md 6.2). */
export interface ItemEnd {
  readonly status: LoadStatus;
  /** Key of the edition that it is now. */
  readonly key: string;
  /** Naive UTC. */
  readonly now: string;
}

/**
 * Ends an item that was imported, unless its claim is somebody else's by now. What went wrong before is forgotten, and
 * so is its data. Answers a row with its number when it was ended.
 */
export function finishItem({ id, claim }: ClaimedItem, { status, key, now }: ItemEnd): Statement {
  return {
    sql: `UPDATE import_item SET status = ?3, ol_key = ?4, import_time = ?5, error = NULL, data = NULL, due = NULL,
            comments = CASE WHEN attempts = 0 THEN comments END,
            claim = NULL, claimed = NULL, claimed_from = NULL
          WHERE id = ?1 AND status = 'processing' AND claim = ?2 RETURNING id`,
    values: [id, claim, status, key, now],
  };
}
