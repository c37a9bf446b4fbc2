import * as z from "zod";
import { shelfCounts } from "../../../db/patrons/counts.ts";
import { ownView } from "../../activity/own-view.ts";
import { operation } from "../../http/operation.ts";
import { countsJson } from "../../reading/cached.ts";
import { workPath } from "../../reading/parameters.ts";

const counts = z.object({
  want_to_read: z.int(),
  currently_reading: z.int(),
  already_read: z.int(),
  stopped_reading: z.int(),
});

/** `GET /works/OL1W/bookshelves.json`: how many patrons have a work on which shelf (patrons.md 5.3). */
export const bookshelves = operation({
  id: "bookshelves",
  summary: "How many patrons have a work on each of their shelves",
  tag: "reading",
  path: workPath,
  responses: { 200: { description: "Zeros for works that nobody has", schema: z.object({ counts }) } },
  async handle({ path: { work_id: work } }, context) {
    const view = await ownView(context, work);
    return countsJson({ counts: shelfCounts(view.counts) }, view);
  },
});
