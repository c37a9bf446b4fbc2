import { type ShelfId, ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { all, first, jsonValues, storedValue } from "../storage.ts";
import { type PatronCore, PatronPart } from "./core.ts";
import { type SessionUse, useSession } from "./sessions.ts";

/** Work on a shelf. Works and editions are the numbers of their keys; times are milliseconds since the epoch. */
export interface ShelfEntry {
  readonly work: number;
  readonly shelf: ShelfId;
  readonly edition: number | null;
  readonly created: number;
  readonly updated: number;
}

interface ShelfChange {
  readonly work: number;
  readonly shelf: ShelfId | -1;
  /** If absent, the stored edition stays. */
  readonly edition?: number | undefined;
  /** True if a work that is on the shelf already stays there; otherwise it is taken off. */
  readonly keep: boolean;
  readonly now: number;
}

interface ShelfMove {
  readonly from: ShelfId | null;
  readonly to: ShelfId | null;
}

interface Undo {
  readonly work: number;
  readonly entry: ShelfEntry | null;
}

type Rating = Omit<ShelfEntry, "shelf"> & { readonly stars: number };

export class PatronShelves extends PatronPart {
  /**
   * Puts a work onto a shelf, moves it, or takes it off. Taking it off deletes its check-ins, which `undo` restores.
   * Returns the number of changed entries and the move.
   */
  put(change: ShelfChange, use?: SessionUse): ShelfMove & { affected: number } {
    const { work, shelf, keep } = change;
    return this.core.change(() => {
      const { sql } = this.core;
      const before = this.entry(work);
      const from = before?.shelf ?? null;
      if (shelf !== -1 && (from !== shelf || keep)) {
        this.#place(work, shelf, { ...change, before });
        return { affected: 1, from, to: shelf };
      }
      if (before !== undefined) {
        this.#storeUndo(work, before);
        sql.exec("INSERT INTO removed_check_in SELECT * FROM check_in WHERE work = ?", work);
        this.#delete(before);
      }
      const { rowsWritten } = sql.exec("DELETE FROM check_in WHERE work = ?", work);
      if (before !== undefined || rowsWritten > 0) this.core.markChanged("work", work);
      return { affected: before === undefined ? 0 : 1, from, to: null };
    }, use);
  }

  /**
   * Undoes the last shelf change if it was of this work: restores its entry and its check-ins. Returns undefined if
   * another change came after it.
   */
  undo(work: number, use?: SessionUse): ShelfMove | undefined {
    return this.core.change(() => {
      const { sql, state } = this.core;
      const text = state.get("shelf_undo");
      const last = text === undefined ? undefined : (JSON.parse(text) as Undo);
      if (last?.work !== work) return undefined;
      const current = this.entry(work);
      if (current !== undefined) this.#delete(current);
      const { entry } = last;
      if (entry !== null) {
        const { shelf, edition, created, updated } = entry;
        sql.exec("INSERT INTO shelf_entry VALUES (?, ?, ?, ?, ?)", work, shelf, edition, created, updated);
        this.#addToSize(shelf, 1);
      }
      sql.exec("INSERT OR IGNORE INTO check_in SELECT * FROM removed_check_in");
      forgetUndo(this.core);
      this.core.markChanged("work", work);
      return { from: current?.shelf ?? null, to: entry?.shelf ?? null };
    }, use);
  }

  entry(work: number): ShelfEntry | undefined {
    return first<ShelfEntry>(this.core.sql, "SELECT * FROM shelf_entry WHERE work = ?", work);
  }

  /** Returns the entries of works, in no particular order. Works on no shelf are left out. */
  entries(works: readonly number[]): ShelfEntry[] {
    const sql = "SELECT * FROM shelf_entry WHERE work IN (SELECT value FROM json_each(?))";
    return all<ShelfEntry>(this.core.sql, sql, JSON.stringify(works));
  }

  page(
    shelf: ShelfId,
    { offset, limit, oldestFirst }: { offset: number; limit: number; oldestFirst: boolean },
  ): { total: number; entries: ShelfEntry[] } {
    const order = oldestFirst ? "created, work" : "created DESC, work DESC";
    const sql = `SELECT * FROM shelf_entry WHERE shelf = ? ORDER BY ${order} LIMIT ? OFFSET ?`;
    const entries = all<ShelfEntry>(this.core.sql, sql, shelf, limit, offset);
    const size = "SELECT entries FROM shelf_size WHERE shelf = ?";
    return { total: storedValue<number>(this.core.sql, size, shelf) ?? 0, entries };
  }

  /** Returns a page for a request that uses a session; undefined if it is not open. */
  ownPage(
    shelf: ShelfId,
    window: { offset: number; limit: number; oldestFirst: boolean },
    use: SessionUse,
  ): { total: number; entries: ShelfEntry[] } | undefined {
    return useSession(this.core.sql, use) ? this.page(shelf, window) : undefined;
  }

  sizes(): Record<number, number> {
    return readShelfSizes(this.core.sql);
  }

  /**
   * Rates a work, or removes the rating with null. A newly rated work moves to the shelf of books already read; rating
   * it again changes only the rating. Returns the shelves of the work before and after.
   */
  rate(
    rating: { work: number; stars: number | null; edition?: number | undefined; now: number },
    use?: SessionUse,
  ): ShelfMove {
    const { work, stars, edition, now } = rating;
    return this.core.change(() => {
      const { sql } = this.core;
      const before = this.entry(work);
      const from = before?.shelf ?? null;
      if (stars === null) {
        sql.exec("DELETE FROM rating WHERE work = ?", work);
      } else {
        const text = `INSERT INTO rating (work, stars, edition, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)
                      ON CONFLICT (work) DO UPDATE SET stars = excluded.stars, updated = excluded.updated`;
        sql.exec(text, work, stars, edition ?? null, now);
        if (from !== ALREADY_READ) this.#place(work, ALREADY_READ, { before, edition, now });
      }
      this.core.markChanged("work", work);
      return { from, to: stars === null ? from : ALREADY_READ };
    }, use);
  }

  rating(work: number): Rating | undefined {
    return first<Rating>(this.core.sql, "SELECT * FROM rating WHERE work = ?", work);
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
      this.#storeUndo(work, before);
      if (before !== undefined) this.#addToSize(before.shelf, -1);
      this.#addToSize(shelf, 1);
    }
    this.core.markChanged("work", work);
  }

  #delete({ work, shelf }: ShelfEntry): void {
    this.core.sql.exec("DELETE FROM shelf_entry WHERE work = ?", work);
    this.#addToSize(shelf, -1);
  }

  #storeUndo(work: number, entry: ShelfEntry | undefined): void {
    // The row of the undo before is replaced.
    this.core.sql.exec("DELETE FROM removed_check_in");
    const undo: Undo = { work, entry: entry ?? null };
    this.core.state.set("shelf_undo", JSON.stringify(undo));
  }

  /** Updates the stored size of a shelf: counting 20,000 rows for each page would cost more than the page. */
  #addToSize(shelf: ShelfId, by: 1 | -1): void {
    const sql = `INSERT INTO shelf_size (shelf, entries) VALUES (?1, ?2)
                 ON CONFLICT (shelf) DO UPDATE SET entries = entries + excluded.entries`;
    this.core.sql.exec(sql, shelf, by);
  }
}

/** Deletes the undo data of the last shelf change. Call inside a transaction. */
export function forgetUndo({ sql, state }: PatronCore): void {
  state.delete("shelf_undo");
  sql.exec("DELETE FROM removed_check_in");
}

export function readShelfSizes(sql: SqlStorage): Record<number, number> {
  const text = "SELECT json_group_object(shelf, entries) FROM shelf_size";
  return jsonValues<Record<number, number>>(sql, text)[0] ?? {};
}
