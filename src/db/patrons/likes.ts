import { type Database, batchGroups, firstRow } from "../statement.ts";

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

/** Counts of a record, and what one patron contributes to them, as of one moment. */
interface LikesWithOwn {
  readonly counts: LikeCounts;
  /** 1, -1, or null: nothing. */
  readonly own: 1 | -1 | null;
}

/** Reads counts of a record and a patron's part of them. One round trip. */
export async function readLikesWithOwn(
  patrons: Database,
  key: string,
  patron: string,
): Promise<LikesWithOwn> {
  const { counted, owned } = await batchGroups<{ counted: LikeCounts; owned: { value: 1 | -1 | null } }>(
    patrons,
    {
      counted: [{ sql: "SELECT likes, dislikes FROM like_count WHERE record_key = ?1", values: [key] }],
      owned: [
        {
          sql: "SELECT value FROM patron_like WHERE patron = ?1 AND record_key = ?2",
          values: [patron.toLowerCase(), key],
        },
      ],
    },
  );
  return { counts: counted[0] ?? { likes: 0, dislikes: 0 }, own: owned[0]?.value ?? null };
}
