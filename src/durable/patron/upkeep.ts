import type { ActivityItem, ActivityKind, WorkActivity } from "../../catalog/patrons/activity.ts";
import type { ExportType } from "../../catalog/patrons/exports.ts";
import { type ShelfId, SHELVES } from "../../catalog/patrons/shelves.ts";
import type { PendingSubject } from "../../db/patrons/activity.ts";
import type { HeldWork } from "../../db/patrons/forget-patron.ts";
import { emptyTables } from "../object-tables.ts";
import { all, storedValues, storedValue } from "../storage.ts";
import { type PatronCore, PatronPart } from "./core.ts";
import { type Outbox, COUNTED_TABLES, WORK_TABLES, markAllSubjects, readSubjectState } from "./outbox.ts";
import { forgetUndo } from "./shelves.ts";

const MOVES = [
  // If both works have a row in a table with one row per work, the row of the new work stays.
  "UPDATE OR IGNORE rating SET work = ?2 WHERE work = ?1",
  "DELETE FROM rating WHERE work = ?1",
  "UPDATE OR IGNORE observation SET work = ?2 WHERE work = ?1",
  "DELETE FROM observation WHERE work = ?1",
  "UPDATE check_in SET work = ?2 WHERE work = ?1",
  "UPDATE sync_document SET work = ?2 WHERE work = ?1",
  // Texts of patrons are never deleted: rows that conflict stay where they are.
  "UPDATE OR IGNORE note SET work = ?2 WHERE work = ?1",
  "UPDATE OR IGNORE award SET work = ?2 WHERE work = ?1",
];

export class PatronUpkeep extends PatronPart {
  readonly #outbox: Outbox;

  constructor(core: PatronCore, outbox: Outbox) {
    super(core);
    this.#outbox = outbox;
  }

  unconfirmed(kind: ActivityKind, subject: string): ActivityItem | undefined {
    return this.#outbox.readUnconfirmed(kind, subject);
  }

  /**
   * Adds the patron's data of another service in one transaction; existing data stays. Works and editions are the
   * numbers of their keys; times are milliseconds since the epoch.
   */
  restore(data: {
    shelves: readonly { work: number; shelf: ShelfId; edition: number | null; created: number }[];
    ratings: readonly { work: number; stars: number; edition: number | null; created: number }[];
  }): void {
    const { shelves, ratings } = data;
    const { sql } = this.core;
    const add = (work: number, text: string, ...values: SqlStorageValue[]): void => {
      if (all(sql, text, work, ...values).length > 0) this.core.markChanged("work", work);
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

  exportPage(request: ExportRequest): ExportPage {
    return readExportPage(this.core.sql, request);
  }

  /** Returns all data of works by number, after a number. */
  libraryPage({ after, limit }: { after: number; limit: number }): LibraryRow[] {
    const { sql } = this.core;
    const page: LibraryRow[] = [];
    let left = LIBRARY_PAGE_LENGTH;
    for (const row of all<Pick<LibraryRow, "work" | "edition" | "shelf" | "created" | "stars">>(
      sql,
      LIBRARY,
      after,
      limit,
    )) {
      const notes = storedValues<string>(sql, NOTES, row.work);
      const note = notes.length === 0 ? null : notes.join("\n\n");
      const events = all<LibraryRow["events"][number]>(sql, EVENTS, row.work);
      page.push({ ...row, note, events, observations: all(sql, OBSERVATIONS, row.work) });
      left -= (note?.length ?? 0) + EVENT_LENGTH * events.length;
      if (left <= 0) break;
    }
    return page;
  }

  /**
   * Moves all data of a work to its merge target, in one transaction; a repeated call changes nothing. Works are the
   * numbers of their keys. Returns the number of notes and awards that stay, because the target has its own.
   */
  moveWork({ from, to }: { from: number; to: number }): number {
    // A move onto the same work would delete its rows as duplicates.
    if (from === to) return 0;
    return this.core.change(() => {
      const { sql } = this.core;
      forgetUndo(this.core);
      sql.exec("UPDATE OR IGNORE shelf_entry SET work = ?2 WHERE work = ?1", from, to);
      const shelf = storedValue<number>(sql, "DELETE FROM shelf_entry WHERE work = ? RETURNING shelf", from);
      if (shelf !== undefined) sql.exec("UPDATE shelf_size SET entries = entries - 1 WHERE shelf = ?", shelf);
      for (const move of MOVES) sql.exec(move, ...(move.includes("?2") ? [from, to] : [from]));
      this.core.markChanged("work", from);
      this.core.markChanged("work", to);
      const text = `SELECT (SELECT count(*) FROM note WHERE work = ?1) +
                           (SELECT count(*) FROM award WHERE work = ?1)`;
      return storedValue<number>(sql, text, from) ?? 0;
    });
  }

  countRows(): Record<"notes" | "ratings" | "observations" | "shelves" | "awards", number> {
    const sql = `SELECT (SELECT count(*) FROM note) AS notes, (SELECT count(*) FROM rating) AS ratings,
      (SELECT count(*) FROM observation) AS observations, (SELECT count(*) FROM shelf_entry) AS shelves,
      (SELECT count(*) FROM award) AS awards`;
    return this.core.sql.exec<ReturnType<PatronUpkeep["countRows"]>>(sql).one();
  }

  /** Closes the object permanently to sessions and writes. Its data stays for the removal job. */
  seal(): void {
    const { sql, state } = this.core;
    sql.exec("DELETE FROM session");
    state.delete("code");
    state.set("removed", "yes");
    state.set("barred", "yes");
  }

  /** Returns the states of the first works of a sealed object, by number, to preserve their counts. */
  firstWorks(limit: number): HeldWork[] {
    const { sql } = this.core;
    const works = COUNTED_TABLES.map((table) => `SELECT work FROM ${table}`).join(" UNION ");
    return storedValues<number>(sql, `${works} ORDER BY work LIMIT ?`, limit).flatMap((work) => {
      const state = readSubjectState<WorkActivity>(sql, "work", work);
      return state === null ? [] : [{ work, state }];
    });
  }

  /** Deletes works whose counts are preserved elsewhere, so that the next run finds the remaining works. */
  dropWorks(works: readonly number[]): void {
    for (const table of COUNTED_TABLES) {
      const sql = `DELETE FROM ${table} WHERE work IN (SELECT value FROM json_each(?))`;
      this.core.sql.exec(sql, JSON.stringify(works));
    }
  }

  /** Deletes everything but the sequence from a sealed object, and leaves it closed. Covers tables added later, too. */
  async erase(): Promise<void> {
    await this.#outbox.erase(() => {
      emptyTables(this.core.sql, ["state"]);
      this.reopen();
      this.seal();
    });
  }

  /**
   * Reopens an erased object, for a new account with the same name. The sequence stays: later states must be newer than
   * earlier ones in memory or under way.
   */
  reopen(): void {
    this.core.sql.exec("DELETE FROM state WHERE name <> 'sequence'");
  }

  /**
   * Sends the states of all subjects of the object and of the projections (`known`), to rebuild the projections.
   * `after`: the highest sequence that the projections have.
   */
  resendAll({ known, after }: { known: readonly Omit<PendingSubject, "sequence">[]; after: number }): void {
    this.core.change(() => {
      this.#outbox.continueAfter(after);
      markAllSubjects(this.core);
      for (const { kind, subject } of known) this.core.markChanged(kind, subject);
    });
  }
}

/** Types whose rows the object has. */
export type ExportTable = Exclude<ExportType, "library" | "lists" | "progress">;

interface ExportRequest {
  readonly type: ExportTable;
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Exported row; members that its table does not have are absent. Works and editions are numbers of keys, times
 * milliseconds since the epoch.
 */
export interface StoredExport {
  readonly work: number;
  readonly edition?: number | null;
  readonly created: number;
  readonly shelf?: number;
  readonly stars?: number | null;
  readonly text?: string;
  readonly type?: number;
  readonly value?: number;
  readonly date?: string;
}

/** All data of a patron on a work. Times are milliseconds since the epoch. */
export interface LibraryRow {
  readonly work: number;
  readonly edition: number | null;
  readonly shelf: ShelfId | null;
  readonly created: number | null;
  readonly stars: number | null;
  /** Notes on the work and its editions. */
  readonly note: string | null;
  readonly events: readonly { readonly type: number; readonly date: string }[];
  readonly observations: readonly { readonly type: number; readonly value: number }[];
}

const WORKS_AFTER = WORK_TABLES.filter((table) => table !== "award").map(
  (table) => `SELECT * FROM (SELECT DISTINCT work FROM ${table} WHERE work > ?1 ORDER BY work LIMIT ?2)`,
);
/** Characters of notes after which a page ends, and those that an event counts for: objects return at most 32 MiB. */
const LIBRARY_PAGE_LENGTH = 4_000_000;
const EVENT_LENGTH = 40;
// Not joined in SQL, where a value has at most 2,000,000 bytes.
const NOTES = "SELECT text FROM note WHERE work = ? ORDER BY edition";
const EVENTS = "SELECT type, date FROM check_in WHERE work = ? ORDER BY date, type";
const OBSERVATIONS = "SELECT type, value FROM observation WHERE work = ? ORDER BY type, value";
const LIBRARY = `
  SELECT w.work, coalesce(s.edition, r.edition) AS edition, s.shelf, s.created, r.stars
  FROM (${WORKS_AFTER.join(" UNION ")} ORDER BY work LIMIT ?2) w
  LEFT JOIN shelf_entry s ON s.work = w.work LEFT JOIN rating r ON r.work = w.work ORDER BY w.work`;

export interface ExportPage {
  readonly rows: StoredExport[];
  readonly next: string | null;
}

/** Statement that reads `?2` rows after the cursor `?1` (JSON array), and the cursor of a row. */
interface Plan {
  readonly sql: string;
  cursorOf(row: StoredExport & { readonly id?: number }): readonly (number | undefined)[];
}

/** Cursor before the first row. A condition with OR would read a shelf from its beginning for each page. */
const FIRST = Number.MAX_SAFE_INTEGER;
/** Query of the newest entries of each shelf, each served by the index of shelves. */
const NEWEST = SHELVES.map(
  ({ id }) => `SELECT * FROM (SELECT * FROM shelf_entry
      WHERE shelf = ${id} AND (created, work) < (coalesce(?1->>0, ${FIRST}), coalesce(?1->>1, ${FIRST}))
      ORDER BY created DESC, work DESC LIMIT ?2)`,
).join(" UNION ALL ");

const PLANS: Readonly<Record<ExportTable, Plan>> = {
  reading_log: {
    sql: `SELECT s.work, s.shelf, s.edition, s.created, r.stars FROM (${NEWEST}) s
          LEFT JOIN rating r ON r.work = s.work ORDER BY s.created DESC, s.work DESC LIMIT ?2`,
    cursorOf: ({ created, work }) => [created, work],
  },
  ratings: {
    sql: `SELECT work, edition, stars, created FROM rating
          WHERE work > coalesce(?1->>0, 0) ORDER BY work LIMIT ?2`,
    cursorOf: ({ work }) => [work],
  },
  book_notes: {
    sql: `SELECT work, nullif(edition, 0) AS edition, text, created FROM note
          WHERE (work, edition) > (coalesce(?1->>0, 0), coalesce(?1->>1, 0)) ORDER BY work, edition LIMIT ?2`,
    cursorOf: ({ work, edition }) => [work, edition ?? 0],
  },
  reviews: {
    sql: `SELECT work, type, value, created FROM observation
          WHERE (work, type, value) > (coalesce(?1->>0, 0), coalesce(?1->>1, 0), coalesce(?1->>2, 0))
          ORDER BY work, type, value LIMIT ?2`,
    cursorOf: ({ work, type, value }) => [work, type, value],
  },
  check_ins: {
    sql: `SELECT id, work, edition, type, date, created FROM check_in
          WHERE id > coalesce(?1->>0, 0) ORDER BY id LIMIT ?2`,
    cursorOf: ({ id }) => [id],
  },
};

/** Reads a page of a table: shelves with the newest first, check-ins in order of creation, the others by work. */
export function readExportPage(sql: SqlStorage, { type, after, limit }: ExportRequest): ExportPage {
  const { sql: text, cursorOf } = PLANS[type];
  const rows = all<StoredExport & { readonly id?: number }>(sql, text, after, limit);
  const last = rows.at(-1);
  const isMore = last !== undefined && rows.length === limit;
  return { rows, next: isMore ? JSON.stringify(cursorOf(last)) : null };
}
