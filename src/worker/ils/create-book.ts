import type { JsonObject } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/read-record.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { RequestContext } from "../context.ts";
import { loadRecord, requestLoadContext } from "../import/load-record.ts";
import { requestWriter } from "../import/writer.ts";
import { requireWritable } from "../middleware/read-only.ts";
import { refuseSpam } from "../writes/spam.ts";
import { foundBook } from "./found-book.ts";
import { ilsError } from "./ils-error.ts";

/**
 * Imports a book that was not found, by the account that the context is of (Q383): whoever may make these records by hand may
 * do it here. One that is there under other identifiers is told as found. Throws 403, and `ImportFailure`.
 */
export async function createBook(
  context: RequestContext,
  book: ImportRecord | undefined,
): Promise<JsonObject> {
  if (book === undefined) throw ilsError(400, "title missing");
  await requireWritable(context);
  const { username } = await context.actor();
  const record: ImportRecord = { ...book, source_records: [`ils:${username}`] };
  await refuseSpam(context, { documents: [record], comment: null });
  const reply = await loadRecord(requestLoadContext(context), record, await requestWriter(context));
  if (reply.edition.status !== "created") {
    const row = await readRecord(context.stores.catalog.withSession("first-primary"), reply.edition.key);
    if (row !== undefined) return foundBook(context, row);
  }
  return {
    status: "created",
    editions: [reply.edition.key],
    works: [reply.work.key],
    authors: (reply.authors ?? []).map((author) => author.key),
  };
}
