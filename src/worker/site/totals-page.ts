import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { countTime, dots, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { day, number, t } from "../ui/words.ts";

type TotalsView = Readonly<
  Record<
    "works" | "editions" | "authors" | "subjects" | "ebooks" | "lists" | "series" | "members" | "changes",
    number
  >
> & { readonly recent: Readonly<Record<"days" | "changes" | "logins", number>>; readonly counted: string };

export function totalsPage(
  totals: TotalsView,
  loans: readonly (readonly [date: string, count: number])[],
): Reply {
  const { recent, counted } = totals;
  return page({
    title: t("stats.title"),
    metadata: {
      description: dots([
        t("home.works", { count: totals.works }),
        t("home.editions", { count: totals.editions }),
        t("home.authors_count", { count: totals.authors }),
      ]),
    },
    body: markup`${table({
      caption: t("stats.catalog"),
      columns: [t("stats.what"), t("stats.how_many")],
      rows: [
        [t("stats.works"), number(totals.works)],
        [t("stats.editions"), number(totals.editions)],
        [t("stats.authors"), number(totals.authors)],
        [t("stats.subjects"), number(totals.subjects)],
        [t("stats.readable"), number(totals.ebooks)],
        [t("stats.lists"), number(totals.lists)],
        [t("stats.series"), number(totals.series)],
        [t("stats.members"), number(totals.members)],
        [t("stats.changes"), number(totals.changes)],
        [t("stats.changes_days", { count: recent.days }), number(recent.changes)],
        [t("stats.logins_days", { count: recent.days }), number(recent.logins)],
      ],
    })}
${countTime(counted)}
${table({
  caption: t("stats.loans_days", { count: loans.length }),
  columns: [t("desk.day"), t("stats.loans")],
  rows: loans.toReversed().map(([date, count]) => [day(date), number(count)]),
})}
<h2>${t("stats.more")}</h2><ul>
<li>${link("/stats/waitinglists", t("stats.waiting"))}</li>
<li>${link("/trending", t("stats.trending"))}</li>
<li>${link("/recentchanges", t("nav.changes"))}</li>
<li>${link("/stats/lending.json?download=csv", t("stats.csv"))}</li>
<li>${link("/stats.json", t("stats.numbers_json"))}</li></ul>`,
  });
}
