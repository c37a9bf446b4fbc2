import { type Database, batchRows, overList, rows, run } from "../statement.ts";
import {
  type ChosenLetters,
  type DeadLetterRow,
  type KeptLetter,
  CHOSEN,
  IS_HERE,
  valuesOf,
} from "./read-letters.ts";

/** Letters of one queue that are kept; of more, those that came first go, those last that are still to be sent. */
export const DEAD_LETTERS_KEPT = 1000;
/**
 * For how long a letter that comes back is sent again by itself, in milliseconds since it first came; later only by
 * the operator.
 */
export const LETTER_TRIED_MS = 7 * 86_400_000;

// What comes back is sent again after as long as it has been coming, so ever more rarely.
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
    SELECT id FROM dead_letter WHERE queue = ?1 ORDER BY message <> '' AND due IS NOT NULL DESC, last DESC, id DESC LIMIT -1 OFFSET ?2)`;

/**
 * Keeps letters of one queue: those with the same body are one row, and a message that comes twice counts once. One
 * transaction.
 */
export async function keepLetters(
  patrons: Database,
  letters: readonly DeadLetter[],
  now: number,
): Promise<void> {
  const [first] = letters;
  if (first === undefined) return;
  const list = letters.map(({ queue, digest, body, isWhole, message, due }) => {
    return [queue, digest, body, Number(isWhole), message, now, due];
  });
  const trim = { sql: TRIM, values: [first.queue, DEAD_LETTERS_KEPT] };
  await batchRows(patrons, [...overList(list, KEEP), trim]);
}

/** Drops letters; answers how many. One statement. */
export async function dropLetters(patrons: Database, chosen: ChosenLetters): Promise<number> {
  const sql = `DELETE FROM dead_letter WHERE id IN (${CHOSEN} ORDER BY id LIMIT ?3) RETURNING id`;
  return run(patrons, { sql, values: valuesOf(chosen) });
}

/**
 * Notes that letters were sent again, but for those that have come back meanwhile; they are forgotten at `until`. One
 * statement.
 */
export async function noteSentLetters(
  patrons: Database,
  sent: readonly KeptLetter[],
  until: number,
): Promise<void> {
  const sql = `UPDATE dead_letter SET message = '', due = ?2
               WHERE (id, message) IN (SELECT value->>0, value->>1 FROM json_each(?1))`;
  await run(patrons, { sql, values: [JSON.stringify(sent.map(({ id, message }) => [id, message])), until] });
}

/** Takes letters that are due, so that nobody else does before `until`. One statement. */
export async function claimDueLetters(
  patrons: Database,
  { now, until, limit }: { readonly now: number; readonly until: number; readonly limit: number },
): Promise<KeptLetter[]> {
  const sql = `UPDATE dead_letter SET due = ?2
               WHERE id IN (SELECT id FROM dead_letter WHERE due <= ?1 AND ${IS_HERE} ORDER BY due, id LIMIT ?3)
               RETURNING id, queue, body, message`;
  return rows<KeptLetter>(patrons, { sql, values: [now, until, limit] });
}

/** Deletes letters that came last before a time, and those that were sent again and did not come back. One transaction. */
export async function deleteOldLetters(
  patrons: Database,
  { before, now }: { readonly before: number; readonly now: number },
): Promise<void> {
  await batchRows(patrons, [
    { sql: "DELETE FROM dead_letter WHERE last <= ?1", values: [before] },
    { sql: "DELETE FROM dead_letter WHERE due <= ?1 AND message = ''", values: [now] },
  ]);
}

/** A letter as it comes. */
export type DeadLetter = Pick<DeadLetterRow, "queue" | "digest" | "body" | "message" | "due"> & {
  readonly isWhole: boolean;
};
