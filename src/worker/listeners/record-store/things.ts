import { badData, recordNotFound } from "../../errors.ts";
import { WHOLE_NUMBER, recordsByKey, revisionOf, viewOf } from "../../records-by-key.ts";
import { queryJson, queryKeys, queryRecords } from "../../records-query.ts";
import { wantedKeys } from "../../routes/api/get-many.ts";
import type { StoreCall } from "./call.ts";

/** `GET /<site>/get` */
export async function getRecord({ database, argument, optional }: StoreCall) {
  const key = argument("key");
  const revision = optional("revision");
  if (revision !== undefined && !WHOLE_NUMBER.test(revision)) {
    throw badData(`Bad integer value for 'revision': '${revision}'`);
  }
  const row = await revisionOf(database, key, revision);
  if (row === undefined) throw recordNotFound(key);
  return viewOf(row);
}

/** `GET /<site>/get_many` */
export function getRecords({ database, argument }: StoreCall) {
  return recordsByKey(database, wantedKeys(argument("keys")));
}

/** `GET /<site>/things` */
export function things({ database, argument, optional }: StoreCall) {
  const query = queryJson(argument("query"));
  const wantsDetails = /^true$/i.test(optional("details") ?? "false");
  return wantsDetails ? queryRecords(database, query, { loose: false }) : queryKeys(database, query);
}
