import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { all } from "../storage.ts";

export type ExportTable = "shelves" | "ratings" | "notes" | "observations" | "check_ins";

export interface ExportRequest {
  readonly table: ExportTable;
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

export interface ExportPage {
  readonly rows: ExportRow[];
  readonly next: string | null;
}

/** Statement that reads `?2` rows after the cursor `?1` (JSON array), and the cursor of a row. */
interface Plan {
  readonly sql: string;
  cursorOf(row: ExportRow & { readonly id?: number }): readonly (number | undefined)[];
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
  shelves: {
    sql: `SELECT s.work, s.shelf, s.edition, s.created, r.stars FROM (${NEWEST}) s
          LEFT JOIN rating r ON r.work = s.work ORDER BY s.created DESC, s.work DESC LIMIT ?2`,
    cursorOf: ({ created, work }) => [created, work],
  },
  ratings: {
    sql: `SELECT work, edition, stars, created FROM rating
          WHERE work > coalesce(?1->>0, 0) ORDER BY work LIMIT ?2`,
    cursorOf: ({ work }) => [work],
  },
  notes: {
    sql: `SELECT work, nullif(edition, 0) AS edition, text, created FROM note
          WHERE (work, edition) > (coalesce(?1->>0, 0), coalesce(?1->>1, 0)) ORDER BY work, edition LIMIT ?2`,
    cursorOf: ({ work, edition }) => [work, edition ?? 0],
  },
  observations: {
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
export function readExportPage(sql: SqlStorage, { table, after, limit }: ExportRequest): ExportPage {
  const { sql: text, cursorOf } = PLANS[table];
  const rows = all<ExportRow & { readonly id?: number }>(sql, text, after, limit);
  const last = rows.at(-1);
  const isMore = last !== undefined && rows.length === limit;
  return { rows, next: isMore ? JSON.stringify(cursorOf(last)) : null };
}
