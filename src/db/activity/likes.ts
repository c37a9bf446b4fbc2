import { type Database, firstRow } from "../statement.ts";

/** What patrons think of a record. */
export interface LikeCounts {
  readonly likes: number;
  readonly dislikes: number;
}

/** How many patrons like a record, and how many do not. */
export async function countLikes(patrons: Database, key: string): Promise<LikeCounts> {
  const sql = "SELECT likes, dislikes FROM like_count WHERE record_key = ?1";
  return (await firstRow<LikeCounts>(patrons, { sql, values: [key] })) ?? { likes: 0, dislikes: 0 };
}
