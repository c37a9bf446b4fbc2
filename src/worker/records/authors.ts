import * as z from "zod";
import { stringsOf, textOf } from "../../catalog/record.ts";
import type { Document } from "../../search/engine.ts";
import { operation } from "../http/operation.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { hitsSchema, searchCacheControl } from "../search/answers.ts";
import { findAuthors, searchAuthors } from "../search/author-search.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";

/** Authors on the page. */
const AUTHORS_PAGE = 50;
const MOST_WORKS = { field: "work_count", descending: true } as const;

/** `GET /authors`: where people begin to look for an author; programs get what `/search/authors.json` says (Q434). */
export const authorsIndex = operation({
  id: "authorsIndex",
  summary: "A page to look for authors on",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name: leads people to the search") },
  responses: {
    200: { description: "A page, or JSON for programs", schema: hitsSchema, also: ["text/html"] },
    303: { description: "People with words: to the search" },
  },
  programs: searchAuthors,
  async handle({ query: { q } }, context): Promise<Reply> {
    if (q.trim() !== "") return redirect(303, `/search/authors${context.url.search}`);
    const part = { sort: [MOST_WORKS], start: 0, rows: AUTHORS_PAGE };
    const { documents } = await findAuthors("*:*", part, context);
    return page({
      title: "Authors",
      body: markup`<form method="get" action="/search/authors" role="search" aria-label="Authors">
<label for="q">Words of a name</label><input id="q" name="q" type="search" maxlength="1000">
<p><button type="submit">Search authors</button></p></form>
${documents.length === 0 ? markup`<p>There are no authors yet.</p>` : authorTable(documents)}
<p>${link("/books/add", "Add a book")}: its author is added with it.</p>`,
      cacheControl: searchCacheControl(context, { sort: part.sort }),
      headers: { Vary: "Accept, Cookie" },
    });
  },
});

function authorTable(authors: readonly Document[]): Markup {
  return table({
    caption: "Authors with most works",
    columns: ["Name", "Works", "Best known for", "Subjects"],
    rows: authors.map((author) => [
      link(textOf(author["key"]) ?? "/authors", textOf(author["name"]) ?? "No name"),
      typeof author["work_count"] === "number" ? author["work_count"] : 0,
      textOf(author["top_work"]),
      stringsOf(author["top_subjects"]).slice(0, 3).join(", "),
    ]),
  });
}
