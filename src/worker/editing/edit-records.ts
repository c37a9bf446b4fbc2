import { parseDocument, toReadView } from "../../catalog/document.ts";
import { documentFailure } from "../../catalog/editing/failure.ts";
import { TocLineError } from "../../catalog/editing/form-texts.ts";
import {
  type CatalogRecord,
  type Json,
  typeKeyOf,
  REDIRECT_HOPS_MAX,
  isObject,
  keyOf,
} from "../../catalog/record.ts";
import { readRecords, readRevision } from "../../db/records/records.ts";
import { type ChangeRequest, writeError } from "./edit-desk.ts";
import {
  type CreationRequest,
  type Saved,
  createRecords,
  saveChange,
  completeSave,
  trySave,
} from "./save-change.ts";
import { recordNotFound } from "../http/errors.ts";
import { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import type { EditedRecord } from "../../catalog/editing/conflicts.ts";
import { commentOf } from "./submitted-form.ts";

const FORM_ATTEMPTS = 10;

export interface FormRecord {
  readonly revision: number;
  readonly document: CatalogRecord;
}

/** Change that a form makes: new records (`documents`) and changed ones. */
type FormChange = Omit<CreationRequest, "edits" | "expected"> & {
  readonly edits: readonly CatalogRecord[];
};

/**
 * Saves the change that `apply` makes to the latest revisions of records; undefined if it makes none. After concurrent
 * edits, calls it again with newer records. Throws `writeError`.
 */
export async function saveForm(
  context: RequestContext,
  keys: readonly string[],
  apply: (records: ReadonlyMap<string, FormRecord>) => Promise<FormChange | undefined>,
): Promise<Saved | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const records = await readLatest(context, keys);
    const change = await apply(records).catch((error: unknown) => {
      if (!(error instanceof TocLineError)) throw error;
      throw writeError([documentFailure(error.text, undefined)]);
    });
    if (change === undefined) return undefined;
    const expected = Object.fromEntries([...records].map(([key, { revision }]) => [key, revision]));
    try {
      return change.documents.length > 0
        ? await createRecords(context, { ...change, expected })
        : await saveChange(context, { ...change, documents: change.edits, expected });
    } catch (error) {
      const isConflict = error instanceof Failure && error.status === 409;
      if (!isConflict || attempt === FORM_ATTEMPTS) throw error;
    }
  }
}

/** Reads the latest revisions from the primary. Missing records are absent. */
export async function readLatest(
  { stores }: RequestContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FormRecord>> {
  const rows = await readRecords(stores.catalog.withSession("first-primary"), keys);
  return new Map(
    rows.map(({ key, revision, document }) => [key, { revision, document: parseDocument(document) }]),
  );
}

/** Reads the latest revision of a record of a type. Throws 404 if there is none. */
export async function readLatestOfType(
  context: RequestContext,
  key: string,
  type: string,
): Promise<CatalogRecord> {
  const record = (await readLatest(context, [key])).get(key)?.document;
  if (record === undefined || typeKeyOf(record) !== type) throw recordNotFound(key);
  return record;
}

/** Attempts of an edit, and the wait between them in milliseconds, which grows with each attempt. */
const EDIT_ATTEMPTS = 40;
const EDIT_WAIT_MS = 5;

/**
 * Saves the change that `edit` makes to the latest revisions of records, of which missing ones are absent; undefined for no
 * change. If one of them was saved in between, calls it again with newer records. Throws `writeError`.
 */
export async function editRecords(
  context: RequestContext,
  keys: readonly string[],
  edit: (records: ReadonlyMap<string, CatalogRecord>) => ChangeRequest | undefined,
): Promise<Saved> {
  for (let attempt = 1; ; attempt += 1) {
    const latest = await readLatest(context, keys);
    const request = edit(new Map([...latest].map(([key, { document }]) => [key, document])));
    if (request === undefined) return { change: null, saved: [], keys: [] };
    const { expected = {} } = request;
    const revisions = Object.fromEntries(keys.map((key) => [key, latest.get(key)?.revision ?? 0]));
    const result = await trySave(context, { ...request, expected: { ...revisions, ...expected } });
    const refusal = result.ok ? undefined : result.failures[0];
    // A conflict with a revision that the caller expects is final.
    const isOutdated =
      refusal?.error === "conflict" && refusal.key !== undefined && !(refusal.key in expected);
    if (!isOutdated || attempt === EDIT_ATTEMPTS) return completeSave(context, result);
    await scheduler.wait(attempt * EDIT_WAIT_MS);
  }
}

export interface BookKeys {
  readonly edition: string;
  /** Undefined for an edition without a work. */
  readonly work: string | undefined;
}

/** Finds the work of an edition: the one that the form names, or else its first one. Throws 404 for a missing edition. */
export async function findBookKeys(
  context: RequestContext,
  edition: string,
  chosen: string | undefined,
): Promise<BookKeys> {
  const { works } = await readLatestOfType(context, edition, "/type/edition");
  const first = Array.isArray(works) ? keyOf(works[0]) : undefined;
  const candidates = chosen?.startsWith("/works/") === true ? [chosen, first] : [first];
  for (const key of candidates) {
    const work = key === undefined ? undefined : await findLiveWork(context, key);
    if (work !== undefined) return { edition, work };
  }
  return { edition, work: undefined };
}

/** Follows redirects to a live work and returns its key; undefined if it is deleted. */
async function findLiveWork(context: RequestContext, key: string): Promise<string | undefined> {
  let at: string | undefined = key;
  for (let hop = 0; hop <= REDIRECT_HOPS_MAX && at !== undefined; hop += 1) {
    const record: CatalogRecord | undefined = (await readLatest(context, [at])).get(at)?.document;
    if (record === undefined) return undefined;
    if (typeKeyOf(record) === "/type/work") return at;
    at = typeKeyOf(record) === "/type/redirect" ? keyOf(record["location"]) : undefined;
  }
  return undefined;
}

/**
 * Returns a record to be edited, with the revision that its form was filled with, so that members left unchanged are not
 * reset to it. Throws 404 if the record is missing.
 */
export async function readEditedRecord(
  context: RequestContext,
  { key, submitted }: { key: string; submitted: Json | undefined },
  records: ReadonlyMap<string, FormRecord>,
): Promise<EditedRecord> {
  const latest = records.get(key);
  if (latest === undefined) throw recordNotFound(key);
  const { document, revision } = latest;
  const base = isObject(submitted) ? Number(submitted["revision"]) : Number.NaN;
  const isOlder = Number.isInteger(base) && base > 0 && base < revision;
  const row = isOlder ? await readRevision(context.stores.catalog, key, base) : undefined;
  return { key, document, shown: toReadView(row === undefined ? document : parseDocument(row.document)) };
}

export const EDIT_BOOK = "edit-book";

/** Returns the change that the form of a book makes; undefined if there is nothing to save. */
export function toBookChange(
  { documents, edits }: Pick<FormChange, "documents" | "edits">,
  form: CatalogRecord,
): FormChange | undefined {
  if (documents.length + edits.length === 0) return undefined;
  return { documents, edits, kind: EDIT_BOOK, comment: commentOf(form) };
}
