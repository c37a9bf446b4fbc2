import * as z from "zod";
import { equals } from "../../../search/query/query.ts";
import { operation } from "../../operation.ts";
import { completed, completionParameters, picked, rowsReply } from "./parameters.ts";

/** `GET /subjects_autocomplete`: subjects by the beginning of a word, those with most works first (lookup.md 10). */
export const subjectsAutocomplete = operation({
  id: "subjectsAutocomplete",
  summary: "Subjects by the beginning of a word of their name",
  tag: "search",
  query: {
    ...completionParameters,
    type: z.string().default("").describe("Only these: subject, person, place or time"),
  },
  responses: {
    200: {
      description: "Subjects, those with most works first",
      schema: z.array(z.object({ key: z.string(), name: z.string(), work_count: z.int() })),
    },
  },
  async handle({ query: { q, limit, type } }, context) {
    const filters = type === "" ? [] : [equals("subject_type", type)];
    const found = await completed({ scheme: "subject", text: q, limit, filters }, context);
    return rowsReply(
      found.map((document) => picked(document, ["key", "name", "work_count"])),
      context,
    );
  },
});
