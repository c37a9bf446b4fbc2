import { type Database, rows } from "../statement.ts";
import { type CoverCategory, FIRST_OWN_COVER } from "./cover-rows.ts";

/** A cover as lists of them tell it. */
export interface ListedCover {
  readonly id: number;
  /** The record that it was made for, without its folder. */
  readonly olid: string | null;
  /** Null: it was sent as a file. */
  readonly sourceUrl: string | null;
  readonly width: number;
  readonly height: number;
  /** Naive UTC. */
  readonly created: string;
  readonly updated: string;
}

const COLUMNS = "id, olid, source_url AS sourceUrl, width, height, created, updated";
const IS_THERE = "state = 'stored' AND deleted IS NULL";

/** Which covers are listed. */
export interface CoverRange {
  /** Those made for these records; undefined: all. */
  readonly olids: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Covers of a category that are there, those that were changed last first. One indexed statement. */
export function listCovers(
  database: Database,
  category: CoverCategory,
  { olids, offset, limit }: CoverRange,
): Promise<ListedCover[]> {
  const end = "ORDER BY updated DESC, id DESC LIMIT ?2 OFFSET ?3";
  if (olids === undefined) {
    return rows<ListedCover>(database, {
      sql: `SELECT ${COLUMNS} FROM cover WHERE category = ?1 AND ${IS_THERE} ${end}`,
      values: [category, limit, offset],
    });
  }
  return rows<ListedCover>(database, {
    sql: `SELECT ${COLUMNS} FROM cover
          WHERE olid IN (SELECT value FROM json_each(?4)) AND category = ?1 AND ${IS_THERE} ${end}`,
    values: [category, limit, offset, JSON.stringify([...new Set(olids)])],
  });
}

/** A cover as an export of all of them needs it. */
export interface ExportedCover {
  readonly id: number;
  readonly category: CoverCategory;
  readonly olid: string | null;
  readonly contentType: string;
  readonly bytes: number;
}

/** Covers that are there, by number, from the first one above `after` on. One statement along the table. */
export function coversAfter(database: Database, after: number, limit: number): Promise<ExportedCover[]> {
  return rows<ExportedCover>(database, {
    sql: `SELECT id, category, olid, content_type AS contentType, bytes FROM cover
          WHERE id > ?1 AND ${IS_THERE} ORDER BY id LIMIT ?2`,
    values: [after, limit],
  });
}

/** True when there is nothing to be seen of a cover: it was deleted, its image never came, or its number is nobody's yet. */
export async function isCoverGone(database: Database, id: number): Promise<boolean> {
  const [cover] = await rows<{ isGone: number }>(database, {
    sql: "SELECT deleted IS NOT NULL OR state = 'failed' AS isGone FROM cover WHERE id = ?1",
    values: [id],
  });
  // Of covers that came with loaded records nothing is known.
  return cover === undefined ? id >= FIRST_OWN_COVER : cover.isGone === 1;
}
