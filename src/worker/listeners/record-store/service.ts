import { sequenceValue } from "../../../db/records/statistics.ts";
import type { StoreCall } from "../record-store.ts";

/** Version that the record store has always reported. */
const STORE_VERSION = "0.5dev";

/** `GET /` */
export function welcome() {
  return { infobase: "welcome", version: STORE_VERSION };
}

/** `POST /_echo` */
export function echo() {
  return { ok: true };
}

/** `POST /_reload_config`: a text, as it has always been. */
export function reloadConfig() {
  return { ok: "true" };
}

/** `GET /<site>` */
export function site({ parts: [name] }: StoreCall) {
  return { name };
}

/** `GET /<site>/_seq/<name>`: the last number given out. */
export async function sequenceOf({ database, parts: [name = ""] }: StoreCall) {
  return { name, value: await sequenceValue(database, name) };
}
