import * as z from "zod";
import type { WorkHits } from "../../../search/engine.ts";
import { foundWorks, lentScans, presentWork } from "../../../search/present/works.ts";
import { lendingStates } from "../../availability/lending-states.ts";
import { type RequestContext, baseUrl } from "../../context.ts";
import { operation } from "../../operation.ts";
import { VARY_LANGUAGE } from "../../reader-language.ts";
import { type Reply, headerText, json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { engineOf } from "../../search/engine-of.ts";
import { type FoundWorks, correctedText, findWorks } from "../../search/find-works.ts";
import { guarded } from "../../search/guarded.ts";
import { pagingParameters, selectionParameters, workSort } from "../../search/parameters.ts";
import { recordMembers } from "../../search/record-members.ts";
import { type SearchQuery, type SearchRequest, searchRequest } from "../../search/search-request.ts";
import { refuseTuning } from "../../search/tuning.ts";
import { integer } from "../../validation/parameters.ts";

const NOTHING: FoundWorks = {
  hits: { numFound: 0, numFoundExact: true, documents: [], scores: [], editions: [] },
  corrections: new Map(),
};
const DEFAULT_SUGGESTIONS = 3;

const work = z.looseObject({
  key: z.string().optional(),
  title: z.string().optional(),
  author_key: z.array(z.string()).optional(),
  author_name: z.array(z.string()).optional(),
  first_publish_year: z.int().optional(),
  edition_count: z.int().optional(),
});

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
export const searchAnswer = z.object({
  numFound: z.int(),
  start: z.int(),
  numFoundExact: z.boolean(),
  num_found: z.int(),
  documentation_url: z.string(),
  q: z.string(),
  offset: z.int().nullable(),
  docs: z.array(work),
});

/** `GET /search.json`: works by text, fields and filters (search.md 2). */
export const searchOperation = operation({
  id: "search",
  summary: "Works by words, fields and filters",
  tag: "search",
  query: searchParameters,
  responses: {
    200: {
      description: "How many works there are, and a page of them",
      schema: searchAnswer,
    },
    403: { description: "A parameter that would tune the engine" },
    503: { description: "The index does not answer" },
  },
  async handle({ query: asked }, context) {
    refuseTuning(context);
    const request = await searchRequest(asked, context);
    const found = request.isEmpty ? NOTHING : await guarded(() => find(request, context), request.text);
    return answer({ asked, request, found }, context);
  },
});

async function find({ search, freeWords }: SearchRequest, context: RequestContext): Promise<FoundWorks> {
  return findWorks(await engineOf(context), search, freeWords);
}

interface Answered {
  readonly asked: SearchQuery;
  readonly request: SearchRequest;
  readonly found: FoundWorks;
}

async function answer({ asked, request, found }: Answered, context: RequestContext): Promise<Reply> {
  const { search, fields } = request;
  const { hits, corrections } = found;
  const body = {
    numFound: hits.numFound,
    start: search.start,
    numFoundExact: hits.numFoundExact,
    num_found: hits.numFound,
    documentation_url: `${baseUrl(context)}/dev/docs/api/search`,
    q: asked.q,
    offset: asked.offset ?? null,
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
