import * as z from "zod";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { parseFieldNames, project } from "../../search/present/selected-fields.ts";
import type { Hits, PlainSearch } from "../../search/engine.ts";
import { parseAuthorSort } from "../../search/sorts.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { authorSearchPage } from "./author-search-page.ts";
import { askIndex, hitsSchema, NOTHING_FOUND, searchCacheControl } from "./guarded.ts";
import { SEARCH_PAGE_NAMES } from "./result-parts.ts";
import {
  pagingParameters,
  parsePlainSearch,
  describeSort,
  makeSortParameter,
  windowOf,
} from "./parameters.ts";

export const searchAuthors = operation({
  id: "searchAuthors",
  summary: "Search authors",
  tag: "search",
  query: {
    q: z.string().default("").describe("Words of a name, or field:value; `*:*` matches all authors"),
    fields: z.string().default("*").describe("Comma-separated names of members"),
    sort: makeSortParameter(parseAuthorSort).default(""),
    ...pagingParameters,
  },
  responses: { 200: { description: "Page of authors; keys are record IDs", schema: hitsSchema } },
  async handle({ query: params }, context) {
    // The schema of the parameter has refused invalid orders.
    const { sorts: sort } = parseAuthorSort(params.sort, context.now);
    const { start, rows } = windowOf(params);
    const { numFound, numFoundExact, documents } = await findAuthors(
      params.q,
      { sort, start, rows },
      context,
    );
    const fields = parseFieldNames([params.fields]);
    const docs = Array.from(documents, (document) => {
      const row = { ...document, key: lastSegmentOf(String(document["key"])) };
      return project(row, fields.length === 0 ? ["*"] : fields);
    });
    const cacheControl = searchCacheControl(context, { sort });
    return json({ numFound, start, numFoundExact, docs }, { cacheControl });
  },
});

/** Finds authors; none for an empty text. One round trip. Throws 422 and 503. */
export function findAuthors(
  q: string,
  page: Pick<PlainSearch, "sort" | "start" | "rows">,
  context: RequestContext,
): Promise<Hits> {
  const query = parsePlainSearch(q, "author");
  if (query === undefined) return Promise.resolve(NOTHING_FOUND);
  return askIndex(context, q, (engine) => engine.authors({ query, filters: [], ...page }));
}

export const searchAuthorsPage = operation({
  id: "searchAuthorsPage",
  summary: "Show the author search page",
  tag: "search",
  query: {
    q: z.string().default("").describe("Words of a name, or field:value"),
    sort: z.string().default("").meta(describeSort(parseAuthorSort)),
    page: pageNumber(),
  },
  responses: { 200: { description: "HTML page or JSON", schema: hitsSchema, also: ["text/html"] } },
  programs: searchAuthors,
  async handle({ query }, context) {
    const q = query.q.trim();
    const { sorts: sort, refusal } = parseAuthorSort(query.sort, context.now);
    const start = (query.page - 1) * SEARCH_PAGE_NAMES;
    const window = { sort, start, rows: SEARCH_PAGE_NAMES };
    const { numFound, documents } = await findAuthors(q, window, context);
    return authorSearchPage({
      q,
      sort: refusal === undefined ? query.sort : "",
      page: query.page,
      numFound,
      documents,
      cacheControl: searchCacheControl(context, { sort }),
    });
  },
});
