import * as z from "zod";
import { type EditionBundle, coverIdOf, buildCoverUrl, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type JsonObject, keyOf, textOf } from "../../catalog/record.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import { editionTitleOf } from "../../catalog/document.ts";
import { type BookBucket, type InsideHit, type InsideResult, searchInside } from "../../db/search/inside.ts";
import {
  type BlockMap,
  type BookMetadata,
  AGGREGATIONS,
  metadataFieldsOf,
} from "../../search/inside/book-text.ts";
import { cutSnippets, literalTokensOf, toPhraseExpression } from "../../search/inside/snippets.ts";
import { PHRASE_WORDS_MAX } from "../../search/plan/match.ts";
import { accessAvailabilityOf, lendingAvailabilityOf } from "../../search/present/availability.ts";
import { fold } from "../../search/text/collation.ts";
import { editionsOfScans } from "../lookup/editions/bundles.ts";
import { logLine, loggable } from "../http/log.ts";
import { type RequestContext, catalogReader, coversUrl, operation } from "../http/operation.ts";
import { boolean, integer, pageNumber } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { insidePage } from "./inside-page.ts";
import { INSIDE_PAGE_BOOKS } from "./result-parts.ts";
import { authorsOfBundle, readEnglishNames, readPages } from "./scan-text.ts";
import { english } from "../../catalog/texts.ts";

/** Hits of a response: default and maximum. Hits beyond the last place are not returned. */
const INSIDE_LIMIT = { default: 20, max: 100 };
const INSIDE_PLACES_MAX = 10_000;

const NO_HITS = { hits: { hits: [], total: 0 } };
const QUERY_FAILED = { error: english({ key: "search.query_failed" }) };

export const insideParameters = {
  q: z.string().describe("Phrase to find"),
  limit: integer(z.int().gte(0)).default(INSIDE_LIMIT.default),
  offset: integer(z.int().gte(0)).optional(),
  page: integer(z.int().gte(1)).optional(),
  facets: boolean().default(true),
  readable: boolean()
    .default(false)
    .describe("Only books that can be read or borrowed; the total counts all matches"),
  language: z.array(z.string()).optional().describe("MARC code or English name; only the first is used"),
};
type InsideParams = z.output<z.ZodObject<typeof insideParameters>>;

interface InsideResponse {
  readonly hits?: { readonly total: number; readonly hits: readonly JsonObject[] };
  readonly error?: string;
}

export const insideSchema = z.looseObject({
  hits: z.looseObject({ total: z.int() }).optional(),
  error: z.string().optional(),
});

export const insideOperation = operation({
  id: "searchInside",
  summary: "Search inside scanned books",
  tag: "search",
  query: insideParameters,
  responses: {
    200: { description: "Books with the phrase, best match first, or an error", schema: insideSchema },
  },
  // Q56: a failure of the engine is 200.
  handle: async ({ query }, context) => json(await findInside(query, context)),
});

/** Finds books with a phrase in their text; returns an error if the index fails. */
export async function findInside(params: InsideParams, context: RequestContext): Promise<InsideResponse> {
  // Q55: the whole text is one phrase, quotes are blanks.
  const phrase = literalTokensOf(params.q).slice(0, PHRASE_WORDS_MAX);
  if (phrase.length === 0) return NO_HITS;
  const result = await searchPhrase(phrase, params, context).catch((error: unknown) =>
    logFailure(error, context),
  );
  return result === undefined ? QUERY_FAILED : toResponse(result, { phrase, params }, context);
}

async function searchPhrase(
  phrase: readonly string[],
  { limit, offset, page, facets, language }: InsideParams,
  context: RequestContext,
): Promise<InsideResult> {
  const rows = Math.min(limit, INSIDE_LIMIT.max);
  const start = offset ?? rows * ((page ?? 1) - 1);
  const codeOrName = language?.find((value) => value.trim() !== "");
  const [name] = await readEnglishNames(catalogReader(context), codeOrName === undefined ? [] : [codeOrName]);
  return searchInside(context.stores.search.withSession("first-unconstrained"), {
    expression: toPhraseExpression(phrase),
    language: name === undefined ? undefined : fold(name),
    start: Math.min(start, INSIDE_PLACES_MAX),
    rows: start + rows > INSIDE_PLACES_MAX ? 0 : rows,
    aggregate: facets,
  });
}

async function toResponse(
  { total, maxScore, hits, buckets }: InsideResult,
  { phrase, params }: { phrase: readonly string[]; params: InsideParams },
  context: RequestContext,
) {
  const identifiers = hits.map(({ identifier }) => identifier);
  const [bundles, snippets] = await Promise.all([
    // If they cannot be read, hits have no editions.
    editionsOfScans(catalogReader(context), identifiers, context).catch((error: unknown) =>
      logFailure(error, context),
    ),
    Promise.all(hits.map((hit) => readSnippets(context.stores.archive, hit, phrase))),
  ]);
  const addresses = {
    covers: coversUrl(context),
    archiveUrl: context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, ""),
  };
  const objects = hits.flatMap((hit, index) => {
    const bundle = bundles?.get(hit.identifier);
    // Q57: no hit is left out if editions could not be read.
    if (params.readable && bundles !== undefined && !isReadable(bundle)) return [];
    return [hitObject(hit, snippets[index] ?? [], { bundle, addresses })];
  });
  return {
    took: context.sources.now() - context.now,
    timed_out: false,
    hits: { total, max_score: maxScore, hits: objects },
    ...(params.facets ? { aggregations: aggregations(buckets) } : {}),
  };
}

function aggregations(buckets: readonly BookBucket[]) {
  return Object.fromEntries(
    AGGREGATIONS.map((name) => {
      const values = buckets.filter(({ facet }) => facet === name);
      return [name, { buckets: values.map(({ value, books }) => ({ key: value, doc_count: books })) }];
    }),
  );
}

function logFailure(thrown: unknown, { requestId, url }: RequestContext): undefined {
  logLine("error", "failure", { requestId, path: url.pathname, error: String(loggable(thrown)) });
}

interface HitAddresses {
  covers: string;
  archiveUrl: string;
}

/** Makes a hit of the response; edition and availability only if the scan belongs to an edition. */
function hitObject(
  { identifier, score, metadata }: InsideHit,
  snippets: readonly Snippet[],
  { bundle, addresses }: { bundle: EditionBundle | undefined; addresses: HitAddresses },
): JsonObject {
  const fields = {
    identifier: [identifier],
    // The stored JSON was written from this type.
    ...metadataFieldsOf(JSON.parse(metadata) as BookMetadata),
    // Q58: parallel to the snippets.
    page_num: snippets.map(({ page }) => page),
  };
  return {
    _index: "pages",
    _type: "page",
    _id: identifier,
    _score: score,
    // The values are arrays of strings and numbers.
    fields: fields as unknown as JsonObject,
    highlight: { text: snippets.map(({ text }) => text) },
    ...(bundle === undefined ? {} : editionMembers(identifier, bundle, addresses)),
  };
}

function isReadable(bundle: EditionBundle | undefined): boolean {
  return bundle?.access === "public" || bundle?.access === "borrowable";
}

function editionMembers(scan: string, bundle: EditionBundle, addresses: HitAddresses): JsonObject {
  const { edition, work, access, lending } = bundle;
  const [editionKey = "", workKey] = [keyOf(edition), keyOf(work)];
  const subject = { scan, work: olid(workKey), edition: olid(editionKey) };
  const state =
    lending === undefined
      ? accessAvailabilityOf({ ebook_access: access }, subject)
      : lendingAvailabilityOf(lending, subject);
  const cover = coverAddress(bundle, addresses);
  return {
    edition: {
      key: editionKey,
      url: recordUrlOf("", edition),
      title: editionTitleOf(edition) ?? "",
      ocaid: ocaidOf(edition) ?? scan,
      eligibility: {},
      availability: state,
      authors: authorsOfBundle(bundle).map((author) => ({
        key: keyOf(author) ?? "",
        name: textOf(author["name"]) ?? "",
      })),
      ...(workKey === undefined ? {} : { work_key: workKey }),
      ...(cover === undefined ? {} : { cover_url: cover }),
    },
    availability: state,
  };
}

function coverAddress({ edition }: EditionBundle, { covers, archiveUrl }: HitAddresses): string | undefined {
  const cover = coverIdOf(edition);
  if (cover !== undefined) return buildCoverUrl(covers, cover, "M");
  const ocaid = ocaidOf(edition);
  return ocaid === undefined ? undefined : `${archiveUrl}/download/${ocaid}/page/cover_w180_h360.jpg`;
}

function olid(key: string | undefined): string | undefined {
  return key?.split("/").at(-1);
}

const SNIPPETS_MAX = 5;

interface Snippet {
  page: number;
  text: string;
}

/** Cuts the snippets of a hit out of its text; none if the text has just been replaced or removed. */
async function readSnippets(
  archive: R2Bucket,
  { object, blocks, places }: InsideHit,
  phrase: readonly string[],
): Promise<Snippet[]> {
  // The stored JSON was written from this type.
  const map = JSON.parse(blocks) as BlockMap;
  const pages = await readPages(archive, object, { map, places });
  const snippets: Snippet[] = [];
  for (const place of places) {
    const left = SNIPPETS_MAX - snippets.length;
    const texts = cutSnippets(pages.get(place) ?? "", phrase, left);
    snippets.push(...texts.map((text) => ({ page: place + 1, text })));
  }
  return snippets;
}

export const searchInsidePage = operation({
  id: "searchInsidePage",
  summary: "Show the page of a search inside scanned books",
  tag: "search",
  query: {
    ...insideParameters,
    q: z.string().default("").describe("Phrase to find"),
    readable: boolean().catch(false).default(false).describe("Only books that can be read or borrowed"),
    page: pageNumber(),
  },
  responses: {
    200: { description: "HTML page or JSON", schema: insideSchema, also: ["text/html"] },
  },
  programs: insideOperation,
  async handle({ query }, context) {
    const { q, page: number, readable, language } = query;
    const params = { q, page: number, readable, language, limit: INSIDE_PAGE_BOOKS, facets: false };
    const response = q.trim() === "" ? undefined : await findInside(params, context);
    const view = { q, page: number, isReadable: readable, language: language?.[0] ?? "", response };
    return insidePage(view, INSIDE_PLACES_MAX);
  },
});
