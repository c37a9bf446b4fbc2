import { all, storedValue } from "../storage.ts";
import { PatronPart } from "./core.ts";
import type { SessionUse } from "./sessions.ts";

/** Type of a check-in. 1: started, 2: continued, 3: finished. */
export type CheckInType = 1 | 2 | 3;

/** Entry of a patron's diary. `date` is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; times are milliseconds since the epoch. */
export interface CheckIn {
  readonly id: number;
  readonly work: number;
  readonly edition: number | null;
  readonly type: CheckInType;
  readonly date: string;
  readonly created: number;
  readonly updated: number;
}

export interface Goal {
  readonly year: number;
  readonly target: number;
}

export class PatronDiary extends PatronPart {
  /**
   * Adds a check-in with the first of the numbers that are reserved for the patron. `reserved`: more of them, for this and
   * later check-ins. With `isOnce`, an equal check-in stays the only one. Returns the number; undefined, without adding
   * anything, if none is left.
   */
  add(
    checkIn: Omit<CheckIn, "id" | "created" | "updated"> & {
      reserved: readonly number[];
      now: number;
      isOnce?: boolean;
    },
    use?: SessionUse,
  ): number | undefined {
    const { work, edition, type, date, reserved, now, isOnce = false } = checkIn;
    return this.core.change(() => {
      const { sql, state } = this.core;
      const equal = "SELECT id FROM check_in WHERE work = ? AND type = ? AND date = ? AND edition IS ?";
      const known = isOnce ? storedValue<number>(sql, equal, work, type, date, edition) : undefined;
      if (known !== undefined) return known;
      const [id, ...rest] = [...parseNumbers(state.get("check_in_numbers")), ...reserved];
      if (id === undefined) return undefined;
      state.set("check_in_numbers", rest.join(" "));
      const text = "INSERT INTO check_in VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)";
      sql.exec(text, id, work, edition, type, date, now);
      this.core.markChanged("work", work);
      return id;
    }, use);
  }

  /** Changes the date and, if present, the edition of a check-in of this work. Returns false if there is none. */
  change(
    checkIn: Pick<CheckIn, "id" | "work" | "date"> & { edition?: number | undefined; now: number },
    use?: SessionUse,
  ): boolean {
    const { id, work, edition, date, now } = checkIn;
    const sql = `UPDATE check_in SET date = ?3, edition = coalesce(?4, edition), updated = ?5
                 WHERE id = ?1 AND work = ?2`;
    return this.core.transact(
      () => this.core.sql.exec(sql, id, work, date, edition ?? null, now).rowsWritten > 0,
      use,
    );
  }

  remove(id: number, use?: SessionUse): boolean {
    return this.core.change(() => {
      const sql = "DELETE FROM check_in WHERE id = ? RETURNING work";
      const work = storedValue<number>(this.core.sql, sql, id);
      if (work !== undefined) this.core.markChanged("work", work);
      return work !== undefined;
    }, use);
  }

  checkIns(work: number): CheckIn[] {
    return all<CheckIn>(this.core.sql, "SELECT * FROM check_in WHERE work = ? ORDER BY date, id", work);
  }

  booksRead(year: number): number {
    return countBooksRead(this.core.sql, year);
  }

  /** Returns the goals by year; with `year`, only the goal of that year. */
  goals(year?: number): Goal[] {
    const sql = "SELECT year, target FROM goal WHERE ?1 IS NULL OR year = ?1 ORDER BY year";
    return all<Goal>(this.core.sql, sql, year ?? null);
  }

  setGoal({ year, target, now }: Goal & { now: number }): void {
    this.core.transact(() =>
      this.core.sql.exec(
        `INSERT INTO goal (year, target, created, updated) VALUES (?1, ?2, ?3, ?3)
         ON CONFLICT (year) DO UPDATE SET target = excluded.target, updated = excluded.updated`,
        year,
        target,
        now,
      ),
    );
  }

  removeGoal(year: number): void {
    this.core.transact(() => this.core.sql.exec("DELETE FROM goal WHERE year = ?", year));
  }
}

function parseNumbers(text = ""): number[] {
  return text === "" ? [] : text.split(" ").map(Number);
}

export function countBooksRead(sql: SqlStorage, year: number): number {
  const text = "SELECT count(DISTINCT work) FROM check_in WHERE type = 3 AND date >= ? AND date < ?";
  return storedValue<number>(sql, text, ...yearBounds(year)) ?? 0;
}

/** Returns the bounds of a year's dates as texts: `~` sorts after the `-` or the end that follows the year. */
export function yearBounds(year: number): [string, string] {
  const text = String(year).padStart(4, "0");
  return [text, `${text}~`];
}
