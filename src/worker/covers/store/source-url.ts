import { allowedUrl } from "../../../catalog/allowed-url.ts";

/** Characters of the address of an image. */
export const SOURCE_URL_LENGTH = 2000;

/** Q418: what may be fetched from hosts that have more than images (lookup.md 6.5). From the others of the list it is everything. */
const PATHS: Readonly<Record<string, RegExp>> = {
  "archive.org":
    /^\/(?:download\/.+\/page\/(?:cover|title)(?:_w\d+)?(?:_h\d+)?(?:\.jpg)?|services\/img\/.+\/full\/pct:\d+\/0\/default\.jpg)$/,
  "covers.openlibrary.org": /^\/b\/[^/]+\/[^/]+\.jpg$/,
};

/** The address of an image that may be fetched, at one of these hosts; undefined for every other. */
export function sourceUrl(address: string, hosts: readonly string[]): URL | undefined {
  if (address.length > SOURCE_URL_LENGTH) return undefined;
  const url = allowedUrl(address, hosts);
  if (url === undefined) return undefined;
  const path = PATHS[url.host];
  return path === undefined || path.test(url.pathname) ? url : undefined;
}

/** The path of an address of this service's own covers, without the older beginning `/covers`; undefined for others. */
export function ownCoverPath(address: string, bases: readonly string[]): string | undefined {
  const url = address.length > SOURCE_URL_LENGTH ? null : URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  for (const base of bases) {
    const { origin, pathname } = new URL(base);
    if (origin !== url.origin || !url.pathname.startsWith(pathname)) continue;
    const path = url.pathname.slice(pathname.replace(/\/$/, "").length).replace(/^\/covers(?=\/)/, "");
    if (/^\/[abw]\/[^/]+\/[^/]+\.jpg$/.test(path)) return path;
  }
  return undefined;
}
