import * as z from "zod";
import { type ChangeRow, readChangesByAddress } from "../../db/history/changes.ts";
import type { Window } from "../../db/statement.ts";
import { changeAddress, changeEntry, revisionSchema } from "../history/change-entry.ts";
import { isClientAddress } from "../http/client-address.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { seeOther } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { type Columns, adminPage, choice, dataTable, keyLink } from "../ui/data-page.ts";
import { form } from "../ui/form.ts";
import type { Markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";

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

/** Renders a table of changes; with checkboxes that choose the changes to revert. */
export function adminChangeTable(caption: Markup, changes: readonly ChangeView[], isChoice = false): Markup {
  const members: Columns<ChangeView & { choice: string }> = {
    ...(isChoice && {
      choice: ["admin.revert_choose", (id) => choice("changesets[]", id, t("admin.revert_change", { id }))],
    }),
    id: ["admin.change", (id, { url }) => link(url, id)],
    kind: "admin.kind",
    timestamp: "imports.when",
    author: ["desk.by", (author) => author && keyLink(author.key)],
    ip: ["admin.address", (ip) => ip && link(`/admin/ip/${encodeURIComponent(ip)}`, ip)],
    comment: "admin.comment",
    changes: ["admin.records", (revisions) => revisions?.length],
  };
  const rows = changes.map((change) => ({ choice: change.id, ...change }));
  return dataTable({ caption, members, rows, none: "admin.no_changes", plain: true });
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
    if (isClientAddress(address)) return seeOther(`/admin/ip/${encodeURIComponent(address)}`);
    const error = address === "" ? undefined : t("admin.address_bad");
    return adminPage({
      title: t("admin.address_changes"),
      parts: [
        form({
          action: "/admin/ip",
          method: "get",
          fields: [{ name: "ip", label: t("admin.address"), value: address, error, required: true }],
          submit: t("admin.show"),
        }),
      ],
    });
  },
});

export const adminAddressChanges = resource({
  id: "adminAddressChanges",
  summary: "List the changes from an IP address",
  tag: "administration",
  path: { ip: z.string().describe("IPv4 or IPv6 address") },
  query: pageQuery,
  responses: {
    200: { description: "Page of changes, newest first", schema: listSchema },
    404: { description: "Not an IP address" },
  },
  async read({ path: { ip }, query: { page } }, context) {
    if (!isClientAddress(ip)) throw notFound();
    const rows = await readChangesByAddress(context.stores.catalog, ip, pageSlice(page));
    return toChangesPage(rows, page);
  },
  page(list, { path: { ip } }) {
    const title = t("admin.address_changes_of", { ip });
    const path = `/admin/ip/${encodeURIComponent(ip)}`;
    return adminPage({ title, parts: [adminChangeTable(title, list.changes), changePageLinks(path, list)] });
  },
});
