import * as z from "zod";
import { revisionsEtag } from "../../../catalog/etag.ts";
import { listsPage } from "../../../catalog/lists/list-entries.ts";
import type { ListsWindow } from "../../../db/lists/read-lists.ts";
import type { RequestContext } from "../../context.ts";
import { LISTS_CACHE_CONTROL } from "../../lists/list-path.ts";
import { type ListsAbout, listsAbout, listsAboutSubject } from "../../lists/lists-of.ts";
import { mayWriteLists } from "../../lists-write/rights.ts";
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
/** What stands before and after a number in the key of its record, by what the interface calls the number. */
const RECORDS = {
  edition_id: { folder: "/books/", letter: "M" },
  work_id: { folder: "/works/", letter: "W" },
  author_id: { folder: "/authors/", letter: "A" },
};
type RecordNumber = keyof typeof RECORDS;

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
export const listsWithEdition = listsWith("listsWithEdition", { what: "an edition", id: "edition_id" });
/** `GET /works/XX<id>W/lists.json`. */
export const listsWithWork = listsWith("listsWithWork", { what: "a work", id: "work_id" });
/** `GET /authors/XX<id>A/lists.json`. */
export const listsWithAuthor = listsWith("listsWithAuthor", { what: "an author", id: "author_id" });

function listsWith(id: string, record: { readonly what: string; readonly id: RecordNumber }) {
  const { folder, letter } = RECORDS[record.id];
  return operation({
    id,
    summary: `Lists that hold ${record.what}`,
    tag: "lists",
    path: { [record.id]: number },
    query,
    responses,
    handle: ({ path, query: window }, context) =>
      recordLists(`${folder}${context.settings.RECORD_PREFIX}${path[record.id]}${letter}`, window, context),
  });
}

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

async function reply(found: ListsAbout, window: ListsWindow, context: RequestContext): Promise<Reply> {
  const { pathname } = context.url;
  const { self, size, entries, about } = found;
  if (!pathname.endsWith(".json") && wantsHtml(context.request)) {
    const mayAdd = self.startsWith("/people/") && mayWriteLists(await context.actor(), self);
    return listsOfPage(found, { window, path: pathname, mayAdd });
  }
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
