import { type Database, rows } from "../statement.ts";
import {
  type ChosenLetters,
  type KeptLetter,
  type LetterPage,
  type ShownLetter,
  CHOSEN,
  IS_HERE,
  valuesOf,
} from "./write-letters.ts";

/** Letters by number, the highest first. One statement. */
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

/** How many letters each queue has that has any. One statement. */
export async function countLetters(patrons: Database): Promise<{ queue: string; letters: number }[]> {
  const sql = `SELECT queue, count(*) AS letters FROM dead_letter WHERE ${IS_HERE} GROUP BY queue ORDER BY queue`;
  return rows<{ queue: string; letters: number }>(patrons, { sql, values: [] });
}

/** Letters that can be sent again. One statement. */
export async function readLetters(patrons: Database, chosen: ChosenLetters): Promise<KeptLetter[]> {
  const sql = `SELECT id, queue, body, message FROM dead_letter
               WHERE id IN (${CHOSEN} AND is_whole = 1 ORDER BY id LIMIT ?3) ORDER BY id`;
  return rows<KeptLetter>(patrons, { sql, values: valuesOf(chosen) });
}
