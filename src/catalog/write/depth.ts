import type { Json } from "../record.ts";

/** How deep values may be nested in a document that is written; catalog records are at most 5 deep. */
export const DOCUMENT_DEPTH_MAX = 64;

/** True when a value is nested deeper than `DOCUMENT_DEPTH_MAX`: what walks through documents would overflow. */
export function isTooDeep(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > DOCUMENT_DEPTH_MAX) return true;
  return Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}
