import * as z from "zod";
import type { Document } from "../../../search/engine.ts";
import { operation } from "../../operation.ts";
import { completed, completionParameters, picked, rowsReply } from "./parameters.ts";

/** `GET /_autocomplete`: works, authors, subjects, lists and series by the beginning of a name (lookup.md 10). */
export const anyAutocomplete = operation({
  id: "anyAutocomplete",
  summary: "Anything by the beginning of a word of its name or title",
  tag: "search",
  query: completionParameters,
  responses: {
    200: {
      description: "Works, authors, subjects, lists and series, best first",
      schema: z.array(
        z.object({
          key: z.string(),
          type: z.string(),
          title: z.string().optional(),
          name: z.string(),
          score: z.number().describe("Says nothing but the order"),
        }),
      ),
    },
  },
  async handle({ query: { q, limit } }, context) {
    const found = await completed({ scheme: "any", text: q, limit }, context);
    return rowsReply(found.map(anyRow), context);
  },
});

function anyRow(document: Document): Document {
  const { key = "", type = "", title, name = title ?? "", score = 0 } = document;
  return { key, type, ...picked({ title: title ?? "" }, title === undefined ? [] : ["title"]), name, score };
}
