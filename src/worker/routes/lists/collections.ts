import * as z from "zod";
import { revisionsEtag } from "../../../catalog/etag.ts";
import { listsPage } from "../../../catalog/lists/list-entries.ts";
import type { ListsWindow } from "../../../db/lists/read-lists.ts";
import type { RequestContext } from "../../context.ts";
import { LISTS_CACHE_CONTROL } from "../../lists/list-path.ts";
import { type ListsAbout, listsAbout, listsAboutSubject } from "../../lists/lists-of.ts";
import { operation } from "../../operation.ts";
import { listsOfPage } from "../../pages/lists/lists-of-page.ts";
import { type Reply, json } from "../../reply.ts";
import { integer } from "../../validation/parameters.ts";
import { wantsHtml } from "../../wants-html.ts";

/** Lists of a page: when no limit is given, and at most (patrons.md 0.6). */
export const LISTS_PAGE = { default: 50, max: 100 };

const query = {
  offset: integer(z.int().gte(0)).default(0),
  limit: integer(z.int().gte(0).lte(LISTS_PAGE.max)).default(LISTS_PAGE.default),
};
const answer = z.object({
  links: z.object({ self: z.string(), next: z.string().optional(), prev: z.string().optional() }),
  size: z.int().describe("How many there are in all"),
  entries: z.array(
    z.object({
      url: z.string(),
      full_url: z.string(),
      name: z.string(),
      seed_count: z.int(),
      last_update: z.string().optional(),
    }),
  ),
});
const responses = {
  200: { description: "A page of lists, last changed first", schema: answer },
  404: { description: "No such patron or record" },
};
const number = integer(z.int()).describe("The digits of the record's number");

/** `GET /people/<u>/lists.json` (patrons.md 14.4). */
export const listsOfPatron = operation({
  id: "listsOfPatron",
  summary: "Lists of a patron",
  tag: "lists",
  path: { username: z.string() },
  query,
  responses,
  handle: ({ path, query: window }, context) => recordLists(`/people/${path.username}`, window, context),
});

/** `GET /books/XX<id>M/lists.json`. */
export const listsWithEdition = operation({
  id: "listsWithEdition",
  summary: "Lists that hold an edition",
  tag: "lists",
  path: { edition_id: number },
  query,
  responses,
  handle: ({ path, query: window }, context) =>
    recordLists(`/books/${context.settings.RECORD_PREFIX}${path.edition_id}M`, window, context),
});

/** `GET /works/XX<id>W/lists.json`. */
export const listsWithWork = operation({
  id: "listsWithWork",
  summary: "Lists that hold a work",
  tag: "lists",
  path: { work_id: number },
  query,
  responses,
  handle: ({ path, query: window }, context) =>
    recordLists(`/works/${context.settings.RECORD_PREFIX}${path.work_id}W`, window, context),
});

/** `GET /authors/XX<id>A/lists.json`. */
export const listsWithAuthor = operation({
  id: "listsWithAuthor",
  summary: "Lists that hold an author",
  tag: "lists",
  path: { author_id: number },
  query,
  responses,
  handle: ({ path, query: window }, context) =>
    recordLists(`/authors/${context.settings.RECORD_PREFIX}${path.author_id}A`, window, context),
});

/** `GET /subjects/<key>/lists.json`: subjects are never missing. */
export const listsWithSubject = operation({
  id: "listsWithSubject",
  summary: "Lists that hold a subject",
  tag: "lists",
  path: { key: z.string().min(1).describe("Such as love, person:tolkien") },
  query,
  responses: { 200: responses[200] },
  handle: async ({ path, query: window }, context) =>
    reply(await listsAboutSubject(path.key, window, context), window, context),
});

async function recordLists(key: string, window: ListsWindow, context: RequestContext): Promise<Reply> {
  return reply(await listsAbout(key, window, context), window, context);
}

function reply(found: ListsAbout, window: ListsWindow, context: RequestContext): Reply {
  const { pathname } = context.url;
  if (!pathname.endsWith(".json") && wantsHtml(context.request)) return listsOfPage(found, window, context);
  const { self, size, entries, about } = found;
  const body = listsPage({ self, path: pathname, size, entries, ...window });
  return json(body, {
    etag: revisionsEtag(
      entries,
      [size, about?.revision, ...entries.map(({ lastUpdate }) => lastUpdate)].join(" "),
    ),
    cacheControl: LISTS_CACHE_CONTROL,
    headers: { Vary: "Accept" },
  });
}
