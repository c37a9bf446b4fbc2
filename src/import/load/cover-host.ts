import type { Json } from "../../catalog/record.ts";

const PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:"]);

/** The address of a cover, if it is on a host whose images are taken (import.md 15.8); `hosts` are in lower case. */
export function coverAddress(cover: Json | undefined, hosts: readonly string[]): string | undefined {
  if (typeof cover !== "string") return undefined;
  const url = URL.parse(cover.trim());
  if (url === null || !PROTOCOLS.has(url.protocol) || url.username !== "" || url.password !== "") {
    return undefined;
  }
  // With a port, which is not among the hosts.
  return hosts.includes(url.host) ? url.href : undefined;
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
