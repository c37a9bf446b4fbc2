import type { Reply } from "../../reply.ts";
import { page } from "../layout.ts";
import { markup } from "../markup.ts";
import { link, table } from "../parts.ts";

/** How many wait for how many books. */
export interface WaitingCounts {
  readonly items: number;
  readonly waiting: number;
  readonly available: number;
}

/** The waiting lists in numbers. */
export function waitingPage({ items, waiting, available }: WaitingCounts, cacheControl: string): Reply {
  return page({
    title: "Waiting lists",
    body: markup`${table({
      caption: "Who waits for books",
      columns: ["What", "How many"],
      rows: [
        ["Books with a waiting list", items],
        ["Patrons who wait for one", waiting],
        ["Patrons whose turn it is", available],
      ],
    })}
<p>${link("/stats/waitinglists.json", "The same as JSON")} · ${link("/stats", "All statistics")}</p>`,
    cacheControl,
  });
}
