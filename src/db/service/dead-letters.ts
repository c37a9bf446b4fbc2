import { DAY_MS } from "../../catalog/units.ts";
import { rows, batchRows, overList, run, type Database } from "../statement.ts";

/** `dead_letter` in D1 `PATRONS`: a message that could not be delivered. Times are milliseconds since the epoch. */
interface DeadLetterRow {
  readonly id: number;
  readonly queue: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
  /** JSON text. */
  readonly body: string;
  readonly is_whole: 0 | 1;
  readonly message: string;
  readonly times: number;
  readonly first: number;
  readonly last: number;
  /** Time of the next automatic retry; null if only the operator can resend it. */
  readonly due: number | null;
}

/** Dead letter with the columns for resending or dropping it. */
export type StoredLetter = Pick<DeadLetterRow, "id" | "queue" | "body" | "message">;

/** Dead letter for the operator: the beginning of its body, and its full size. */
export type ShownLetter = Omit<DeadLetterRow, "digest" | "message"> & { readonly bytes: number };

/** SQL condition that a dead letter is present. Resent ones are only remembered in case they come back. */
const IS_HERE = "message <> ''";

export interface ChosenLetters {
  readonly ids: readonly number[] | null;
  readonly queue: string | null;
  readonly limit: number;
}

const CHOSEN = `SELECT id FROM dead_letter
  WHERE (?1 IS NULL OR id IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR queue = ?2) AND ${IS_HERE}`;

const letterValuesOf = ({ ids, queue, limit }: ChosenLetters) => [ids && JSON.stringify(ids), queue, limit];

/** Reads dead letters by number, highest first. One statement. */
export async function listLetters(
  patrons: Database,
  {
    queue,
    before,
    limit,
    characters,
  }: { queue: string | null; before: number | null; limit: number; characters: number },
): Promise<ShownLetter[]> {
  return rows<ShownLetter>(patrons, {
    sql: `SELECT id, queue, substr(body, 1, ?4) AS body, octet_length(body) AS bytes, is_whole, times, first, last, due
          FROM dead_letter WHERE (?1 IS NULL OR queue = ?1) AND id < ?2 AND ${IS_HERE} ORDER BY id DESC LIMIT ?3`,
    values: [queue, before ?? Number.MAX_SAFE_INTEGER, limit, characters],
  });
}

/** Counts the dead letters per queue, without empty queues. One statement. */
export async function countLetters(patrons: Database): Promise<Record<string, number>> {
  const sql = `SELECT queue, count(*) AS letters FROM dead_letter WHERE ${IS_HERE} GROUP BY queue ORDER BY queue`;
  const counts = await rows<{ queue: string; letters: number }>(patrons, { sql, values: [] });
  return Object.fromEntries(counts.map(({ queue, letters }) => [queue, letters]));
}

/** Reads dead letters that can be resent. One statement. */
export async function readLetters(patrons: Database, chosen: ChosenLetters): Promise<StoredLetter[]> {
  const sql = `SELECT id, queue, body, message FROM dead_letter
               WHERE id IN (${CHOSEN} AND is_whole = 1 ORDER BY id LIMIT ?3) ORDER BY id`;
  return rows<StoredLetter>(patrons, { sql, values: letterValuesOf(chosen) });
}

/** Maximum number of dead letters kept per queue. The oldest are deleted first. */
export const DEAD_LETTERS_MAX = 1000;
/**
 * Time in milliseconds, since it first failed, during which a dead letter is retried automatically. Later only the
 * operator can resend it.
 */
export const LETTER_TRIED_MS = 7 * DAY_MS;

// The delay of a retry equals the age of the letter, so retries become ever rarer.
const KEEP = `
  INSERT INTO dead_letter (queue, digest, body, is_whole, message, first, last, due)
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>5, value->>6 FROM json_each(?1)
  WHERE true
  ON CONFLICT (queue, digest) DO UPDATE SET
    times = times + 1, message = excluded.message, last = excluded.last,
    due = iif(excluded.last - first >= ${LETTER_TRIED_MS}, NULL, max(excluded.due, excluded.last * 2 - first))
  WHERE message <> excluded.message`;
const TRIM = `
  DELETE FROM dead_letter WHERE queue = ?1 AND id IN (
    SELECT id FROM dead_letter WHERE queue = ?1 ORDER BY message <> '' DESC, last DESC, id DESC LIMIT -1 OFFSET ?2)`;

/**
 * Stores dead letters of one queue. Letters with the same body share a row, and a message that arrives twice counts
 * once. One transaction.
 */
export async function storeLetters(
  patrons: Database,
  letters: readonly DeadLetter[],
  now: number,
): Promise<void> {
  const [first] = letters;
  if (first === undefined) return;
  const list = letters.map(({ queue, digest, body, isWhole, message, due }) => {
    return [queue, digest, body, Number(isWhole), message, now, due];
  });
  const trim = { sql: TRIM, values: [first.queue, DEAD_LETTERS_MAX] };
  await batchRows(patrons, [...overList(list, KEEP), trim]);
}

/** Drops dead letters and returns how many. One statement. */
export async function dropLetters(patrons: Database, chosen: ChosenLetters): Promise<number> {
  const sql = `DELETE FROM dead_letter WHERE id IN (${CHOSEN} ORDER BY id LIMIT ?3) RETURNING id`;
  return run(patrons, { sql, values: letterValuesOf(chosen) });
}

/**
 * Records that dead letters were resent, except those that came back in the meantime. The record is deleted at `until`.
 * One statement.
 */
export async function recordSentLetters(
  patrons: Database,
  letters: readonly StoredLetter[],
  until: number,
): Promise<void> {
  const sql = `UPDATE dead_letter SET message = '', due = ?2
               WHERE (id, message) IN (SELECT value->>0, value->>1 FROM json_each(?1))`;
  await run(patrons, {
    sql,
    values: [JSON.stringify(letters.map(({ id, message }) => [id, message])), until],
  });
}

/** Claims dead letters that are due, until `until`. One statement. */
export async function claimDueLetters(
  patrons: Database,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<StoredLetter[]> {
  const sql = `UPDATE dead_letter SET due = ?2
               WHERE id IN (SELECT id FROM dead_letter WHERE due <= ?1 AND ${IS_HERE} ORDER BY due, id LIMIT ?3)
               RETURNING id, queue, body, message`;
  return rows<StoredLetter>(patrons, { sql, values: [now, until, limit] });
}

/** Deletes dead letters that last failed before a time, and resent ones that did not come back. One transaction. */
export async function deleteOldLetters(
  patrons: Database,
  { before, now }: { before: number; now: number },
): Promise<void> {
  await batchRows(patrons, [
    { sql: "DELETE FROM dead_letter WHERE last <= ?1", values: [before] },
    { sql: "DELETE FROM dead_letter WHERE due <= ?1 AND message = ''", values: [now] },
  ]);
}

export type DeadLetter = Pick<DeadLetterRow, "queue" | "digest" | "body" | "message" | "due"> & {
  readonly isWhole: boolean;
};
