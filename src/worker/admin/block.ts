import * as z from "zod";
import { answerDone, pageOrJson } from "../accounts/account-page.ts";
import { readBlockedAddresses } from "../http/blocked-addresses.ts";
import { operation } from "../http/operation.ts";
import { linesOf } from "../platform/spam-words.ts";
import { saveBlockedAddresses } from "./save-blocked-addresses.ts";
import { ADMIN_BODY_BYTES, doneSchema } from "./schemas.ts";
import { blockPage } from "./settings-pages.ts";

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
    return pageOrJson(context, { ips }, blockPage);
  },
});

/** `POST /admin/block`: blocks these addresses and no others (Q163). */
export const adminBlockSave = operation({
  id: "adminBlockSave",
  summary: "Set the blocked addresses",
  tag: "administration",
  form: { ips: z.array(z.string()).describe("Addresses, one a line or several fields; blank for none") },
  bodyBytes: ADMIN_BODY_BYTES,
  inReadOnly: true,
  responses: {
    200: { description: "Set", schema: doneSchema },
    303: { description: "For people: back to the list" },
    400: { description: "What is no address" },
  },
  handle({ form: { ips } }, context) {
    return answerDone(context, "/admin/block", async () => {
      await saveBlockedAddresses(context, linesOf(ips));
      return undefined;
    });
  },
});
