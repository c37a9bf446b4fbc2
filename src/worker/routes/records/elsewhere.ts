import { keyFromOlid, rewriteLegacyKey } from "../../../catalog/keys.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../../context.ts";

/**
 * The key under which a record really lives, when a path names it by an old prefix (`/a/OL1A`) or under the
 * wrong word (`/works/OL1M`); undefined when there is no such record either (records.md 2.6).
 */
export async function elsewhere(key: string, context: RequestContext): Promise<string | undefined> {
  const prefix = context.settings.RECORD_PREFIX;
  // Q12: the number decides, not the folder.
  const other = keyFromOlid(key.slice(key.lastIndexOf("/") + 1), prefix) ?? rewriteLegacyKey(key);
  if (other === key) return undefined;
  const row = await readRecord(catalogReader(context), other);
  return row?.key;
}
