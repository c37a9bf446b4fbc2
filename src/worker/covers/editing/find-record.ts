import { latestRecord, parseDocument } from "../../../catalog/document.ts";
import { type CatalogRecord, keyOf } from "../../../catalog/record.ts";
import { readRecord } from "../../../db/records/read.ts";
import type { Database } from "../../../db/statement.ts";
import { CarrelError, recordNotFound } from "../../http/errors.ts";
import { headerText } from "../../http/reply.ts";
import type { ImageTarget } from "./kinds.ts";

/**
 * The record whose images are meant. Throws a 404, and a 301 to where a redirected record has gone: there `rest` follows,
 * such as `/add-cover`.
 */
export async function imageRecord(
  database: Database,
  { key, kind }: ImageTarget,
  rest?: string,
): Promise<CatalogRecord> {
  const row = await readRecord(database, key);
  if (row?.type === kind.type) return latestRecord(row);
  if (row?.type === "/type/redirect" && rest !== undefined) {
    const location = keyOf(parseDocument(row.document)["location"]);
    if (location !== undefined && /^\/[^/\\]/.test(location)) throw movedTo(location + rest);
  }
  throw recordNotFound(key);
}

function movedTo(address: string): CarrelError {
  return new CarrelError(301, "moved", { body: null, headers: { Location: headerText(address) } });
}
