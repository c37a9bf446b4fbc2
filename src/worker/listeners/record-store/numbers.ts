import { Buffer } from "node:buffer";
import { newKey, sequenceOfKey, sequenceOfType } from "../../../catalog/sequences.ts";
import { reserveNumbers } from "../../../db/changes/reserve-numbers.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import { sequenceValue, sequenceValues } from "../../../db/records/statistics.ts";
import type { StoreCall } from "./call.ts";

/** `GET /<site>/_seq/<name>`: the last number given out. */
export async function sequenceOf({ database, parts: [name = ""] }: StoreCall) {
  return { name, value: await sequenceValue(database, name) };
}

/** `POST /<site>/_seq/<name>`: the next number, which nobody else gets. */
export async function nextInSequence({ database, parts: [name = ""] }: StoreCall) {
  return { name, value: await reserveNumbers(database, name, 1) };
}

/** `GET /<site>/new_key`: a key that no record has and nobody else gets (records.md 9). */
export async function unusedKey({ context, database, settings, argument }: StoreCall): Promise<string> {
  const type = argument("type");
  const sequence = sequenceOfType(type);
  if (sequence === undefined) return `/${uuidOf(context.sources.newSecret())}`;
  const { key: owner } = await context.actor();
  for (;;) {
    const number = await reserveNumbers(database, sequence, 1);
    const key = newKey(type, { prefix: settings.RECORD_PREFIX, number, owner });
    if (key === undefined) throw new Error(`no key for ${type}`);
    // Sequences are raised by everything that is loaded: this is hardly ever taken.
    if ((await readRecord(database, key)) === undefined) return key;
  }
}

/**
 * True when the numbers of these keys have been given out. Who asked for a key by `new_key` may make its record, which
 * nobody but administrators and bots may do with a number of his own choice (Q170).
 */
export async function areGivenOut(
  { database, settings }: StoreCall,
  keys: readonly string[],
): Promise<boolean> {
  const numbers = keys.flatMap((key) => sequenceOfKey(key, settings.RECORD_PREFIX) ?? []);
  if (numbers.length === 0) return false;
  const values = await sequenceValues(database, [...new Set(numbers.map(({ name }) => name))]);
  return numbers.every(({ name, number }) => number <= (values.get(name) ?? 0));
}

/** 128 random bits in the form of a random UUID. */
function uuidOf(secret: string): string {
  const bytes = Buffer.from(secret, "base64url");
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
