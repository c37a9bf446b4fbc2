import type { ActivityItem, ActivityKind } from "../../catalog/patrons/activity.ts";
import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import type { HeldWork } from "../../db/patrons/forget.ts";
import { type PatronCore, all, first } from "../storage.ts";
import type { Pending } from "./activity-item.ts";
import { type ExportPage, type ExportRequest, exportPage } from "./export.ts";
import type { Outbox } from "./outbox.ts";
import { PatronPart } from "./part.ts";
import { type HeldCounts, dropWorks, erase, forgetState, heldCounts, heldWorks, seal } from "./removal.ts";

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

/**
 * Moves everything that a patron holds of a work to another one, in one transaction; once more changes nothing. Returns
 * how many notes and awards had to stay, because the other work has its own.
 */
function moveWork(core: PatronCore, { from, to }: WorkMove): number {
  // Moving something onto itself would take it for doubled.
  if (from === to) return 0;
  return core.change(() => {
    const { sql } = core;
    moveEntry(sql, { from, to });
    for (const text of MOVES) sql.exec(text, ...(text.includes("?2") ? [from, to] : [from]));
    core.mark("work", from);
    core.mark("work", to);
    const left = `SELECT (SELECT count(*) FROM note WHERE work = ?1) +
                         (SELECT count(*) FROM award WHERE work = ?1) AS kept`;
    return first<{ kept: number }>(sql, left, from)?.kept ?? 0;
  });
}

function moveEntry(sql: SqlStorage, { from, to }: WorkMove): void {
  sql.exec("UPDATE OR IGNORE shelf_entry SET work = ?2 WHERE work = ?1", from, to);
  const gone = all<{ shelf: number }>(sql, "DELETE FROM shelf_entry WHERE work = ? RETURNING shelf", from);
  for (const { shelf } of gone)
    sql.exec("UPDATE shelf_size SET entries = entries - 1 WHERE shelf = ?", shelf);
}

/** What a patron had at another service. Works and editions are the numbers of their keys; times are milliseconds. */
export interface Restored {
  readonly shelves: readonly { work: number; shelf: ShelfId; edition: number | null; created: number }[];
  readonly ratings: readonly { work: number; stars: number; edition: number | null; created: number }[];
}

/** Adds what is not there yet, all in one transaction; what the patron has here already stays. */
function restore(core: PatronCore, { shelves, ratings }: Restored): void {
  core.change(() => {
    const { sql } = core;
    for (const { work, shelf, edition, created } of shelves) {
      const text = `INSERT OR IGNORE INTO shelf_entry (work, shelf, edition, created, updated)
                    VALUES (?1, ?2, ?3, ?4, ?4) RETURNING work`;
      if (all(sql, text, work, shelf, edition, created).length > 0) core.mark("work", work);
    }
    for (const { work, stars, edition, created } of ratings) {
      const text = `INSERT OR IGNORE INTO rating (work, stars, edition, created, updated)
                    VALUES (?1, ?2, ?3, ?4, ?4) RETURNING work`;
      if (all(sql, text, work, stars, edition, created).length > 0) core.mark("work", work);
    }
    sql.exec("DELETE FROM shelf_size");
    sql.exec("INSERT INTO shelf_size SELECT shelf, count(*) FROM shelf_entry GROUP BY shelf");
  });
}

/** Tables whose rows are of a work each. */
const WORK_TABLES = ["shelf_entry", "rating", "check_in", "note", "observation", "award"] as const;

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

  /** Adds what the patron had at another service; what he has here stays. */
  restore(restored: Restored): void {
    restore(this.core, restored);
  }

  /** A part of what the patron takes along as a file. */
  exported(request: ExportRequest): ExportPage {
    return exportPage(this.core.sql, request);
  }

  /** Moves everything of a work to the work that it became; how many notes and awards had to stay. */
  moveWork(move: WorkMove): number {
    return moveWork(this.core, move);
  }

  /** How much there is of what an account that is removed leaves behind, or takes along. */
  heldCounts(): HeldCounts {
    return heldCounts(this.core.sql);
  }

  /** Closes the object for good, and leaves what it holds for those who remove it. */
  seal(): void {
    seal(this.core.sql);
  }

  /** States of the first works that a sealed object holds, in order of number. */
  heldWorks(limit: number): HeldWork[] {
    return heldWorks(this.core.sql, limit);
  }

  /** Deletes such works from a sealed object. */
  dropWorks(works: readonly number[]): void {
    dropWorks(this.core.sql, works);
  }

  /** Deletes everything that a sealed object holds, and keeps it closed. */
  async erase(): Promise<void> {
    await this.#outbox.erase(() => erase(this.core.sql));
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
        sql.exec<{ work: number }>(`SELECT DISTINCT work FROM ${table}`).toArray(),
      );
      for (const work of new Set(works.map((row) => row.work))) this.core.mark("work", work);
      for (const { publisher } of sql.exec<{ publisher: string }>("SELECT publisher FROM follow").toArray()) {
        this.core.mark("follow", publisher);
      }
      for (const { key } of sql.exec<{ key: string }>("SELECT key FROM opinion").toArray()) {
        this.core.mark("like", key);
      }
      for (const { kind, subject } of known) this.core.mark(kind, subject);
    });
  }
}
