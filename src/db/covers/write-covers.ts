import { batchRows, firstRow, run, type Database, type Statement } from "../statement.ts";
import type { CoverCategory, CoverRow, StoredImage } from "./read-covers.ts";

/** Builds the statement that creates the cover of an edition, whose image is still to be fetched from `sourceUrl`. */
export function insertPendingCover(cover: NewCover & { sourceUrl: string }): Statement {
  const { id, olid, sourceUrl, author, ip, now } = cover;
  return {
    sql: `INSERT INTO cover (id, category, olid, source_url, author, ip, state, due, created, updated)
          VALUES (?1, 'b', ?2, ?3, ?4, ?5, 'pending', ?6, ?6, ?6)`,
    values: [id, olid, sourceUrl, author, ip, now],
  };
}

/** Builds the statement that creates a cover whose image is stored, in all sizes. */
export function insertStoredCover(
  cover: NewCover & { category: CoverCategory },
  image: StoredImage,
): Statement {
  const { id, category, olid, sourceUrl, author, ip, now } = cover;
  return {
    sql: `INSERT INTO cover (id, category, olid, source_url, author, ip, state, renditions, content_type, bytes,
            width, height, created, updated)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'stored', 'made', ?7, ?8, ?9, ?10, ?11, ?11)`,
    values: [id, category, olid, sourceUrl, author, ip, ...imageValuesOf(image), now],
  };
}

/** Cover claimed for fetching its image; `attempts`, this one included, identifies the claim. */
export type ClaimedCover = Pick<CoverRow, "id" | "olid" | "attempts" | "problem"> & {
  readonly sourceUrl: string;
};

/**
 * Claims a cover for fetching its image, so that no other worker does so before `until`. Undefined if the cover is not
 * pending or not due. Times are naive UTC.
 */
export function claimCover(
  database: Database,
  id: number,
  { now, until }: { now: string; until: string },
): Promise<ClaimedCover | undefined> {
  const sql = `UPDATE cover SET attempts = attempts + 1, due = ?3, updated = ?2
               WHERE id = ?1 AND state = 'pending' AND due <= ?2
               RETURNING id, olid, source_url AS sourceUrl, attempts, problem`;
  return firstRow<ClaimedCover>(database, { sql, values: [id, now, until] });
}

export type CoverEnd =
  | { readonly state: "stored"; readonly image: StoredImage }
  /** To be retried from `due` on, after this number of attempts. */
  | { readonly state: "pending"; readonly problem: string; readonly due: string; readonly attempts: number }
  | { readonly state: "failed"; readonly problem: string };

/** Stores the outcome of a cover, unless another worker has claimed it meanwhile. */
export async function endClaim(
  database: Database,
  { id, attempts: claim }: Pick<ClaimedCover, "id" | "attempts">,
  end: CoverEnd & { now: string },
): Promise<void> {
  const problem = end.state === "stored" ? null : end.problem;
  const [due, attempts] = end.state === "pending" ? [end.due, end.attempts] : [null, claim];
  const image = end.state === "stored" ? imageValuesOf(end.image) : [null, null, null, null];
  await run(database, {
    sql: `UPDATE cover SET state = ?3, problem = ?4, due = ?5, attempts = ?6, updated = ?7, content_type = ?8, bytes = ?9,
            width = ?10, height = ?11, renditions = CASE ?3 WHEN 'stored' THEN 'made' END
          WHERE id = ?1 AND state = 'pending' AND attempts = ?2`,
    values: [id, claim, end.state, problem, due, attempts, end.now, ...image],
  });
}

function imageValuesOf({ contentType, bytes, width, height }: StoredImage) {
  return [contentType, bytes, width, height];
}

/**
 * Marks a cover as deleted, and stores the time at which its images are removed again. A pending cover is not fetched
 * any more. Idempotent. False if there is no such cover. Times are naive UTC.
 */
export async function markDeleted(
  database: Database,
  id: number,
  { now, due }: { now: string; due: string },
): Promise<boolean> {
  const sql = `UPDATE cover SET
                 problem = CASE state WHEN 'pending' THEN 'deleted' ELSE problem END,
                 due = CASE state WHEN 'pending' THEN NULL ELSE due END,
                 state = CASE state WHEN 'pending' THEN 'failed' ELSE state END,
                 updated = CASE WHEN deleted IS NULL THEN ?2 ELSE updated END,
                 deleted = coalesce(deleted, ?2),
                 removal_due = ?3
               WHERE id = ?1`;
  return (await run(database, { sql, values: [id, now, due] })) > 0;
}

/** Sets the time at which the images of a deleted cover are removed again; null if all are gone. */
export async function setRemovalDue(database: Database, id: number, due: string | null): Promise<void> {
  const sql = "UPDATE cover SET removal_due = ?2 WHERE id = ?1 AND deleted IS NOT NULL";
  await run(database, { sql, values: [id, due] });
}

/** Stores if a cover has its smaller sizes, or cannot have them. */
export async function noteRenditions(
  database: Database,
  id: number,
  renditions: NonNullable<CoverRow["renditions"]>,
): Promise<void> {
  const sql = "UPDATE cover SET renditions = ?2 WHERE id = ?1 AND state = 'stored' AND renditions IS NULL";
  await run(database, { sql, values: [id, renditions] });
}

/** Makes a cover the newest of its record and logs that. False if it does not exist or was deleted. */
export async function touchCover(database: Database, id: number, now: string): Promise<boolean> {
  const isThere = "id = ?1 AND state = 'stored' AND deleted IS NULL";
  const [touched = []] = await batchRows(database, [
    { sql: `UPDATE cover SET updated = max(updated, ?2) WHERE ${isThere} RETURNING id`, values: [id, now] },
    {
      sql: `INSERT INTO cover_log (cover_id, action, timestamp) SELECT id, 'touch', ?2 FROM cover WHERE ${isThere}`,
      values: [id, now],
    },
  ]);
  return touched.length > 0;
}

interface NewCover extends Pick<CoverRow, "id" | "olid" | "sourceUrl" | "author" | "ip"> {
  /** Naive UTC. */
  readonly now: string;
}
