import { parseDocument } from "../../catalog/document.ts";
import { createMiddleware } from "hono/factory";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { Kept } from "./kept-setting.ts";
import { clientGroup } from "./client-address.ts";
import { refusal } from "./errors.ts";
import type { RequestContext } from "./operation.ts";
import { plainPath } from "./paths.ts";
import { READING } from "./preflight.ts";
import type { Carried } from "./serve.ts";

/** Blocked addresses, at most. */
export const BLOCKED_ADDRESSES_MAX = 5000;
export const BLOCK_KEY = "/admin/block";

export const kept = new Kept<ReadonlySet<string>>(
  async (context) => new Set((await readBlockedAddresses(context)).map(clientGroup)),
);

/**
 * Returns true if an address, or for IPv6 one of its network, is blocked from changing anything. Reads this isolate's
 * memory.
 */
async function isBlockedAddress(context: RequestContext): Promise<boolean> {
  return (await kept.get(context)).has(clientGroup(context.client));
}

/** Reads the blocked addresses as stored. */
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

/** Paths open to blocked addresses: login, logout, and pages that require more than an address. */
const OPEN = /^\/(?:account\/(?:login(?:\.json)?|logout)$|admin(?:\/|$))/;

/** Refuses changes, and forms for changes, to addresses that administrators have blocked. */
export const blockedAddresses = createMiddleware<Carried>(async (c, next) => {
  const context = c.env.carrel;
  const pathname = plainPath(context.url.pathname);
  const isReading = READING.has(context.request.method) && !pathname.endsWith("/edit");
  if (isReading || OPEN.test(pathname) || !(await isBlockedAddress(context))) return next();
  const message = "Your address is blocked.";
  // Both error formats, because the route is not known yet.
  throw refusal(403, { error: "permission_denied", message, detail: message });
});
