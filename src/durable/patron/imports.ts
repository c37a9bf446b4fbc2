import type { ImportProblem, ImportRow } from "../../catalog/patrons/goodreads.ts";
import { type ShelfId, ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { all, first } from "../storage.ts";
import { PatronPart } from "./part.ts";
import { PatronShelves } from "./shelves.ts";

/** Type of check-ins for finished books. */
const FINISHED = 3;

/** Progress of an import. Times are milliseconds since the epoch. */
interface ImportState {
  readonly id: string;
  readonly status: "running" | "done";
  readonly total: number;
  /** Processed rows, imported or not. */
  readonly done: number;
  readonly imported: number;
  readonly created: number;
  readonly updated: number;
}

export interface MissingRow extends Pick<ImportRow, "title" | "author" | "isbn"> {
  /** Position in the file, from 1. */
  readonly position: number;
  readonly problem: ImportProblem;
}

/** Row to be looked up. */
export interface WaitingRow extends Pick<ImportRow, "isbn" | "shelf" | "finished"> {
  readonly position: number;
}

/** Result for a row. Works and editions are numbers of keys. */
export type FoundRow = { readonly position: number } & (
  | { readonly problem: ImportProblem }
  | {
      readonly problem: null;
      readonly work: number;
      readonly edition: number;
      /** Number reserved for a check-in, if the row has a date of finishing. */
      readonly checkIn: number | null;
    }
);

interface StoredRow {
  readonly shelf: ShelfId;
  readonly stars: number | null;
  readonly finished: string | null;
  readonly note: string;
}

/** Imports of reading logs: the newest one of the patron, row by row. */
export class PatronImports extends PatronPart {
  /** Starts an import and replaces the one before. Returns false while that is still running. */
  begin({ id, rows, now }: { id: string; rows: readonly ImportRow[]; now: number }): boolean {
    return this.core.transact(() => {
      const { sql } = this.core;
      if (this.state()?.status === "running") return false;
      sql.exec("DELETE FROM import_row");
      sql.exec("DELETE FROM import");
      sql.exec("INSERT INTO import (id, created, updated) VALUES (?1, ?2, ?2)", id, now);
      // One by one: no value of a statement can be as long as all of them.
      for (const [index, { title, author, isbn, shelf, stars, finished, note }] of rows.entries()) {
        const text = `INSERT INTO import_row (position, title, author, isbn, shelf, stars, finished, note)
                      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
        sql.exec(text, index + 1, title, author, isbn, shelf, stars, finished, note);
      }
      return true;
    });
  }

  /** Returns the newest import; undefined if there was none. */
  state(): ImportState | undefined {
    const sql = `SELECT i.*, count(r.position) AS total, coalesce(sum(r.problem IS NOT NULL OR r.is_done), 0) AS done,
                        coalesce(sum(r.is_done), 0) AS imported
                 FROM import i LEFT JOIN import_row r ON true GROUP BY i.id`;
    const state = first<Omit<ImportState, "status">>(this.core.sql, sql);
    if (state === undefined) return undefined;
    return { ...state, status: state.done < state.total ? "running" : "done" };
  }

  /** Returns the books of the newest import that were not imported, after a position in the file. */
  missing({ after, limit }: { after: number; limit: number }): MissingRow[] {
    const sql = `SELECT position, title, author, isbn, problem FROM import_row
                 WHERE problem IS NOT NULL AND position > ? ORDER BY position LIMIT ?`;
    return all<MissingRow>(this.core.sql, sql, after, limit);
  }

  /** Returns the next unprocessed rows of an import; none if it is not the newest one. */
  waiting(id: string, limit: number): WaitingRow[] {
    const sql = `SELECT r.position, r.isbn, r.shelf, r.finished FROM import i, import_row r
                 WHERE i.id = ? AND r.problem IS NULL AND NOT r.is_done ORDER BY r.position LIMIT ?`;
    return all<WaitingRow>(this.core.sql, sql, id, limit);
  }

  /** Imports rows, and records problems, in one transaction; rows that are done already change nothing. */
  take(id: string, { found, now }: { found: readonly FoundRow[]; now: number }): void {
    this.core.change(() => {
      // Another import may have taken its place.
      if (first(this.core.sql, "SELECT id FROM import WHERE id = ?", id) === undefined) return;
      for (const row of found) this.#takeRow(row, now);
      this.core.sql.exec("UPDATE import SET updated = ?", now);
    });
  }

  #takeRow(found: FoundRow, now: number): void {
    const { sql } = this.core;
    if (found.problem !== null) {
      const text = "UPDATE import_row SET problem = ? WHERE position = ? AND NOT is_done";
      sql.exec(text, found.problem, found.position);
      return;
    }
    const row = first<StoredRow>(
      sql,
      `SELECT shelf, stars, finished, note FROM import_row
       WHERE position = ? AND NOT is_done AND problem IS NULL`,
      found.position,
    );
    if (row === undefined) return;
    this.#keep(row, { ...found, now });
    sql.exec("UPDATE import_row SET is_done = 1 WHERE position = ?", found.position);
  }

  /** Applies a row like the calls of a client, but keeps existing data of the patron. */
  #keep(
    { shelf, stars, finished, note }: StoredRow,
    { work, edition, checkIn, now }: { work: number; edition: number; checkIn: number | null; now: number },
  ): void {
    const { sql } = this.core;
    // Marked subjects are sent once, after the whole transaction.
    const shelves = new PatronShelves({ ...this.core, change: this.core.transact });
    shelves.put({ work, shelf, edition, keep: true, now });
    if (stars !== null) shelves.rate({ work, stars, edition, now });
    if (stars !== null && shelf !== ALREADY_READ) shelves.put({ work, shelf, keep: true, now });
    if (finished !== null && checkIn !== null) {
      sql.exec(
        `INSERT INTO check_in (id, work, edition, type, date, created, updated)
         SELECT ?1, ?2, ?3, ${FINISHED}, ?4, ?5, ?5 WHERE NOT EXISTS (
           SELECT 1 FROM check_in WHERE id = ?1 OR (work = ?2 AND type = ${FINISHED} AND date = ?4))`,
        checkIn,
        work,
        edition,
        finished,
        now,
      );
    }
    if (note !== "") {
      const text =
        "INSERT OR IGNORE INTO note (work, edition, text, created, updated) VALUES (?1, 0, ?2, ?3, ?3)";
      sql.exec(text, work, note, now);
    }
  }
}
