import { type Database, firstValue, run } from "../statement.ts";
import { type MergeJob, OPEN_ABOUT } from "./merge-jobs.ts";
import type { MergeRequest, RequestComment, RequestStatus } from "./merge-requests.ts";

/**
 * Creates a job and returns its number. Returns undefined if an open job is about one of its records already. `now` is
 * naive UTC. One statement, so that of two such jobs only one starts.
 */
export async function openJob(
  database: Database,
  { kind, master, duplicates, author, ip, note }: Omit<MergeJob, "id">,
  now: string,
): Promise<number | undefined> {
  return firstValue<number>(database, {
    sql: `INSERT INTO merge_job (kind, master, duplicates, author, ip, request, created, updated)
          SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
          WHERE NOT EXISTS (${OPEN_ABOUT}) RETURNING id`,
    values: [
      JSON.stringify([master, ...duplicates]),
      kind,
      master,
      JSON.stringify([...duplicates].sort()),
      author,
      ip,
      JSON.stringify(note),
      now,
    ],
  });
}

/** Marks a job as active, so that the sweep leaves it alone. */
export async function touchJob(database: Database, id: number, now: string): Promise<void> {
  const sql = "UPDATE merge_job SET updated = ?2 WHERE id = ?1";
  await run(database, { sql, values: [id, now] });
}

/** Ends a job as done, or as failed with a reason. */
export async function endJob(
  database: Database,
  id: number,
  { problem, now }: { problem: string | null; now: string },
): Promise<void> {
  const sql = `UPDATE merge_job SET state = CASE WHEN CAST(?2 AS TEXT) IS NULL THEN 'done' ELSE 'failed' END, problem = ?2, updated = ?3
               WHERE id = ?1 AND state = 'open'`;
  await run(database, { sql, values: [id, problem, now] });
}

/** Maximum number of comments per request. */
const REQUEST_COMMENTS_MAX = 200;

interface NewRequest extends Pick<MergeRequest, "submitter" | "reviewer" | "url" | "status"> {
  readonly mrType: MergeRequest["mr_type"];
  /** Key of the record whose name becomes the title. */
  readonly titleOf: string;
  readonly comment: string | null;
  readonly now: string;
}

/**
 * Creates a request and returns its number. Returns undefined if there is one for the same merge that was not declined.
 */
export async function createRequest(database: Database, request: NewRequest): Promise<number | undefined> {
  const { submitter, reviewer, url, mrType, status, titleOf, comment, now } = request;
  const firstComments: RequestComment[] =
    comment === null ? [] : [{ timestamp: now, username: submitter, message: comment }];
  const comments = JSON.stringify({ comments: firstComments });
  return firstValue<number>(database, {
    sql: `INSERT INTO merge_request (title, submitter, reviewer, url, mr_type, status, comments, created, updated)
          SELECT (SELECT substr(coalesce(document->>'$.title', document->>'$.name'), 1, 500) FROM record WHERE key = ?1),
                 ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
          WHERE true ON CONFLICT (url) WHERE status <> 0 DO NOTHING RETURNING id`,
    values: [titleOf, submitter, reviewer, url, mrType, status, comments, now],
  });
}

/** Update of a request; absent members stay unchanged. */
export interface RequestUpdate {
  readonly status?: RequestStatus;
  /** null removes the reviewer. */
  readonly reviewer?: string | null;
  readonly comment?: RequestComment;
  /** Status that the request must have to be updated. */
  readonly only?: RequestStatus;
  readonly now: string;
}

/** Returns SQL of the comments with one appended: the list is the only member of an object. */
function appendCommentSql(comment: string): string {
  return `substr(comments, 1, length(comments) - 2) ||
                CASE WHEN comments = '{"comments":[]}' THEN '' ELSE ',' END || ${comment} || ']}'`;
}

/** Updates a request and returns false if there was none to update. Concurrent comments are all kept. */
export async function updateRequest(
  database: Database,
  id: number,
  { status, reviewer, comment, only, now }: RequestUpdate,
): Promise<boolean> {
  const changed = await run(database, {
    sql: `UPDATE merge_request SET
            status = coalesce(?2, status),
            reviewer = CASE WHEN ?3 = 1 THEN ?4 ELSE reviewer END,
            comments = CASE WHEN CAST(?5 AS TEXT) IS NULL OR json_array_length(comments, '$.comments') >= ${REQUEST_COMMENTS_MAX}
              THEN comments ELSE ${appendCommentSql("?5")} END,
            updated = ?6
          WHERE id = ?1 AND status = coalesce(?7, status)`,
    values: [
      id,
      status ?? null,
      Number(reviewer !== undefined),
      reviewer ?? null,
      comment === undefined ? null : JSON.stringify(comment),
      now,
      only ?? null,
    ],
  });
  return changed > 0;
}
