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

/** A work that became another one: numbers of their keys. */
interface WorkMove {
  readonly from: number;
  readonly to: number;
}

const MOVES = [
  // Of what there is once a work, that of the new work stays.
  "UPDATE OR IGNORE rating SET work = ?2 WHERE work = ?1",
  "DELETE FROM rating WHERE work = ?1",
  "UPDATE OR IGNORE observation SET work = ?2 WHERE work = ?1",
  "DELETE FROM observation WHERE work = ?1",
  "UPDATE check_in SET work = ?2 WHERE work = ?1",
  // Nobody's words are thrown away: what has no room stays where it is.
  "UPDATE OR IGNORE note SET work = ?2 WHERE work = ?1",
  "UPDATE OR IGNORE award SET work = ?2 WHERE work = ?1",
];

function moveEntry(sql: SqlStorage, { from, to }: WorkMove): void {
  sql.exec("UPDATE OR IGNORE shelf_entry SET work = ?2 WHERE work = ?1", from, to);
  const gone = firstValue<number>(sql, "DELETE FROM shelf_entry WHERE work = ? RETURNING shelf", from);
  if (gone !== undefined) sql.exec("UPDATE shelf_size SET entries = entries - 1 WHERE shelf = ?", gone);
}

/** What a patron had at another service. Works and editions are the numbers of their keys; times are milliseconds. */
interface Restored {
  readonly shelves: readonly { work: number; shelf: ShelfId; edition: number | null; created: number }[];
  readonly ratings: readonly { work: number; stars: number; edition: number | null; created: number }[];
}

/** How much there is of what an account that is removed leaves behind without its name, or takes along: rows. */
const HELD_COUNTS = `SELECT (SELECT count(*) FROM note) AS notes, (SELECT count(*) FROM rating) AS ratings,
  (SELECT count(*) FROM observation) AS observations, (SELECT count(*) FROM shelf_entry) AS shelves,
  (SELECT count(*) FROM award) AS awards`;
type HeldCounts = Record<"notes" | "ratings" | "observations" | "shelves" | "awards", number>;

/** Tables whose rows others count, and those whose rows are of a work each. */
const COUNTED_TABLES = ["shelf_entry", "rating", "observation", "award"] as const;
const WORK_TABLES = [...COUNTED_TABLES, "check_in", "note"] as const;

/** What the service does with a patron's object on its own account. */
export class PatronUpkeep extends PatronPart {
  readonly #outbox: Outbox;

  constructor(core: PatronCore, outbox: Outbox) {
    super(core);
    this.#outbox = outbox;
  }

  /** Others have stored these states. */
  confirm(stored: readonly Pending[]): void {
    this.#outbox.confirm(stored);
  }

  /** The state of a subject that others do not have yet; undefined when they have. */
  unconfirmed(kind: ActivityKind, subject: string): ActivityItem | undefined {
    return this.#outbox.unconfirmed(kind, subject);
  }

  /** Adds what the patron had at another service, all in one transaction; what he has here stays. */
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

  /** A part of what the patron takes along as a file. */
  exported(request: ExportRequest): ExportPage {
    return exportPage(this.core.sql, request);
  }

  /**
   * Moves everything of a work to the work that it became, in one transaction; once more changes nothing. Returns how
   * many notes and awards had to stay, because the other work has its own.
   */
  moveWork({ from, to }: WorkMove): number {
    // Moving something onto itself would take it for doubled.
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

  /** Closes the object for good, and leaves what it holds for those who remove it. */
  seal(): void {
    seal(this.core);
  }

  /** States of the first works that a sealed object holds, in order of number: for those who keep the counts. */
  heldWorks(limit: number): HeldWork[] {
    const { sql } = this.core;
    const works = COUNTED_TABLES.map((table) => `SELECT work FROM ${table}`).join(" UNION ");
    return allValues<number>(sql, `${works} ORDER BY work LIMIT ?`, limit).flatMap((work) => {
      const state = workActivity(sql, work);
      return state === null ? [] : [{ work, state }];
    });
  }

  /** Deletes such works, once others keep their counts: whoever goes on then finds what is left. */
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

  /** Makes an object that was erased as good as new, for somebody else of the same name. */
  reopen(): void {
    forgetState(this.core.sql);
  }

  /**
   * Sends the states of everything that the object holds, and of what others know of and it does not hold, for projections
   * that are made anew. `after`: the highest sequence that they know.
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
