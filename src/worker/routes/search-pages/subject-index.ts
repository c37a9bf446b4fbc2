import * as z from "zod";
import { operation } from "../../operation.ts";
import { publisherIndexPage, subjectIndexPage } from "../../pages/search/index-pages.ts";
import { json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { publisherIndex, subjectIndex } from "../../search-pages/index-lists.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { wantsHtml } from "../../wants-html.ts";

const names = z.array(z.object({ name: z.string(), key: z.string(), count: z.int() }));
const subjects = z.object({ subjects: names, people: names, places: names, times: names });
const publishers = z.object({ publishers: names });

/** `GET /subjects.json`: the subjects of most works, by their kinds (Q445). */
export const subjectIndexJson = operation({
  id: "subjectIndex",
  summary: "The subjects, people, places and times of most works",
  tag: "subjects",
  responses: { 200: { description: "Names with their numbers of works", schema: subjects } },
  handle: async (_input, context) =>
    json(await subjectIndex(context), { cacheControl: searchCacheControl(context, { sort: [] }) }),
});

/** `GET /publishers.json`: the publishers of most works. */
export const publisherIndexJson = operation({
  id: "publisherIndex",
  summary: "The publishers of most works",
  tag: "subjects",
  responses: { 200: { description: "Names with their numbers of works", schema: publishers } },
  async handle(_input, context) {
    const body = { publishers: await publisherIndex(context) };
    return json(body, { cacheControl: searchCacheControl(context, { sort: [] }) });
  },
});

const subjectsAsJson = programAnswer(subjectIndexJson);
const publishersAsJson = programAnswer(publisherIndexJson);

/** `GET /subjects`: the same for people. */
export const subjectsIndexPage = operation({
  id: "subjectIndexPage",
  summary: "The subjects of most works, as a page",
  tag: "subjects",
  responses: { 200: { description: "A page, or JSON for programs", schema: subjects, also: ["text/html"] } },
  handle: async (_input, context) =>
    wantsHtml(context.request)
      ? subjectIndexPage(await subjectIndex(context), searchCacheControl(context, { sort: [] }))
      : subjectsAsJson(context),
});

/** `GET /publishers`: the same for people. */
export const publishersIndexPage = operation({
  id: "publisherIndexPage",
  summary: "The publishers of most works, as a page",
  tag: "subjects",
  responses: {
    200: { description: "A page, or JSON for programs", schema: publishers, also: ["text/html"] },
  },
  handle: async (_input, context) =>
    wantsHtml(context.request)
      ? publisherIndexPage(await publisherIndex(context), searchCacheControl(context, { sort: [] }))
      : publishersAsJson(context),
});
