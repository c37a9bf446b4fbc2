import * as z from "zod";
import { countWaiting } from "../../../db/lending/count-loans.ts";
import { operation } from "../../operation.ts";
import { waitingPage } from "../../pages/stats/waiting-page.ts";
import { json } from "../../reply.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { wantsHtml } from "../../wants-html.ts";
import { STATS_CONTROL } from "./totals.ts";

const answer = z.object({ items: z.int(), waiting: z.int(), available: z.int() });

/** `GET /stats/waitinglists.json`: how many wait for books (lookup.md 17.2). */
export const waitingStats = operation({
  id: "waitingStats",
  summary: "How many patrons wait for how many books",
  tag: "lending",
  responses: {
    200: {
      description: "Items with a queue, places that wait, and places whose turn it is",
      schema: answer,
    },
  },
  async handle(_input, { stores }) {
    const counts = await countWaiting(stores.patrons.withSession("first-unconstrained"));
    return json(counts, { cacheControl: STATS_CONTROL });
  },
});

const asJson = programAnswer(waitingStats);

/** `GET /stats/waitinglists`: the same for people. */
export const waitingStatsPage = operation({
  id: "waitingStatsPage",
  summary: "How many patrons wait for how many books, as a page",
  tag: "lending",
  responses: { 200: { description: "A page, or JSON for programs", schema: answer, also: ["text/html"] } },
  async handle(_input, context) {
    if (!wantsHtml(context.request)) return asJson(context);
    const patrons = context.stores.patrons.withSession("first-unconstrained");
    return waitingPage(await countWaiting(patrons), STATS_CONTROL);
  },
});
