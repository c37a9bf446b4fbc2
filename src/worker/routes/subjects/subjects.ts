import * as z from "zod";
import { subjectTarget } from "../../../search/present/subject-target.ts";
import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";
import { answerPage, pageAnswer, pageParameters } from "./page.ts";

/** `GET /subjects/{key}.json`: the works about a subject, person, place or time (lookup.md 9.2). */
export const subjectPage = operation({
  id: "subject",
  summary: "Works about a subject, with what they have in common",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Such as love, person:mark_twain, place:france, time:1850s") },
  query: pageParameters,
  responses: {
    200: { description: "The subject; also when nothing is about it", schema: pageAnswer },
    301: { description: "The address in small letters" },
  },
  handle({ path: { key }, query }, context) {
    const lower = key.toLowerCase();
    return key === lower
      ? answerPage(subjectTarget(key), query, context)
      : redirect(301, `/subjects/${pathText(lower)}.json${context.url.search}`);
  },
});

/** Text as it stands in a path: percent-encoded where it would not be taken for the path. */
function pathText(text: string): string {
  return encodeURI(text.toWellFormed()).replace(/[?#]/g, encodeURIComponent);
}
