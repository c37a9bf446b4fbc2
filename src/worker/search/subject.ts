import * as z from "zod";
import { type JsonObject, stringsOf } from "../../catalog/record.ts";
import { isLent, scanOf } from "../../search/present/availability.ts";
import {
  type PageTarget,
  makeDetailFacets,
  toPublisherTarget,
  subjectDetailsOf,
  toSubjectTarget,
  targetQueryOf,
  targetTextOf,
} from "../../search/present/subjects.ts";
import { PAGE_WORK_FIELDS, toWorkObject } from "../../search/present/works.ts";
import { type Query, between } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { lendingStates } from "../lending/service/lending-states.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { boolean, integer } from "../http/parameters.ts";
import { type Reply, json, redirect } from "../http/reply.ts";
import { askIndex, searchCacheControl } from "./guarded.ts";
import { isPrintDisabled } from "./engine.ts";
import { facetHeadersOf } from "./facets.ts";
import { workSort } from "./parameters.ts";

const PAGE_LIMIT = { default: 12, max: 1000 };
const PERIOD = /^\s*(\d{4})(?:-(\d{4}))?\s*$/;

const pageParameters = {
  limit: integer(z.int().gte(0).lte(PAGE_LIMIT.max)).default(PAGE_LIMIT.default),
  offset: integer(z.int().gte(0)).optional().describe("Number of entries to skip; overrides `page`"),
  page: integer(z.int().gte(1)).optional(),
  details: boolean()
    .default(false)
    .describe("Include counts of subjects, authors, publishers, languages and years"),
  has_fulltext: boolean().default(false).describe("Only works that can be read or borrowed"),
  ebooks_only: boolean().default(false).describe("Alias of `has_fulltext`"),
  sort: workSort.default("editions"),
  published_in: z.string().optional().describe("Year, or range of years such as 1850-1899"),
};

type PageParams = z.output<z.ZodObject<typeof pageParameters>>;

const count = z.looseObject({ name: z.string(), count: z.int() }).meta({ id: "NameAndCount" });
export const subjectResponse = z
  .looseObject({
    key: z.string(),
    name: z.string(),
    subject_type: z.string(),
    solr_query: z.string(),
    work_count: z.int(),
    works: z.array(z.looseObject({ key: z.string(), title: z.string(), edition_count: z.int() })),
    ebook_count: z.int().optional(),
    subjects: z.array(count).optional(),
    authors: z.array(count).optional(),
    publishing_history: z.array(z.tuple([z.int(), z.int()])).optional(),
  })
  .meta({ id: "Subject" });

async function replyWithSubject(
  target: PageTarget,
  params: PageParams,
  context: RequestContext,
): Promise<Reply> {
  const { body, cacheControl, facets } = await readSubject(target, params, context);
  const headers = { Vary: "Cookie", ...(facets === undefined ? {} : facetHeadersOf(facets)) };
  return json(body, { cacheControl, headers });
}

/** Reads the works of a subject or publisher and the codes of their languages, with facets if `details` is set. Throws 503. */
export async function readSubject(target: PageTarget, params: PageParams, context: RequestContext) {
  // The schema of the parameter has refused invalid orders.
  const { sorts: sort } = parseWorkSort(params.sort.trim() === "" ? "editions" : params.sort, context.now);
  const isReadable = params.has_fulltext || params.ebooks_only;
  const filters: Query[] = [];
  if (isReadable) {
    filters.push(between("ebook_access", isPrintDisabled(context) ? "printdisabled" : "borrowable", null));
  }
  const [period, from = "", to = from] = PERIOD.exec(params.published_in ?? "") ?? [];
  if (period !== undefined) filters.push(between("publish_year", from, to));
  const selection = { query: targetQueryOf(target), filters, editionClauses: [] };
  const [hits, facets] = await askIndex(context, target.key, (engine) =>
    Promise.all([
      engine.works({
        ...selection,
        sort,
        // Q86: `page` is valid too.
        start: params.offset ?? params.limit * ((params.page ?? 1) - 1),
        rows: params.limit,
        fields: PAGE_WORK_FIELDS,
        withEditions: false,
      }),
      params.details ? engine.facets({ ...selection, facets: makeDetailFacets() }) : undefined,
    ]),
  );
  const details = facets === undefined ? undefined : subjectDetailsOf(target, facets);
  const scans = hits.documents.filter(isLent).map(scanOf);
  const states = await lendingStates(
    context,
    scans.filter((scan) => scan !== undefined),
  );
  const body: JsonObject = {
    key: target.key,
    name: details?.name ?? target.name,
    subject_type: target.type,
    solr_query: targetTextOf(target),
    work_count: hits.numFound,
    works: hits.documents.map((document) => toWorkObject(document, states)),
    ...details?.members,
    ...(isReadable ? { ebook_count: hits.numFound } : {}),
  };
  // Q281: the availability of a lent book may change at any moment.
  const cacheControl = searchCacheControl(context, { sort, availability: scans.length > 0 });
  const codes = hits.documents.map(({ language }) => stringsOf(language));
  return { body, cacheControl, facets, codes, hasLoans: scans.length > 0 };
}

export const publisherPage = operation({
  id: "publisher",
  summary: "Get a publisher and its works",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Name of the publisher; underscores stand for blanks") },
  query: pageParameters,
  responses: { 200: { description: "Publisher, even without works", schema: subjectResponse } },
  handle: ({ path: { key }, query }, context) => replyWithSubject(toPublisherTarget(key), query, context),
});

export const subjectPage = operation({
  id: "subject",
  summary: "Get a subject and its works",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Key such as love, person:mark_twain, place:france, time:1850s") },
  query: pageParameters,
  responses: {
    200: { description: "Subject, even without works", schema: subjectResponse },
    301: { description: "Redirect to the lowercase address" },
  },
  handle({ path: { key }, query }, context) {
    const lower = key.toLowerCase();
    if (key === lower) return replyWithSubject(toSubjectTarget(withoutPlus(key)), query, context);
    const path = encodeURI(lower.toWellFormed()).replace(/[?#]/g, encodeURIComponent);
    return redirect(301, `/subjects/${path}.json${context.url.search}`);
  },
});

/** Q815: returns the key in an address whose writer took `+` for a blank, as in a query. Others, as in `c++`, stay. */
export function withoutPlus(key: string): string {
  return key.replaceAll(/(?<=[\p{L}\p{N}])\+(?=[\p{L}\p{N}])/gu, "_");
}
