import { type Database, firstRow, prepare, rows } from "../statement.ts";
import type { StoredImage } from "./rows.ts";

/** A cover whose image somebody fetches. */
export interface ClaimedCover {
  readonly id: number;
  readonly olid: string | null;
  readonly sourceUrl: string;
  /** How often it was tried, this time included: whose claim it is. */
  readonly attempts: number;
  readonly problem: string | null;
}

/**
 * Takes a cover to fetch its image, so that nobody else does it before `until`. Undefined when there is nothing to do: it is
 * no pending cover, or not its time yet. Times are naive UTC.
 */
export function claimCover(
  database: Database,
  id: number,
  { now, until }: { readonly now: string; readonly until: string },
): Promise<ClaimedCover | undefined> {
  return firstRow<ClaimedCover>(database, {
    sql: `UPDATE cover SET attempts = attempts + 1, due = ?3, updated = ?2
          WHERE id = ?1 AND state = 'pending' AND due <= ?2
          RETURNING id, olid, source_url AS sourceUrl, attempts, problem`,
    values: [id, now, until],
  });
}

/** Numbers of covers whose image should have been fetched before a time, those that wait for longest first. */
export async function dueCovers(database: Database, before: string, limit: number): Promise<number[]> {
  const found = await rows<{ id: number }>(database, {
    sql: `SELECT id FROM cover WHERE state = 'pending' AND due <= ?1 ORDER BY due LIMIT ?2`,
    values: [before, limit],
  });
  return found.map(({ id }) => id);
}

/** What has become of a cover that was claimed. */
export type CoverEnd =
  | { readonly state: "stored"; readonly image: StoredImage }
  /** To be tried again from `due` on, with so many attempts behind it. */
  | { readonly state: "pending"; readonly problem: string; readonly due: string; readonly attempts: number }
  | { readonly state: "failed"; readonly problem: string };

/** Notes what has become of a cover, unless it is claimed by somebody else by now. */
export async function endClaim(
  database: Database,
  { id, attempts: claim }: Pick<ClaimedCover, "id" | "attempts">,
  end: CoverEnd & { readonly now: string },
): Promise<void> {
  const image = end.state === "stored" ? end.image : undefined;
  await prepare(database, {
    sql: `UPDATE cover SET state = ?3, problem = ?4, due = ?5, attempts = ?6, content_type = ?7, bytes = ?8,
            width = ?9, height = ?10, updated = ?11, renditions = CASE ?3 WHEN 'stored' THEN 'made' END
          WHERE id = ?1 AND state = 'pending' AND attempts = ?2`,
    values: [
      id,
      claim,
      end.state,
      end.state === "stored" ? null : end.problem,
      end.state === "pending" ? end.due : null,
      end.state === "pending" ? end.attempts : claim,
      image?.contentType ?? null,
      image?.bytes ?? null,
      image?.width ?? null,
      image?.height ?? null,
      end.now,
    ],
  }).run();
}
