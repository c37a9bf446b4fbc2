import { Failure } from "../../http/failure.ts";
import type { Route } from "../../http/operation.ts";
import {
  activate,
  findByNameOrEmail,
  register,
  usernameOfEmail,
  updateAccount,
  updateDetails,
  getCurrentUser,
  storeLogin,
  updateUser,
} from "./accounts.ts";
import { type StoreLine, storeRoute } from "./call.ts";
import {
  countUserEdits,
  readDayStatistics,
  countEditionsBy,
  hasUser,
  keyOfOlid,
  getNewestRevision,
  reserveInSequence,
  sequenceOf,
  reserveKey,
} from "./counters.ts";
import {
  deleteDocument,
  findDocuments,
  getDocument,
  putStoreDocument,
  putManyDocuments,
} from "./documents.ts";
import {
  getChange,
  getRecord,
  getRecords,
  readPermission,
  listRecentChanges,
  findThings,
  listVersions,
  readChangeLog,
} from "./records.ts";
import { reindexKeys, saveOne, saveSeveral, writeProperties } from "./save.ts";

/** Interface of the record store. `{site}` is any name; there is one site (Q43). */
const LINES: readonly StoreLine[] = [
  // Fixed values that clients expect.
  ["GET", "/", () => ({ infobase: "welcome", version: "0.5dev" })],
  ["POST", "/_echo", () => ({ ok: true }), { inReadOnly: true }],
  ["POST", "/_reload_config", () => ({ ok: "true" }), { inReadOnly: true }],
  ["GET", "/{site:[^/_][^/]*}", ({ path }) => ({ name: path["site"] })],
  ["PUT", "/{site:[^/_][^/]*}", createSite, { inReadOnly: true }],
  ["GET", "/{site}/get", getRecord],
  ["GET", "/{site}/get_many", getRecords],
  ["GET", "/{site}/things", findThings],
  ["GET", "/{site}/new_key", reserveKey],
  ["POST", "/{site}/save/{key:path}", saveOne, { needsActor: true }],
  ["POST", "/{site}/save_many", saveSeveral, { form: true, needsActor: true }],
  ["POST", "/{site}/write", writeProperties, { form: true, needsActor: true }],
  ["POST", "/{site}/reindex", reindexKeys, { form: true }],
  ["GET", "/{site}/permission", readPermission],
  ["GET", "/{site}/versions", listVersions],
  ["GET", "/{site}/_recentchanges", listRecentChanges],
  ["GET", String.raw`/{site}/_recentchanges/{id:\d{1,15}}`, getChange],
  ["GET", String.raw`/{site}/log/{day:\d{4}-\d{2}-\d{2}}:{offset:\d{1,9}}`, readChangeLog],
  ["POST", "/{site}/account/login", storeLogin, { form: true, inReadOnly: true }],
  ["POST", "/{site}/account/register", register, { form: true }],
  ["POST", "/{site}/account/activate", activate, { form: true }],
  ["POST", "/{site}/account/update", updateAccount, { form: true }],
  ["POST", "/{site}/account/update_user", updateUser, { form: true }],
  ["POST", "/{site}/account/update_user_details", updateDetails, { form: true }],
  ["GET", "/{site}/account/find", findByNameOrEmail],
  ["GET", "/{site}/account/find_user_by_email", usernameOfEmail],
  ["GET", "/{site}/account/get_user", getCurrentUser],
  ["GET", "/{site}/_store/_query", findDocuments],
  ["POST", "/{site}/_store/_save_many", putManyDocuments],
  ["GET", "/{site}/_store/{key:[^_].*}", getDocument],
  ["PUT", "/{site}/_store/{key:[^_].*}", putStoreDocument],
  ["DELETE", "/{site}/_store/{key:[^_].*}", deleteDocument],
  ["GET", String.raw`/{site}/_seq/{name:\w{1,64}}`, sequenceOf],
  ["POST", String.raw`/{site}/_seq/{name:\w{1,64}}`, reserveInSequence],
  ["GET", "/{site}/count_editions_by_author", countEditionsBy("authors")],
  ["GET", "/{site}/count_editions_by_work", countEditionsBy("works")],
  ["GET", "/{site}/count_edits_by_user", countUserEdits],
  ["GET", "/{site}/most_recent", getNewestRevision],
  ["GET", String.raw`/{site}/stats/{day:\d{4}-\d{2}-\d{2}}`, readDayStatistics],
  ["GET", "/{site}/has_user", hasUser],
  ["GET", "/{site}/olid_to_key", keyOfOlid],
  ["POST", "/{site}/clear_cache", () => ({ done: true }), { inReadOnly: true }],
];

export const RECORD_STORE_ROUTES: readonly Route[] = LINES.map(storeRoute);

/** Throws 412: the only site answers to every name, so it exists already (Q172). */
function createSite(): never {
  throw new Failure(412, "exists", { body: null });
}
