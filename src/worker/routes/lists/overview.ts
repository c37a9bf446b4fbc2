import * as z from "zod";
import type { RequestContext } from "../../context.ts";
import { findLists } from "../../lists/found-lists.ts";
import { operation } from "../../operation.ts";
import { foundListsPage } from "../../pages/lists/found-lists-page.ts";
import { type Reply, redirect } from "../../reply.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { wantsHtml } from "../../wants-html.ts";
import { pageNumber } from "../recentchanges/changes-page.ts";
import { searchLists, searchListsSchema } from "../search/lists.ts";

const page = z.string().optional().describe("From 1");
const responses = { 200: { description: "A page of lists and series", contentType: "text/html" } };

/** `GET /lists`: all lists, last changed first. */
export const listsOverview = operation({
  id: "listsOverview",
  summary: "All lists, last changed first",
  tag: "lists",
  query: { page },
  responses,
  handle: ({ query }, context) => overview("", query.page, context),
});

const searchAsJson = programAnswer(searchLists);

/** `GET /search/lists`: lists by their names for people, and for programs the same as with `.json`. */
export const searchListsPage = operation({
  id: "searchListsPage",
  summary: "Lists and series by their names, as a page",
  tag: "lists",
  query: { q: z.string().default("").describe("Words of a name"), page },
  responses: {
    200: { description: "A page, or JSON for programs", schema: searchListsSchema, also: ["text/html"] },
  },
  handle: ({ query }, context) =>
    wantsHtml(context.request) ? overview(query.q, query.page, context) : searchAsJson(context),
});

/** `GET /lists/search`: the older address of the search (Q251). */
export const oldListSearch = operation({
  id: "oldListSearch",
  summary: "The older address of the search for lists",
  tag: "lists",
  responses: { 303: { description: "To /search/lists, with the query" } },
  handle: (_input, { url }) => redirect(303, `/search/lists${url.search}`),
});

async function overview(text: string, pageText: string | undefined, context: RequestContext): Promise<Reply> {
  const number = pageNumber(pageText);
  const found = await findLists(text.trim(), number, context);
  return foundListsPage({ ...found, text: text.trim(), number, path: context.url.pathname });
}
