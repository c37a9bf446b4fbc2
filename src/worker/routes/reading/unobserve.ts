import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { done } from "../../reading/done.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { workPath } from "../../reading/parameters.ts";

/** `DELETE /works/OL1W/observations.json`: takes back all that the patron observed of a work (patrons.md 10). */
export const unobserve = operation({
  id: "unobserve",
  summary: "Take back all observations of one's own of a work",
  tag: "reading",
  path: workPath,
  responses: {
    200: { description: "Removed; also when there were none", schema: z.object({ success: z.string() }) },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
  },
  async handle({ path: { work_id: work } }, context) {
    const { patron } = await ownWriter(context);
    await patron.notes.unobserve({ work });
    return done(context, { success: "Observations removed" });
  },
});
