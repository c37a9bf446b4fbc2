import * as z from "zod";
import type { SearchEngine, WorkHits, WorkSearch } from "../../search/engine.ts";
import { foundWorks, lentScans, presentWork } from "../../search/present/works.ts";
import { withWordsReplaced } from "../../search/query/query.ts";
import { lendingStates } from "../lending/lending-of.ts";
import { VARY_LANGUAGE } from "../http/accept.ts";
import { forbidden } from "../http/errors.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, headerText, json, redirect } from "../http/reply.ts";
import { searchCacheControl } from "./answers.ts";
import { askIndex } from "./guarded.ts";
import { pagingParameters, selectionParameters, workSort } from "./parameters.ts";
import { recordMembers } from "./record-members.ts";
import { type SearchQuery, type SearchRequest, searchRequest } from "./search-request.ts";

const NOTHING: FoundWorks = {
  hits: { numFound: 0, numFoundExact: true, documents: [], scores: [], editions: [] },
  corrections: new Map(),
};
const DEFAULT_SUGGESTIONS = 3;

/** A work as searches find it. */
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

/** Parameters of searches for works. */
export const searchParameters = {
  ...selectionParameters,
  ...pagingParameters,
  fields: z.array(z.string()).default([]).describe("Names of fields, separated by commas; * for all"),
  query: z.string().optional().describe("JSON object that stands for all parameters that choose works"),
  sort: workSort.optional(),
  spellcheck_count: integer().default(DEFAULT_SUGGESTIONS).describe("Has no effect"),
};

/** Answer of a search for works. */
export const searchAnswer = z
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

/** `GET /search.json`: works by text, fields and filters. */
export const searchOperation = operation({
  id: "search",
  summary: "Works by words, fields and filters",
  tag: "search",
  query: searchParameters,
  responses: {
    200: { description: "How many works there are, and a page of them", schema: searchAnswer },
    403: { description: "A parameter that would tune the engine" },
    503: { description: "The index does not answer" },
  },
  async handle({ query: asked }, context) {
    return answer(asked, await searched(asked, context), context);
  },
});

/** What is asked for, and found. Throws 403 for parameters that would tune the engine, 422 and 503. */
export async function searched(
  asked: SearchQuery,
  context: RequestContext,
): Promise<SearchRequest & FoundWorks> {
  // Q80: known names are refused, others of the kind ignored like any parameter that is not known.
  if (TUNING.some((name) => context.url.searchParams.has(name))) {
    throw forbidden("Solr internals parameters are not allowed in this environment.");
  }
  const request = await searchRequest(asked, context);
  const { search, text, freeWords, isEmpty } = request;
  const found = isEmpty
    ? NOTHING
    : await askIndex(context, text, (engine) => findWorks(engine, search, freeWords));
  return { ...request, ...found };
}

/** What was found, and the words that were taken for misspelt. */
interface FoundWorks {
  readonly hits: WorkHits;
  readonly corrections: ReadonlyMap<string, string>;
}

const NO_CORRECTIONS: ReadonlyMap<string, string> = new Map();

/**
 * Searches works; when nothing is found because words occur nowhere, searches once more for the nearest words that
 * do. `freeWords` are those that may be misspelt.
 */
export async function findWorks(
  engine: SearchEngine,
  search: WorkSearch,
  freeWords: readonly string[],
): Promise<FoundWorks> {
  const hits = await engine.works(search);
  if (hits.numFound > 0 || freeWords.length === 0) return { hits, corrections: NO_CORRECTIONS };
  const corrections = await engine.corrected(freeWords);
  if (corrections.size === 0) return { hits, corrections };
  const corrected = { ...search, query: withWordsReplaced(search.query, corrections) };
  const found = await engine.works(corrected);
  return found.numFound === 0 ? { hits, corrections: NO_CORRECTIONS } : { hits: found, corrections };
}

const WORD = /[^\s"():]+/g;

/**
 * A text with its misspelt words replaced, as the header `X-Corrected-Query` shows it; the words alone when they are
 * of other parameters.
 */
export function correctedText(text: string, corrections: ReadonlyMap<string, string>): string {
  if (text === "") return [...corrections.values()].join(" ");
  return text.replace(WORD, (word) => corrections.get(word) ?? word);
}

/** Parameters that would tune another engine. */
const TUNING = (
  "solr_q_op solr_qf solr_mm solr_pf solr_ps solr_qs solr_tie solr_bq solr_bf solr_sow solr_mm_autoRelax " +
  "solr_boost solr_lowercaseOperators solr_pf2 solr_ps2 solr_pf3 solr_ps3 solr_stopwords solr_v"
).split(" ");

async function answer(
  { q, offset }: SearchQuery,
  request: SearchRequest & FoundWorks,
  context: RequestContext,
): Promise<Reply> {
  const { search, fields, hits, corrections } = request;
  const body = {
    numFound: hits.numFound,
    start: search.start,
    numFoundExact: hits.numFoundExact,
    num_found: hits.numFound,
    documentation_url: baseUrl(context) + SEARCH_DOCUMENTATION,
    q,
    offset: offset ?? null,
    docs: await documents(request, hits, context),
  };
  // Q82: the words that were searched instead.
  const corrected: Record<string, string> =
    corrections.size === 0
      ? {}
      : { "X-Corrected-Query": headerText(correctedText(request.text, corrections)) };
  const cacheControl = searchCacheControl(context, { sort: search.sort, availability: fields.availability });
  return json(body, { cacheControl, headers: { Vary: VARY_LANGUAGE, ...corrected } });
}

async function documents({ fields, wish }: SearchRequest, hits: WorkHits, context: RequestContext) {
  const works = foundWorks(hits, wish);
  const [members, states] = await Promise.all([
    recordMembers(works, fields, context),
    lendingStates(context, fields.availability ? lentScans(works) : []),
  ]);
  return works.map((one) => presentWork(one, fields, { members, states }));
}

/** Where searches say that they are described. */
const SEARCH_DOCUMENTATION = "/dev/docs/api/search";

/** `GET /dev/docs/api/search`: to the description of searches. */
export const searchDocumentation = operation({
  id: "searchDocumentation",
  summary: "Where searches are described",
  tag: "search",
  responses: { 302: { description: "The description to read and to try" } },
  handle: () => redirect(302, "/docs/search#search"),
});

/** `GET /search/edition` and `/search/editions`: a search that is no more. */
export const searchEditions = operation({
  id: "searchEditions",
  summary: "The former search for editions",
  tag: "search",
  responses: { 301: { description: "The search for works" } },
  handle: (_input, { url }) => redirect(301, `/search${url.search}`),
});
