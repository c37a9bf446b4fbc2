import { keyFromOlid, parseOlid } from "../../../catalog/keys.ts";
import { readVersions } from "../../../db/records/read-history.ts";
import { countChanges, countEditions, dayStatistics } from "../../../db/records/statistics.ts";
import { findUserKey } from "../../../db/records/find-user.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import { badData } from "../../errors.ts";
import { versionEntry } from "../../routes/records/history.ts";
import type { StoreCall } from "./call.ts";

const DAY_MS = 86_400_000;

/** `GET /<site>/count_editions_by_author` */
export function countAuthorEditions({ database, argument }: StoreCall) {
  return countEditions(database, "authors", argument("key"));
}

/** `GET /<site>/count_editions_by_work` */
export function countWorkEditions({ database, argument }: StoreCall) {
  return countEditions(database, "works", argument("key"));
}

/** `GET /<site>/count_edits_by_user` */
export function countUserEdits({ database, argument }: StoreCall) {
  return countChanges(database, argument("key"));
}

/** `GET /<site>/most_recent`: the newest revision, null in an empty catalog. */
export async function mostRecent({ database }: StoreCall) {
  const [row] = await readVersions(database, {}, { limit: 1, offset: 0, descending: true });
  return row === undefined ? null : { ...versionEntry(row), ip: row.ip };
}

/** `GET /<site>/stats/<YYYY-MM-DD>` */
export function day({ database, parts: [text = ""] }: StoreCall) {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time)) throw badData(`not a day: '${text}'`);
  return dayStatistics(database, { day: text, nextDay: new Date(time + DAY_MS).toISOString().slice(0, 10) });
}

/** `GET /<site>/has_user`: whatever the case; names that look like record ids count as taken. */
export async function hasUser({ database, settings, argument }: StoreCall) {
  const username = argument("username");
  if (parseOlid(username, settings.RECORD_PREFIX) !== undefined) return true;
  return (await findUserKey(database, username)) !== undefined;
}

/** `GET /<site>/olid_to_key` */
export async function keyOfOlid({ database, settings, argument }: StoreCall) {
  const olid = argument("olid");
  const key = keyFromOlid(olid, settings.RECORD_PREFIX);
  const row = key === undefined ? undefined : await readRecord(database, key);
  return { olid, key: row?.key ?? null };
}
