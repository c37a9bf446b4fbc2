import * as z from "zod";
import type { Document } from "../../search/engine.ts";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { ALL } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { wantsHtml } from "../http/accept.ts";
import { derived } from "../http/derived-answers.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Reply, REVALIDATE, json } from "../http/reply.ts";
import { NAME, VERSION } from "../http/settings.ts";
import { readRanking } from "../patrons/activity/ranking.ts";
import { type ShownBook, SHOWN_FIELDS, shownBook } from "../patrons/people/book-list.ts";
import { engineOf } from "../search/engine.ts";
import { askIndex, guarded } from "../search/guarded.ts";
import { nameAddress } from "../search/result-parts.ts";
import { subjectIndex } from "../search/subject-index.ts";
import { chips } from "../ui/chip.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { countedAt, link } from "../ui/parts.ts";
import { shelf } from "../ui/book-row.ts";
import { section } from "../ui/values.ts";
import { type Words, say } from "../ui/words.ts";
import { catalogTotals } from "./totals.ts";

const HOME_SECONDS = 60;

export const home = operation({
  id: "home",
  summary: "Name, version and where the documentation is; a page for people",
  tag: "service",
  keep: { isolate: 5, edge: 30 },
  responses: {
    200: {
      description: "The service; a page for people",
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
    say("home.works", { count: works }),
    say("home.editions", { count: editions }),
    say("home.authors_count", { count: authors }),
  ];
  const shelves = [
    trending.length > 0 && section(say("home.trending"), shelf(trending)),
    reprinted.length > 0 && section(say("home.reprinted"), shelf(reprinted)),
  ];
  const [first, ...others] = shelves.filter((row) => row !== false);
  return page({
    title: say("home.title"),
    heading: false,
    body: markup`<div class="hero"><h1>${say("home.title")}</h1>
<p class="soft">${say("home.numbers", { numbers: numbers.map((count, index) => [index > 0 && say("list.comma"), count]) })} ${say("home.what")}</p></div>
${first}
${section(say("nav.subjects"), chips(subjects.map(({ name, key, count }) => ({ href: nameAddress(key), text: name, count }))))}
${countedAt(totals.counted)}
${others}
${startLinks()}`,
    // Identical for all clients.
    cacheControl: `public, max-age=${HOME_SECONDS}`,
  });
}

function startLinks(): Markup {
  return markup`<nav aria-labelledby="begin"><h2 id="begin">${say("home.begin")}</h2>
<ul class="chips">${START_LINKS.map(([href, words]) => markup`<li>${link(href, say(words))}</li>`)}</ul></nav>`;
}

const HOME_BOOKS = 14;
const HOME_SUBJECTS = 14;
const REPRINTED_SECONDS = 3600;

/** Two round trips, in parallel with those for content that is cached for an hour or longer. */
async function homeContent(context: RequestContext) {
  const [trending, reprinted, { lists }, totals] = await Promise.all([
    trendingBooks(context),
    reprintedBooks(context),
    subjectIndex(context),
    catalogTotals(context),
  ]);
  return { trending, reprinted, subjects: lists.subjects.slice(0, HOME_SUBJECTS), totals };
}

/** Finds the books that most readers shelved this week. Two round trips. */
async function trendingBooks(context: RequestContext): Promise<ShownBook[]> {
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
    guarded(() => engineOf(context), "home"),
  ]);
  if (works.length === 0) return [];
  const keys = works.map(({ work }) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  return (await guarded(() => engine.getMany(keys, SHOWN_FIELDS), "home")).map(shownBook);
}

function reprintedBooks(context: RequestContext): Promise<ShownBook[]> {
  const options = { rows: HOME_BOOKS, fields: ["key", ...SHOWN_FIELDS] };
  const make = async () => (await findMostReprinted(context, "home", options)).map(shownBook);
  return derived(context, { name: "reprinted:v1", seconds: REPRINTED_SECONDS, make });
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
