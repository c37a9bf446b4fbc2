import { parseDocument, readView } from "../../catalog/document.ts";
import type { Edited } from "../../catalog/editing/conflicts.ts";
import {
  type CatalogRecord,
  type Json,
  REDIRECT_HOPS_MAX,
  isObject,
  keyOf,
  typeKey,
} from "../../catalog/record.ts";
import { readRevision } from "../../db/records/records.ts";
import { recordNotFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type FormChange, type FormRecord, readLatestOfType, readLatest } from "./edit-records.ts";
import { commentOf } from "./submitted-form.ts";

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
    if (typeKey(record) === "/type/work") return at;
    at = typeKey(record) === "/type/redirect" ? keyOf(record["location"]) : undefined;
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
): Promise<Edited> {
  const latest = records.get(key);
  if (latest === undefined) throw recordNotFound(key);
  const { document, revision } = latest;
  const base = isObject(submitted) ? Number(submitted["revision"]) : Number.NaN;
  const isOlder = Number.isInteger(base) && base > 0 && base < revision;
  const row = isOlder ? await readRevision(context.stores.catalog, key, base) : undefined;
  return { key, document, shown: readView(row === undefined ? document : parseDocument(row.document)) };
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
