import * as z from "zod";
import { ratingsAverage, ratingsCount, ratingsSortable } from "../../../search/documents/popularity.ts";
import { operation } from "../../http/operation.ts";
import { integer } from "../../http/parameters.ts";
import { ownView } from "../../records/work-counts.ts";
import type { Words } from "../../ui/words.ts";
import { countsJson, written } from "./answers.ts";
import { movedBook } from "./moved-book.ts";
import { OWN_WRITE_RESPONSES, ownWriter } from "./own-writer.ts";
import { READING_BODY_BYTES, backField, edition, editionOf, field, workPath } from "./parameters.ts";

/** `GET /works/OL1W/ratings.json`: counts and averages of a work's ratings. */
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
        counts: z.object({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int(), 5: z.int() }),
      }),
    },
  },
  async handle({ path: { work_id: work } }, context) {
    const view = await ownView(context, work);
    const { ratings: given } = view.counts;
    // Q210: a work without a rating has an average, and a sort position.
    const summary = {
      average: ratingsAverage(given),
      count: ratingsCount(given),
      sortable: ratingsSortable(given),
    };
    const counts = Object.fromEntries(given.map((count, index) => [String(index + 1), count]));
    return countsJson({ summary, counts }, view);
  },
});

const STARS = { min: 1, max: 5 };

/** `POST /works/OL1W/ratings.json`: rates a work, or takes the rating back. */
export const rate = operation({
  id: "rate",
  summary: "Rate a work, which puts it onto the shelf of those already read",
  tag: "reading",
  path: workPath,
  form: {
    rating: integer(z.int().gte(STARS.min).lte(STARS.max))
      .optional()
      .describe("1 to 5; none takes the rating back"),
    edition_id: field(edition({ isLoose: true })),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Rated, or not any more", schema: z.object({ success: z.string() }) },
    ...OWN_WRITE_RESPONSES,
  },
  async handle({ path: { work_id: work }, form }, context) {
    const { patron } = await ownWriter(context);
    const { rating, edition_id: text, redir_url: target } = form;
    const editionId = editionOf(context, { field: "edition_id", text, isLoose: true });
    const book = await movedBook(context, work);
    const stars = rating ?? null;
    const { from, to } = await patron.shelves.rate({ work, stars, edition: editionId, now: context.now });
    const isGone = rating === undefined;
    const words: Words = isGone ? "notice.unrated" : "notice.rated";
    const notice = from === to ? { words } : { move: { ...book, from, to, isUndo: false } };
    return written(context, { success: isGone ? "removed rating" : "rating added" }, { target, ...notice });
  },
});
