import type { ImportProblem, ImportRow } from "../../catalog/patrons/library-rows.ts";
import { ALREADY_READ } from "../../catalog/patrons/shelves.ts";
import { all, storedValues, first, storedValue } from "../storage.ts";
import { PatronPart } from "./core.ts";
import { PatronNotes } from "./notes.ts";
import { PatronShelves } from "./shelves.ts";

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

/** Book that a doubtful row may be. */
export interface ImportCandidate {
  readonly work: number;
  readonly title: string;
  readonly author: string;
  readonly year: number | null;
}

interface MissingRow extends Pick<ImportRow, "title" | "author" | "isbn"> {
  readonly position: number;
  readonly problem: ImportProblem;
  readonly candidates: ImportCandidate[];
}

type RowDetails = Partial<
  Pick<ImportRow, "work" | "edition" | "keepsShelf" | "events" | "lists" | "observations">
>;

export interface WaitingImportRow extends Pick<ImportRow, "title" | "author" | "isbn" | "shelf"> {
  readonly position: number;
  readonly details: RowDetails;
}

export type LookedUpRow = { readonly position: number } & (
  | { readonly problem: ImportProblem; readonly candidates?: readonly ImportCandidate[] }
  | {
      readonly problem: null;
      readonly work: number;
      readonly edition: number | null;
      /** Numbers for the check-ins of the row, one for each of its dates. */
      readonly checkIns: readonly number[];
    }
);

/** List of an import. `key` is null until it is saved, and stays null if `problem` is the reason why it was not. */
export interface ImportList {
  readonly name: string;
  readonly key: string | null;
  readonly problem: string | null;
}

const MISSING = "problem IS NOT NULL AND NOT is_done";
const WAITING = "problem IS NULL AND NOT is_done";

/** Newest import of the patron's reading log, row by row. */
export class PatronImports extends PatronPart {
  begin({ id, rows, now }: { id: string; rows: readonly ImportRow[]; now: number }): boolean {
    return this.core.transact(() => {
      const { sql } = this.core;
      if (this.state()?.status === "running") return false;
      for (const table of ["import_row", "import_list", "import"]) sql.exec(`DELETE FROM ${table}`);
      sql.exec("INSERT INTO import (id, created, updated) VALUES (?1, ?2, ?2)", id, now);
      // One by one: no value of a statement can be as long as all of them.
      for (const [index, row] of rows.entries()) {
        const { title, author, isbn, shelf, stars, note, ...details } = row;
        const text = `INSERT INTO import_row (position, title, author, isbn, shelf, stars, note, details)
                      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
        sql.exec(text, index + 1, title, author, isbn, shelf, stars, note, JSON.stringify(details));
      }
      for (const name of new Set(rows.flatMap(({ lists }) => lists))) {
        sql.exec("INSERT INTO import_list (name) VALUES (?)", name);
      }
      return true;
    });
  }

  /** Returns the progress of the newest import, which runs until its lists are saved, too. */
  state(): ImportState | undefined {
    const sql = `SELECT i.*, count(r.position) AS total, coalesce(sum(r.problem IS NOT NULL OR r.is_done), 0) AS done,
                        coalesce(sum(r.is_done), 0) AS imported,
                        EXISTS (SELECT 1 FROM import_list WHERE NOT is_done) AS hasLists
                 FROM import i LEFT JOIN import_row r ON true GROUP BY i.id`;
    const found = first<Omit<ImportState, "status"> & { hasLists: number }>(this.core.sql, sql);
    if (found === undefined) return undefined;
    const { hasLists, ...state } = found;
    return { ...state, status: state.done < state.total || hasLists === 1 ? "running" : "done" };
  }

  /** Returns books of the newest import that were not imported, doubtful ones first, in the order of the file. */
  missing(limit: number): MissingRow[] {
    const sql = `SELECT position, title, author, isbn, problem, candidates FROM import_row
                 WHERE ${MISSING} ORDER BY problem <> 'doubtful', position LIMIT ?`;
    const rows = all<Omit<MissingRow, "candidates"> & { candidates: string }>(this.core.sql, sql, limit);
    return rows.map(({ candidates, ...row }) =>
      Object.assign(row, { candidates: candidatesOf({ candidates }) }),
    );
  }

  /** Returns the next unprocessed rows of an import; no rows if a newer import has replaced it. */
  waiting(id: string, limit: number): WaitingImportRow[] {
    const sql = `SELECT r.position, r.title, r.author, r.isbn, r.shelf, r.details FROM import i, import_row r
                 WHERE i.id = ? AND ${WAITING} ORDER BY r.position LIMIT ?`;
    const rows = all<Omit<WaitingImportRow, "details"> & { details: string }>(this.core.sql, sql, id, limit);
    return rows.map(({ details, ...row }) => Object.assign(row, { details: detailsOf({ details }) }));
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

  /** Returns the number of dates of a doubtful row that can be imported as this work; undefined if it cannot. */
  eventsOfChoice({ position, work }: { position: number; work: number }): number | undefined {
    const row = this.#doubtful(position);
    if (row === undefined || candidatesOf(row).every((candidate) => candidate.work !== work))
      return undefined;
    return detailsOf(row).events?.length ?? 0;
  }

  /**
   * Imports a doubtful row as one of its candidates, or leaves it out (null). Its lists are saved again. Returns the id
   * of the import; undefined if the row is no longer doubtful.
   */
  choose(choice: {
    position: number;
    work: number | null;
    checkIns: readonly number[];
    now: number;
  }): string | undefined {
    const { position, work, checkIns, now } = choice;
    return this.core.change(() => {
      const { sql } = this.core;
      const row = this.#doubtful(position);
      if (row === undefined) return undefined;
      const problem = work === null ? "not-found" : null;
      sql.exec("UPDATE import_row SET problem = ?, candidates = '[]' WHERE position = ?", problem, position);
      if (work !== null) {
        this.#takeRow({ position, problem: null, work, edition: null, checkIns }, now);
        const text = "UPDATE import_list SET is_done = 0 WHERE name IN (SELECT value FROM json_each(?))";
        sql.exec(text, JSON.stringify(detailsOf(row).lists ?? []));
      }
      return storedValue<string>(sql, "UPDATE import SET updated = ? RETURNING id", now);
    });
  }

  lists(): ImportList[] {
    return all<ImportList>(this.core.sql, "SELECT name, key, problem FROM import_list ORDER BY name");
  }

  /**
   * Returns the next list to save with its works, in the order of the file; undefined at the end or if a newer import has
   * replaced it. Throws if the account is being removed.
   */
  nextList(id: string, limit: number): { name: string; works: number[] } | undefined {
    return this.core.transact(() => {
      const { sql } = this.core;
      const text = `SELECT l.name FROM import i, import_list l
                    WHERE i.id = ? AND NOT l.is_done ORDER BY l.name LIMIT 1`;
      const name = storedValue<string>(sql, text, id);
      if (name === undefined) return undefined;
      const members = `SELECT r.work FROM import_row r, json_each(r.details, '$.lists') l
                       WHERE l.value = ? AND r.work IS NOT NULL
                       GROUP BY r.work ORDER BY min(r.position) LIMIT ?`;
      return { name, works: storedValues<number>(sql, members, name, limit) };
    });
  }

  endList(id: string, { name, key, problem }: ImportList): void {
    const sql = `UPDATE import_list SET key = ?, problem = ?, is_done = 1
                 WHERE name = ? AND EXISTS (SELECT 1 FROM import WHERE id = ?)`;
    this.core.transact(() => this.core.sql.exec(sql, key, problem, name, id));
  }

  #doubtful(position: number) {
    const sql =
      "SELECT details, candidates FROM import_row WHERE position = ? AND problem = 'doubtful' AND NOT is_done";
    return first<{ details: string; candidates: string }>(this.core.sql, sql, position);
  }

  #takeRow(row: LookedUpRow, now: number): void {
    const { sql } = this.core;
    const { position } = row;
    if (row.problem !== null) {
      const text = `UPDATE import_row SET problem = ?, candidates = ? WHERE position = ? AND ${WAITING}`;
      sql.exec(text, row.problem, JSON.stringify(row.candidates ?? []), position);
      return;
    }
    const stored = first<Pick<ImportRow, "shelf" | "stars" | "note"> & { details: string }>(
      sql,
      `SELECT shelf, stars, note, details FROM import_row WHERE position = ? AND ${WAITING}`,
      position,
    );
    if (stored === undefined) return;
    const { work, edition, checkIns } = row;
    const { shelf, stars, note } = stored;
    const { keepsShelf = false, events = [], observations = [] } = detailsOf(stored);
    // The calls of a client, but existing data of the patron stays. Changed subjects are sent once, after the transaction.
    const quiet = { ...this.core, change: this.core.transact };
    const shelves = new PatronShelves(quiet);
    // A row that names no shelf leaves the book where it is; a rating alone would move it.
    const current = shelves.entry(work)?.shelf ?? null;
    const target = (keepsShelf ? current : null) ?? shelf ?? current;
    const place = { work, edition: edition ?? undefined, keep: true, now };
    if (target !== null) shelves.put({ ...place, shelf: target });
    if (stars !== null) shelves.rate({ ...place, stars });
    if (stars !== null && target !== null && target !== ALREADY_READ)
      shelves.put({ ...place, shelf: target });
    for (const [index, { type, date }] of events.entries()) {
      sql.exec(
        `INSERT INTO check_in (id, work, edition, type, date, created, updated)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6 WHERE ?1 IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM check_in WHERE id = ?1 OR (work = ?2 AND type = ?4 AND date = ?5))`,
        checkIns[index] ?? null,
        work,
        edition,
        type,
        date,
        now,
      );
    }
    if (note !== "") {
      const text =
        "INSERT OR IGNORE INTO note (work, edition, text, created, updated) VALUES (?1, 0, ?2, ?3, ?3)";
      sql.exec(text, work, note, now);
    }
    const observed = observations.map(({ type, value }) => ({ type, value, isSingle: false }));
    if (observed.length > 0) new PatronNotes(quiet).observe({ work, observed, now });
    this.core.markChanged("work", work);
    sql.exec("UPDATE import_row SET is_done = 1, work = ? WHERE position = ?", work, position);
  }
}

// Stored by this class.
function detailsOf({ details }: { details: string }): RowDetails {
  return JSON.parse(details) as RowDetails;
}

function candidatesOf({ candidates }: { candidates: string }): ImportCandidate[] {
  return JSON.parse(candidates) as ImportCandidate[];
}
