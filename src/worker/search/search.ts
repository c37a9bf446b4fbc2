import * as z from "zod";
import type { SearchResult } from "../../search/engine.ts";
import { toFoundWorks, lentScansOf, presentWork } from "../../search/present/works.ts";
import { lendingStates } from "../lending/service/lending-states.ts";
import { VARY_LANGUAGE } from "../http/accept.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { headerText, json, redirect } from "../http/reply.ts";
import { type CorrectedTexts, type WorkResults, findWorks } from "./find-works.ts";
import { askIndex, searchCacheControl } from "./guarded.ts";
import { editionSort, pagingParameters, selectionParameters, workSort } from "./parameters.ts";
import { readRecordMembers } from "./record-members.ts";
import { type SearchParams, type ParsedSearch, parseSearchRequest } from "./search-request.ts";
import { failure } from "../http/failure.ts";

const DEFAULT_SUGGESTIONS = 3;

export const workFound = z
  .looseObject({
    key: z.string().optional(),
    title: z.string().optional(),
    author_key: z.array(z.string()).optional(),
    author_name: z.array(z.string()).optional(),
    first_publish_year: z.int().optional(),
    edition_count: z.int().optional(),
  })
  .meta({ id: "SearchDocument" });

export const searchParameters = {
  ...selectionParameters,
  ...pagingParameters,
  fields: z.array(z.string()).default([]).describe("Comma-separated names of fields; * for all"),
  query: z.string().optional().describe("JSON object with all parameters that select works"),
  sort: workSort.optional(),
  "editions.sort": editionSort.optional(),
  spellcheck_count: integer().default(DEFAULT_SUGGESTIONS).describe("Ignored"),
};

export const searchResponse = z
  .object({
    numFound: z.int(),
    start: z.int(),
    numFoundExact: z.boolean(),
    num_found: z.int(),
    documentation_url: z.string(),
    q: z.string(),
    offset: z.int().nullable(),
    docs: z.array(workFound),
  })
  .meta({ id: "SearchResponse" });

/** Q82, Q660: headers of searches for works. */
export const CORRECTION_HEADERS = {
  "X-Corrected-Query": "Text that was searched instead of the typed one, percent-encoded",
  "X-Suggested-Query": "Text that probably was meant, percent-encoded",
};

export const searchOperation = operation({
  id: "search",
  summary: "Search works",
  tag: "search",
  query: searchParameters,
  responses: {
    200: {
      description: "Total number of works, and one page of them",
      schema: searchResponse,
      headers: CORRECTION_HEADERS,
    },
    403: { description: "Solr tuning parameter" },
  },
  async handle({ query: params }, context) {
    const results = await runSearch(params, context);
    const { search, fields, editionChoice, hits } = results;
    const works = toFoundWorks(hits, editionChoice);
    const [members, states] = await Promise.all([
      readRecordMembers(works, fields, context),
      lendingStates(context, fields.availability ? lentScansOf(works) : []),
    ]);
    const body = {
      numFound: hits.numFound,
      start: search.start,
      numFoundExact: hits.numFoundExact,
      num_found: hits.numFound,
      documentation_url: baseUrl(context) + SEARCH_DOCUMENTATION,
      q: params.q,
      offset: params.offset ?? null,
      docs: works.map((work) => presentWork(work, fields, { members, states })),
    };
    return json(body, {
      cacheControl: searchCacheControl(context, { sort: search.sort, availability: fields.availability }),
      headers: { Vary: VARY_LANGUAGE, ...correctionHeadersOf(results) },
    });
  },
});

const FORBIDDEN_SOLR_PARAMS = (
  "solr_q_op solr_qf solr_mm solr_pf solr_ps solr_qs solr_tie solr_bq solr_bf solr_sow solr_mm_autoRelax " +
  "solr_boost solr_lowercaseOperators solr_pf2 solr_ps2 solr_pf3 solr_ps3 solr_stopwords solr_v"
).split(" ");

const NO_HITS: SearchResult = { numFound: 0, numFoundExact: true, documents: [], scores: [], editions: [] };

/**
 * Parses and runs a search for works. Throws 403 for parameters that would tune Solr, 422 for an invalid query, 503 if
 * the index is down.
 */
export async function runSearch(
  params: SearchParams,
  context: RequestContext,
): Promise<ParsedSearch & WorkResults> {
  // Q80: known names are refused; other names of the kind are ignored like all unknown parameters.
  if (FORBIDDEN_SOLR_PARAMS.some((name) => context.url.searchParams.has(name))) {
    throw failure("forbidden.solr_parameters");
  }
  const request = await parseSearchRequest(params, context);
  if (request.isEmpty) return { ...request, hits: NO_HITS };
  const results = await askIndex(context, request.q, (engine) => findWorks(engine, request));
  return { ...request, ...results };
}

// Q82, Q660
/** Returns the headers with the corrected text, or with one that is only suggested. */
export function correctionHeadersOf({ corrected, suggested }: CorrectedTexts): Record<string, string> {
  return {
    ...(corrected !== undefined && { "X-Corrected-Query": headerText(corrected) }),
    ...(suggested !== undefined && { "X-Suggested-Query": headerText(suggested) }),
  };
}

const SEARCH_DOCUMENTATION = "/dev/docs/api/search";

export const searchDocumentation = operation({
  id: "searchDocumentation",
  summary: "Redirect to the search documentation",
  tag: "search",
  responses: { 302: { description: "Redirect to the interactive documentation" } },
  handle: () => redirect(302, "/docs/search#search"),
});

/** `GET /search/edition` and `/search/editions`: redirects the former search for editions. */
export const searchEditions = operation({
  id: "searchEditions",
  summary: "Redirect the former edition search",
  tag: "search",
  responses: { 301: { description: "Redirect to the work search" } },
  handle: (_input, { url }) => redirect(301, `/search${url.search}`),
});
