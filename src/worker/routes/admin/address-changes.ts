import * as z from "zod";
import { isClientAddress } from "../../admin/client-address.ts";
import { shown } from "../../admin/done.ts";
import { seenChange } from "../../admin/seen-change.ts";
import { readChangesByAddress } from "../../../db/changes/read-by-address.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { addressPage } from "../../pages/admin/address-page.ts";
import { listSchema, pageQuery, pageSlice, seenPage } from "./change-pages.ts";

/** `GET /admin/ip/<ip>[.json]`: changes from an address, whoever made them. */
export const adminAddressChanges = operation({
  id: "adminAddressChanges",
  summary: "Changes from an address",
  tag: "administration",
  path: { ip: z.string().describe("IPv4 or IPv6") },
  query: pageQuery,
  responses: {
    200: { description: "The newest first", schema: listSchema },
    404: { description: "No address" },
  },
  async handle({ path: { ip }, query: { page } }, context) {
    if (!isClientAddress(ip)) throw notFound();
    const rows = await readChangesByAddress(context.stores.catalog, ip, pageSlice(page));
    return shown(context, seenPage(rows.map(seenChange), page), (list) => addressPage(ip, list));
  },
});
