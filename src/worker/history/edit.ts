import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { SaveResult } from "../../db/editing/request.ts";
import { readRecords } from "../../db/records/read.ts";
import type { RequestContext } from "../http/operation.ts";
import type { ChangeRequest } from "./edit-desk.ts";
import { type Saved, finish, trySave } from "./save.ts";

/** How often records are read again because somebody was faster, and the wait that grows by each attempt. */
const EDIT_ATTEMPTS = 40;
const EDIT_WAIT_MS = 5;

/** Changes records as they are now; undefined changes nothing. May be called again, with newer records. */
type Edit = (records: ReadonlyMap<string, CatalogRecord>) => ChangeRequest | undefined;

/**
 * Reads the latest revisions of records, changes them, and saves what comes of it, unless somebody has saved one of them
 * in between: then it starts again. Records that do not exist are absent. Throws `writeError`.
 */
export async function editRecords(
  context: RequestContext,
  keys: readonly string[],
  edit: Edit,
): Promise<Saved> {
  for (let attempt = 1; ; attempt += 1) {
    const rows = await readRecords(context.stores.catalog.withSession("first-primary"), keys);
    const records = new Map(rows.map((row) => [row.key, parseDocument(row.document)]));
    const request = edit(records);
    if (request === undefined) return { change: null, saved: [], keys: [] };
    const revisions = new Map(rows.map(({ key, revision }) => [key, revision]));
    const read = Object.fromEntries(keys.map((key) => [key, revisions.get(key) ?? 0]));
    const result = await trySave(context, { ...request, expected: { ...read, ...request.expected } });
    if (!isOutdated(result, request) || attempt === EDIT_ATTEMPTS) return finish(context, result);
    await scheduler.wait(attempt * EDIT_WAIT_MS);
  }
}

/** True when what was read is no longer so; what the caller himself expects is not read again. */
function isOutdated(result: SaveResult, { expected = {} }: ChangeRequest): boolean {
  const failure = result.ok ? undefined : result.failures[0];
  return failure?.error === "conflict" && failure.key !== undefined && !(failure.key in expected);
}
