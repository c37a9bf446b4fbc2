import { type ShelfId, SHELVES } from "../../catalog/patrons/shelves.ts";
import { all, first, jsonValues, storedValue, storedValues } from "../storage.ts";
import { type Goal, countBooksRead, yearBounds } from "./diary.ts";
import { type Follow, readFollows } from "./follows.ts";
import type { Choice } from "./notes.ts";
import { PatronPart } from "./core.ts";
import { readShelfSizes } from "./shelves.ts";

/**
 * Book on a shelf as the patron sees it. Works and editions are numbers of keys; times are milliseconds since the
 * epoch.
 */
export interface OwnBook {
  readonly work: number;
  readonly shelf: ShelfId | null;
  readonly edition: number | null;
  /** Time when the book came onto a shelf; null if it is on none. */
  readonly created: number | null;
  readonly stars: number | null;
  /** Last date of finishing the book: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  readonly finished: string | null;
  /** 1 if there is a note on the work as a whole. */
  readonly noted: number;
}

export interface ListPage<Entry> {
  readonly page: number;
  readonly total: number;
  readonly entries: Entry[];
}

interface PageRequest {
  readonly page: number;
  readonly size: number;
}

export interface WorkState {
  readonly shelf: ShelfId | null;
  readonly stars: number | null;
  /** Share that has been read on an e-reader, from 0 to 1. */
  readonly progress: number | null;
}

/** Orders of a shelf: by the time books came onto it, by the patron's own rating, or by the last date of finishing. */
const ORDERS = {
  added: "e.created DESC, e.work DESC",
  oldest: "e.created, e.work",
  stars: "(SELECT stars FROM rating r WHERE r.work = e.work) DESC, e.created DESC, e.work DESC",
  finished:
    "(SELECT max(date) FROM check_in c WHERE c.work = e.work AND c.type = 3) DESC, e.created DESC, e.work DESC",
} as const;
type ShelfOrder = keyof typeof ORDERS;

interface BooksOverview {
  readonly sizes: Record<number, number>;
  readonly newest: OwnBook[];
  readonly goal: Goal | null;
  /** Number of works finished in the year, and in each month, January first; dates without a month are not counted. */
  readonly booksRead: number;
  readonly months: number[];
}

const OWN_BOOK = `w.work, s.shelf, s.edition, s.created, r.stars,
  (SELECT max(date) FROM check_in c WHERE c.work = w.work AND c.type = 3) AS finished,
  EXISTS (SELECT 1 FROM note n WHERE n.work = w.work AND n.edition = 0) AS noted`;
const JOINED = "LEFT JOIN shelf_entry s ON s.work = w.work LEFT JOIN rating r ON r.work = w.work";

export class PatronPages extends PatronPart {
  /** Returns the sizes of the shelves, the newest `limit` books of each, and the progress of the goal of a year. */
  overview({ limit, year }: { limit: number; year: number }): BooksOverview {
    const { sql } = this.core;
    return {
      sizes: readShelfSizes(sql),
      newest: SHELVES.flatMap(({ id }) => this.#shelfBooks(id, { offset: 0, limit })),
      goal: first<Goal>(sql, "SELECT year, target FROM goal WHERE year = ?", year) ?? null,
      booksRead: countBooksRead(sql, year),
      months: this.#months(year),
    };
  }

  shelf(shelf: ShelfId, { order, ...request }: PageRequest & { order: ShelfOrder }): ListPage<OwnBook> {
    const total = this.#count("SELECT entries FROM shelf_size WHERE shelf = ?", shelf);
    return listPage(request, total, (offset, limit) => this.#shelfBooks(shelf, { order, offset, limit }));
  }

  finishedBooks(year: number, request: PageRequest): ListPage<OwnBook> & Pick<BooksOverview, "months"> {
    const page = listPage(request, countBooksRead(this.core.sql, year), (offset, limit) =>
      all<OwnBook>(
        this.core.sql,
        `SELECT ${OWN_BOOK} FROM (
           SELECT work, max(date) AS last FROM check_in WHERE type = 3 AND date >= ?1 AND date < ?2
           GROUP BY work ORDER BY last DESC, work DESC LIMIT ?3 OFFSET ?4) w ${JOINED}
         ORDER BY w.last DESC, w.work DESC`,
        ...yearBounds(year),
        limit,
        offset,
      ),
    );
    return { ...page, months: this.#months(year) };
  }

  /** Returns the books of works, in this order. Works on no shelf are left out. */
  booksOf(works: readonly number[]): OwnBook[] {
    const sql = `SELECT ${OWN_BOOK} FROM (SELECT key AS place, value AS work FROM json_each(?)) w ${JOINED}
                 WHERE s.shelf IS NOT NULL ORDER BY w.place`;
    return all<OwnBook>(this.core.sql, sql, JSON.stringify(works));
  }

  /** Returns what the page of a work shows to the patron. */
  workState(work: number): WorkState {
    const sql = `SELECT (SELECT shelf FROM shelf_entry WHERE work = ?1) AS shelf, (SELECT stars FROM rating WHERE work = ?1) AS stars,
      (SELECT percentage FROM sync_document WHERE work = ?1 ORDER BY updated DESC LIMIT 1) AS progress`;
    return this.core.sql.exec<WorkState & Record<string, SqlStorageValue>>(sql, work).one();
  }

  /** Returns works of a shelf, the newest first; with a year, only works that were finished in it. */
  shelfWorks(shelf: ShelfId, { limit, year }: { limit: number; year?: number | undefined }): number[] {
    const [from, to] = year === undefined ? [null, null] : yearBounds(year);
    return storedValues<number>(
      this.core.sql,
      `SELECT work FROM shelf_entry s WHERE shelf = ?1 AND (?2 IS NULL OR EXISTS (
         SELECT 1 FROM check_in c WHERE c.work = s.work AND c.type = 3 AND c.date >= ?2 AND c.date < ?3))
       ORDER BY created DESC, work DESC LIMIT ?4`,
      shelf,
      from,
      to,
      limit,
    );
  }

  noteCount(): number {
    return this.#count("SELECT count(*) FROM note");
  }

  /** Returns observations work by work, the last observed first. */
  observations(request: PageRequest): ListPage<{ readonly work: number; readonly observed: Choice[] }> {
    const total = this.#count("SELECT count(DISTINCT work) FROM observation");
    const sql = `SELECT json_object('work', work, 'observed', json_group_array(json_object('type', type, 'value', value)))
                 FROM observation GROUP BY work ORDER BY max(created) DESC, work DESC LIMIT ? OFFSET ?`;
    return listPage(request, total, (offset, limit) => jsonValues(this.core.sql, sql, limit, offset));
  }

  following(request: PageRequest): ListPage<Follow> {
    const total = this.#count("SELECT count(*) FROM follow");
    return listPage(request, total, (offset, limit) => readFollows(this.core.sql, limit, offset));
  }

  /** Filters usernames in lower case: returns those that the patron follows. */
  filterFollowed(usernames: readonly string[]): string[] {
    const sql = "SELECT publisher FROM follow WHERE publisher IN (SELECT value FROM json_each(?))";
    return storedValues<string>(this.core.sql, sql, JSON.stringify(usernames));
  }

  #shelfBooks(
    shelf: ShelfId,
    { order = "added", offset, limit }: { order?: ShelfOrder; offset: number; limit: number },
  ): OwnBook[] {
    const sql = `SELECT work FROM shelf_entry e WHERE shelf = ? ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`;
    return this.booksOf(storedValues<number>(this.core.sql, sql, shelf, limit, offset));
  }

  #months(year: number): number[] {
    const rows = all<{ month: string; works: number }>(
      this.core.sql,
      `SELECT substr(last, 6, 2) AS month, count(*) AS works FROM (
         SELECT max(date) AS last FROM check_in WHERE type = 3 AND date >= ? AND date < ? GROUP BY work)
       GROUP BY month`,
      ...yearBounds(year),
    );
    const works = new Map(rows.map(({ month, works: count }) => [Number(month), count]));
    return Array.from({ length: 12 }, (_, at) => works.get(at + 1) ?? 0);
  }

  #count(text: string, ...values: SqlStorageValue[]): number {
    return storedValue<number>(this.core.sql, text, ...values) ?? 0;
  }
}

function listPage<Entry>(
  request: PageRequest,
  total: number,
  read: (offset: number, limit: number) => Entry[],
): ListPage<Entry> {
  const { size } = request;
  const last = Math.max(1, Math.ceil(total / size));
  const page = Math.min(Math.max(1, request.page), last);
  return { page, total, entries: read((page - 1) * size, size) };
}
