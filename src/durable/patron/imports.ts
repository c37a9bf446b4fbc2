import type { ImportProblem, ImportRow } from "../../catalog/patrons/goodreads.ts";
import { type ShelfId, ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { all, first } from "../storage.ts";
import { PatronPart } from "./core.ts";
import { PatronShelves } from "./shelves.ts";

const FINISHED = 3;

/** Progress of an import. Times are milliseconds since the epoch. */
interface ImportState {
  readonly id: string;
  readonly status: "running" | "done";
  readonly total: number;
  readonly done: number;
  readonly imported: number;
  readonly created: number;
  readonly updated: number;
}

export interface MissingRow extends Pick<ImportRow, "title" | "author" | "isbn"> {
  readonly position: number;
  readonly problem: ImportProblem;
}

export interface WaitingRow extends Pick<ImportRow, "isbn" | "shelf" | "finished"> {
  readonly position: number;
}

export type LookedUpRow = { readonly position: number } & (
  | { readonly problem: ImportProblem }
  | {
      readonly problem: null;
      readonly work: number;
      readonly edition: number;
      readonly checkIn: number | null;
    }
);

interface StoredRow {
  readonly shelf: ShelfId;
  readonly stars: number | null;
  readonly finished: string | null;
  readonly note: string;
}

/** Newest import of the patron's reading log, row by row. */
export class PatronImports extends PatronPart {
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

  state(): ImportState | undefined {
    const sql = `SELECT i.*, count(r.position) AS total, coalesce(sum(r.problem IS NOT NULL OR r.is_done), 0) AS done,
                        coalesce(sum(r.is_done), 0) AS imported
                 FROM import i LEFT JOIN import_row r ON true GROUP BY i.id`;
    const state = first<Omit<ImportState, "status">>(this.core.sql, sql);
    if (state === undefined) return undefined;
    return { ...state, status: state.done < state.total ? "running" : "done" };
  }

  /** Returns books of the newest import that were not imported, after a position in the file. */
  missing({ after, limit }: { after: number; limit: number }): MissingRow[] {
    const sql = `SELECT position, title, author, isbn, problem FROM import_row
                 WHERE problem IS NOT NULL AND position > ? ORDER BY position LIMIT ?`;
    return all<MissingRow>(this.core.sql, sql, after, limit);
  }

  /** Returns the next unprocessed rows of an import; no rows if a newer import has replaced it. */
  waiting(id: string, limit: number): WaitingRow[] {
    const sql = `SELECT r.position, r.isbn, r.shelf, r.finished FROM import i, import_row r
                 WHERE i.id = ? AND r.problem IS NULL AND NOT r.is_done ORDER BY r.position LIMIT ?`;
    return all<WaitingRow>(this.core.sql, sql, id, limit);
  }

  /** Imports rows and records problems in one transaction. Rows that are done already change nothing. */
  take(id: string, { rows, now }: { rows: readonly LookedUpRow[]; now: number }): void {
    this.core.change(() => {
      // A newer import may have replaced it.
      if (first(this.core.sql, "SELECT id FROM import WHERE id = ?", id) === undefined) return;
      for (const row of rows) this.#takeRow(row, now);
      this.core.sql.exec("UPDATE import SET updated = ?", now);
    });
  }

  #takeRow(row: LookedUpRow, now: number): void {
    const { sql } = this.core;
    if (row.problem !== null) {
      const text = "UPDATE import_row SET problem = ? WHERE position = ? AND NOT is_done";
      sql.exec(text, row.problem, row.position);
      return;
    }
    const stored = first<StoredRow>(
      sql,
      `SELECT shelf, stars, finished, note FROM import_row
       WHERE position = ? AND NOT is_done AND problem IS NULL`,
      row.position,
    );
    if (stored === undefined) return;
    this.#apply(stored, { ...row, now });
    sql.exec("UPDATE import_row SET is_done = 1 WHERE position = ?", row.position);
  }

  /** Applies a row like the calls of a client, but preserves existing data of the patron. */
  #apply(
    { shelf, stars, finished, note }: StoredRow,
    { work, edition, checkIn, now }: { work: number; edition: number; checkIn: number | null; now: number },
  ): void {
    const { sql } = this.core;
    // Changed subjects are sent once, after the whole transaction.
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
