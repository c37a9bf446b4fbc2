import * as z from "zod";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { editionKey, workPath } from "../../reading/parameters.ts";
import { patronOf } from "../../http/session.ts";

/** `GET /works/OL1W/notes.json`: one's own notes on a work (patrons.md 9). */
export const ownNotes = operation({
  id: "ownNotes",
  summary: "One's own notes on a work and its editions",
  tag: "reading",
  path: workPath,
  responses: {
    200: {
      description: "That on the work as a whole first",
      schema: z.object({
        entries: z.array(z.object({ edition_key: z.string().nullable(), notes: z.string() })),
      }),
    },
    401: { description: "Not logged in" },
  },
  async handle({ path: { work_id: work } }, context) {
    const { username } = await ownSession(context);
    const notes = await patronOf(context.stores, username).notes.of(work);
    const entries = notes.map(({ edition, text }) => ({
      edition_key: editionKey(context, edition),
      notes: text,
    }));
    return privateJson({ entries });
  },
});
