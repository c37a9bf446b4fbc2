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
import { say } from "../ui/words.ts";

const AUTHORS_PAGE = 50;
const MOST_WORKS = { field: "work_count", descending: true } as const;

/** Programs get the answer of `/search/authors.json` (Q434). */
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
      title: say("nav.authors"),
      body: markup`<form class="line" method="get" action="/search/authors">
<label for="q">${say("search.name_words")}</label><input id="q" name="q" type="search" maxlength="1000">
<button>${say("home.authors")}</button></form>
${documents.length === 0 ? markup`<p>${say("search.none_yet")}</p>` : authorTable(documents)}
<p>${link("/books/add", say("nav.add"))} · ${say("author.added_with")}</p>`,
      cacheControl: searchCacheControl(context, { sort: part.sort }),
    });
  },
});

function authorTable(authors: readonly Document[]): Markup {
  return table({
    caption: say("author.most_works"),
    columns: [say("search.name"), say("author.works_column"), say("author.known_for"), say("nav.subjects")],
    rows: authors.map((author) => [
      link(textOf(author["key"]) ?? "/authors", textOf(author["name"]) ?? say("author.no_name")),
      typeof author["work_count"] === "number" ? author["work_count"] : 0,
      textOf(author["top_work"]),
      stringsOf(author["top_subjects"]).slice(0, 3).join(", "),
    ]),
  });
}
