import * as z from "zod";
import type { JsonObject } from "../../../catalog/record.ts";
import type { SearchEngine, Sort, WorkSelection } from "../../../search/engine.ts";
import { isLent, scanOf } from "../../../search/present/availability.ts";
import { detailFacets, subjectDetails } from "../../../search/present/subject-details.ts";
import { type PageTarget, targetQuery, targetText } from "../../../search/present/subject-target.ts";
import { workObject } from "../../../search/present/work-object.ts";
import { type Query, between } from "../../../search/query/query.ts";
import { parseWorkSort } from "../../../search/sort/work-sorts.ts";
import { lendingStates } from "../../availability/lending-states.ts";
import type { RequestContext } from "../../context.ts";
import { type Reply, json } from "../../reply.ts";
import { searchCacheControl } from "../../search/cache-control.ts";
import { engineOf } from "../../search/engine-of.ts";
import { guarded } from "../../search/guarded.ts";
import { workSort } from "../../search/parameters.ts";
import { isPrintDisabled } from "../../search/reader.ts";
import { boolean, integer } from "../../validation/parameters.ts";

/** Works on a page: when no limit is given, and at most. */
export const PAGE_LIMIT = { default: 12, max: 1000 };
const PERIOD = /^\s*(\d{4})(?:-(\d{4}))?\s*$/;

/** Parameters of pages of subjects and publishers (lookup.md 9.2). */
export const pageParameters = {
  limit: integer(z.int().gte(0).lte(PAGE_LIMIT.max)).default(PAGE_LIMIT.default),
  offset: integer(z.int().gte(0)).optional().describe("Goes before page"),
  page: integer(z.int().gte(1)).optional(),
  details: boolean()
    .default(false)
    .describe("With counts of subjects, authors, publishers, languages, years"),
  has_fulltext: boolean().default(false).describe("Only works that can be read or borrowed"),
  ebooks_only: boolean().default(false).describe("The same as has_fulltext"),
  sort: workSort.default("editions"),
  published_in: z.string().optional().describe("A year, or two years with a hyphen"),
};

/** The same, checked. */
export type PageQuery = { [name in keyof typeof pageParameters]: z.output<(typeof pageParameters)[name]> };

const count = z.looseObject({ name: z.string(), count: z.int() });
/** Answer of a page. */
export const pageAnswer = z.looseObject({
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
});

/** Answers the page of a subject or publisher (lookup.md 9.2, 9.3). */
export async function answerPage(
  target: PageTarget,
  asked: PageQuery,
  context: RequestContext,
): Promise<Reply> {
  const { body, cacheControl, isExact } = await readPage(target, asked, context);
  const marked: Record<string, string> = isExact ? {} : { "X-Facets": "approximate" };
  return json(body, { cacheControl, headers: { Vary: "Cookie", ...marked } });
}

/** What a page says, and how. */
export interface TargetPage {
  readonly body: JsonObject;
  readonly cacheControl: string;
  /** False: rarer values may be missing among the counts. */
  readonly isExact: boolean;
}

/** Reads the page of a subject or publisher. */
export async function readPage(
  target: PageTarget,
  asked: PageQuery,
  context: RequestContext,
): Promise<TargetPage> {
  const engine = await guarded(() => engineOf(context), target.key);
  const sort = pageSort(asked.sort, context);
  const selection = pageSelection(target, asked, context);
  const [hits, details] = await guarded(
    () =>
      Promise.all([
        engine.works({ ...selection, sort, ...pageWindow(asked), withEditions: false }),
        asked.details ? pageDetails(target, { selection, engine }, context) : undefined,
      ]),
    target.key,
  );
  const scans = hits.documents.filter(isLent).map(scanOf);
  const states = await lendingStates(
    context,
    scans.filter((scan) => scan !== undefined),
  );
  const isReadable = asked.has_fulltext || asked.ebooks_only;
  const body: JsonObject = {
    key: target.key,
    name: details?.name ?? target.name,
    subject_type: target.type,
    solr_query: targetText(target),
    work_count: hits.numFound,
    works: hits.documents.map((document) => workObject(document, states)),
    ...details?.members,
    ...(isReadable ? { ebook_count: hits.numFound } : {}),
  };
  // Q281: a book that is lent may be lent out a moment later.
  const cacheControl = searchCacheControl(context, { sort, availability: scans.length > 0 });
  return { body, cacheControl, isExact: details?.exact !== false };
}

interface Searched {
  readonly selection: WorkSelection;
  readonly engine: SearchEngine;
}

interface PageDetails {
  readonly name: string | undefined;
  readonly members: JsonObject;
  readonly exact: boolean;
}

async function pageDetails(
  target: PageTarget,
  { selection, engine }: Searched,
  { now }: RequestContext,
): Promise<PageDetails> {
  const facets = await engine.facets({ ...selection, facets: detailFacets() });
  return { ...subjectDetails(target, facets, new Date(now).getUTCFullYear()), exact: facets.exact };
}

function pageSelection(target: PageTarget, asked: PageQuery, context: RequestContext): WorkSelection {
  const filters = [...readableFilter(asked, context), ...periodFilter(asked.published_in)];
  return { query: targetQuery(target), filters, editionClauses: [] };
}

function readableFilter({ has_fulltext, ebooks_only }: PageQuery, context: RequestContext): Query[] {
  if (!has_fulltext && !ebooks_only) return [];
  return [between("ebook_access", isPrintDisabled(context) ? "printdisabled" : "borrowable", null)];
}

/** Works with any edition of these years; what is no period is no filter. */
function periodFilter(period: string | undefined): Query[] {
  const match = PERIOD.exec(period ?? "");
  if (match === null) return [];
  const [, from = "", to = from] = match;
  return [between("publish_year", from, to)];
}

function pageSort(text: string, { now }: RequestContext): readonly Sort[] {
  const named = text.trim() === "" ? "editions" : text;
  const parsed = parseWorkSort(named, now);
  // The parameter's schema has refused what is no order.
  return "sorts" in parsed ? parsed.sorts : [];
}

// Q86: `page` counts, too.
function pageWindow({ limit, offset, page }: PageQuery): { start: number; rows: number } {
  return { start: offset ?? limit * ((page ?? 1) - 1), rows: limit };
}
