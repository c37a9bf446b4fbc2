import * as z from "zod";
import { publisherTarget } from "../../../search/present/subject-target.ts";
import { operation } from "../../operation.ts";
import { answerPage, pageAnswer, pageParameters } from "./page.ts";

/** `GET /publishers/{key}.json`: the works of a publisher, by its exact name (lookup.md 9.3). */
export const publisherPage = operation({
  id: "publisher",
  summary: "Works of a publisher, with what they have in common",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Name of the publisher, blanks as they are or as underscores") },
  query: pageParameters,
  responses: { 200: { description: "The publisher; also when nothing is by it", schema: pageAnswer } },
  handle: ({ path: { key }, query }, context) => answerPage(publisherTarget(key), query, context),
});
