import { type Database, rows } from "../statement.ts";

/** `dead_letter` in D1 `PATRONS`: a message that could not be delivered. Times are milliseconds since the epoch. */
export interface DeadLetterRow {
  readonly id: number;
  /** Queue to which it was sent. */
  readonly queue: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
  /** JSON text. */
  readonly body: string;
  readonly is_whole: 0 | 1;
  /** Id of the last message with this body. */
  readonly message: string;
  readonly times: number;
  readonly first: number;
  readonly last: number;
  /** Time of the next automatic retry; null if only the operator can resend it. */
  readonly due: number | null;
}

/** Dead letter with the columns for resending or dropping it. */
export type KeptLetter = Pick<DeadLetterRow, "id" | "queue" | "body" | "message">;

/** Dead letter for the operator: the beginning of its body, and its full size. */
export type ShownLetter = Omit<DeadLetterRow, "digest" | "message"> & { readonly bytes: number };

/** Page of dead letters: of one queue or of all, with numbers below `before`, and the length of each body to show. */
interface LetterPage {
  readonly queue: string | null;
  readonly before: number | null;
  readonly limit: number;
  readonly characters: number;
}

/** SQL condition that a dead letter is present. Resent ones are only remembered in case they come back. */
export const IS_HERE = "message <> ''";

/** Selection of dead letters: by number, or the oldest of a queue. */
export interface ChosenLetters {
  readonly ids: readonly number[] | null;
  readonly queue: string | null;
  readonly limit: number;
}

export const CHOSEN = `SELECT id FROM dead_letter
  WHERE (?1 IS NULL OR id IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR queue = ?2) AND ${IS_HERE}`;

export const valuesOf = ({ ids, queue, limit }: ChosenLetters) => [ids && JSON.stringify(ids), queue, limit];

/** Reads dead letters by number, highest first. One statement. */
export async function listLetters(
  patrons: Database,
  { queue, before, limit, characters }: LetterPage,
): Promise<ShownLetter[]> {
  return rows<ShownLetter>(patrons, {
    sql: `SELECT id, queue, substr(body, 1, ?4) AS body, octet_length(body) AS bytes, is_whole, times, first, last, due
          FROM dead_letter WHERE (?1 IS NULL OR queue = ?1) AND id < ?2 AND ${IS_HERE} ORDER BY id DESC LIMIT ?3`,
    values: [queue, before ?? Number.MAX_SAFE_INTEGER, limit, characters],
  });
}

/** Counts the dead letters per queue, without empty queues. One statement. */
export async function countLetters(patrons: Database): Promise<{ queue: string; letters: number }[]> {
  const sql = `SELECT queue, count(*) AS letters FROM dead_letter WHERE ${IS_HERE} GROUP BY queue ORDER BY queue`;
  return rows<{ queue: string; letters: number }>(patrons, { sql, values: [] });
}

/** Reads dead letters that can be resent. One statement. */
export async function readLetters(patrons: Database, chosen: ChosenLetters): Promise<KeptLetter[]> {
  const sql = `SELECT id, queue, body, message FROM dead_letter
               WHERE id IN (${CHOSEN} AND is_whole = 1 ORDER BY id LIMIT ?3) ORDER BY id`;
  return rows<KeptLetter>(patrons, { sql, values: valuesOf(chosen) });
}
