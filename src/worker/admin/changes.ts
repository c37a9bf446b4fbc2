import * as z from "zod";
import { type ChangeRow, readChangesByAddress } from "../../db/history/changes.ts";
import type { Window } from "../../db/statement.ts";
import { changeAddress, changeEntry, revisionSchema } from "../history/change-entry.ts";
import { isClientAddress } from "../http/client-address.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { pageOrJson } from "../http/accept.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, seeOther } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment, t } from "../ui/words.ts";
import { adminPage } from "./admin-page.ts";

/** Change as shown to administrators: with the client address, for any author, and the path of its page. */
export const changeSchema = z.object({
  id: z.string(),
  kind: z.string(),
  timestamp: z.string(),
  comment: z.string().nullable(),
  changes: z.array(revisionSchema).nullable(),
  author: z.object({ key: z.string() }).nullable(),
  ip: z.string().nullable().describe("IP address of the client"),
  data: z.record(z.string(), z.unknown()),
  url: z.string(),
});
type ChangeView = z.infer<typeof changeSchema>;

const ADMIN_CHANGES_LIMIT = 100;
const ADMIN_PAGE_MAX = 1000;

export const pageQuery = { page: integer(z.int().gte(1).lte(ADMIN_PAGE_MAX)).default(1) };

export const listSchema = z.object({
  changes: z.array(changeSchema),
  page: z.int(),
  next: z.int().nullable().describe("Number of the next page; null on the last page"),
});
export type ChangesPage = z.infer<typeof listSchema>;

/** Returns the part of a list that a page shows, and one more change if there is a further page. */
export function pageSlice(page: number): Window {
  return { limit: ADMIN_CHANGES_LIMIT + 1, offset: (page - 1) * ADMIN_CHANGES_LIMIT };
}

export function toChangesPage(rows: readonly ChangeRow[], page: number): ChangesPage {
  const hasMore = rows.length > ADMIN_CHANGES_LIMIT && page < ADMIN_PAGE_MAX;
  const changes = rows.slice(0, ADMIN_CHANGES_LIMIT).map(toChangeView);
  return { changes, page, next: hasMore ? page + 1 : null };
}

export function toChangeView(row: ChangeRow): ChangeView {
  return { ...changeEntry(row), ip: row.ip, url: changeAddress(row) };
}

/** Renders a table of changes; `extra` is the first cell of each row. */
export function adminChangeTable(
  caption: Markup,
  changes: readonly ChangeView[],
  extra?: { column: Markup; cell: (change: ChangeView) => Markup },
): Markup {
  if (changes.length === 0) return markup`<p>${t("admin.no_changes")}</p>`;
  return table({
    caption,
    plain: true,
    columns: [
      ...(extra === undefined ? [] : [extra.column]),
      t("admin.change"),
      t("admin.kind"),
      t("imports.when"),
      t("desk.by"),
      t("admin.address"),
      t("admin.comment"),
      t("admin.records"),
    ],
    rows: changes.map((change) => [
      ...(extra === undefined ? [] : [extra.cell(change)]),
      link(change.url, change.id),
      change.kind,
      moment(change.timestamp),
      change.author === null ? "" : link(`/admin${addressOf(change.author.key)}`, change.author.key),
      change.ip === null ? "" : link(`/admin/ip/${encodeURIComponent(change.ip)}`, change.ip),
      change.comment ?? "",
      change.changes?.length ?? "",
    ]),
  });
}

export function changePageLinks(path: string, { page, next }: ChangesPage): Markup | undefined {
  return pageLinks(
    page > 1 ? `${path}?page=${page - 1}` : undefined,
    next === null ? undefined : `${path}?page=${next}`,
  );
}

export const adminAddresses = operation({
  id: "adminAddresses",
  summary: "Find changes by IP address",
  tag: "administration",
  query: { ip: z.string().optional().describe("IP address; redirects to its changes") },
  responses: {
    200: { description: "HTML form", contentType: "text/html" },
    303: { description: "Redirect to the changes from the address" },
  },
  handle({ query: { ip = "" } }) {
    const address = ip.trim();
    return isClientAddress(address)
      ? seeOther(`/admin/ip/${encodeURIComponent(address)}`)
      : addressSearchPage(address);
  },
});

export const adminAddressChanges = operation({
  id: "adminAddressChanges",
  summary: "List the changes from an IP address",
  tag: "administration",
  path: { ip: z.string().describe("IPv4 or IPv6 address") },
  query: pageQuery,
  responses: {
    200: { description: "Page of changes, newest first", schema: listSchema },
    404: { description: "Not an IP address" },
  },
  async handle({ path: { ip }, query: { page } }, context) {
    if (!isClientAddress(ip)) throw notFound();
    const rows = await readChangesByAddress(context.stores.catalog, ip, pageSlice(page));
    return pageOrJson(context, toChangesPage(rows, page), (list) => addressPage(ip, list));
  },
});

function addressSearchPage(wrong: string): Reply {
  const error = wrong === "" ? undefined : t("admin.address_bad");
  return adminPage({
    title: t("admin.address_changes"),
    body: form({
      action: "/admin/ip",
      method: "get",
      fields: [{ name: "ip", label: t("admin.address"), value: wrong, error, required: true }],
      submit: t("admin.show"),
    }),
  });
}

function addressPage(ip: string, list: ChangesPage): Reply {
  const path = `/admin/ip/${encodeURIComponent(ip)}`;
  const title = t("admin.address_changes_of", { ip });
  const body = markup`${adminChangeTable(title, list.changes)}
${changePageLinks(path, list)}`;
  return adminPage({ title, body });
}
