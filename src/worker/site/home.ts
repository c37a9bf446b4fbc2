import * as z from "zod";
import type { Document } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { ALL } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { wantsHtml } from "../http/accept.ts";
import { readDerived } from "../http/derived-answers.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Reply, REVALIDATE, json } from "../http/reply.ts";
import { NAME, VERSION } from "../http/settings.ts";
import { readRanking } from "../patrons/activity/ranking.ts";
import { type BookView, BOOK_VIEW_FIELDS, toBookView } from "../patrons/people/book-list.ts";
import { engineOf } from "../search/engine.ts";
import { askIndex, withSearchErrors } from "../search/guarded.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { readSubjectIndex } from "../search/subject-index.ts";
import { chips } from "../ui/chip.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { countTime, link } from "../ui/parts.ts";
import { bookShelf } from "../ui/book-row.ts";
import { section } from "../ui/values.ts";
import { type Words, t } from "../ui/words.ts";
import { catalogTotals } from "./totals.ts";

const HOME_SECONDS = 60;

export const home = operation({
  id: "home",
  summary: "Get the name, version and documentation of the service",
  tag: "service",
  cache: { isolate: 5, edge: 30 },
  responses: {
    200: {
      description: "Service information, or the home page for browsers",
      schema: z.object({ name: z.string(), version: z.string(), documentation: z.string() }),
      also: ["text/html"],
    },
  },
  async handle(_input, context) {
    if (wantsHtml(context.request)) return homePage(await homeContent(context));
    const body = { name: NAME, version: VERSION, documentation: `${baseUrl(context)}/docs` };
    return json(body, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
  },
});

const START_LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/advancedsearch", "home.advanced"],
  ["/search/authors", "home.authors"],
  ["/search/inside", "home.inside"],
  ["/barcodescanner", "home.barcode"],
  ["/random", "home.random"],
  ["/account/create", "home.create"],
];

function homePage({ trending, reprinted, subjects, totals }: Awaited<ReturnType<typeof homeContent>>): Reply {
  const { works, editions, authors } = totals;
  const numbers = [
    t("home.works", { count: works }),
    t("home.editions", { count: editions }),
    t("home.authors_count", { count: authors }),
  ];
  const shelves = [
    trending.length > 0 && section(t("home.trending"), bookShelf(trending)),
    reprinted.length > 0 && section(t("home.reprinted"), bookShelf(reprinted)),
  ];
  const [first, ...others] = shelves.filter((row) => row !== false);
  return page({
    title: t("home.title"),
    heading: false,
    body: markup`<div class="hero"><h1>${t("home.title")}</h1>
<p class="soft">${t("home.numbers", { numbers: numbers.map((count, index) => [index > 0 && t("list.comma"), count]) })} ${t("home.what")}</p></div>
${first}
${section(t("nav.subjects"), chips(subjects.map(({ name, key, count }) => ({ href: nameAddressOf(key), text: name, count }))))}
${countTime(totals.counted)}
${others}
${startLinks()}`,
    // Identical for all clients.
    cacheControl: `public, max-age=${HOME_SECONDS}`,
  });
}

function startLinks(): Markup {
  return markup`<nav aria-labelledby="begin"><h2 id="begin">${t("home.begin")}</h2>
<ul class="chips">${START_LINKS.map(([href, words]) => markup`<li>${link(href, t(words))}</li>`)}</ul></nav>`;
}

const HOME_BOOKS = 14;
const HOME_SUBJECTS = 14;
const REPRINTED_SECONDS = 3600;

/** Two round trips, in parallel with those for content that is cached for an hour or longer. */
async function homeContent(context: RequestContext) {
  const [trending, reprinted, { lists }, totals] = await Promise.all([
    trendingBooks(context),
    reprintedBooks(context),
    readSubjectIndex(context),
    catalogTotals(context),
  ]);
  return { trending, reprinted, subjects: lists.subjects.slice(0, HOME_SUBJECTS), totals };
}

/** Finds the books that most readers shelved this week. Two round trips. */
async function trendingBooks(context: RequestContext): Promise<BookView[]> {
  const ranking = {
    period: "weekly",
    hours: 0,
    minimum: 0,
    byCount: true,
    offset: 0,
    limit: HOME_BOOKS,
  } as const;
  const [{ works }, engine] = await Promise.all([
    readRanking(ranking, context),
    withSearchErrors(() => engineOf(context), "home"),
  ]);
  if (works.length === 0) return [];
  const keys = works.map(({ work }) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  return (await withSearchErrors(() => engine.getMany(keys, BOOK_VIEW_FIELDS), "home")).map(toBookView);
}

function reprintedBooks(context: RequestContext): Promise<BookView[]> {
  const options = { rows: HOME_BOOKS, fields: ["key", ...BOOK_VIEW_FIELDS] };
  const make = async () => (await findMostReprinted(context, "home", options)).map(toBookView);
  return readDerived(context, { name: "reprinted:v1", seconds: REPRINTED_SECONDS, make });
}

/** Finds the works with most editions. One round trip. `caller` replaces the query in errors. */
export async function findMostReprinted(
  context: RequestContext,
  caller: string,
  options: { rows: number; fields: readonly string[] },
): Promise<readonly Document[]> {
  const search = {
    query: ALL,
    filters: [],
    editionClauses: [],
    sort: parseWorkSort("editions", context.now).sorts,
    start: 0,
    withEditions: false,
    ...options,
  };
  return (await askIndex(context, caller, (engine) => engine.works(search))).documents;
}
