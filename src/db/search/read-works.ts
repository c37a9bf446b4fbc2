import type { EditionDocument } from "../../search/documents/types.ts";
import type { StoredEdition, StoredWork, TrendingSlots } from "../../search/index/stored.ts";
import { type Statement } from "../statement.ts";
import type { Generation } from "./generation.ts";
import { unpackDocument } from "./stored-document.ts";

/** A row of `readWorksStatement`. */
export interface StoredWorkRow {
  readonly id: number;
  readonly document: string;
  readonly packed: string | null;
  readonly ratings: string | null;
  readonly want_to_read_count: number;
  readonly currently_reading_count: number;
  readonly already_read_count: number;
  readonly stopped_reading_count: number;
  readonly trending_score_hourly_sum: number;
  readonly trending_z_score: number;
  readonly trending: string | null;
}

/** A row of `readEditionsStatement`. */
export interface StoredEditionRow {
  readonly work: number;
  readonly position: number;
  readonly document: string;
}

/** Columns that `storedWork` reads, of `work_<generation>` as `w` and `work_document_<generation>` as `d`. */
export const STORED_WORK_COLUMNS = `w.id, d.document, d.packed, w.ratings, w.want_to_read_count,
  w.currently_reading_count, w.already_read_count, w.stopped_reading_count, w.trending_score_hourly_sum,
  w.trending_z_score, w.trending`;

/** Works by number, in any order: rows for `storedWork`. */
export function readWorksStatement(generation: Generation, ids: readonly number[]): Statement {
  return {
    sql: `SELECT ${STORED_WORK_COLUMNS} FROM json_each(?1) j
          JOIN work_${generation} w ON w.id = j.value JOIN work_document_${generation} d ON d.id = w.id`,
    values: [JSON.stringify(ids)],
  };
}

/** Editions of works: the first `limit` of each by openness, cover and number, in order of number. */
export function readEditionsStatement(
  generation: Generation,
  ids: readonly number[],
  limit: number,
): Statement {
  return {
    sql: `SELECT e.work, e.position, e.document FROM json_each(?1) j
          JOIN edition_${generation} e ON e.work = j.value AND e.rank < ?2
          ORDER BY e.work, e.position`,
    values: [JSON.stringify(ids), limit],
  };
}

/** The work of a row, for `documents/expand.ts`. */
export async function storedWork(row: StoredWorkRow): Promise<StoredWork> {
  const members = await unpackDocument(row);
  return {
    ...members,
    type: "work",
    counts: {
      // The columns hold what apply.ts and patch.ts wrote.
      ratings: row.ratings === null ? [0, 0, 0, 0, 0] : (JSON.parse(row.ratings) as Ratings),
      wantToRead: row.want_to_read_count,
      currentlyReading: row.currently_reading_count,
      alreadyRead: row.already_read_count,
      stoppedReading: row.stopped_reading_count,
    },
    trending: {
      hourlySum: row.trending_score_hourly_sum,
      zScore: row.trending_z_score,
      slots: row.trending === null ? undefined : (JSON.parse(row.trending) as TrendingSlots),
    },
  };
}

/** An edition of a row, with what it has in common with its work. */
export function storedEdition(row: Pick<StoredEditionRow, "document">, work: StoredWork): StoredEdition {
  const { author_key, author_name, author_alternative_name } = work;
  return {
    // The column holds what apply.ts wrote.
    ...(JSON.parse(row.document) as Omit<EditionDocument, "type">),
    type: "edition",
    ...(author_key && { author_key }),
    ...(author_name && { author_name }),
    ...(author_alternative_name && { author_alternative_name }),
  };
}

type Ratings = StoredWork["counts"]["ratings"];
