import { type Database, rows } from "../statement.ts";

/** Entries of all shelves, the newest ones, among which those are looked for who read. */
const ENTRIES_MAX = 1000;

/** Somebody who has a book on a shelf, or whose name is looked for. */
interface Reader {
  /** As the account spells it. */
  readonly username: string;
  readonly displayname: string;
}

/** Who has put a book onto a shelf lately, the last one first. One statement, along an index. */
export function readNewestReaders(patrons: Database, limit: number): Promise<Reader[]> {
  return rows<Reader>(patrons, {
    sql: `SELECT a.username, a.displayname FROM (
            SELECT patron, max(moved) AS moved FROM (
              SELECT patron, moved FROM patron_work WHERE shelf < 4 ORDER BY moved DESC LIMIT ${ENTRIES_MAX})
            GROUP BY patron) n JOIN account a ON a.username_folded = n.patron
          WHERE a.status = 'active' ORDER BY n.moved DESC, a.username_folded LIMIT ?1`,
    values: [limit],
  });
}
