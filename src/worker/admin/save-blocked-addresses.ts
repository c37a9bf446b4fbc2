import type { RequestContext } from "../http/operation.ts";
import { badData } from "../http/errors.ts";
import { editRecords } from "../history/edit.ts";
import { BLOCKED_ADDRESSES_MAX, BLOCK_KEY, kept } from "../http/blocked-addresses.ts";
import { isClientAddress } from "../http/client-address.ts";

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
