import { type Database, firstRow } from "../statement.ts";

/** Followers of one patron that are counted, and shown page by page. */
export const COUNTED_FOLLOWERS_MAX = 10_000;

/** How many follow a patron; no more than `COUNTED_FOLLOWERS_MAX` are counted. */
export async function countFollowers(patrons: Database, publisher: string): Promise<number> {
  const row = await firstRow<{ n: number }>(patrons, {
    sql: `SELECT count(*) AS n FROM (SELECT 1 FROM patron_follow
          WHERE publisher = ?1 AND created IS NOT NULL LIMIT ${COUNTED_FOLLOWERS_MAX})`,
    values: [publisher.toLowerCase()],
  });
  return row?.n ?? 0;
}
