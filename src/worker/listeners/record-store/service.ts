import { CarrelError } from "../../http/errors.ts";
import type { StoreCall } from "./call.ts";

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
export function site({ path: { site: name } }: StoreCall) {
  return { name };
}

/** `PUT /<site>`: the one site there is answers to every name, so it exists already (Q172). */
export function createSite(): never {
  throw new CarrelError(412, "exists", { body: null });
}

/** `POST /<site>/clear_cache`: nothing here is kept. */
export function clearCache() {
  return { done: true };
}
