import * as z from "zod";
import { type TrendingPeriod, TRENDING_PERIOD_NAMES } from "../../../catalog/patrons/trending.ts";
import type { RankedWork } from "../../../db/patrons/trending.ts";
import { wantsHtml } from "../../http/accept.ts";
import { notFound } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { type Reply, NO_STORE } from "../../http/reply.ts";
import { isAnonymous } from "../../search/engine.ts";
import { bookRow, bookRows } from "../../ui/book-row.ts";
import { dropper } from "../../ui/dropper.ts";
import { page } from "../../ui/layout.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { pageLinks } from "../../ui/pager.ts";
import { countedAt } from "../../ui/parts.ts";
import { tabs } from "../../ui/tabs.ts";
import { type Words, say } from "../../ui/words.ts";
import { shownBooks } from "../people/shown-books.ts";
import { ranking } from "./ranking.ts";
import { trendingAnswer, trendingParameters, trendingReply } from "./trending.ts";

/** `GET /trending/{mode}`: a page for people, the same as `/trending/{period}.json` for programs. */
export const trendingPage = operation({
  id: "trendingPage",
  summary: "A page of the works that most readers put onto their shelves within a period",
  tag: "trending",
  path: { mode: z.string() },
  query: trendingParameters,
  responses: {
    200: { description: "A page, or JSON for programs", schema: trendingAnswer, also: ["text/html"] },
    404: { description: "No such period" },
  },
  handle({ path: { mode }, query }, context) {
    const period = TRENDING_PERIOD_NAMES.find((name) => name === mode);
    // Q205: no 422, as this is a page too.
    if (period === undefined) throw notFound();
    if (!wantsHtml(context.request)) return trendingReply(period, query, context);
    return pageOf(period, query.page, context);
  },
});

/** Works on one page for people. */
const TRENDING_PAGE_WORKS = 20;

const NAMES: Readonly<Record<TrendingPeriod, Words>> = {
  now: "trending.now",
  daily: "trending.daily",
  weekly: "trending.weekly",
  monthly: "trending.monthly",
  yearly: "trending.yearly",
  forever: "trending.forever",
};

/** Time that clients and shared caches may keep a page, in seconds. */
const TRENDING_PAGE_SECONDS = 60;

async function pageOf(period: TrendingPeriod, number: number, context: RequestContext): Promise<Reply> {
  const offset = (number - 1) * TRENDING_PAGE_WORKS;
  // One more than the page shows, to find out if there is another page.
  const limit = TRENDING_PAGE_WORKS + 1;
  const wish = { period, hours: 0, minimum: 0, byCount: true, offset, limit };
  const { works: ranked, counted } = await ranking(wish, context);
  const address = (to: number): string => `/trending/${period}${to === 1 ? "" : `?page=${to}`}`;
  return page({
    title: say("trending.title", { period: say(NAMES[period]) }),
    body: markup`${periods(period)}
${counted !== undefined && countedAt(counted)}
${await works(ranked.slice(0, TRENDING_PAGE_WORKS), { period, offset }, context)}
${pageLinks(
  number > 1 ? address(number - 1) : undefined,
  ranked.length > TRENDING_PAGE_WORKS ? address(number + 1) : undefined,
)}`,
    cacheControl: isAnonymous(context) ? `public, max-age=${TRENDING_PAGE_SECONDS}` : NO_STORE,
  });
}

async function works(
  ranked: readonly RankedWork[],
  { period, offset }: { readonly period: TrendingPeriod; readonly offset: number },
  context: RequestContext,
): Promise<Markup> {
  if (ranked.length === 0) return markup`<p>${say("my.none")}</p>`;
  const numbers = ranked.map(({ work }) => work);
  const books = await shownBooks(context, numbers);
  const items = ranked.flatMap(({ work, entries }, at) => {
    const book = books.get(work);
    if (book === undefined) return [];
    return bookRow(book, {
      notes: [period !== "now" && say("trending.logged", { count: entries })],
      action: dropper(book),
      isFirst: at < 4,
    });
  });
  return bookRows(items, offset + 1);
}

function periods(current: TrendingPeriod): Markup {
  return tabs(
    say("trending.period"),
    TRENDING_PERIOD_NAMES.map((name) => ({
      href: `/trending/${name}`,
      text: say(NAMES[name]),
      isCurrent: name === current,
    })),
  );
}
