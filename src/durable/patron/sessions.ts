import { parseTokenId } from "../../catalog/scopes.ts";
import { HOUR_MS, DAY_MS } from "../../catalog/units.ts";
import { secretHash } from "../../db/accounts/secret-hash.ts";
import { first, storedValue } from "../storage.ts";

/** Precision of the last use of a session or token, in milliseconds, so that not every request writes. */
const SEEN_STEP_MS = HOUR_MS;
/** Days after which an unused session ends, regardless of its lifetime (Q139). */
export const SESSION_IDLE_DAYS = 30;
const SESSION_IDLE_MS = SESSION_IDLE_DAYS * DAY_MS;
/** SQL of a session that is open at the time `?1`. */
export const IS_OPEN = `expires > ?1 AND seen > ?1 - ${SESSION_IDLE_MS}`;

/** Use of a session, or of a token, by a request at a time in milliseconds. */
export interface SessionUse {
  readonly id: string;
  readonly now: number;
}

/** Returns false if the session or token is closed or has ended. */
export function useSession(sql: SqlStorage, { id, now }: SessionUse): boolean {
  if (parseTokenId(id) !== undefined) return useToken(sql, { id, now }) !== undefined;
  const text = `SELECT seen FROM session WHERE id = ?2 AND ${IS_OPEN}`;
  const seen = storedValue<number>(sql, text, now, id);
  if (seen !== undefined && now - seen >= SEEN_STEP_MS) {
    sql.exec("UPDATE session SET seen = ? WHERE id = ?", now, id);
  }
  return seen !== undefined;
}

/**
 * Notes the use of a token. Returns how long its grant was not used, in milliseconds (0 for the first use); undefined if
 * it has ended.
 */
export function useToken(
  sql: SqlStorage,
  { id, now, network = null }: { id: string; now: number; network?: string | null },
): number | undefined {
  const text = `SELECT g.id, g.seen FROM token t JOIN access_grant g ON g.id = t.grant_id
                WHERE t.hash = ? AND t.kind = 'use' AND t.expires > ?`;
  const grant = first<{ id: string; seen: number | null }>(sql, text, secretHash(id), now);
  if (grant === undefined) return undefined;
  const pause = grant.seen === null ? 0 : now - grant.seen;
  if (grant.seen === null || pause >= SEEN_STEP_MS) {
    const update = "UPDATE access_grant SET seen = ?1, network = coalesce(?2, network) WHERE id = ?3";
    sql.exec(update, now, network, grant.id);
  }
  return pause;
}
