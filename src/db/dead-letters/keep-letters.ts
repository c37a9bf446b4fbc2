import { type Database, batchRows, overList } from "../statement.ts";

/** Letters of one queue that are kept; of more, those that came first go, those last that are still to be sent. */
export const DEAD_LETTERS_KEPT = 1000;
/** For how long a letter that comes back is sent again by itself, in milliseconds since it first came; later only by the operator. */
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
