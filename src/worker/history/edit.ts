import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { SaveResult } from "../../db/editing/request.ts";
import { readRecords } from "../../db/records/records.ts";
import type { RequestContext } from "../http/operation.ts";
import type { ChangeRequest } from "./edit-desk.ts";
import { type Saved, finish, trySave } from "./save.ts";

/** Attempts to reread records after concurrent edits, and the wait in milliseconds, which grows with each attempt. */
const EDIT_ATTEMPTS = 40;
const EDIT_WAIT_MS = 5;

/** Changes the current records; undefined changes nothing. May be called again, with newer records. */
type Edit = (records: ReadonlyMap<string, CatalogRecord>) => ChangeRequest | undefined;

/**
 * Reads the latest revisions of records, changes them, and saves the result. Starts again if one of them was saved in
 * between. Records that do not exist are absent. Throws `writeError`.
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

/**
 * Returns true if a record that was read has changed since. Records whose revision the caller expects are not read
 * again.
 */
function isOutdated(result: SaveResult, { expected = {} }: ChangeRequest): boolean {
  const failure = result.ok ? undefined : result.failures[0];
  return failure?.error === "conflict" && failure.key !== undefined && !(failure.key in expected);
}
