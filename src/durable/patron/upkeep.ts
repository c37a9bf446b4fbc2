import type { ActivityItem, ActivityKind } from "../../catalog/patrons/activity.ts";
import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import type { HeldWork } from "../../db/patrons/forget.ts";
import { type PatronCore, all, allValues, firstValue } from "../storage.ts";
import { type Pending, workActivity } from "./activity-item.ts";
import { type ExportPage, type ExportRequest, exportPage } from "./export.ts";
import type { Outbox } from "./outbox.ts";
import { PatronPart } from "./part.ts";
import { erase, forgetState, seal } from "./removal.ts";
import { forgetUndo } from "./shelves.ts";

/** Work that became another one: numbers of their keys. */
interface WorkMove {
  readonly from: number;
  readonly to: number;
}

const MOVES = [
  // If both works have a row of a kind that exists once a work, that of the new work stays.
  "UPDATE OR IGNORE rating SET work = ?2 WHERE work = ?1",
  "DELETE FROM rating WHERE work = ?1",
  "UPDATE OR IGNORE observation SET work = ?2 WHERE work = ?1",
  "DELETE FROM observation WHERE work = ?1",
  "UPDATE check_in SET work = ?2 WHERE work = ?1",
  // Texts of patrons are never deleted: rows that conflict stay where they are.
  "UPDATE OR IGNORE note SET work = ?2 WHERE work = ?1",
  "UPDATE OR IGNORE award SET work = ?2 WHERE work = ?1",
];

function moveEntry(sql: SqlStorage, { from, to }: WorkMove): void {
  sql.exec("UPDATE OR IGNORE shelf_entry SET work = ?2 WHERE work = ?1", from, to);
  const gone = firstValue<number>(sql, "DELETE FROM shelf_entry WHERE work = ? RETURNING shelf", from);
  if (gone !== undefined) sql.exec("UPDATE shelf_size SET entries = entries - 1 WHERE shelf = ?", gone);
}

/**
 * Data of a patron at another service. Works and editions are the numbers of their keys; times are milliseconds since
 * the epoch.
 */
interface Restored {
  readonly shelves: readonly { work: number; shelf: ShelfId; edition: number | null; created: number }[];
  readonly ratings: readonly { work: number; stars: number; edition: number | null; created: number }[];
}

/** Numbers of rows that an account's removal deletes, or keeps without its name. */
const HELD_COUNTS = `SELECT (SELECT count(*) FROM note) AS notes, (SELECT count(*) FROM rating) AS ratings,
  (SELECT count(*) FROM observation) AS observations, (SELECT count(*) FROM shelf_entry) AS shelves,
  (SELECT count(*) FROM award) AS awards`;
type HeldCounts = Record<"notes" | "ratings" | "observations" | "shelves" | "awards", number>;

/** Tables whose rows are counted elsewhere, and tables whose rows belong to a work. */
const COUNTED_TABLES = ["shelf_entry", "rating", "observation", "award"] as const;
const WORK_TABLES = [...COUNTED_TABLES, "check_in", "note"] as const;

/** Maintenance of a patron's object by the service itself. */
export class PatronUpkeep extends PatronPart {
  readonly #outbox: Outbox;

  constructor(core: PatronCore, outbox: Outbox) {
    super(core);
    this.#outbox = outbox;
  }

  /** Marks states as stored by the consumer. */
  confirm(stored: readonly Pending[]): void {
    this.#outbox.confirm(stored);
  }

  /** Returns the state of a subject that is not confirmed yet; undefined if it is. */
  unconfirmed(kind: ActivityKind, subject: string): ActivityItem | undefined {
    return this.#outbox.unconfirmed(kind, subject);
  }

  /** Adds the patron's data of another service, all in one transaction; existing data stays. */
  restore({ shelves, ratings }: Restored): void {
    const { sql } = this.core;
    const add = (work: number, text: string, ...values: SqlStorageValue[]): void => {
      if (all(sql, text, work, ...values).length > 0) this.core.mark("work", work);
    };
    this.core.change(() => {
      for (const { work, shelf, edition, created } of shelves) {
        const text = `INSERT OR IGNORE INTO shelf_entry (work, shelf, edition, created, updated)
                      VALUES (?1, ?2, ?3, ?4, ?4) RETURNING work`;
        add(work, text, shelf, edition, created);
      }
      for (const { work, stars, edition, created } of ratings) {
        const text = `INSERT OR IGNORE INTO rating (work, stars, edition, created, updated)
                      VALUES (?1, ?2, ?3, ?4, ?4) RETURNING work`;
        add(work, text, stars, edition, created);
      }
      sql.exec("DELETE FROM shelf_size");
      sql.exec("INSERT INTO shelf_size SELECT shelf, count(*) FROM shelf_entry GROUP BY shelf");
    });
  }

  /** Returns a part of a patron's export. */
  exported(request: ExportRequest): ExportPage {
    return exportPage(this.core.sql, request);
  }

  /**
   * Moves everything of a work to the work that it became, in one transaction; a repeated call changes nothing. Returns
   * the number of notes and awards that had to stay, because the other work has its own.
   */
  moveWork({ from, to }: WorkMove): number {
    // A move onto the same work would delete its rows as duplicates.
    if (from === to) return 0;
    return this.core.change(() => {
      const { sql } = this.core;
      forgetUndo(this.core);
      moveEntry(sql, { from, to });
      for (const text of MOVES) sql.exec(text, ...(text.includes("?2") ? [from, to] : [from]));
      this.core.mark("work", from);
      this.core.mark("work", to);
      const left = `SELECT (SELECT count(*) FROM note WHERE work = ?1) +
                           (SELECT count(*) FROM award WHERE work = ?1)`;
      return firstValue<number>(sql, left, from) ?? 0;
    });
  }

  heldCounts(): HeldCounts {
    return this.core.sql.exec<HeldCounts>(HELD_COUNTS).one();
  }

  /** Closes the object permanently, and keeps its data for the removal job. */
  seal(): void {
    seal(this.core);
  }

  /** Returns the states of the first works that a sealed object holds, by number, for keeping their counts. */
  heldWorks(limit: number): HeldWork[] {
    const { sql } = this.core;
    const works = COUNTED_TABLES.map((table) => `SELECT work FROM ${table}`).join(" UNION ");
    return allValues<number>(sql, `${works} ORDER BY work LIMIT ?`, limit).flatMap((work) => {
      const state = workActivity(sql, work);
      return state === null ? [] : [{ work, state }];
    });
  }

  /** Deletes works whose counts are kept elsewhere, so that the next run finds the remaining ones. */
  dropWorks(works: readonly number[]): void {
    for (const table of COUNTED_TABLES) {
      const sql = `DELETE FROM ${table} WHERE work IN (SELECT value FROM json_each(?))`;
      this.core.sql.exec(sql, JSON.stringify(works));
    }
  }

  /** Deletes everything that a sealed object holds, and keeps it closed. */
  async erase(): Promise<void> {
    await this.#outbox.erase(() => erase(this.core));
  }

  /** Reopens an erased object, for a new account with the same name. */
  reopen(): void {
    forgetState(this.core.sql);
  }

  /**
   * Sends the states of everything that the object holds, and of everything known elsewhere that it does not hold, for
   * rebuilding projections. `after`: the highest sequence that the projections know.
   */
  resendAll({ known, after }: { known: readonly Omit<Pending, "sequence">[]; after: number }): void {
    this.core.change(() => {
      const { sql } = this.core;
      this.#outbox.continueAfter(after);
      // One by one: a statement of an object can unite five selections at most.
      const works = WORK_TABLES.flatMap((table) =>
        allValues<number>(sql, `SELECT DISTINCT work FROM ${table}`),
      );
      for (const work of new Set(works)) this.core.mark("work", work);
      for (const publisher of allValues<string>(sql, "SELECT publisher FROM follow")) {
        this.core.mark("follow", publisher);
      }
      for (const key of allValues<string>(sql, "SELECT key FROM opinion")) this.core.mark("like", key);
      for (const { kind, subject } of known) this.core.mark(kind, subject);
    });
  }
}
