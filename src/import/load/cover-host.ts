import { allowedUrl } from "../../catalog/allowed-url.ts";
import type { Json } from "../../catalog/record.ts";

/** The address of a cover, if it is on a host whose images are taken. */
export function coverAddress(cover: Json | undefined, hosts: readonly string[]): string | undefined {
  return typeof cover === "string" ? allowedUrl(cover.trim(), hosts)?.href : undefined;
}

/** Whether a record has a cover: numbers below 1 say that it has none. */
export function hasCover(covers: Json | undefined): boolean {
  return firstCover(covers) !== undefined;
}

/** The number of the first cover. */
export function firstCover(covers: Json | undefined): number | undefined {
  return Array.isArray(covers) ? covers.find(isCover) : undefined;
}

function isCover(cover: Json): cover is number {
  return typeof cover === "number" && cover > 0;
}
