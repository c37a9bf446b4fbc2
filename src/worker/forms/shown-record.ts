import { typeKey } from "../../catalog/record.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { recordNotFound } from "../errors.ts";
import { revisionOf, viewOf } from "../records-by-key.ts";
import type { ShownRecord } from "./fields.ts";

/** A record as a form shows it, perhaps an older revision; 404 when there is none. */
export async function shownRecord(
  context: RequestContext,
  key: string,
  revision?: string | undefined,
): Promise<Omit<ShownRecord, "prefix" | "sent">> {
  const row = await revisionOf(catalogReader(context), key, revision);
  if (row === undefined) throw recordNotFound(key);
  const record = viewOf(row);
  return { key, type: typeKey(record) ?? row.type, record, revision: row.latest };
}
