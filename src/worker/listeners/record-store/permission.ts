import { readRights } from "../../../db/permissions/read-rights.ts";
import type { StoreCall } from "./call.ts";

/** `GET /<site>/permission`: whether the caller may write a key, twice (records.md 8.2). */
export async function permission({ context, database, argument }: StoreCall) {
  const key = argument("key");
  const { key: user, status } = await context.actor();
  const mayWrite =
    user !== null && status === "active" && (await readRights(database, user, [key])).mayWrite(key);
  return { write: mayWrite, admin: mayWrite };
}
