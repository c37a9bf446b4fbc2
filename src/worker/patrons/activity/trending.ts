import * as z from "zod";
import { marcLanguageOf } from "../../../catalog/language.ts";
import {
  type TrendingPeriod,
  PERIOD_ALIASES,
  TRENDING_PERIODS,
  TRENDING_PERIOD_NAMES,
} from "../../../catalog/patrons/shelves.ts";
import { keyOfWorkId } from "../../../search/indexing/ids.ts";
import { DEFAULT_FIELDS, parseFieldNames, selectFields } from "../../../search/present/selected-fields.ts";
import { toFoundWorks, lentScansOf, presentWork, workSourceFieldsOf } from "../../../search/present/works.ts";
import { lendingStates } from "../../lending/service/lending-states.ts";
import { VARY_LANGUAGE, languageOf } from "../../http/accept.ts";
import { notFound } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { boolean, integer } from "../../http/parameters.ts";
import { type Reply, NO_STORE, json, redirect } from "../../http/reply.ts";
import { askIndex, searchCacheControl } from "../../search/guarded.ts";
import { choosesEditions, isAnonymous } from "../../search/engine.ts";
import { readRecordMembers } from "../../search/record-members.ts";
import { workFound } from "../../search/search.ts";
import { resource } from "../../http/views.ts";
import { listBooks } from "../people/book-list.ts";
import { readRanking } from "./ranking.ts";
import { trendingPage } from "./trending-page.ts";

const TRENDING_LIMIT = { default: 100, max: 1000 };
const TRENDING_FIELDS = [...DEFAULT_FIELDS, "editions", "providers"];

const trendingParameters = {
  limit: integer(z.int().gte(0).lte(TRENDING_LIMIT.max)).default(TRENDING_LIMIT.default),
  page: integer(z.int().gte(1)).default(1),
  offset: integer(z.int().gte(0)).optional().describe("Takes precedence over page"),
  hours: integer(z.int().gte(0)).default(0).describe("Hours added to the period"),
  days: integer(z.int().gte(0)).default(0).describe("Ignored"),
  sort_by_count: boolean().default(true).describe("If false, last changed works first"),
  minimum: integer(z.int().gte(0)).default(0).describe("Minimum number of entries, exclusive"),
  fields: z.array(z.string()).default([]).describe("Comma-separated field names; * for all"),
};

const trendingResponse = z.object({
  query: z.string(),
  works: z.array(workFound),
  days: z.int().optional().describe("Length of the period; absent for all time"),
  hours: z.int(),
});

const aliases: ReadonlyMap<string, TrendingPeriod> = new Map(Object.entries(PERIOD_ALIASES));

function periodOf(name: string): TrendingPeriod | undefined {
  return aliases.get(name) ?? TRENDING_PERIOD_NAMES.find((period) => period === name);
}

export const trending = operation({
  id: "trending",
  summary: "List trending works",
  tag: "trending",
  path: { period: z.enum([...TRENDING_PERIOD_NAMES, ...aliases.keys()]).default("now") },
  query: trendingParameters,
  responses: { 200: { description: "Works, most logged first", schema: trendingResponse } },
  // The schema lets only names of periods through.
  handle: ({ path: { period }, query }, context) => sendTrending(periodOf(period) ?? "now", query, context),
});

async function sendTrending(
  period: TrendingPeriod,
  query: z.output<z.ZodObject<typeof trendingParameters>>,
  context: RequestContext,
): Promise<Reply> {
  const { limit, page: number, hours, sort_by_count: byCount, minimum, fields } = query;
  // Q203: the offset takes precedence over the page.
  const offset = query.offset ?? (number - 1) * limit;
  const ranking = await readRanking({ period, hours, minimum, byCount, offset, limit }, context);
  const numbers = ranking.works.map(({ work }) => work);
  const works = await readWorks(numbers, fields, context);
  const days = TRENDING_PERIODS[period];
  // Q202: all of time has no days.
  const body = { query: `/trending/${period}`, works, ...(days === null ? {} : { days }), hours };
  const cacheControl = searchCacheControl(context, { sort: [], availability: true });
  return json(body, { cacheControl, headers: { Vary: VARY_LANGUAGE } });
}

/** Reads works as `/search.json` shows them, in the order of their numbers. Works missing in the index are left out. */
async function readWorks(works: readonly number[], names: readonly string[], context: RequestContext) {
  if (works.length === 0) return [];
  const requested = parseFieldNames(names);
  const fields = {
    ...selectFields(requested.length === 0 ? TRENDING_FIELDS : requested),
    availability: true,
  };
  const keys = works.map((work) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  const withEditions = fields.editions && choosesEditions(context);
  const selection = { withEditions, fields: workSourceFieldsOf(fields) };
  const hits = await askIndex(context, "trending", (engine) => engine.worksByKey(keys, selection));
  const query = { clauses: [], language: marcLanguageOf(languageOf(context)), words: [], sort: [] };
  const matches = toFoundWorks(hits, withEditions ? query : undefined);
  const [members, states] = await Promise.all([
    readRecordMembers(matches, fields, context),
    lendingStates(context, lentScansOf(matches)),
  ]);
  return matches.map((work) => presentWork(work, fields, { members, states }));
}

export const trendingRedirect = operation({
  id: "trendingRedirect",
  summary: "Redirect to the works trending now",
  tag: "trending",
  responses: { 303: { description: "Redirect to /trending/now" } },
  handle: (_input, { url }) => redirect(303, `/trending/now${url.search}`),
});

const TRENDING_PAGE_WORKS = 20;
const TRENDING_PAGE_SECONDS = 60;

export const trendingForPeople = resource({
  id: "trendingPage",
  summary: "Show trending works",
  tag: "trending",
  path: { mode: z.string() },
  query: trendingParameters,
  responses: { 200: { description: "Page, or JSON", schema: trendingResponse, also: ["text/html"] } },
  read({ path: { mode }, query }) {
    const period = periodOf(mode);
    // Q205: no 422, as this is a page too.
    if (period === undefined) throw notFound();
    return { period, query };
  },
  asJson: ({ period, query }, context) => sendTrending(period, query, context),
  async page({ period, query: { page: number } }, _input, context) {
    const offset = (number - 1) * TRENDING_PAGE_WORKS;
    // One more than the page shows, to find out if there is another page.
    const limit = TRENDING_PAGE_WORKS + 1;
    const request = { period, hours: 0, minimum: 0, byCount: true, offset, limit };
    const { works, counted } = await readRanking(request, context);
    const shown = works.slice(0, TRENDING_PAGE_WORKS);
    return trendingPage(period, {
      works: shown.length === 0 ? [] : await listBooks(context, shown),
      counted,
      number,
      offset,
      hasNext: works.length > TRENDING_PAGE_WORKS,
      cacheControl: isAnonymous(context) ? `public, max-age=${TRENDING_PAGE_SECONDS}` : NO_STORE,
    });
  },
});
