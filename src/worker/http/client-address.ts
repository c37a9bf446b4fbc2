import { parseDocument } from "../../catalog/document.ts";
import { createMiddleware } from "hono/factory";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { IsolateMemo } from "./isolate-cache.ts";
import { type RequestContext, type HonoEnv, isRead } from "./operation.ts";
import { plainPath } from "./paths.ts";
import { failure } from "./failure.ts";
import { english } from "../../catalog/texts.ts";

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** Returns true for an IPv4 address, the form in which changes without an author record it. */
export function isAddress(text: string): boolean {
  return IPV4.test(text);
}

export function isNetworkAddress(text: string): boolean {
  return isAddress(text) || (/^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`));
}

export function isClientAddress(text: string): boolean {
  return text === "local" || isNetworkAddress(text);
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED = /^::ffff:([\da-f]+):([\da-f]+)$/;

/**
 * Returns the unit by which requests and attempts are counted and addresses are blocked: an IPv4 address, or the
 * network of an IPv6 address, because one holder has all of its last 64 bits.
 */
export function clientGroup(client: string): string {
  const address = client.toLowerCase();
  const canonical = address.includes(":")
    ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1)
    : undefined;
  if (canonical === undefined) return address;
  const mapped = MAPPED.exec(canonical)?.slice(1) ?? [];
  if (mapped.length > 0) return mapped.flatMap(bytesOf).join(".");
  const [first = [], last = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

function bytesOf(group: string): number[] {
  const number = Number.parseInt(group, 16);
  return [Math.floor(number / 256), number % 256];
}

export const BLOCKED_ADDRESSES_MAX = 5000;
export const BLOCK_KEY = "/admin/block";

/** Networks from which nothing may be changed, see `clientGroup`. */
export const blockedNetworks = new IsolateMemo(
  async (context: RequestContext) => new Set((await readBlockedAddresses(context)).map(clientGroup)),
);

export async function readBlockedAddresses({ stores }: RequestContext): Promise<string[]> {
  const row = await readRecord(stores.catalog, BLOCK_KEY);
  return row === undefined ? [] : addressesOf(parseDocument(row.document));
}

function addressesOf({ ips }: CatalogRecord): string[] {
  const entries: readonly Json[] = Array.isArray(ips) ? ips : [];
  return entries.flatMap((entry) => {
    const ip = isObject(entry) ? entry["ip"] : entry;
    return typeof ip === "string" ? [ip.trim().toLowerCase()] : [];
  });
}

const OPEN = /^\/(?:account\/(?:login(?:\.json)?|logout)$|admin(?:\/|$))/;

export const blockedAddresses = createMiddleware<HonoEnv>(async (c, next) => {
  const context = c.env.carrel;
  const pathname = plainPath(context.url.pathname);
  const isReading = isRead(context.request.method) && !pathname.endsWith("/edit");
  if (isReading || OPEN.test(pathname)) return next();
  const isBlocked = (await blockedNetworks.get(context)).has(clientGroup(context.client));
  if (!isBlocked) return next();
  const key = "permission_denied.address";
  // Both error formats, because the route is not known yet.
  throw failure(key, {}, { members: { detail: english({ key }) } });
});
