import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { asOfLine, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { number, t } from "../ui/words.ts";

/** `counted`: naive UTC time of the counts. */
export function waitingPage(
  { items, waiting, available }: Readonly<Record<"items" | "waiting" | "available", number>>,
  counted: string,
): Reply {
  const body = markup`${asOfLine(counted)}
${table({
  caption: t("stats.waiting_caption"),
  columns: [t("stats.what"), t("stats.how_many")],
  rows: [
    [t("stats.waiting_books"), number(items)],
    [t("stats.waiting_patrons"), number(waiting)],
    [t("stats.waiting_turn"), number(available)],
  ],
})}
<p>${link("/stats/waitinglists.json", t("layout.json"))} · ${link("/stats", t("stats.all"))}</p>`;
  return page({ title: t("stats.waiting"), body });
}
