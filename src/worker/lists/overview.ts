import * as z from "zod";
import type { ListEntry } from "../../catalog/lists/list-view.ts";
import { type Document, WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import { type Query, ALL, equals } from "../../search/query/query.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { listPage, listPageText } from "../http/parameters.ts";
import { askIndex } from "../search/guarded.ts";
import { plainQuery } from "../search/parameters.ts";
import { placeLinks, searchKinds } from "../search/result-parts.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { dots, link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { listTable } from "./lists-of.ts";
import { filtersFor, searchLists, searchListsSchema } from "./search.ts";

/** Lists on a page of all lists, or of a search among them. */
const FOUND_LISTS = 20;

const responses = { 200: { description: "A page of lists and series", contentType: "text/html" } };

/** `GET /lists`: all lists, last changed first. */
export const listsOverview = operation({
  id: "listsOverview",
  summary: "All lists, last changed first",
  tag: "lists",
  query: { page: listPageText() },
  responses,
  handle: ({ query }, context) => overview("", query.page, context),
});

/** `GET /search/lists`: lists by their names for people, and for programs the same as with `.json`. */
export const searchListsPage = operation({
  id: "searchListsPage",
  summary: "Lists and series by their names, as a page",
  tag: "lists",
  query: { q: z.string().default("").describe("Words of a name"), page: listPageText() },
  responses: {
    200: { description: "A page, or JSON for programs", schema: searchListsSchema, also: ["text/html"] },
  },
  programs: searchLists,
  handle: ({ query }, context) => overview(query.q, query.page, context),
});

/** `GET /lists/search`: the older address of the search (Q251). */
export const oldListSearch = operation({
  id: "oldListSearch",
  summary: "The older address of the search for lists",
  tag: "lists",
  responses: { 303: { description: "To /search/lists, with the query" } },
  handle: (_input, { url }) => redirect(303, `/search/lists${url.search}`),
});

/** `GET /series`: all series, last changed first. */
export const seriesOverview = operation({
  id: "seriesOverview",
  summary: "All series, last changed first",
  tag: "lists",
  query: { page: listPageText() },
  responses: { 200: { description: "A page of series", contentType: "text/html" } },
  handle: ({ query }, context) => overview("", query.page, context),
});

const SEARCH = "/search/lists";
const SERIES = "/series";

/** Lists whose names have the words of `text`, best first; without words all lists, last changed first. */
async function overview(words: string, pageText: string | undefined, context: RequestContext) {
  const number = listPage(pageText);
  const text = words.trim();
  const query: Query = plainQuery(text, "list") ?? ALL;
  const path = context.url.pathname;
  const isSeries = path === SERIES;
  const search = {
    query,
    filters: [...filtersFor(text), ...(isSeries ? [equals("list_type", "series")] : [])],
    sort: query === ALL ? [{ field: "last_modified", descending: true }] : [],
    start: (number - 1) * FOUND_LISTS,
    rows: FOUND_LISTS,
  };
  const { numFound, documents } = await askIndex(context, text, (engine) => engine.lists(search));
  const lists = documents.map(entryOf);
  const to = (one: number): string => `${path}?${new URLSearchParams({ q: text, page: String(one) })}`;
  const all = isSeries ? say("lists.series") : say("nav.lists");
  return page({
    title: text === "" ? all : say("lists.found", { q: text }),
    body: markup`${path === SEARCH && searchKinds(SEARCH, text)}${form({
      action: SEARCH,
      method: "get",
      fields: [{ name: "q", label: say("lists.words"), value: text }],
      submit: say("layout.search"),
    })}
<p>${dots([say("lists.count", { count: numFound }), ...(text === "" ? MAKE_LINKS : [link("/lists", say("lists.all"))])])}</p>
${lists.length > 0 && listTable(lists, say(text === "" ? "lists.newest" : "lists.best"), say("lists.changed"))}
${numFound > 0 && placeLinks({ page: number, numFound, size: FOUND_LISTS, window: WINDOW_PLAIN_MAX, addressOf: to })}`,
  });
}

/** A list of the index, whose `lastUpdate` is when the list itself was changed. */
function entryOf({ key, name, seed_count: count, last_modified: modified }: Document): ListEntry {
  return {
    key: String(key),
    revision: 0,
    name: typeof name === "string" ? name : "",
    seedCount: typeof count === "number" ? count : 0,
    lastUpdate: typeof modified === "string" ? modified.replace(/Z$/, "") : null,
  };
}

const MAKE_LINKS = [
  link("/series", say("lists.series")),
  link("/lists/add", say("lists.make_community")),
  link("/series/add", say("listform.add_series")),
];
