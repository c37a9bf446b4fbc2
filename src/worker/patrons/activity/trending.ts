import * as z from "zod";
import {
  type TrendingPeriod,
  TRENDING_PERIODS,
  TRENDING_PERIOD_NAMES,
} from "../../../catalog/patrons/trending.ts";
import { keyOfWorkId } from "../../../search/indexing/ids.ts";
import { marcLanguage } from "../../../catalog/language.ts";
import { DEFAULT_FIELDS, fieldNames, selectFields } from "../../../search/present/fields.ts";
import { foundWorks, lentScans, presentWork, presentedFrom } from "../../../search/present/works.ts";
import { lendingStates } from "../../lending/lending-of.ts";
import { VARY_LANGUAGE, languageOf } from "../../http/accept.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { boolean, integer } from "../../http/parameters.ts";
import { type Reply, json, redirect } from "../../http/reply.ts";
import { workFound } from "../../search/search.ts";
import { searchCacheControl } from "../../search/answers.ts";
import { choosesEditions } from "../../search/engine.ts";
import { askIndex } from "../../search/guarded.ts";
import { recordMembers } from "../../search/record-members.ts";
import { rankedWorks } from "./ranking.ts";

/** Works in one answer of trending works: default and maximum. */
const TRENDING_LIMIT = { default: 100, max: 1000 };

export const trendingParameters = {
  limit: integer(z.int().gte(0).lte(TRENDING_LIMIT.max)).default(TRENDING_LIMIT.default),
  page: integer(z.int().gte(1)).default(1),
  offset: integer(z.int().gte(0)).optional().describe("Goes before page"),
  hours: integer(z.int().gte(0)).default(0).describe("By how much the period is longer"),
  days: integer(z.int().gte(0)).default(0).describe("Has no effect"),
  sort_by_count: boolean().default(true).describe("Else the works that changed last come first"),
  minimum: integer(z.int().gte(0)).default(0).describe("Only works with more entries than this"),
  fields: z.array(z.string()).default([]).describe("Names of fields, separated by commas; * for all"),
};

export const trendingAnswer = z.object({
  query: z.string(),
  works: z.array(workFound),
  days: z.int().optional().describe("Absent for all times"),
  hours: z.int(),
});

/** `GET /trending/{period}.json`: works that readers put onto their shelves lately. */
export const trending = operation({
  id: "trending",
  summary: "Works that most readers put onto their shelves within a period",
  tag: "trending",
  path: { period: z.enum(TRENDING_PERIOD_NAMES).default("now") },
  query: trendingParameters,
  responses: { 200: { description: "The works, the most logged ones first", schema: trendingAnswer } },
  handle: ({ path: { period }, query }, context) => trendingReply(period, query, context),
});

type TrendingQuery = z.output<z.ZodObject<typeof trendingParameters>>;

/** Returns trending works for programs. */
export async function trendingReply(
  period: TrendingPeriod,
  { limit, page, offset, hours, sort_by_count: byCount, minimum, fields }: TrendingQuery,
  context: RequestContext,
): Promise<Reply> {
  // Q203: the offset takes precedence over the page.
  const start = offset ?? (page - 1) * limit;
  const ranked = await rankedWorks({ period, hours, minimum, byCount, offset: start, limit }, context);
  const numbers = ranked.map(({ work }) => work);
  const works = await trendingWorks(numbers, fields, context);
  const days = TRENDING_PERIODS[period];
  // Q202: all of time has no days.
  const body = { query: `/trending/${period}`, works, ...(days === null ? {} : { days }), hours };
  const cacheControl = searchCacheControl(context, { sort: [], availability: true });
  return json(body, { cacheControl, headers: { Vary: VARY_LANGUAGE } });
}

/**
 * Returns works as `/search.json` shows them, in the order of these numbers; works missing in the index are left out.
 */
async function trendingWorks(works: readonly number[], names: readonly string[], context: RequestContext) {
  if (works.length === 0) return [];
  const asked = fieldNames(names);
  const chosen = selectFields(asked.length === 0 ? TRENDING_FIELDS : asked);
  const fields = { ...chosen, availability: true };
  const keys = works.map((work) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  const withEditions = fields.editions && choosesEditions(context);
  const wanted = { withEditions, fields: presentedFrom(fields) };
  const hits = await askIndex(context, "trending", (engine) => engine.worksByKey(keys, wanted));
  const wish = { clauses: [], language: marcLanguage(languageOf(context)), words: [], sort: [] };
  const found = foundWorks(hits, withEditions ? wish : undefined);
  const [members, states] = await Promise.all([
    recordMembers(found, fields, context),
    lendingStates(context, lentScans(found)),
  ]);
  return found.map((one) => presentWork(one, fields, { members, states }));
}

/** Default fields of trending works: those of a search, and the ways to read the book. */
const TRENDING_FIELDS = [...DEFAULT_FIELDS, "editions", "providers"];

/** `GET /trending`: redirects to the works that readers are adding now. */
export const trendingRedirect = operation({
  id: "trendingRedirect",
  summary: "To the works that readers are busy with now",
  tag: "trending",
  responses: { 303: { description: "To /trending/now" } },
  handle: (_input, { url }) => redirect(303, `/trending/now${url.search}`),
});
