import * as z from "zod";
import type { ChangeRow } from "../../db/history/changes.ts";
import type { Window } from "../../db/statement.ts";
import { changeAddress, changeEntry, revisionSchema } from "../history/change-entry.ts";
import { integer } from "../http/parameters.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { moment, say } from "../ui/words.ts";

/** Change as shown to administrators: with the client address, for any author, and the path of its page. */
export const changeSchema = z.object({
  id: z.string(),
  kind: z.string(),
  timestamp: z.string(),
  comment: z.string().nullable(),
  changes: z.array(revisionSchema).nullable(),
  author: z.object({ key: z.string() }).nullable(),
  ip: z.string().nullable().describe("Address that it came from"),
  data: z.record(z.string(), z.unknown()),
  url: z.string(),
});
type SeenChange = z.infer<typeof changeSchema>;

/** Changes per page, and the highest page number. */
const ADMIN_CHANGES_LIMIT = 100;
const ADMIN_PAGE_MAX = 1000;

export const pageQuery = { page: integer(z.int().gte(1).lte(ADMIN_PAGE_MAX)).default(1) };

export const listSchema = z.object({
  changes: z.array(changeSchema),
  page: z.int(),
  next: z.int().nullable().describe("The next page, if there is one"),
});
export type ChangesPage = z.infer<typeof listSchema>;

/** Returns the part of a list that a page shows, and one more change, which tells if there is a further page. */
export function pageSlice(page: number): Window {
  return { limit: ADMIN_CHANGES_LIMIT + 1, offset: (page - 1) * ADMIN_CHANGES_LIMIT };
}

/** Returns one page of changes from the rows of `pageSlice`. */
export function seenPage(rows: readonly ChangeRow[], page: number): ChangesPage {
  const hasMore = rows.length > ADMIN_CHANGES_LIMIT && page < ADMIN_PAGE_MAX;
  const changes = rows.slice(0, ADMIN_CHANGES_LIMIT).map(seenChange);
  return { changes, page, next: hasMore ? page + 1 : null };
}

export function seenChange(row: ChangeRow): SeenChange {
  return { ...changeEntry(row), ip: row.ip, url: changeAddress(row) };
}

/** Renders a table of changes; `extra` is the first cell of each row. */
export function changeTable(
  caption: Markup,
  changes: readonly SeenChange[],
  extra?: { readonly column: Markup; readonly cell: (change: SeenChange) => Markup },
): Markup {
  if (changes.length === 0) return markup`<p>${say("admin.no_changes")}</p>`;
  return table({
    caption,
    plain: true,
    columns: [
      ...(extra === undefined ? [] : [extra.column]),
      say("admin.change"),
      say("admin.kind"),
      say("imports.when"),
      say("desk.by"),
      say("admin.address"),
      say("admin.comment"),
      say("admin.records"),
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

/** Returns links from a page of changes to the pages before and after it. */
export function changePageLinks(path: string, { page, next }: ChangesPage): Markup | undefined {
  return pageLinks(
    page > 1 ? `${path}?page=${page - 1}` : undefined,
    next === null ? undefined : `${path}?page=${next}`,
  );
}
