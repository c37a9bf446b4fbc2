import * as z from "zod";
import { readChangesByAddress } from "../../db/history/changes.ts";
import { pageOrJson } from "../http/page-or-json.ts";
import { isClientAddress } from "../http/client-address.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { adminPage } from "./admin-page.ts";
import {
  type ChangesPage,
  changePageLinks,
  changeTable,
  listSchema,
  pageQuery,
  pageSlice,
  toChangesPage,
} from "./changes.ts";

/** `GET /admin/ip`: form for an address, which redirects to its changes. */
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

/** `GET /admin/ip/<ip>[.json]`: changes from an address, by any author. */
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
    return pageOrJson(context, toChangesPage(rows, page), (list) => addressPage(ip, list));
  },
});

/** Renders the form for an address; `wrong` is the submitted text that is not one. */
function addressSearchPage(wrong: string): Reply {
  const error = wrong === "" ? undefined : say("admin.address_bad");
  return adminPage({
    title: say("admin.address_changes"),
    body: form({
      action: "/admin/ip",
      method: "get",
      fields: [{ name: "ip", label: say("admin.address"), value: wrong, error, required: true }],
      submit: say("admin.show"),
    }),
  });
}

function addressPage(ip: string, list: ChangesPage): Reply {
  const path = `/admin/ip/${encodeURIComponent(ip)}`;
  const title = say("admin.address_changes_of", { ip });
  const body = markup`${changeTable(title, list.changes)}
${changePageLinks(path, list)}`;
  return adminPage({ title, body });
}
