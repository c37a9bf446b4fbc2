import { type Database, batchRows, overList, rows, run } from "../statement.ts";

/** Letters of one queue that are kept; of more, those that came first go, those last that are still to be sent. */
export const DEAD_LETTERS_KEPT = 1000;
/**
 * For how long a letter that comes back is sent again by itself, in milliseconds since it first came; later only by
 * the operator.
 */
export const LETTER_TRIED_MS = 7 * 86_400_000;

/** A message that could not be delivered. Times are milliseconds since the epoch. */
export interface DeadLetter {
  /** That it was sent to. */
  readonly queue: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
  /** JSON text. */
  readonly body: string;
  readonly isWhole: boolean;
  /** Its id. */
  readonly message: string;
  /** When it is sent again by itself; null: only by the operator. */
  readonly due: number | null;
}

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

const rowOf =
  (now: number) =>
  ({ queue, digest, body, isWhole, message, due }: DeadLetter) => [
    queue,
    digest,
    body,
    Number(isWhole),
    message,
    now,
    due,
  ];

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
  const list = letters.map(rowOf(now));
  const trim = { sql: TRIM, values: [first.queue, DEAD_LETTERS_KEPT] };
  await batchRows(patrons, [...overList(list, KEEP), trim]);
}

/** A letter as it is sent again or dropped. */
export interface KeptLetter {
  readonly id: number;
  readonly queue: string;
  /** JSON text. */
  readonly body: string;
  /** Id of the last message with this body. */
  readonly message: string;
}

/** A letter as the operator sees it. Times are milliseconds since the epoch. */
export interface ShownLetter {
  readonly id: number;
  readonly queue: string;
  /** How the JSON text of the body begins. */
  readonly body: string;
  readonly bytes: number;
  readonly is_whole: 0 | 1;
  readonly times: number;
  readonly first: number;
  readonly last: number;
  readonly due: number | null;
}

/** Which letters are shown: of one queue or of all, with a lower number than `before`, and how much of each body. */
export interface LetterPage {
  readonly queue: string | null;
  readonly before: number | null;
  readonly limit: number;
  readonly characters: number;
}

/** Of letters that were sent again it is only known that they were, should they come back. */
export const IS_HERE = "message <> ''";

/** Which letters something is done with: some by number, or those of a queue that came first. */
export interface ChosenLetters {
  readonly ids: readonly number[] | null;
  readonly queue: string | null;
  readonly limit: number;
}

export const CHOSEN = `SELECT id FROM dead_letter
  WHERE (?1 IS NULL OR id IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR queue = ?2) AND ${IS_HERE}`;
export const valuesOf = ({ ids, queue, limit }: ChosenLetters) => [ids && JSON.stringify(ids), queue, limit];

/** Drops letters; answers how many. One statement. */
export async function dropLetters(patrons: Database, chosen: ChosenLetters): Promise<number> {
  const sql = `DELETE FROM dead_letter WHERE id IN (${CHOSEN} ORDER BY id LIMIT ?3) RETURNING id`;
  const dropped = await rows(patrons, { sql, values: valuesOf(chosen) });
  return dropped.length;
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
