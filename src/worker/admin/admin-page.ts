import type { Reply } from "../http/reply.ts";
import { accountPage } from "../accounts/account-page.ts";
import type { Page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { link, moment, pageLinks, table } from "../ui/parts.ts";
import type { ChangesPage, SeenChange } from "./changes.ts";

/** A page for administrators: kept by nobody, with the way back to the others. */
export function adminPage({ body, ...what }: Page): Reply {
  return accountPage({
    ...what,
    body: markup`${body}
<p><a href="/admin">Administration</a></p>`,
  });
}

/** A list of changes; `extra` is a first cell of each. */
export function changeTable(
  caption: string,
  changes: readonly SeenChange[],
  extra?: { readonly column: string; readonly cell: (change: SeenChange) => Markup },
): Markup {
  if (changes.length === 0) return markup`<p>There are no changes.</p>`;
  return table({
    caption,
    plain: true,
    columns: [
      ...(extra === undefined ? [] : [extra.column]),
      "Change",
      "Kind",
      "When",
      "By",
      "Address",
      "Comment",
      "Records",
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

/** Links from a page of changes to those around it. */
export function changePageLinks(path: string, { page, next }: ChangesPage): Markup | undefined {
  return pageLinks(
    page > 1 ? `${path}?page=${page - 1}` : undefined,
    next === null ? undefined : `${path}?page=${next}`,
  );
}
