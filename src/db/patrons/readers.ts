import { type Database, rows } from "../statement.ts";

/** Newest entries of all shelves, in which readers are searched. */
const ENTRIES_MAX = 1000;

/** Patron with a book on a shelf, or found by name. */
interface Reader {
  /** Username in the account's spelling. */
  readonly username: string;
  readonly displayname: string;
}

/** Reads patrons who recently put a book onto a shelf, the latest first. One statement, along an index. */
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
