import * as z from "zod";
import type { JsonObject } from "../../catalog/record.ts";
import { type Bucket, type InsideResult, searchInside } from "../../db/search/inside.ts";
import { AGGREGATIONS } from "../../search/inside/metadata.ts";
import { PHRASE_WORDS_MAX, literalTokens, phraseExpression } from "../../search/inside/snippets.ts";
import { fold } from "../../search/text/collation.ts";
import { logLine, loggable } from "../http/log.ts";
import { type RequestContext, catalogReader, coversUrl, operation } from "../http/operation.ts";
import { boolean, integer } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { hitObject, isReadable, snippetsOf } from "./inside-hit.ts";
import { editionsOfScans } from "../holdings/edition-of-address.ts";
import { languagesInEnglish } from "./scans.ts";

/** Hits of an answer; beyond the last place no hits are answered. */
const INSIDE_LIMIT = { default: 20, max: 100 };
export const INSIDE_PLACES_MAX = 10_000;

const NOTHING = { hits: { hits: [], total: 0 } };
const QUERY_FAILED = { error: "Unable to query search engine" };

/** Parameters of the search inside books. */
export const insideParameters = {
  q: z.string().describe("The phrase"),
  limit: integer(z.int().gte(0)).default(INSIDE_LIMIT.default),
  offset: integer(z.int().gte(0)).optional(),
  page: integer(z.int().gte(1)).optional(),
  facets: boolean().default(true),
  readable: boolean()
    .default(false)
    .describe("Only books that can be read or borrowed; the total counts all"),
  language: z.array(z.string()).optional().describe("MARC code or English name; the first one counts"),
};
/** The same, checked. */
type InsideQuery = z.output<z.ZodObject<typeof insideParameters>>;

/** What is answered. */
export interface InsideAnswer {
  readonly hits?: { readonly total: number; readonly hits: readonly JsonObject[] };
  readonly error?: string;
}

/** The same, for the interface description. */
export const insideSchema = z.looseObject({
  hits: z.looseObject({ total: z.int() }).optional(),
  error: z.string().optional(),
});

/** `GET /search/inside.json`: books with a phrase in their text. */
export const insideOperation = operation({
  id: "searchInside",
  summary: "Search inside the texts of scanned books",
  tag: "search",
  query: insideParameters,
  responses: {
    200: { description: "Books with the phrase, best first, or what went wrong", schema: insideSchema },
  },
  // Q56: a failure of the engine is 200.
  handle: async ({ query }, context) => json(await findInside(query, context)),
});

/** Books with a phrase in their text, or that they could not be looked for. */
export async function findInside(query: InsideQuery, context: RequestContext): Promise<InsideAnswer> {
  // Q55: the whole query is one phrase, quotes are blanks.
  const phrase = literalTokens(query.q).slice(0, PHRASE_WORDS_MAX);
  if (phrase.length === 0) return NOTHING;
  const found = await search(phrase, query, context).catch((error: unknown) => failed(error, context));
  return found === undefined ? QUERY_FAILED : answer(found, { phrase, query }, context);
}

async function search(
  phrase: readonly string[],
  { limit, offset, page, facets, language }: InsideQuery,
  context: RequestContext,
): Promise<InsideResult> {
  const rows = Math.min(limit, INSIDE_LIMIT.max);
  const start = offset ?? rows * ((page ?? 1) - 1);
  const wanted = language?.find((name) => name.trim() !== "");
  const [name] = await languagesInEnglish(catalogReader(context), wanted === undefined ? [] : [wanted]);
  return searchInside(context.stores.search.withSession("first-unconstrained"), {
    expression: phraseExpression(phrase),
    language: name === undefined ? undefined : fold(name),
    start: Math.min(start, INSIDE_PLACES_MAX),
    rows: start + rows > INSIDE_PLACES_MAX ? 0 : rows,
    aggregate: facets,
  });
}

async function answer(
  { total, maxScore, hits, buckets }: InsideResult,
  { phrase, query }: { readonly phrase: readonly string[]; readonly query: InsideQuery },
  context: RequestContext,
) {
  const identifiers = hits.map(({ identifier }) => identifier);
  const [bundles, snippets] = await Promise.all([
    // Where they cannot be had, the hits are answered without them.
    editionsOfScans(catalogReader(context), identifiers, context).catch((error: unknown) =>
      failed(error, context),
    ),
    Promise.all(hits.map((hit) => snippetsOf(context.stores.archive, hit, phrase))),
  ]);
  const addresses = {
    coversUrl: coversUrl(context),
    archiveUrl: context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, ""),
  };
  const shown = hits.flatMap((hit, index) => {
    const bundle = bundles?.get(hit.identifier);
    // Q57: where nothing could be learnt of any edition, nothing is left out.
    if (query.readable && bundles !== undefined && !isReadable(bundle)) return [];
    return [hitObject(hit, snippets[index] ?? [], { bundle, addresses })];
  });
  return {
    took: context.sources.now() - context.now,
    timed_out: false,
    hits: { total, max_score: maxScore, hits: shown },
    ...(query.facets ? { aggregations: aggregations(buckets) } : {}),
  };
}

function aggregations(buckets: readonly Bucket[]) {
  return Object.fromEntries(
    AGGREGATIONS.map((name) => {
      const own = buckets.filter(({ facet }) => facet === name);
      return [name, { buckets: own.map(({ value, books }) => ({ key: value, doc_count: books })) }];
    }),
  );
}

function failed(thrown: unknown, { requestId, url }: RequestContext): undefined {
  logLine("error", "failure", { requestId, path: url.pathname, error: String(loggable(thrown)) });
}
