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
import { type FormChange, type FormRecord, latestOfType, latestRecords } from "./save-form.ts";
import { commentOf } from "./sent-form.ts";

/** Records that the form of an edition changes. */
export interface BookKeys {
  readonly edition: string;
  /** Undefined for an edition without a work. */
  readonly work: string | undefined;
}

/**
 * Finds the work of an edition: the one that the form names, else its first one. Throws 404 if there is no such
 * edition.
 */
export async function bookKeys(
  context: RequestContext,
  edition: string,
  chosen: string | undefined,
): Promise<BookKeys> {
  const { works } = await latestOfType(context, edition, "/type/edition");
  const first = Array.isArray(works) ? keyOf(works[0]) : undefined;
  const wanted = chosen?.startsWith("/works/") === true ? [chosen, first] : [first];
  for (const key of wanted) {
    const work = key === undefined ? undefined : await liveWork(context, key);
    if (work !== undefined) return { edition, work };
  }
  return { edition, work: undefined };
}

/** Returns the key of a live work, through redirects; undefined if it is deleted. */
async function liveWork(context: RequestContext, key: string): Promise<string | undefined> {
  let at: string | undefined = key;
  for (let hop = 0; hop <= REDIRECT_HOPS_MAX && at !== undefined; hop += 1) {
    const record: CatalogRecord | undefined = (await latestRecords(context, [at])).get(at)?.document;
    if (record === undefined) return undefined;
    if (typeKey(record) === "/type/work") return at;
    at = typeKey(record) === "/type/redirect" ? keyOf(record["location"]) : undefined;
  }
  return undefined;
}

/**
 * Returns a record that a form changes. If the form states the revision it was filled with, members that people left
 * unchanged are not reset to it. Throws 404 if the record is missing.
 */
export async function editedRecord(
  context: RequestContext,
  { key, sent }: { readonly key: string; readonly sent: Json | undefined },
  records: ReadonlyMap<string, FormRecord>,
): Promise<Edited> {
  const latest = records.get(key);
  if (latest === undefined) throw recordNotFound(key);
  const { document, revision } = latest;
  const base = isObject(sent) ? Number(sent["revision"]) : Number.NaN;
  const isOlder = Number.isInteger(base) && base > 0 && base < revision;
  const row = isOlder ? await readRevision(context.stores.catalog, key, base) : undefined;
  return { key, document, shown: readView(row === undefined ? document : parseDocument(row.document)) };
}

/** Kind of a change that the form of a book makes. */
export const EDIT_BOOK = "edit-book";

/** Returns the change of the form of a book; undefined if there is nothing to save. */
export function bookChange(
  { documents, edits }: Pick<FormChange, "documents" | "edits">,
  form: CatalogRecord,
): FormChange | undefined {
  if (documents.length + edits.length === 0) return undefined;
  return { documents, edits, kind: EDIT_BOOK, comment: commentOf(form) };
}
