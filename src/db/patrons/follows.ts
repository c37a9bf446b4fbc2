import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import { type Database, type Window, allValues, firstValue, rows, run } from "../statement.ts";
import type { PatronFollowRow, PatronWorkRow } from "./patron-rows.ts";

const FEED_PUBLISHERS_MAX = 1000;

interface FeedEntry extends Pick<PatronWorkRow, "work" | "edition"> {
  readonly username: string;
  readonly shelf: ShelfId;
  readonly logged: number;
}

/**
 * Reads a page of a patron's followers, the latest first. Usernames are in the account's spelling, in lower case if the
 * account was removed.
 */
export function readFollowers(
  patrons: Database,
  publisher: string,
  { offset, limit }: Window,
): Promise<{ username: string; created: number }[]> {
  return rows(patrons, {
    sql: `SELECT coalesce(a.username, f.subscriber) AS username, f.created
          FROM patron_follow f LEFT JOIN account a ON a.username_folded = f.subscriber
          WHERE f.publisher = ?1 AND f.created IS NOT NULL
          ORDER BY f.created DESC, f.subscriber LIMIT ?2 OFFSET ?3`,
    values: [publisher.toLowerCase(), limit, offset],
  });
}

/**
 * Reads the entries that followed patrons put onto their shelves, the newest first. Patrons who hide their log are left
 * out. Of each patron at most `limit` rows are read.
 */
export async function readFollowedFeed(
  patrons: Database,
  subscriber: string,
  limit: number,
): Promise<FeedEntry[]> {
  return rows<FeedEntry>(patrons, {
    // The newest of all are found in the index alone, and only they are looked up.
    sql: `WITH followed AS (
            SELECT publisher FROM patron_follow
            WHERE subscriber = ?1 AND created IS NOT NULL AND disabled = 0
            ORDER BY created DESC, publisher LIMIT ${FEED_PUBLISHERS_MAX}
          ),
          newest AS (
            SELECT w.patron, w.work_id, w.logged
            FROM followed f CROSS JOIN patron_work w INDEXED BY patron_work_by_patron
            WHERE w.patron = f.publisher AND w.shelf IS NOT NULL AND w.logged >= coalesce((
              SELECT n.logged FROM patron_work n INDEXED BY patron_work_by_patron
              WHERE n.patron = f.publisher AND n.shelf IS NOT NULL ORDER BY n.logged DESC LIMIT 1 OFFSET ?2 - 1
            ), 0)
            ORDER BY w.logged DESC, w.work_id, w.patron LIMIT ?2
          )
          SELECT coalesce(a.username, w.patron) AS username, w.work_id AS work, w.shelf, w.edition_id AS edition, w.logged
          FROM newest n CROSS JOIN patron_work w ON w.patron = n.patron AND w.work_id = n.work_id
          LEFT JOIN account a ON a.username_folded = w.patron
          ORDER BY w.logged DESC, w.work_id, w.patron`,
    values: [subscriber.toLowerCase(), limit],
  });
}

/** Followers of one patron that are counted, and shown page by page, at most. */
const COUNTED_FOLLOWERS_MAX = 10_000;

/** Counts the followers of a patron, at most `COUNTED_FOLLOWERS_MAX`. */
export async function countFollowers(patrons: Database, publisher: string): Promise<number> {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM patron_follow
               WHERE publisher = ?1 AND created IS NOT NULL LIMIT ${COUNTED_FOLLOWERS_MAX})`;
  return (await firstValue<number>(patrons, { sql, values: [publisher.toLowerCase()] })) ?? 0;
}

export type Subscriber = Pick<PatronFollowRow, "subscriber" | "created">;

/** Reads the next `limit` followers of a patron, the latest first, after one of them. Usernames in lower case. */
export function readSubscribers(
  patrons: Database,
  publisher: string,
  { after, limit }: { after: Subscriber | undefined; limit: number },
): Promise<Subscriber[]> {
  return rows<Subscriber>(patrons, {
    sql: `SELECT subscriber, created FROM patron_follow
          WHERE publisher = ?1 AND created IS NOT NULL
            AND created <= ?2 AND (created < ?2 OR subscriber > ?3)
          ORDER BY created DESC, subscriber LIMIT ?4`,
    // The index is entered at this position: no time is later than that of the first follower.
    values: [publisher, after?.created ?? Number.MAX_SAFE_INTEGER, after?.subscriber ?? "", limit],
  });
}

/** Records that a patron is about to show or hide their reading log, which their followers have to learn. */
export async function noteVisibility(patrons: Database, publisher: string, now: number): Promise<void> {
  const sql = `INSERT INTO log_visibility (publisher, changed) VALUES (?1, ?2)
               ON CONFLICT (publisher) DO UPDATE SET changed = excluded.changed`;
  await run(patrons, { sql, values: [publisher, now] });
}

/** Reads the first patrons whose followers have to learn whether they show their reading log. */
export function readVisibilities(patrons: Database): Promise<string[]> {
  const sql = "SELECT publisher FROM log_visibility ORDER BY changed LIMIT 100";
  return allValues<string>(patrons, { sql, values: [] });
}

/** Ends the job of a patron if the last change was made at `before` or earlier. */
export async function endVisibility(patrons: Database, publisher: string, before: number): Promise<void> {
  const sql = "DELETE FROM log_visibility WHERE publisher = ?1 AND changed <= ?2";
  await run(patrons, { sql, values: [publisher, before] });
}
