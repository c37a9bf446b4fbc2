import { parseDocument } from "../../catalog/document.ts";
import { badDocument } from "../../catalog/editing/failure.ts";
import { TocLineError } from "../../catalog/editing/form-texts.ts";
import { type CatalogRecord, typeKey } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/read.ts";
import { type ChangeRequest, writeError } from "./edit-desk.ts";
import {
  type CreationRequest,
  type Saved,
  createRecords,
  saveChange,
  finish,
  trySave,
} from "./save-change.ts";
import { CarrelError, recordNotFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import type { SaveResult } from "../../db/editing/request.ts";

/** Attempts to apply a form after concurrent edits. */
const FORM_ATTEMPTS = 10;

export interface FormRecord {
  readonly revision: number;
  readonly document: CatalogRecord;
}

/** Change of a form: new records, and changed ones beside them. */
export type FormChange = Omit<CreationRequest, "edits" | "expected"> & {
  readonly edits: readonly CatalogRecord[];
};

/** Applies a form to the current records; undefined changes nothing. May be called again. */
type ApplyForm = (records: ReadonlyMap<string, FormRecord>) => Promise<FormChange | undefined>;

/** Applies a form to records and saves the result. Repeats this after concurrent edits. Throws `writeError`. */
export async function saveForm(
  context: RequestContext,
  keys: readonly string[],
  apply: ApplyForm,
): Promise<Saved | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const records = await latestRecords(context, keys);
    const change = await apply(records).catch(refusedLine);
    if (change === undefined) return undefined;
    const expected = Object.fromEntries([...records].map(([key, { revision }]) => [key, revision]));
    try {
      return change.documents.length > 0
        ? await createRecords(context, { ...change, expected })
        : await saveChange(context, { ...change, documents: change.edits, expected });
    } catch (error) {
      const isConflict = error instanceof CarrelError && error.status === 409;
      if (!isConflict || attempt === FORM_ATTEMPTS) throw error;
    }
  }
}

function refusedLine(error: unknown): never {
  if (!(error instanceof TocLineError)) throw error;
  throw writeError([badDocument(error.message, undefined)]);
}

/** Reads the latest revisions from the primary; records that do not exist are absent. */
export async function latestRecords(
  { stores }: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FormRecord>> {
  const rows = await readRecords(stores.catalog.withSession("first-primary"), keys);
  return new Map(
    rows.map(({ key, revision, document }) => [key, { revision, document: parseDocument(document) }]),
  );
}

/** Reads the latest revision of a record of a type. Throws 404 if there is none. */
export async function latestOfType(
  context: RequestContext,
  key: string,
  type: string,
): Promise<CatalogRecord> {
  const record = (await latestRecords(context, [key])).get(key)?.document;
  if (record === undefined || typeKey(record) !== type) throw recordNotFound(key);
  return record;
}

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
