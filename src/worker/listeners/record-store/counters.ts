import { DAY_MS } from "../../../catalog/units.ts";
import { Buffer } from "node:buffer";
import { recordKeyOfOlid, parseOlid } from "../../../catalog/keys.ts";
import { makeKey, sequenceOfType } from "../../../catalog/key-numbers.ts";
import { readSequenceValue, reserveNumber } from "../../../db/editing/numbers.ts";
import { findUserKey } from "../../../db/records/users.ts";
import { readVersions } from "../../../db/history/versions.ts";
import { countEditions } from "../../../db/records/members.ts";
import { readRecord } from "../../../db/records/records.ts";
import { countChanges, readStatisticsOfDay } from "../../../db/service/totals.ts";
import { versionEntry } from "../../records/history.ts";
import type { StoreCall } from "./call.ts";
import { failure } from "../../http/failure.ts";

/** `GET /<site>/count_editions_by_author` and `…_by_work`: the number of editions with a key in a member. */
export function countEditionsBy(member: "authors" | "works") {
  return async ({ database, argument }: StoreCall): Promise<number> => {
    const key = argument("key");
    return (await countEditions(database, [key], member)).get(key) ?? 0;
  };
}

export function countUserEdits({ database, argument }: StoreCall) {
  return countChanges(database, argument("key"));
}

/** `GET /<site>/most_recent`: the newest revision, null in an empty catalog. */
export async function getNewestRevision({ database }: StoreCall) {
  const [row] = await readVersions(database, {}, { limit: 1, offset: 0, descending: true });
  return row === undefined ? null : { ...versionEntry(row), ip: row.ip };
}

export function readDayStatistics({ database, path: { day: text = "" } }: StoreCall) {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time)) throw failure("bad_data.day", { day: text });
  return readStatisticsOfDay(database, {
    day: text,
    nextDay: new Date(time + DAY_MS).toISOString().slice(0, 10),
  });
}

/** `GET /<site>/has_user`: in any case; names that look like record ids count as taken. */
export async function hasUser({ database, settings, argument }: StoreCall) {
  const username = argument("username");
  if (parseOlid(username, settings.RECORD_PREFIX) !== undefined) return true;
  return (await findUserKey(database, username)) !== undefined;
}

export async function keyOfOlid({ database, settings, argument }: StoreCall) {
  const olid = argument("olid");
  const key = recordKeyOfOlid(olid, settings.RECORD_PREFIX);
  const row = key === undefined ? undefined : await readRecord(database, key);
  return { olid, key: row?.key ?? null };
}

/** `GET /<site>/_seq/<name>`: the last number given out. */
export async function sequenceOf({ database, path: { name = "" } }: StoreCall) {
  return { name, value: await readSequenceValue(database, name) };
}

/** `POST /<site>/_seq/<name>`: the next number, given out only once. */
export async function reserveInSequence({ database, path: { name = "" } }: StoreCall) {
  return { name, value: await reserveNumber(database, name) };
}

/** `GET /<site>/new_key`: a key that no record has, given out only once. */
export async function reserveKey({ context, database, settings, argument }: StoreCall): Promise<string> {
  const type = argument("type");
  const sequence = sequenceOfType(type);
  if (sequence === undefined) return `/${uuidOf(context.sources.newSecret())}`;
  const { key: owner } = await context.actor();
  for (;;) {
    const number = await reserveNumber(database, sequence);
    const key = makeKey(type, { prefix: settings.RECORD_PREFIX, number, owner });
    if (key === undefined) throw new Error(`no key for ${type}`);
    // Every load raises the sequences, so this key is hardly ever taken.
    if ((await readRecord(database, key)) === undefined) return key;
  }
}

function uuidOf(secret: string): string {
  const bytes = Buffer.from(secret, "base64url");
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
