import type { DayView } from "../../imports/statistics.ts";
import type { Reply } from "../../http/reply.ts";
import { adminPage } from "../../admin/admin-page.ts";
import { markup } from "../../ui/markup.ts";
import { pageLinks } from "../../ui/parts.ts";
import { countsText } from "./import-lists.ts";
import { itemsTable } from "./items-table.ts";

/** The page of what was added on a day. */
export function dayPage({ date, counts, items, page, next }: DayView): Reply {
  const path = `/admin/imports/${date}`;
  const body = markup`<p>Added: ${countsText(counts)}.</p>
${itemsTable(`Items added on ${date}`, items)}
${pageLinks(
  page > 1 ? `${path}?page=${page - 1}` : undefined,
  next === null ? undefined : `${path}?page=${next}`,
  { newer: "Before", older: "Next" },
)}`;
  return adminPage({ title: `Imports of ${date}`, body });
}
