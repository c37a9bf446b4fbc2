import { type Database, rows } from "../statement.ts";

/** A patron who follows another one: username in lower case, and since when (milliseconds since the epoch). */
export interface Subscriber {
  readonly subscriber: string;
  readonly created: number;
}

/** The next `limit` of those who follow a patron, the last one first, after one of them. Usernames in lower case. */
export function readSubscribers(
  patrons: Database,
  publisher: string,
  { after, limit }: { readonly after: Subscriber | undefined; readonly limit: number },
): Promise<Subscriber[]> {
  return rows<Subscriber>(patrons, {
    sql: `SELECT subscriber, created FROM patron_follow
          WHERE publisher = ?1 AND created IS NOT NULL
            AND created <= ?2 AND (created < ?2 OR subscriber > ?3)
          ORDER BY created DESC, subscriber LIMIT ?4`,
    // The index is entered at the place: before the first one there is none later.
    values: [publisher, after?.created ?? Number.MAX_SAFE_INTEGER, after?.subscriber ?? "", limit],
  });
}
