import * as z from "zod";
import { shelfIdOf } from "../../../catalog/patrons/shelves.ts";
import { privateJson } from "../../http/reply.ts";
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
import { boolean } from "../../http/parameters.ts";

/** Takes a work off all shelves. */
const NO_SHELF = "-1";

/** `POST /works/OL1W/bookshelves.json`: puts a work onto a shelf, moves it, or takes it off (patrons.md 5.4). */
export const putOnShelf = operation({
  id: "putOnShelf",
  summary: "Put a work onto a shelf of one's own, or take it off",
  tag: "reading",
  path: workPath,
  form: {
    bookshelf_id: z.string().optional().describe("1 to 4; -1 takes the work off"),
    edition_id: field(edition()),
    dont_remove: field(boolean()).describe("A work that is on the shelf already stays there"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: {
      description: "How many entries have changed; `error` where there is no such shelf",
      schema: z.object({ bookshelves_affected: z.int() }).or(z.object({ error: z.string() })),
    },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
  },
  async handle({ path: { work_id: work }, form }, context) {
    const { patron } = await ownWriter(context);
    const wanted = form.bookshelf_id ?? "";
    const shelf = wanted === NO_SHELF ? -1 : shelfIdOf(wanted);
    // Q212: told with 200.
    if (shelf === undefined) return privateJson({ error: "Invalid bookshelf" });
    const editionId = editionOf(context, { field: "edition_id", text: form.edition_id });
    const keep = form.dont_remove ?? false;
    const { affected } = await patron.shelves.put({
      work,
      shelf,
      edition: editionId,
      keep,
      now: context.now,
    });
    return done(context, { bookshelves_affected: affected }, form.redir_url);
  },
});
