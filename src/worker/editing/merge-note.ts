import { failure } from "../http/failure.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { trimTexts } from "../../catalog/editing/form-texts.ts";
import { type MergeKind, MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import {
  REQUEST_STATUS,
  REQUEST_TYPE,
  readOpenRequestsAbout,
  createRequest,
  updateRequest,
} from "../../db/editing/merge-requests.ts";
import { readTypes } from "../../db/records/records.ts";
import type { Database } from "../../db/statement.ts";
import { logLine } from "../http/log.ts";
import type { MergeTask } from "./merge-step.ts";

const NOTE_ATTEMPTS = 5;

/** Marks the request for a merge as merged, or creates one. Throws 400, which says that the records are merged. */
export async function recordMerge(
  database: Database,
  task: MergeTask,
  { now, prefix }: { now: number; prefix: string },
): Promise<void> {
  const time = formatDatetime(now);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await updateOwnRequest(database, task, { now: time, prefix });
      await closeOtherRequests(database, task, time);
      return;
    } catch (error) {
      logLine("error", "merge-note", { attempt, mrid: task.note.mrid, error: String(error) });
      if (attempt < NOTE_ATTEMPTS) continue;
      throw failure("bad_request.merge_note");
    }
  }
}

/** Marks other requests as merged if at most one of their records is left. */
async function closeOtherRequests(
  database: Database,
  { author, kind, master, duplicates }: MergeTask,
  now: string,
): Promise<void> {
  const { folder, type } = MERGE_RULES[kind];
  const olids = [master, ...duplicates].map(lastSegmentOf);
  const requests = (await readOpenRequestsAbout(database, REQUEST_TYPE[kind], olids)).map(({ id, url }) => {
    const { searchParams } = new URL(url, "http://merge");
    return { id, keys: splitCommas(searchParams.get("records") ?? "").map((olid) => folder + olid) };
  });
  const types = await readTypes(
    database,
    requests.flatMap(({ keys }) => keys),
  );
  const reviewer = author.slice("/people/".length);
  const { merged: status, pending: only } = REQUEST_STATUS;
  for (const { id, keys } of requests) {
    const live = keys.filter((key) => types.get(key) === type);
    if (live.length < 2) await updateRequest(database, id, { status, reviewer, only, now });
  }
}

async function updateOwnRequest(
  database: Database,
  { author, kind, master, duplicates, note: { mrid, olids, comment } }: MergeTask,
  { now, prefix }: { now: string; prefix: string },
): Promise<void> {
  const username = author.slice("/people/".length);
  const status = REQUEST_STATUS.merged;
  if (mrid !== null) {
    // Q118: a number without a request is ignored.
    const update = comment === null ? {} : { comment: { timestamp: now, username, message: comment } };
    if (/^\d{1,15}$/.test(mrid)) {
      await updateRequest(database, Number(mrid), { status, reviewer: username, ...update, now });
    }
    return;
  }
  const keys = olids.trim() === "" ? [master, ...duplicates].map(lastSegmentOf) : splitCommas(olids);
  const url = mergeRequestUrl(kind, { olids: keys, primary: lastSegmentOf(master), prefix });
  await createRequest(database, {
    submitter: username,
    reviewer: username,
    url,
    mrType: REQUEST_TYPE[kind],
    status,
    titleOf: master,
    comment,
    now,
  });
}

export function splitCommas(text: string): string[] {
  return trimTexts(text.split(","));
}

/** Returns the address of the merge page, which is equal for the same records in any order. */
export function mergeRequestUrl(
  kind: MergeKind,
  { olids, primary, prefix }: { olids: readonly string[]; primary?: string | undefined; prefix: string },
): string {
  const number = (olid: string): number => Number(olid.slice(prefix.length, -1));
  const sorted = [...new Set(olids)].sort((a, b) => number(a) - number(b));
  const folder = kind === "author" ? "authors" : "works";
  const more = primary === undefined ? "" : `&primary=${primary}`;
  return `/${folder}/merge?records=${sorted.join(",")}${more}`;
}
