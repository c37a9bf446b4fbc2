import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { done } from "../../reading/done.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import {
  READING_BODY_BYTES,
  backField,
  edition,
  editionOf,
  field,
  workPath,
} from "../../reading/parameters.ts";
import { integer } from "../../http/parameters.ts";

/** Stars that a work can be given. */
export const STARS = { min: 1, max: 5 };

/** `POST /works/OL1W/ratings.json`: rates a work, or takes the rating back (patrons.md 8). */
export const rate = operation({
  id: "rate",
  summary: "Rate a work, which puts it onto the shelf of those already read",
  tag: "reading",
  path: workPath,
  form: {
    rating: field(integer(z.int().gte(STARS.min).lte(STARS.max))).describe(
      "1 to 5; none takes the rating back",
    ),
    edition_id: field(edition({ isLoose: true })),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Rated, or not any more", schema: z.object({ success: z.string() }) },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
  },
  async handle({ path: { work_id: work }, form }, context) {
    const { patron } = await ownWriter(context);
    const { rating, edition_id: text, redir_url: target } = form;
    const editionId = editionOf(context, { field: "edition_id", text, isLoose: true });
    await patron.shelves.rate({ work, stars: rating ?? null, edition: editionId, now: context.now });
    return done(context, { success: rating === undefined ? "removed rating" : "rating added" }, target);
  },
});
