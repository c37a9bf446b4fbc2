import { type Database, prepare, rows } from "../statement.ts";

/** Sources whose records may be staged: held back until somebody asks for the book. */
export const STAGED_SOURCES = ["amazon", "idb", "google_books"] as const;

/** A row that holds the record of a book asked for. */
export interface StagedItem {
  readonly id: number;
  /** `<source>:<identifier>` */
  readonly iaId: string;
  /** JSON text of the record; null where there is none. */
  readonly data: string | null;
}

const COLUMNS = "id, ia_id AS iaId, data";
const WANTED = "ia_id IN (SELECT value FROM json_each(?1))";

/** Names under which records of a book may be staged, by its identifiers: ISBN-10, ISBN-13, ASIN. */
function namesOf(identifiers: readonly string[]): string {
  return JSON.stringify(identifiers.flatMap((id) => STAGED_SOURCES.map((source) => `${source}:${id}`)));
}

/** The oldest row `staged` or `pending` that holds the record of a book. One statement. */
export async function firstStagedOrPending(
  database: Database,
  identifiers: readonly string[],
): Promise<StagedItem | undefined> {
  const [first] = await rows<StagedItem>(database, {
    sql: `SELECT ${COLUMNS} FROM import_item
          WHERE ${WANTED} AND status IN ('staged', 'pending') ORDER BY id LIMIT 1`,
    values: [namesOf(identifiers)],
  });
  return first;
}

/** Who takes rows, and when, in naive UTC. */
export interface Claim {
  readonly claim: string;
  readonly now: string;
  /** True: pending rows with a record are taken too, before their turn in the queue. */
  readonly pendingToo: boolean;
}

/**
 * Takes all staged rows of a book in one statement, so that nobody else imports one of them; oldest first. None are left
 * to somebody who asks at the same time.
 */
export async function claimStaged(
  database: Database,
  identifiers: readonly string[],
  { claim, now, pendingToo }: Claim,
): Promise<StagedItem[]> {
  const taken = await rows<StagedItem>(database, {
    sql: `UPDATE import_item SET status = 'processing', claim = ?2, claimed = ?3, claimed_from = status
          WHERE ${WANTED} AND (status = 'staged' OR (?4 AND status = 'pending' AND data IS NOT NULL))
          RETURNING ${COLUMNS}`,
    values: [namesOf(identifiers), claim, now, pendingToo ? 1 : 0],
  });
  return taken.toSorted((a, b) => a.id - b.id);
}

/**
 * Gives back what was taken and not imported. A pending row's message may have come in vain meanwhile: the sweep
 * sends another.
 */
export async function releaseStaged(database: Database, claim: string): Promise<void> {
  await prepare(database, {
    sql: `UPDATE import_item SET status = claimed_from, claim = NULL, claimed = NULL, claimed_from = NULL,
            sent = CASE WHEN claimed_from = 'pending' THEN '' ELSE sent END
          WHERE claim = ?1 AND status = 'processing'`,
    values: [claim],
  }).run();
}
