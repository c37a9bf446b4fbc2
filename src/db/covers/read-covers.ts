import type { Identifier } from "../../catalog/identifiers/edition-identifiers.ts";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import { pairsOf } from "../records/identifiers.ts";
import { type RecordRow, RECORD_COLUMNS } from "../records/record-rows.ts";
import {
  type Database,
  type Statement,
  type Window,
  allValues,
  firstRow,
  firstValue,
  rows,
} from "../statement.ts";

/** Editions with one identifier that are searched for a cover, the longest unchanged first. */
const COVER_EDITIONS_MAX = 10;
/** Maximum number of editions with the identifier that are read at all. */
const IDENTIFIED_MAX = 1000;
/** Editions of a work without covers that are searched for one. */
const COVER_WORK_EDITIONS_MAX = 100;

/** SQL of an element of `covers` or `photos` if it is the number of a cover: records contain -1 and null, too. */
const COVER_NUMBER = "CASE c.type WHEN 'integer' THEN CAST(c.value AS BIGINT) END";

/** Builds the query for the cover of the first edition with an identifier and a cover. One indexed statement. */
export function coverOfEdition(identifiers: readonly Identifier[]): Statement {
  return {
    sql: `WITH identified (id) AS (
            SELECT DISTINCT i.edition_id FROM json_each(?1) w
            JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1 LIMIT ${IDENTIFIED_MAX}),
          edition AS (
            SELECT r.id, r.last_modified, r.document FROM identified f JOIN record r ON r.id = f.id
            ORDER BY r.last_modified, r.id LIMIT ${COVER_EDITIONS_MAX})
          SELECT ${COVER_NUMBER} AS id FROM edition e, json_each(e.document, '$.covers') c WHERE ${COVER_NUMBER} > 0
          ORDER BY e.last_modified, e.id, c.key LIMIT 1`,
    values: [pairsOf(identifiers)],
  };
}

/** Records of a key: the record itself, and the target of its redirect. */
const SHOWN = `shown (place, key) AS (
  SELECT 0, CAST(?1 AS TEXT) UNION ALL
  SELECT 1, document->>'$.location' FROM record WHERE key = ?1 AND type = '/type/redirect')`;

/**
 * Builds the statement that finds the first cover of a record, or of the target of its redirect; `member` is `covers`,
 * or for authors `photos`.
 */
export function coverOfRecord(key: string, member: "covers" | "photos"): Statement {
  return {
    sql: `WITH ${SHOWN}
          SELECT ${COVER_NUMBER} AS id FROM shown s CROSS JOIN record r ON r.key = s.key, json_each(r.document, ?2) c
          WHERE ${COVER_NUMBER} > 0 ORDER BY s.place, c.key LIMIT 1`,
    values: [key, `$.${member}`],
  };
}

/** Builds the query of the first cover of a work, or, if it has none, of its first edition with a cover. */
export function coverOfWork(key: string): Statement {
  return {
    sql: `WITH ${SHOWN},
          part (place, id) AS (
            SELECT s.place, r.id FROM shown s CROSS JOIN record r ON r.key = s.key UNION ALL
            SELECT 2 + s.place, p.id FROM shown s, (
              SELECT p.value AS work, p.record_id AS id FROM property p
              WHERE p.name = 'works' AND p.value IN (SELECT key FROM shown)
              ORDER BY p.record_id LIMIT ${COVER_WORK_EDITIONS_MAX}) p WHERE p.work = s.key)
          SELECT ${COVER_NUMBER} AS id FROM part p CROSS JOIN record r ON r.id = p.id, json_each(r.document, '$.covers') c
          WHERE ${COVER_NUMBER} > 0 ORDER BY p.place, p.id, c.key LIMIT 1`,
    values: [key],
  };
}

/** Runs one of the statements above and returns the number of the cover; undefined if there is none. */
export async function findCover(database: Database, statement: Statement): Promise<number | undefined> {
  return firstValue<number>(database, statement);
}

type DescribedCover = Omit<CoverRow, "ip" | "problem" | "attempts" | keyof StoredImage> &
  Pick<CoverRow, "width" | "height">;

/** Reads a cover whose image was stored, deleted or not; undefined for all others. */
export function readCover(database: Database, id: number): Promise<DescribedCover | undefined> {
  const sql = `SELECT id, category, olid, author, source_url AS sourceUrl, width, height, renditions, deleted, created, updated
               FROM cover WHERE id = ?1 AND state = 'stored'`;
  return firstRow<DescribedCover>(database, { sql, values: [id] });
}

export type ListedCover = Pick<
  CoverRow,
  "id" | "olid" | "sourceUrl" | "width" | "height" | "created" | "updated"
>;

const IS_THERE = "state = 'stored' AND deleted IS NULL";

/** Lists existing covers of a category, or those made for some records, the last changed first. One indexed statement. */
export function listCovers(
  database: Database,
  category: CoverCategory,
  { olids, offset, limit }: Window & { readonly olids: readonly string[] | undefined },
): Promise<ListedCover[]> {
  const among = olids === undefined ? "" : "olid IN (SELECT value FROM json_each(?4)) AND";
  return rows<ListedCover>(database, {
    sql: `SELECT id, olid, source_url AS sourceUrl, width, height, created, updated
          FROM cover WHERE ${among} category = ?1 AND ${IS_THERE}
          ORDER BY updated DESC, id DESC LIMIT ?2 OFFSET ?3`,
    values: [category, limit, offset, ...(olids === undefined ? [] : [JSON.stringify([...new Set(olids)])])],
  });
}

/** Lists existing covers by number, beginning after `after`. One statement along the table. */
export function readCoversAfter(
  database: Database,
  after: number,
  limit: number,
): Promise<Pick<CoverRow, "id" | "category" | "olid" | "contentType" | "bytes">[]> {
  const sql = `SELECT id, category, olid, content_type AS contentType, bytes FROM cover
               WHERE id > ?1 AND ${IS_THERE} ORDER BY id LIMIT ?2`;
  return rows(database, { sql, values: [after, limit] });
}

/** Returns true if a cover has nothing to show: it was deleted, its image never came, or its number is not in use yet. */
export async function isCoverGone(database: Database, id: number): Promise<boolean> {
  const sql = "SELECT deleted IS NOT NULL OR state = 'failed' AS isGone FROM cover WHERE id = ?1";
  const isGone = await firstValue<number>(database, { sql, values: [id] });
  // Covers of loaded records are not in the table.
  return isGone === undefined ? id >= FIRST_OWN_COVER : isGone === 1;
}

/** Editions of a work that are searched for covers, by number, and maximum number of covers returned. */
const OFFERED_EDITIONS_MAX = 100;
const OFFERED_COVERS_MAX = 50;

/** Reads the covers of a work's editions, each once, in the order of the editions. One indexed statement. */
export async function readEditionCovers(database: Database, work: string): Promise<number[]> {
  const { from, to } = idRangeOf("M");
  return allValues<number>(database, {
    sql: `SELECT ${COVER_NUMBER} AS cover, min(e.id * 1000 + min(c.key, 999)) AS place
          FROM (SELECT r.id, r.document FROM property p JOIN record r ON r.id = p.record_id
            WHERE p.name = 'works' AND p.value = ?1 AND p.record_id >= ?2 AND p.record_id < ?3
            ORDER BY p.record_id LIMIT ?4) e,
          json_each(e.document, '$.covers') c
          WHERE ${COVER_NUMBER} > 0
          GROUP BY 1 ORDER BY place LIMIT ?5`,
    values: [work, from, to, OFFERED_EDITIONS_MAX, OFFERED_COVERS_MAX],
  });
}

/** Revisions of an edition, the latest first, that are searched for works that it has left. */
const SHOWING_REVISIONS_MAX = 50;

/**
 * Reads the records that may show a recent cover of an edition: the edition first, then all works that it belongs to
 * now or belonged to in one of its last revisions. One indexed statement.
 */
export function readShowing(database: Database, edition: string): Promise<RecordRow[]> {
  const sql = `
           WITH edition AS (SELECT id, document FROM record WHERE key = ?1),
           stated (document) AS (
             SELECT document FROM edition UNION ALL
             SELECT * FROM (SELECT r.document FROM edition e JOIN revision r ON r.record_id = e.id
               ORDER BY r.revision DESC LIMIT ?2)),
           showing (key) AS (
             SELECT CAST(?1 AS TEXT) UNION
             SELECT w.value->>'key' FROM stated s, json_each(s.document, '$.works') w WHERE w.type = 'object')
           SELECT ${RECORD_COLUMNS}
           FROM showing s CROSS JOIN record r ON r.key = s.key ORDER BY r.key <> ?1, r.id`;
  return rows<RecordRow>(database, { sql, values: [edition, SHOWING_REVISIONS_MAX] });
}

/** Reads the numbers of covers whose image should have been fetched before a time, the longest waiting first. */
export async function readDueCovers(database: Database, before: string, limit: number): Promise<number[]> {
  const sql = `SELECT id FROM cover WHERE state = 'pending' AND due <= ?1 ORDER BY due LIMIT ?2`;
  return allValues<number>(database, { sql, values: [before, limit] });
}

/** Reads the numbers of deleted covers whose images are due for removal, the longest waiting first. */
export async function readDueRemovals(database: Database, now: string, limit: number): Promise<number[]> {
  const sql = "SELECT id FROM cover WHERE removal_due <= ?1 ORDER BY removal_due LIMIT ?2";
  return allValues<number>(database, { sql, values: [now, limit] });
}

const UNRENDERED = `${IS_THERE} AND renditions IS NULL`;

/** Reads the numbers of covers whose smaller sizes are still to be made, the newest first, which are viewed most. */
export async function readUnrenderedCovers(database: Database, limit: number): Promise<number[]> {
  const sql = `SELECT id FROM cover WHERE ${UNRENDERED} ORDER BY id DESC LIMIT ?1`;
  return allValues<number>(database, { sql, values: [limit] });
}

/** Returns true if the smaller sizes of a cover are still to be made. */
export async function isUnrendered(database: Database, id: number): Promise<boolean> {
  const sql = `SELECT id FROM cover WHERE id = ?1 AND ${UNRENDERED}`;
  return (await firstValue(database, { sql, values: [id] })) !== undefined;
}

export type CoverCategory = "a" | "b" | "w";

export const COVER_SEQUENCE = "cover";
/** First number of the sequence: lower numbers are covers of loaded records (migration 0019). */
export const FIRST_OWN_COVER = 100_000_001;

export interface StoredImage {
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

/** Row of `cover` in D1 `CATALOG` whose image is stored. Times are naive UTC. */
export interface CoverRow extends StoredImage {
  readonly id: number;
  readonly category: CoverCategory;
  /** Record that the cover was made for, without its folder: `OL1M`. */
  readonly olid: string | null;
  /** Uploader, `/people/<username>`; null for the service itself. */
  readonly author: string | null;
  readonly ip: string | null;
  /** Origin of the image; null for an image that was sent as a file. */
  readonly sourceUrl: string | null;
  /** Null if the smaller sizes are still to be made. */
  readonly renditions: "made" | "none" | null;
  /** Reason of the last failed attempt to fetch the image; and the number of attempts. */
  readonly problem: string | null;
  readonly attempts: number;
  readonly deleted: string | null;
  readonly created: string;
  readonly updated: string;
}
