import * as z from "zod";
import { countWaiting } from "../../../db/lending/count-loans.ts";
import { operation } from "../../operation.ts";
import { json } from "../../reply.ts";

/** `GET /stats/waitinglists.json`: how many wait for books (lookup.md 17.2). */
export const waitingStats = operation({
  id: "waitingStats",
  summary: "How many patrons wait for how many books",
  tag: "lending",
  responses: {
    200: {
      description: "Items with a queue, places that wait, and places whose turn it is",
      schema: z.object({ items: z.int(), waiting: z.int(), available: z.int() }),
    },
  },
  async handle(_input, { stores }) {
    const counts = await countWaiting(stores.patrons.withSession("first-unconstrained"));
    return json(counts, { cacheControl: "public, max-age=60" });
  },
});
