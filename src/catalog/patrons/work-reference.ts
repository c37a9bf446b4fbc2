import { olidOfKey } from "../keys.ts";

/** The number in the key of a work, `/works/OL1W`, whatever its prefix; undefined for anything else. */
export function workNumberOfKey(key: unknown): number | undefined {
  const olid = typeof key === "string" && key.startsWith("/works/") ? olidOfKey(key) : undefined;
  const digits = /(\d+)W$/.exec(olid ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
