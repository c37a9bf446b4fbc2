import * as z from "zod";
import { isClientAddress } from "../../admin/client-address.ts";
import { seeOther } from "../../accounts/private.ts";
import { operation } from "../../operation.ts";
import { addressSearchPage } from "../../pages/admin/address-page.ts";

/** `GET /admin/ip`: asks for an address, and leads to its changes. */
export const adminAddresses = operation({
  id: "adminAddresses",
  summary: "Page that asks for an address",
  tag: "administration",
  query: { ip: z.string().optional().describe("The address; then 303 to its changes") },
  responses: {
    200: { description: "The page", contentType: "text/html" },
    303: { description: "To the changes of the address" },
  },
  handle({ query: { ip = "" } }) {
    const address = ip.trim();
    return isClientAddress(address)
      ? seeOther(`/admin/ip/${encodeURIComponent(address)}`)
      : addressSearchPage(address);
  },
});
