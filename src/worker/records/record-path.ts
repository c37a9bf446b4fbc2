import { keyFromOlid, rewriteLegacyKey } from "../../catalog/keys.ts";
import { findUserKey } from "../../db/records/users.ts";
import { readRecord } from "../../db/records/records.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";

export function addressWithout(url: URL, ...names: readonly string[]): string {
  const target = new URL(url);
  for (const name of names) target.searchParams.delete(name);
  return target.pathname + target.search;
}

/**
 * Returns the key of an existing record that a path names by an old prefix (`/a/OL1A`), under the wrong word
 * (`/works/OL1M`), or with another spelling of a username (Q144); undefined if there is no such record either.
 */
export async function findMovedKey(key: string, context: RequestContext): Promise<string | undefined> {
  const prefix = context.settings.RECORD_PREFIX;
  const [, username, below = ""] = /^\/people\/([^/]+)(\/.*)?$/.exec(key) ?? [];
  if (username !== undefined) {
    const user = await findUserKey(catalogReader(context), username);
    if (user !== undefined && user + below !== key) return user + below;
    if (below === "") return undefined;
  }
  // Q12: the number decides, not the folder.
  const other = keyFromOlid(key.slice(key.lastIndexOf("/") + 1), prefix) ?? rewriteLegacyKey(key);
  if (other === key) return undefined;
  const row = await readRecord(catalogReader(context), other);
  return row?.key;
}
