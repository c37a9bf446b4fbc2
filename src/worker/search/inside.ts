import { readOpenable } from "../lending/service/openable.ts";
import * as z from "zod";
import { type EditionBundle, coverIdOf, buildCoverUrl, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type JsonObject, keyOf, textOf } from "../../catalog/record.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import { editionTitleOf } from "../../catalog/document.ts";
import { type InsideHit, type InsideResult, searchInside } from "../../db/search/inside.ts";
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
  readonly took?: number;
  readonly timed_out?: boolean;
  readonly hits?: {
    readonly total: number;
    readonly max_score?: InsideResult["maxScore"];
    readonly hits: readonly JsonObject[];
  };
  readonly aggregations?: object;
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
export async function findInside(
  { q, limit, offset, page, facets, readable, language }: InsideParams,
  context: RequestContext,
): Promise<InsideResponse> {
  // Q55: the whole text is one phrase, quotes are blanks.
  const phrase = literalTokensOf(q).slice(0, PHRASE_WORDS_MAX);
  if (phrase.length === 0) return NO_HITS;
  const database = catalogReader(context);
  const rows = Math.min(limit, INSIDE_LIMIT.max);
  const start = offset ?? rows * ((page ?? 1) - 1);
  const codesOrNames = (language ?? []).filter((value) => value.trim() !== "").slice(0, 1);
  let result: InsideResult;
  try {
    const [name] = await readEnglishNames(database, codesOrNames);
    result = await searchInside(context.stores.search.withSession("first-unconstrained"), {
      expression: toPhraseExpression(phrase),
      language: name === undefined ? undefined : fold(name),
      start: Math.min(start, INSIDE_PLACES_MAX),
      rows: start + rows > INSIDE_PLACES_MAX ? 0 : rows,
      aggregate: facets,
    });
  } catch (error) {
    logFailure(error, context);
    return QUERY_FAILED;
  }
  const { total, maxScore, hits, buckets } = result;
  const identifiers = hits.map(({ identifier }) => identifier);
  const [bundles, snippets] = await Promise.all([
    // If they cannot be read, hits have no editions.
    editionsOfScans(database, identifiers, context).catch((error: unknown) => logFailure(error, context)),
    Promise.all(hits.map((hit) => readSnippets(context.stores.archive, hit, phrase))),
  ]);
  const objects = hits.flatMap((hit, index) => {
    const bundle = bundles?.get(hit.identifier);
    // Q57: no hit is left out if editions could not be read.
    const isReadable = bundle?.access === "public" || bundle?.access === "borrowable";
    if (readable && bundles !== undefined && !isReadable) return [];
    return [hitObject(hit, snippets[index] ?? [], { bundle, context })];
  });
  const aggregations = AGGREGATIONS.map((name) => {
    const values = buckets.filter(({ facet }) => facet === name);
    return [name, { buckets: values.map(({ value, books }) => ({ key: value, doc_count: books })) }];
  });
  return {
    took: context.sources.now() - context.now,
    timed_out: false,
    hits: { total, max_score: maxScore, hits: objects },
    ...(facets ? { aggregations: Object.fromEntries(aggregations) } : {}),
  };
}

function logFailure(thrown: unknown, { requestId, url }: RequestContext): undefined {
  logLine("error", "failure", { requestId, path: url.pathname, error: String(loggable(thrown)) });
}

/** Makes a hit of the response; edition and availability only if the scan belongs to an edition. */
function hitObject(
  { identifier, score, metadata }: InsideHit,
  snippets: readonly { readonly page: number; readonly text: string }[],
  { bundle, context }: { bundle: EditionBundle | undefined; context: RequestContext },
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
    ...(bundle === undefined ? {} : editionMembers(identifier, bundle, context)),
  };
}

function editionMembers(scan: string, bundle: EditionBundle, context: RequestContext): JsonObject {
  const { edition, work, access, lending } = bundle;
  const [editionKey = "", workKey] = [keyOf(edition), keyOf(work)];
  const subject = {
    scan,
    work: workKey === undefined ? undefined : lastSegmentOf(workKey),
    edition: lastSegmentOf(editionKey),
  };
  const state =
    lending === undefined
      ? accessAvailabilityOf({ ebook_access: access }, subject)
      : lendingAvailabilityOf(lending, subject);
  const [cover, ocaid] = [coverIdOf(edition), ocaidOf(edition)];
  const archiveUrl = context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  const scanCover =
    ocaid === undefined ? undefined : `${archiveUrl}/download/${ocaid}/page/cover_w180_h360.jpg`;
  const coverUrl = cover === undefined ? scanCover : buildCoverUrl(coversUrl(context), cover, "M");
  return {
    edition: {
      key: editionKey,
      url: recordUrlOf("", edition),
      title: editionTitleOf(edition) ?? "",
      ocaid: ocaid ?? scan,
      eligibility: {},
      availability: state,
      authors: authorsOfBundle(bundle).map((author) => ({
        key: keyOf(author) ?? "",
        name: textOf(author["name"]) ?? "",
      })),
      ...(workKey === undefined ? {} : { work_key: workKey }),
      ...(coverUrl === undefined ? {} : { cover_url: coverUrl }),
    },
    availability: state,
  };
}

const SNIPPETS_MAX = 5;

/** Cuts the snippets of a hit out of its text; none if the text has just been replaced or removed. */
async function readSnippets(
  archive: R2Bucket,
  { object, blocks, places }: InsideHit,
  phrase: readonly string[],
) {
  // The stored JSON was written from this type.
  const map = JSON.parse(blocks) as BlockMap;
  const pages = await readPages(archive, object, { map, places });
  const snippets: { page: number; text: string }[] = [];
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
    const openable = response === undefined ? undefined : await readOpenable(context);
    const view = { q, page: number, isReadable: readable, language: language?.[0] ?? "", response, openable };
    return insidePage(view, INSIDE_PLACES_MAX);
  },
});
