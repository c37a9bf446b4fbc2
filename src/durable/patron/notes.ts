import { all } from "../storage.ts";
import { PatronPart } from "./core.ts";
import type { SessionUse } from "./sessions.ts";
import type { ShelfEntry } from "./shelves.ts";

type Note = Omit<ShelfEntry, "shelf"> & { readonly text: string };

export interface Choice {
  readonly type: number;
  readonly value: number;
}

type Observation = Choice & { readonly work: number; readonly created: number };

export class PatronNotes extends PatronPart {
  set(note: Omit<Note, "created" | "updated"> & { now: number }, use?: SessionUse): void {
    const { work, edition, text, now } = note;
    this.core.change(() => {
      if (text === "") {
        this.core.sql.exec("DELETE FROM note WHERE work = ? AND edition = ?", work, edition ?? 0);
      } else {
        const sql = `INSERT INTO note (work, edition, text, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)
                     ON CONFLICT (work, edition) DO UPDATE SET text = excluded.text, updated = excluded.updated`;
        this.core.sql.exec(sql, work, edition ?? 0, text, now);
      }
      this.core.markChanged("work", work);
    }, use);
  }

  /** Returns the notes on a work, the note on the work as a whole first. */
  of(work: number): Note[] {
    return this.#notes("WHERE n.work = ? ORDER BY n.edition", work);
  }

  page({ offset, limit }: { offset: number; limit: number }): Note[] {
    return this.#notes("ORDER BY n.updated DESC, n.work, n.edition LIMIT ? OFFSET ?", limit, offset);
  }

  /** Adds observations. An observation of a type with a single choice replaces the previous one. */
  observe(
    request: { work: number; observed: readonly (Choice & { isSingle: boolean })[]; now: number },
    use?: SessionUse,
  ): void {
    const { work, observed, now } = request;
    this.core.change(() => {
      const { sql } = this.core;
      for (const { type, value, isSingle } of observed) {
        if (isSingle) {
          sql.exec("DELETE FROM observation WHERE work = ? AND type = ? AND value <> ?", work, type, value);
        }
        sql.exec("INSERT OR IGNORE INTO observation VALUES (?, ?, ?, ?)", work, type, value, now);
      }
      this.core.markChanged("work", work);
    }, use);
  }

  /** Replaces the observations of a work; those that stay keep their time. */
  replaceObservations(
    request: { work: number; observed: readonly Choice[]; now: number },
    use?: SessionUse,
  ): void {
    const { work, observed, now } = request;
    this.core.change(() => {
      const { sql } = this.core;
      const codes = JSON.stringify(observed.map(({ type, value }) => `${type}.${value}`));
      sql.exec(
        "DELETE FROM observation WHERE work = ? AND type || '.' || value NOT IN (SELECT value FROM json_each(?))",
        work,
        codes,
      );
      for (const { type, value } of observed) {
        sql.exec("INSERT OR IGNORE INTO observation VALUES (?, ?, ?, ?)", work, type, value, now);
      }
      this.core.markChanged("work", work);
    }, use);
  }

  /** Removes observations of a work; without `observed`, all of them. */
  unobserve({ work, observed }: { work: number; observed?: readonly Choice[] }, use?: SessionUse): void {
    this.core.change(() => {
      const { sql } = this.core;
      if (observed === undefined) sql.exec("DELETE FROM observation WHERE work = ?", work);
      for (const { type, value } of observed ?? []) {
        sql.exec("DELETE FROM observation WHERE work = ? AND type = ? AND value = ?", work, type, value);
      }
      this.core.markChanged("work", work);
    }, use);
  }

  observations(work: number): Observation[] {
    const sql = "SELECT * FROM observation WHERE work = ? ORDER BY type, value";
    return all<Observation>(this.core.sql, sql, work);
  }

  #notes(clause: string, ...values: SqlStorageValue[]): Note[] {
    const sql = `SELECT n.work, nullif(n.edition, 0) AS edition, n.text, n.created, n.updated FROM note n ${clause}`;
    return all<Note>(this.core.sql, sql, ...values);
  }
}
