import type { ChangesPage } from "../../admin/seen-change.ts";
import type { Reply } from "../../reply.ts";
import { form } from "../forms.ts";
import { markup } from "../markup.ts";
import { adminPage, changePageLinks, changeTable } from "./admin-page.ts";

/** The page that asks for an address; `wrong` is what somebody gave for one. */
export function addressSearchPage(wrong: string): Reply {
  const error = wrong === "" ? undefined : "This is no address.";
  return adminPage({
    title: "Changes from an address",
    body: form({
      action: "/admin/ip",
      method: "get",
      fields: [{ name: "ip", label: "Address", value: wrong, error, required: true }],
      submit: "Show",
    }),
  });
}

/** The page of the changes from an address. */
export function addressPage(ip: string, list: ChangesPage): Reply {
  const path = `/admin/ip/${encodeURIComponent(ip)}`;
  const body = markup`${changeTable(`Changes from ${ip}`, list.changes)}
${changePageLinks(path, list)}`;
  return adminPage({ title: `Changes from ${ip}`, body });
}
