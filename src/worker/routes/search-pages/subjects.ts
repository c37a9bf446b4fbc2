import * as z from "zod";
import { operation } from "../../operation.ts";
import { subjectsPage } from "../../pages/search/subjects-page.ts";
import { pageNumber } from "../../people/page-number.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { SEARCH_PAGE_NAMES } from "../../search-pages/limits.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { wantsHtml } from "../../wants-html.ts";
import { hitsSchema } from "../search/hits.ts";
import { findSubjects, searchSubjects } from "../search/subjects.ts";

const asJson = programAnswer(searchSubjects);

/** `GET /search/subjects`: subjects for people, and for programs the same as with `.json`. */
export const searchSubjectsPage = operation({
  id: "searchSubjectsPage",
  summary: "Subjects by their names, as a page",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name, or field:value"), page: pageNumber() },
  responses: {
    200: { description: "A page, or JSON for programs", schema: hitsSchema, also: ["text/html"] },
  },
  async handle({ query }, context) {
    if (!wantsHtml(context.request)) return asJson(context);
    const [q, start] = [query.q.trim(), (query.page - 1) * SEARCH_PAGE_NAMES];
    const hits = await findSubjects(q, { start, rows: SEARCH_PAGE_NAMES }, context);
    const cacheControl = searchCacheControl(context, { sort: [] });
    return subjectsPage({ q, page: query.page, hits, cacheControl });
  },
});
