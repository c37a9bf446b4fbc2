import { type Database, type Window, batchGroups, firstRow, rows } from "../statement.ts";

/** Types and statuses of merge requests, as numbers of the wire format. */
export const REQUEST_TYPE = { work: 1, author: 2 } as const;
export const REQUEST_STATUS = { declined: 0, pending: 1, merged: 2 } as const;
export type RequestStatus = (typeof REQUEST_STATUS)[keyof typeof REQUEST_STATUS];

export interface RequestComment {
  /** Naive UTC. */
  readonly timestamp: string;
  readonly username: string;
  readonly message: string;
}

/** Row of `merge_request` in wire format. */
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

/** Reads a request by its number. Returns undefined if there is none. */
export async function readRequest(database: Database, id: number): Promise<MergeRequest | undefined> {
  const sql = "SELECT * FROM merge_request WHERE id = ?1";
  const row = await firstRow<RequestRow>(database, { sql, values: [id] });
  return row && requestOf(row);
}

/** Maximum number of open requests returned for the records of a merge. */
const REQUESTS_ABOUT_MAX = 500;

/** Returns open requests of a type that name one of the records, given as `OL1W`. */
export function openRequestsAbout(
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
