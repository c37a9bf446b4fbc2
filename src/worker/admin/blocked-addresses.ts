import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/read-record.ts";
import { clientGroup } from "../accounts/client-group.ts";
import type { RequestContext } from "../context.ts";
import { badData } from "../errors.ts";
import { editRecords } from "../writes/edit.ts";
import { isClientAddress } from "./client-address.ts";
import { Kept } from "./kept.ts";

/** Addresses that can be blocked at a time. */
export const BLOCKED_ADDRESSES_MAX = 5000;
/** The record that names them (records.md 10.3). */
export const BLOCK_KEY = "/admin/block";

const kept = new Kept<ReadonlySet<string>>(
  async (context) => new Set((await readBlockedAddresses(context)).map(clientGroup)),
);

/** True when an address, or for IPv6 one of its network, may not change anything, as this isolate knows it. */
export async function isBlockedAddress(context: RequestContext): Promise<boolean> {
  return (await kept.get(context)).has(clientGroup(context.client));
}

/** The blocked addresses, as they are stored. */
export async function readBlockedAddresses({ stores }: RequestContext): Promise<string[]> {
  const row = await readRecord(stores.catalog, BLOCK_KEY);
  // What is stored went through validation when it was written.
  return row === undefined ? [] : addressesOf(JSON.parse(row.document) as CatalogRecord);
}

function addressesOf({ ips }: CatalogRecord): string[] {
  const entries: readonly Json[] = Array.isArray(ips) ? ips : [];
  return entries.flatMap((entry) => {
    const ip = isObject(entry) ? entry["ip"] : entry;
    return typeof ip === "string" ? [ip.trim().toLowerCase()] : [];
  });
}

/** Blocks these addresses and no others. Throws 400 for what is no address. */
export async function saveBlockedAddresses(context: RequestContext, ips: readonly string[]): Promise<void> {
  if (ips.length > BLOCKED_ADDRESSES_MAX) throw badData(`more than ${BLOCKED_ADDRESSES_MAX} addresses`);
  const wrong = ips.find((ip) => !isClientAddress(ip));
  if (wrong !== undefined) throw badData(`Bad address '${wrong}'`, { value: wrong });
  await editRecords(context, [BLOCK_KEY], (records) => ({
    documents: [
      {
        type: { key: "/type/object" },
        ...records.get(BLOCK_KEY),
        key: BLOCK_KEY,
        ips: ips.map((ip) => ({ ip: ip.toLowerCase() })),
      },
    ],
    kind: "edit-blocked-ips",
    comment: "Updated the blocked addresses",
  }));
  kept.forget(context);
}
