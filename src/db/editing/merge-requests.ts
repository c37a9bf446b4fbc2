import { type Database, batchGroups, firstRow, prepare } from "../statement.ts";

/** What is to be merged, and what became of it, by the numbers of the wire. */
export const REQUEST_TYPE = { work: 1, author: 2 } as const;
export const REQUEST_STATUS = { declined: 0, pending: 1, merged: 2 } as const;
type RequestStatus = (typeof REQUEST_STATUS)[keyof typeof REQUEST_STATUS];

/** Most comments that a request takes. */
const REQUEST_COMMENTS_MAX = 200;

/** Something that somebody said of a request. */
interface RequestComment {
  /** Naive UTC. */
  readonly timestamp: string;
  readonly username: string;
  readonly message: string;
}

/** A row of `merge_request` as the wire has it. */
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

/** A request to be made. */
interface NewRequest {
  readonly submitter: string;
  readonly reviewer: string | null;
  readonly url: string;
  readonly mrType: 1 | 2;
  readonly status: RequestStatus;
  /** Key of the record whose name becomes the title. */
  readonly titleOf: string;
  readonly comment: string | null;
  readonly now: string;
}

const NAME = "coalesce(document->>'$.title', document->>'$.name')";

/** Makes a request; undefined when there is one for the same merge that was not declined. */
export async function createRequest(database: Database, request: NewRequest): Promise<number | undefined> {
  const { submitter, reviewer, url, mrType, status, titleOf, comment, now } = request;
  const row = await firstRow<{ id: number }>(database, {
    sql: `INSERT INTO merge_request (title, submitter, reviewer, url, mr_type, status, comments, created, updated)
          SELECT (SELECT substr(${NAME}, 1, 500) FROM record WHERE key = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
          WHERE true ON CONFLICT (url) WHERE status <> 0 DO NOTHING RETURNING id`,
    values: [titleOf, submitter, reviewer, url, mrType, status, firstComments(comment, submitter, now), now],
  });
  return row?.id;
}

function firstComments(message: string | null, username: string, timestamp: string): string {
  return JSON.stringify({ comments: message === null ? [] : [{ timestamp, username, message }] });
}

/** What somebody does with a request; absent members stay as they are. */
export interface RequestUpdate {
  readonly status?: RequestStatus;
  /** null takes the reviewer away. */
  readonly reviewer?: string | null;
  readonly comment?: RequestComment;
  /** Change it only while it has this status. */
  readonly only?: RequestStatus;
  readonly now: string;
}

/** Changes a request, and says whether it was there to be changed. Comments are added, whoever else adds one. */
export async function updateRequest(
  database: Database,
  id: number,
  { status, reviewer, comment, only, now }: RequestUpdate,
): Promise<boolean> {
  const { meta } = await prepare(database, {
    sql: `UPDATE merge_request SET
            status = coalesce(?2, status),
            reviewer = iif(?3, ?4, reviewer),
            comments = iif(?5 IS NULL OR json_array_length(comments, '$.comments') >= ${REQUEST_COMMENTS_MAX},
                           comments, json_insert(comments, '$.comments[#]', json(?5))),
            updated = ?6
          WHERE id = ?1 AND (?7 IS NULL OR status = ?7)`,
    values: [
      id,
      status ?? null,
      Number(reviewer !== undefined),
      reviewer ?? null,
      comment === undefined ? null : JSON.stringify(comment),
      now,
      only ?? null,
    ],
  }).run();
  return meta.changes > 0;
}

interface RequestRow extends Omit<MergeRequest, "comments"> {
  readonly comments: string;
}

/** One request by its number. */
export async function readRequest(database: Database, id: number): Promise<MergeRequest | undefined> {
  const sql = "SELECT * FROM merge_request WHERE id = ?1";
  const row = await firstRow<RequestRow>(database, { sql, values: [id] });
  return row === undefined ? undefined : requestOf(row);
}

/** Which requests to list. */
interface RequestFilter {
  readonly mode: "open" | "closed" | "all";
  readonly submitter?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

/** A page of requests, by the time of their last change, and the number of all that fit. One round trip. */
export async function listRequests(
  database: Database,
  { mode, submitter, reviewer, order, limit, offset }: RequestFilter,
): Promise<{ requests: MergeRequest[]; total: number }> {
  const direction = order === "asc" ? "ASC" : "DESC";
  const where = `status IN (SELECT value FROM json_each(?1))
    AND (?2 IS NULL OR submitter = ?2) AND (?3 IS NULL OR reviewer = ?3)`;
  const statuses = { open: [1], closed: [0, 2], all: [0, 1, 2] }[mode];
  const values = [JSON.stringify(statuses), submitter ?? null, reviewer ?? null];
  const found = await batchGroups<{ requests: RequestRow; total: { total: number } }>(database, {
    requests: [
      {
        sql: `SELECT * FROM merge_request WHERE ${where}
              ORDER BY updated ${direction}, id ${direction} LIMIT ?4 OFFSET ?5`,
        values: [...values, limit, offset],
      },
    ],
    total: [{ sql: `SELECT count(*) AS total FROM merge_request WHERE ${where}`, values }],
  });
  return { requests: found.requests.map(requestOf), total: found.total[0]?.total ?? 0 };
}

function requestOf({ comments, ...row }: RequestRow): MergeRequest {
  // A column of JSON that only this file writes.
  return { ...row, comments: JSON.parse(comments) as MergeRequest["comments"] };
}

/** How many merges are under way, and how many requests wait for a librarian. One statement. */
export async function countOpenMerges(
  database: Database,
): Promise<{ readonly jobs: number; readonly requests: number }> {
  const counts = await firstRow<{ jobs: number; requests: number }>(database, {
    sql: `SELECT (SELECT count(*) FROM merge_job WHERE state = 'open') AS jobs,
                 (SELECT count(*) FROM merge_request WHERE status = 1) AS requests`,
    values: [],
  });
  return counts ?? { jobs: 0, requests: 0 };
}
