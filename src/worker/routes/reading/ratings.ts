import * as z from "zod";
import { ratingsAverage, ratingsCount, ratingsSortable } from "../../../search/documents/popularity.ts";
import { ownView } from "../../activity/own-view.ts";
import { operation } from "../../http/operation.ts";
import { countsJson } from "../../reading/cached.ts";
import { integer } from "../../http/parameters.ts";

/** `GET /works/OL1W/ratings.json`: the ratings of a work in numbers (patrons.md 8). */
export const ratings = operation({
  id: "ratings",
  summary: "Ratings of a work",
  tag: "reading",
  path: { work_id: integer().describe("The digits of the work's number") },
  responses: {
    200: {
      description: "How many ratings of each kind there are, and what they come to",
      schema: z.object({
        summary: z.object({ average: z.number(), count: z.int(), sortable: z.number() }),
        counts: z.record(z.enum(["1", "2", "3", "4", "5"]), z.int()),
      }),
    },
  },
  async handle({ path: { work_id: work } }, context) {
    const view = await ownView(context, work);
    const { ratings: given } = view.counts;
    // Q210: a work without a rating has an average, and a place among the others.
    const summary = {
      average: ratingsAverage(given),
      count: ratingsCount(given),
      sortable: ratingsSortable(given),
    };
    const counts = Object.fromEntries(given.map((count, index) => [String(index + 1), count]));
    return countsJson({ summary, counts }, view);
  },
});
