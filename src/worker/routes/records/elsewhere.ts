import { keyFromOlid, rewriteLegacyKey } from "../../../catalog/keys.ts";
import { findUserKey } from "../../../db/records/find-user.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../../context.ts";

/**
 * The key under which a record really lives, when a path names it by an old prefix (`/a/OL1A`) or under the
 * wrong word (`/works/OL1M`), or spells a username otherwise (Q144); undefined when there is no such record either (records.md 2.6).
 */
export async function elsewhere(key: string, context: RequestContext): Promise<string | undefined> {
  const prefix = context.settings.RECORD_PREFIX;
  const username = /^\/people\/([^/]+)$/.exec(key)?.[1];
  if (username !== undefined) {
    const user = await findUserKey(catalogReader(context), username);
    return user === key ? undefined : user;
  }
  // Q12: the number decides, not the folder.
  const other = keyFromOlid(key.slice(key.lastIndexOf("/") + 1), prefix) ?? rewriteLegacyKey(key);
  if (other === key) return undefined;
  const row = await readRecord(catalogReader(context), other);
  return row?.key;
}
