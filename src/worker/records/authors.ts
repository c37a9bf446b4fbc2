import * as z from "zod";
import { operation } from "../http/operation.ts";
import { redirect } from "../http/reply.ts";
import { findAuthors, searchAuthors } from "../search/author-search.ts";
import { hitsSchema, searchCacheControl } from "../search/guarded.ts";
import { authorsPage } from "./author-pages.ts";

const AUTHORS_PAGE = 50;
const MOST_WORKS = { field: "work_count", descending: true } as const;

/** Programs get the answer of `/search/authors.json` (Q434). */
export const authorsIndex = operation({
  id: "authorsIndex",
  summary: "Show the page for finding authors",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name; browsers go to the search") },
  responses: {
    200: { description: "HTML page or JSON", schema: hitsSchema, also: ["text/html"] },
    303: { description: "Redirect to the author search (browsers, with `q`)" },
  },
  programs: searchAuthors,
  async handle({ query: { q } }, context) {
    if (q.trim() !== "") return redirect(303, `/search/authors${context.url.search}`);
    const part = { sort: [MOST_WORKS], start: 0, rows: AUTHORS_PAGE };
    const { documents } = await findAuthors("*:*", part, context);
    return authorsPage(documents, searchCacheControl(context, { sort: part.sort }));
  },
});
