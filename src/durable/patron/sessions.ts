import { HOUR_MS, DAY_MS } from "../../catalog/units.ts";
import { storedValue } from "../storage.ts";

/** Precision of a session's last use, in milliseconds, so that not every request writes. */
const SEEN_STEP_MS = HOUR_MS;
/** Days after which an unused session ends, regardless of its lifetime (Q139). */
export const SESSION_IDLE_DAYS = 30;
const SESSION_IDLE_MS = SESSION_IDLE_DAYS * DAY_MS;
/** SQL of a session that is open at the time `?1`. */
export const IS_OPEN = `expires > ?1 AND seen > ?1 - ${SESSION_IDLE_MS}`;

/** Use of a session by a request at a time in milliseconds. */
export interface SessionUse {
  readonly id: string;
  readonly now: number;
}

/** Returns false if the session is closed or has ended. */
export function useSession(sql: SqlStorage, { id, now }: SessionUse): boolean {
  const text = `SELECT seen FROM session WHERE id = ?2 AND ${IS_OPEN}`;
  const seen = storedValue<number>(sql, text, now, id);
  if (seen !== undefined && now - seen >= SEEN_STEP_MS) {
    sql.exec("UPDATE session SET seen = ? WHERE id = ?", now, id);
  }
  return seen !== undefined;
}
