import { type Database, type Window, batchGroups, firstRow, rows, firstValue, run } from "../statement.ts";

export const REQUEST_TYPE = { work: 1, author: 2 } as const;
export const REQUEST_STATUS = { declined: 0, pending: 1, merged: 2 } as const;
type RequestStatus = (typeof REQUEST_STATUS)[keyof typeof REQUEST_STATUS];

interface RequestComment {
  /** Naive UTC. */
  readonly timestamp: string;
  readonly username: string;
  readonly message: string;
}

export interface MergeRequest {
  readonly id: number;
  readonly title: string | null;
  readonly submitter: string;
  readonly reviewer: string | null;
  readonly url: string;
  readonly mr_type: 1 | 2;
  readonly status: RequestStatus;
  readonly comments: { readonly comments: readonly RequestComment[] };
  readonly created: string;
  readonly updated: string;
}

interface RequestRow extends Omit<MergeRequest, "comments"> {
  readonly comments: string;
}

export async function readRequest(database: Database, id: number): Promise<MergeRequest | undefined> {
  const sql = "SELECT * FROM merge_request WHERE id = ?1";
  const row = await firstRow<RequestRow>(database, { sql, values: [id] });
  return row && requestOf(row);
}

const REQUESTS_ABOUT_MAX = 500;

/** Returns open requests of a type that name one of the records, given as `OL1W`. */
export function readOpenRequestsAbout(
  database: Database,
  type: MergeRequest["mr_type"],
  olids: readonly string[],
): Promise<Pick<MergeRequest, "id" | "url">[]> {
  const sql = `SELECT id, url FROM merge_request WHERE status = 1 AND mr_type = ?1 AND EXISTS (
                 SELECT 1 FROM json_each(?2) o
                 WHERE instr(replace(replace(url, '=', ','), '&', ',') || ',', ',' || o.value || ',') > 0)
               ORDER BY id LIMIT ?3`;
  return rows(database, { sql, values: [type, JSON.stringify(olids), REQUESTS_ABOUT_MAX] });
}

interface RequestFilter extends Window {
  readonly mode: "open" | "closed" | "all";
  readonly submitter?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly order: "asc" | "desc";
}

/** Reads a page of requests, by time of their last change, and the total number. One round trip. */
export async function listRequests(
  database: Database,
  { mode, submitter, reviewer, order, limit, offset }: RequestFilter,
): Promise<{ requests: MergeRequest[]; total: number }> {
  const direction = order === "asc" ? "ASC" : "DESC";
  const where = `status IN (SELECT CAST(value AS BIGINT) FROM json_each(?1))
    AND submitter = coalesce(?2, submitter) AND (CAST(?3 AS TEXT) IS NULL OR reviewer = ?3)`;
  const statuses = { open: [1], closed: [0, 2], all: [0, 1, 2] }[mode];
  const values = [JSON.stringify(statuses), submitter ?? null, reviewer ?? null];
  const pageSql = `SELECT * FROM merge_request WHERE ${where}
    ORDER BY updated ${direction}, id ${direction} LIMIT ?4 OFFSET ?5`;
  const page = await batchGroups<{ requests: RequestRow; total: { total: number } }>(database, {
    requests: { sql: pageSql, values: [...values, limit, offset] },
    total: { sql: `SELECT count(*) AS total FROM merge_request WHERE ${where}`, values },
  });
  return { requests: page.requests.map(requestOf), total: page.total[0]?.total ?? 0 };
}

function requestOf({ comments, ...row }: RequestRow): MergeRequest {
  // JSON column that only this service writes.
  return { ...row, comments: JSON.parse(comments) as MergeRequest["comments"] };
}

/** Counts the merges in progress, and the requests waiting for a librarian. One statement. */
export async function countOpenMerges(
  database: Database,
): Promise<{ readonly jobs: number; readonly requests: number }> {
  const sql = `SELECT (SELECT count(*) FROM merge_job WHERE state = 'open') AS jobs,
                      (SELECT count(*) FROM merge_request WHERE status = 1) AS requests`;
  const counts = await firstRow<{ jobs: number; requests: number }>(database, { sql, values: [] });
  return counts ?? { jobs: 0, requests: 0 };
}

const REQUEST_COMMENTS_MAX = 200;

interface NewRequest extends Pick<MergeRequest, "submitter" | "reviewer" | "url" | "status"> {
  readonly mrType: MergeRequest["mr_type"];
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

export interface RequestUpdate {
  readonly status?: RequestStatus;
  /** null removes the reviewer. */
  readonly reviewer?: string | null;
  readonly comment?: RequestComment;
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
