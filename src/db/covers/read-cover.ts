import { type Database, firstRow } from "../statement.ts";
import type { CoverCategory } from "./cover-rows.ts";

/** A stored cover, as its description shows it. Times are naive UTC. */
export interface CoverRow {
  readonly id: number;
  readonly category: CoverCategory;
  readonly olid: string | null;
  readonly author: string | null;
  readonly sourceUrl: string | null;
  readonly width: number;
  readonly height: number;
  readonly renditions: "made" | "none" | null;
  /** When it was deleted. */
  readonly deleted: string | null;
  readonly created: string;
  readonly updated: string;
}

/** A cover whose image was stored, deleted or not; undefined for all others. */
export function readCover(database: Database, id: number): Promise<CoverRow | undefined> {
  return firstRow<CoverRow>(database, {
    sql: `SELECT id, category, olid, author, source_url AS sourceUrl, width, height, renditions, deleted, created, updated
          FROM cover WHERE id = ?1 AND state = 'stored'`,
    values: [id],
  });
}
