import * as z from "zod";
import { readBlockedAddresses } from "../../admin/blocked-addresses.ts";
import { shown } from "../../admin/done.ts";
import { operation } from "../../operation.ts";
import { blockPage } from "../../pages/admin/settings-pages.ts";

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
    return shown(context, { ips }, blockPage);
  },
});
