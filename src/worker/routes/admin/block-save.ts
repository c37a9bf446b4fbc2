import * as z from "zod";
import { saveBlockedAddresses } from "../../admin/blocked-addresses.ts";
import { answerDone } from "../../admin/done.ts";
import { linesOf } from "../../admin/spam-settings.ts";
import { operation } from "../../operation.ts";
import { ADMIN_BODY_BYTES, doneSchema } from "./schemas.ts";

/** `POST /admin/block`: blocks these addresses and no others (records.md 10.3, Q163). */
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
