import { type Database, type Statement, batchGroups, firstRow } from "../statement.ts";
import type { LikeCounts, PatronLikeRow } from "./rows.ts";

const NONE: LikeCounts = { likes: 0, dislikes: 0 };

/** Counts the patrons who like a record, and those who dislike it. */
export async function countLikes(patrons: Database, key: string): Promise<LikeCounts> {
  return (await firstRow<LikeCounts>(patrons, countsOf(key))) ?? NONE;
}

/** Reads counts of a record, and one patron's contribution to them (null: none), at the same moment. One round trip. */
export async function readLikesWithOwn(
  patrons: Database,
  key: string,
  patron: string,
): Promise<{ readonly counts: LikeCounts; readonly own: PatronLikeRow["value"] }> {
  const sql = "SELECT value FROM patron_like WHERE patron = ?1 AND record_key = ?2";
  const { counted, owned } = await batchGroups<{ counted: LikeCounts; owned: PatronLikeRow }>(patrons, {
    counted: [countsOf(key)],
    owned: [{ sql, values: [patron.toLowerCase(), key] }],
  });
  return { counts: counted[0] ?? NONE, own: owned[0]?.value ?? null };
}

function countsOf(key: string): Statement {
  return { sql: "SELECT likes, dislikes FROM like_count WHERE record_key = ?1", values: [key] };
}
