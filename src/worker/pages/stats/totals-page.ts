import type { Reply } from "../../reply.ts";
import type { Totals } from "../../stats/totals.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";
import { grouped } from "../numbers.ts";
import { link, moment, table } from "../parts.ts";

type Day = readonly [day: string, loans: number];

/** The catalog in numbers, and the loans of the last days. */
export function totalsPage(totals: Totals, loans: readonly Day[], cacheControl: string): Reply {
  const { recent, counted } = totals;
  return page({
    title: "Statistics",
    body: markup`${table({
      caption: "The catalog",
      columns: ["What", "How many"],
      rows: [
        ["Works", grouped(totals.works)],
        ["Editions", grouped(totals.editions)],
        ["Authors", grouped(totals.authors)],
        ["Subjects, people, places and times", grouped(totals.subjects)],
        ["Works that can be read or borrowed", grouped(totals.ebooks)],
        ["Lists", grouped(totals.lists)],
        ["Series", grouped(totals.series)],
        ["Members", grouped(totals.members)],
        ["Changes", grouped(totals.changes)],
        [`Changes in the last ${recent.days} days`, grouped(recent.changes)],
        [`Members who logged in in the last ${recent.days} days`, grouped(recent.logins)],
      ],
    })}
<p class="hint">Counted ${moment(counted)}.</p>
${table({
  caption: `Loans in the last ${loans.length} days`,
  columns: ["Day", "Loans"],
  rows: loans.toReversed().map(([day, count]) => [day, grouped(count)]),
})}
<h2>More</h2><ul>
<li>${link("/stats/readinglog", "What patrons read and rate")}</li>
<li>${link("/stats/waitinglists", "Waiting lists")}</li>
<li>${link("/trending", "Trending books")}</li>
<li>${link("/recentchanges", "Recent changes")}</li>
<li>${link("/stats/lending.json?download=csv", "Loans by day as a table for spreadsheets (CSV)")}</li>
<li>${link("/stats.json", "These numbers as JSON")}</li></ul>`,
    cacheControl,
  });
}
