import type { Leaderboard } from "../../../db/stats/reading.ts";
import type { Reply } from "../../reply.ts";
import type { ReadingLeaders } from "../../stats/reading-leaders.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";
import { grouped } from "../numbers.ts";
import { link, moment, table } from "../parts.ts";

const BOARDS: readonly (readonly [board: Leaderboard, total: string, caption: string])[] = [
  ["want_to_read", "Books that patrons want to read", "Most wanted"],
  ["currently_reading", "Books being read", "Read by most at the moment"],
  ["already_read", "Books read", "Read by most"],
  ["stopped_reading", "Books that were given up", "Given up by most"],
  ["ratings", "Ratings", "Rated by most"],
];

/** What patrons read and rate. */
export function readingLeadersPage(leaders: ReadingLeaders, cacheControl: string): Reply {
  const { totals, works, readers, leaderboards, counted } = leaders;
  return page({
    title: "What patrons read and rate",
    body: markup`${table({
      caption: "Reading logs and ratings",
      columns: ["What", "How many"],
      rows: [
        ["Patrons with a reading log", grouped(readers)],
        ["Different works", grouped(works)],
        ...BOARDS.map(([board, text]) => [text, grouped(totals[board])]),
      ],
    })}
<p class="hint">Counted ${moment(counted)}.</p>
${BOARDS.map(([board, , caption]) => {
  const { [board]: list } = leaderboards;
  if (list.length === 0) return undefined;
  return table({
    caption,
    columns: ["Book", "Authors", "Patrons"],
    rows: list.map(({ key, title, authors, count }) => [
      link(key, title),
      authors.join(", "),
      grouped(count),
    ]),
  });
})}
<p>${link("/stats/readinglog.json", "The same as JSON")} · ${link("/stats", "All statistics")}</p>`,
    cacheControl,
  });
}
