import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { all } from "../storage.ts";

export type ExportTable = "shelves" | "ratings" | "notes" | "observations" | "check_ins";

export interface ExportRequest {
  readonly table: ExportTable;
  /** `next` of the part before; null for the first. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Exported row; members that its table does not have are absent. Works and editions are numbers of keys, times
 * milliseconds since the epoch.
 */
export interface ExportRow {
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

/** Part of a table, and the start of the next one; null after the last. */
export interface ExportPage {
  readonly rows: ExportRow[];
  readonly next: string | null;
}

/**
 * Statement with `?1` as the place after which it reads (JSON array) and `?2` as the number of rows; `place` returns
 * such arrays.
 */
interface Plan {
  readonly sql: string;
  place(row: ExportRow & { readonly id?: number }): readonly (number | undefined)[];
}

/** Place before the first row. A condition with OR would read a shelf from its beginning for each part. */
const FIRST = Number.MAX_SAFE_INTEGER;
/** Newest entries of each shelf, and of these the newest: the index of a shelf serves each. */
const NEWEST = SHELVES.map(
  ({ id }) => `SELECT * FROM (SELECT * FROM shelf_entry
      WHERE shelf = ${id} AND (created, work) < (coalesce(?1->>0, ${FIRST}), coalesce(?1->>1, ${FIRST}))
      ORDER BY created DESC, work DESC LIMIT ?2)`,
).join(" UNION ALL ");

const PLANS: Readonly<Record<ExportTable, Plan>> = {
  shelves: {
    sql: `SELECT s.work, s.shelf, s.edition, s.created, r.stars FROM (${NEWEST}) s
          LEFT JOIN rating r ON r.work = s.work ORDER BY s.created DESC, s.work DESC LIMIT ?2`,
    place: ({ created, work }) => [created, work],
  },
  ratings: {
    sql: `SELECT work, edition, stars, created FROM rating
          WHERE work > coalesce(?1->>0, 0) ORDER BY work LIMIT ?2`,
    place: ({ work }) => [work],
  },
  notes: {
    sql: `SELECT work, nullif(edition, 0) AS edition, text, created FROM note
          WHERE (work, edition) > (coalesce(?1->>0, 0), coalesce(?1->>1, 0)) ORDER BY work, edition LIMIT ?2`,
    place: ({ work, edition }) => [work, edition ?? 0],
  },
  observations: {
    sql: `SELECT work, type, value, created FROM observation
          WHERE (work, type, value) > (coalesce(?1->>0, 0), coalesce(?1->>1, 0), coalesce(?1->>2, 0))
          ORDER BY work, type, value LIMIT ?2`,
    place: ({ work, type, value }) => [work, type, value],
  },
  check_ins: {
    sql: `SELECT id, work, edition, type, date, created FROM check_in
          WHERE id > coalesce(?1->>0, 0) ORDER BY id LIMIT ?2`,
    place: ({ id }) => [id],
  },
};

/** Reads a part of a table: shelves with the newest first, everything else by work, check-ins in order of creation. */
export function exportPage(sql: SqlStorage, { table, after, limit }: ExportRequest): ExportPage {
  const { sql: text, place } = PLANS[table];
  const rows = all<ExportRow & { readonly id?: number }>(sql, text, after, limit);
  const last = rows.at(-1);
  const isMore = last !== undefined && rows.length === limit;
  return { rows, next: isMore ? JSON.stringify(place(last)) : null };
}
