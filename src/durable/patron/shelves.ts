import { type ShelfId, ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { all, first, firstValue } from "../storage.ts";
import { PatronPart } from "./part.ts";

/** A work on a shelf. Works and editions are the numbers of their keys; times are milliseconds since the epoch. */
export interface ShelfEntry {
  readonly work: number;
  readonly shelf: ShelfId;
  readonly edition: number | null;
  readonly created: number;
  readonly updated: number;
}

/** Where a work is to go. */
interface ShelfChange {
  readonly work: number;
  /** -1: off all shelves. */
  readonly shelf: ShelfId | -1;
  /** If absent, the edition that is stored stays. */
  readonly edition?: number | undefined;
  /** True: a work that is on the shelf already stays there; else it is taken off. */
  readonly keep: boolean;
  readonly now: number;
}

/** Which part of a shelf: the newest entries first, or the oldest. */
interface ShelfWindow {
  readonly offset: number;
  readonly limit: number;
  readonly oldestFirst: boolean;
}

/** A patron's own rating. */
type OwnRating = Omit<ShelfEntry, "shelf"> & { readonly stars: number };

/** Shelves and ratings of a patron. */
export class PatronShelves extends PatronPart {
  /**
   * Puts a work onto a shelf, moves it, or takes it off. Taking it off deletes its check-ins. Returns the
   * number of entries concerned and where the work is now.
   */
  put(change: ShelfChange): { affected: number; shelf: ShelfId | null } {
    return this.core.change(() => {
      const before = this.entry(change.work);
      if (change.shelf === -1 || (before?.shelf === change.shelf && !change.keep)) {
        return { affected: this.#take(change.work, before), shelf: null };
      }
      this.#place(change.work, change.shelf, { ...change, before });
      return { affected: 1, shelf: change.shelf };
    });
  }

  /** The entry of a work, whatever shelf it is on. */
  entry(work: number): ShelfEntry | undefined {
    return first<ShelfEntry>(this.core.sql, "SELECT * FROM shelf_entry WHERE work = ?", work);
  }

  /** The entries of some works, in no particular order; those on no shelf are left out. */
  entries(works: readonly number[]): ShelfEntry[] {
    const sql = "SELECT * FROM shelf_entry WHERE work IN (SELECT value FROM json_each(?))";
    return all<ShelfEntry>(this.core.sql, sql, JSON.stringify(works));
  }

  /** A part of a shelf, and its size. */
  page(
    shelf: ShelfId,
    { offset, limit, oldestFirst }: ShelfWindow,
  ): { total: number; entries: ShelfEntry[] } {
    const order = oldestFirst ? "created, work" : "created DESC, work DESC";
    const sql = `SELECT * FROM shelf_entry WHERE shelf = ? ORDER BY ${order} LIMIT ? OFFSET ?`;
    const entries = all<ShelfEntry>(this.core.sql, sql, shelf, limit, offset);
    const size = "SELECT entries FROM shelf_size WHERE shelf = ?";
    return { total: firstValue<number>(this.core.sql, size, shelf) ?? 0, entries };
  }

  /** How many works each shelf has, by its number. */
  sizes(): Record<number, number> {
    return shelfSizes(this.core.sql);
  }

  /**
   * Rates a work, or no longer with null. A work that is rated goes to the shelf of those already read;
   * rating it again changes the number alone.
   */
  rate(rating: { work: number; stars: number | null; edition?: number | undefined; now: number }): void {
    const { work, stars, edition, now } = rating;
    this.core.change(() => {
      const { sql } = this.core;
      if (stars === null) {
        sql.exec("DELETE FROM rating WHERE work = ?", work);
      } else {
        const text = `INSERT INTO rating (work, stars, edition, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)
                      ON CONFLICT (work) DO UPDATE SET stars = excluded.stars, updated = excluded.updated`;
        sql.exec(text, work, stars, edition ?? null, now);
        const before = this.entry(work);
        if (before?.shelf !== ALREADY_READ) this.#place(work, ALREADY_READ, { before, edition, now });
      }
      this.core.mark("work", work);
    });
  }

  /** The patron's rating of a work. */
  rating(work: number): OwnRating | undefined {
    return first<OwnRating>(this.core.sql, "SELECT * FROM rating WHERE work = ?", work);
  }

  #place(
    work: number,
    shelf: ShelfId,
    { before, edition, now }: { before: ShelfEntry | undefined; edition?: number | undefined; now: number },
  ): void {
    const sql = `INSERT INTO shelf_entry (work, shelf, edition, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)
                 ON CONFLICT (work) DO UPDATE SET
                   shelf = excluded.shelf, edition = coalesce(excluded.edition, edition), updated = excluded.updated`;
    this.core.sql.exec(sql, work, shelf, edition ?? null, now);
    if (before?.shelf !== shelf) {
      if (before !== undefined) this.#count(before.shelf, -1);
      this.#count(shelf, 1);
    }
    this.core.mark("work", work);
  }

  #take(work: number, before: ShelfEntry | undefined): number {
    const { rowsWritten } = this.core.sql.exec("DELETE FROM check_in WHERE work = ?", work);
    if (before === undefined && rowsWritten === 0) return 0;
    this.core.mark("work", work);
    if (before === undefined) return 0;
    this.core.sql.exec("DELETE FROM shelf_entry WHERE work = ?", work);
    this.#count(before.shelf, -1);
    return 1;
  }

  /** A shelf's size stands beside it: counting 20,000 rows for each page would cost more than the page. */
  #count(shelf: ShelfId, by: 1 | -1): void {
    const sql = `INSERT INTO shelf_size (shelf, entries) VALUES (?1, ?2)
                 ON CONFLICT (shelf) DO UPDATE SET entries = entries + excluded.entries`;
    this.core.sql.exec(sql, shelf, by);
  }
}

/** How many works each shelf has, by its number. */
export function shelfSizes(sql: SqlStorage): Record<number, number> {
  const rows = all<{ shelf: number; entries: number }>(sql, "SELECT * FROM shelf_size");
  return Object.fromEntries(rows.map(({ shelf, entries }) => [shelf, entries]));
}
