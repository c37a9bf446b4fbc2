import * as z from "zod";
import { badData } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { addressOf } from "../../pages/address.ts";
import { page } from "../../pages/layout.ts";
import { type Markup, markup } from "../../pages/markup.ts";
import { grouped } from "../../pages/numbers.ts";
import { link, table } from "../../pages/parts.ts";
import { VARY_LANGUAGE } from "../../reader-language.ts";
import { json } from "../../reply.ts";
import { wantsHtml } from "../../wants-html.ts";
import {
  LANGUAGES_CACHE_CONTROL,
  LANGUAGE_SORTS,
  type Language,
  languageSchema,
  sortedLanguages,
} from "../languages/languages.ts";

/** Languages on the page. */
export const LANGUAGES_PAGE_MAX = 500;
const SORT_NAMES = { count: "Works", name: "Name", ebook_edition_count: "E-books" };

/** `GET /languages`: the languages of the catalog for people; programs get those of `/languages.json` (lookup.md 8.2). */
export const languagesPage = operation({
  id: "languagesPage",
  summary: "Languages with their numbers of works and e-books, as a page",
  tag: "lookup",
  query: { sort: z.string().default("count").describe(LANGUAGE_SORTS.join(", ")) },
  responses: {
    200: {
      description: "A page, or JSON for programs",
      schema: z.array(languageSchema),
      also: ["text/html"],
    },
    400: { description: "No such order" },
  },
  async handle({ query }, context) {
    const sort = LANGUAGE_SORTS.find((name) => name === query.sort);
    // Q432: a page has no 422.
    if (sort === undefined) throw badData(`sort must be one of ${LANGUAGE_SORTS.join(", ")}`);
    const languages = (await sortedLanguages(sort, context)).slice(0, LANGUAGES_PAGE_MAX);
    const headers = { Vary: `Accept, ${VARY_LANGUAGE}` };
    const cacheControl = LANGUAGES_CACHE_CONTROL;
    if (!wantsHtml(context.request)) return json(languages, { cacheControl, headers });
    const orders = LANGUAGE_SORTS.map((name) =>
      link(`/languages?sort=${name}`, SORT_NAMES[name], name === sort),
    );
    return page({
      title: "Languages",
      body: markup`<nav class="pages" aria-label="Order">${orders}</nav>
${languages.length === 0 ? markup`<p>No book says yet in which language it is.</p>` : languageTable(languages)}
<p>${link("/search/languages", "Search languages")}</p>`,
      cacheControl,
      headers,
    });
  },
});

function languageTable(languages: readonly Language[]): Markup {
  return table({
    caption: "Languages of books",
    columns: ["Name", "Code", "Works", "E-books"],
    rows: languages.map(({ name, key, marc_code: code, count, ebook_edition_count: ebooks }) => [
      link(addressOf(key), name),
      code,
      link(
        `/search?${new URLSearchParams({ language: code })}`,
        markup`${grouped(count)}<span class="unseen"> in ${name}</span>`,
      ),
      grouped(ebooks),
    ]),
  });
}
