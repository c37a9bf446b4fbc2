import * as z from "zod";
import { answerDone, pageOrJson } from "../accounts/account-page.ts";
import { editRecords } from "../history/edit.ts";
import { BLOCKED_ADDRESSES_MAX, BLOCK_KEY, kept, readBlockedAddresses } from "../http/blocked-addresses.ts";
import { isClientAddress } from "../http/client-address.ts";
import { badData } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { linesOf } from "../platform/spam-words.ts";
import { form } from "../ui/form.ts";
import type { Markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { ADMIN_FORM, adminPage, doneSchema } from "./admin-page.ts";

/** `GET /admin/block[.json]`: the blocked addresses. */
export const adminBlock = operation({
  id: "adminBlock",
  summary: "Blocked addresses",
  tag: "administration",
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: z.object({ ips: z.array(z.object({ ip: z.string() })) }),
    },
  },
  async handle(_input, context) {
    const ips = (await readBlockedAddresses(context)).map((ip) => ({ ip }));
    return pageOrJson(context, { ips }, (list) => blockPage(list));
  },
});

/** `POST /admin/block`: replaces the list of blocked addresses (Q163). */
export const adminBlockSave = operation({
  ...ADMIN_FORM,
  id: "adminBlockSave",
  summary: "Set the blocked addresses",
  form: { ips: z.array(z.string()).describe("Addresses, one a line or several fields; blank for none") },
  responses: {
    200: { description: "Set", schema: doneSchema },
    303: { description: "For people: back to the list" },
    400: { description: "Not an IP address" },
  },
  handle: ({ form: { ips } }, context) =>
    answerDone(
      context,
      {
        to: "/admin/block",
        words: "admin.saved",
        again: (problem) => blockPage({ ips: linesOf(ips).map((ip) => ({ ip })) }, problem),
      },
      () => saveBlockedAddresses(context, linesOf(ips)),
    ),
});

/** Saves the blocked addresses. Throws 400 for invalid addresses and for too many. */
async function saveBlockedAddresses(context: RequestContext, ips: readonly string[]): Promise<void> {
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
    audited: { event: "setting-changed", subject: "blocked-addresses", details: { addresses: ips.length } },
  }));
  kept.forget(context);
}

interface Addresses {
  readonly ips: readonly { readonly ip: string }[];
}

function blockPage({ ips }: Addresses, error?: Markup): Reply {
  const value = ips.map(({ ip }) => ip).join("\n");
  const label = say("admin.addresses");
  const hint = say("admin.blocked_hint");
  return adminPage({
    title: say("admin.blocked"),
    body: form({
      action: "/admin/block",
      fields: [{ name: "ips", label, type: "textarea", value, hint, ...(error !== undefined && { error }) }],
      submit: say("admin.save"),
    }),
  });
}
