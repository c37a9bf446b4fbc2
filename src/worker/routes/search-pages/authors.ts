import * as z from "zod";
import { parseAuthorSort } from "../../../search/sort/plain-sorts.ts";
import { operation } from "../../operation.ts";
import { authorsPage } from "../../pages/search/authors-page.ts";
import { pageNumber } from "../../people/page-number.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { SEARCH_PAGE_NAMES } from "../../search-pages/limits.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { wantsHtml } from "../../wants-html.ts";
import { findAuthors, searchAuthors } from "../search/authors.ts";
import { hitsSchema } from "../search/hits.ts";

const asJson = programAnswer(searchAuthors);

/** `GET /search/authors`: authors for people, and for programs the same as with `.json`. */
export const searchAuthorsPage = operation({
  id: "searchAuthorsPage",
  summary: "Authors by their names, as a page",
  tag: "search",
  query: {
    q: z.string().default("").describe("Words of a name, or field:value"),
    sort: z.string().default("").describe("Name of an order; of people unknown ones are ignored"),
    page: pageNumber(),
  },
  responses: {
    200: { description: "A page, or JSON for programs", schema: hitsSchema, also: ["text/html"] },
  },
  async handle({ query }, context) {
    if (!wantsHtml(context.request)) return asJson(context);
    const q = query.q.trim();
    const parsed = parseAuthorSort(query.sort, context.now);
    const sort = "sorts" in parsed ? parsed.sorts : [];
    const start = (query.page - 1) * SEARCH_PAGE_NAMES;
    const hits = await findAuthors(q, { sort, start, rows: SEARCH_PAGE_NAMES }, context);
    return authorsPage({
      q,
      sort: "sorts" in parsed ? query.sort : "",
      page: query.page,
      hits,
      cacheControl: searchCacheControl(context, { sort }),
    });
  },
});
