import * as z from "zod";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { ALL } from "../../search/query/query.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { wantsHtml } from "../http/accept.ts";
import { derived } from "../http/derived-answers.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Reply, REVALIDATE, json } from "../http/reply.ts";
import { NAME, VERSION } from "../http/settings.ts";
import { rankedWorks } from "../patrons/activity/ranking.ts";
import { type ShownBook, SHOWN_FIELDS, shownBook } from "../patrons/people/shown-books.ts";
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

/** How long others may keep the first page, in seconds. */
const HOME_SECONDS = 60;

/** `GET /`: the first page for people; for programs what this is and where its description stands. */
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

/** What is nowhere else on every page. */
const BEGINNINGS: readonly (readonly [href: string, words: Words])[] = [
  ["/advancedsearch", "home.advanced"],
  ["/search/authors", "home.authors"],
  ["/search/inside", "home.inside"],
  ["/barcodescanner", "home.barcode"],
  ["/random", "home.random"],
  ["/account/create", "home.create"],
];

/** What the first page shows. */
interface HomeContent {
  readonly trending: readonly ShownBook[];
  readonly reprinted: readonly ShownBook[];
  readonly subjects: readonly { readonly name: string; readonly key: string; readonly count: number }[];
  readonly totals: Awaited<ReturnType<typeof catalogTotals>>;
}

function homePage({ trending, reprinted, subjects, totals }: HomeContent): Reply {
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
  const [first, ...others] = shelves.filter((one) => one !== false);
  return page({
    title: say("home.title"),
    heading: false,
    body: markup`<div class="hero"><h1>${say("home.title")}</h1>
<p class="soft">${say("home.numbers", { numbers: numbers.map((one, at) => [at > 0 && say("list.comma"), one]) })} ${say("home.what")}</p></div>
${first}
${section(say("nav.subjects"), chips(subjects.map(({ name, key, count }) => ({ href: nameAddress(key), text: name, count }))))}
${countedAt(totals.counted)}
${others}
${ways()}`,
    // The same for everybody.
    cacheControl: `public, max-age=${HOME_SECONDS}`,
  });
}

function ways(): Markup {
  return markup`<nav aria-labelledby="begin"><h2 id="begin">${say("home.begin")}</h2>
<ul class="chips">${BEGINNINGS.map(([href, words]) => markup`<li>${link(href, say(words))}</li>`)}</ul></nav>`;
}

/** Books of a shelf, and subjects, on the first page. */
const HOME_BOOKS = 14;
const HOME_SUBJECTS = 14;
/** How long the works of most editions are kept, in seconds. */
const REPRINTED_SECONDS = 3600;

/** Two round trips, side by side with those of what is kept for an hour and longer, where it is not. */
async function homeContent(context: RequestContext): Promise<HomeContent> {
  const [trending, reprinted, { lists }, totals] = await Promise.all([
    trendingBooks(context),
    reprintedBooks(context),
    subjectIndex(context),
    catalogTotals(context),
  ]);
  return { trending, reprinted, subjects: lists.subjects.slice(0, HOME_SUBJECTS), totals };
}

/** Books that most readers put onto their shelves this week, the most logged ones first. Two round trips. */
async function trendingBooks(context: RequestContext): Promise<ShownBook[]> {
  const wish = {
    period: "weekly",
    hours: 0,
    minimum: 0,
    byCount: true,
    offset: 0,
    limit: HOME_BOOKS,
  } as const;
  const [ranked, engine] = await Promise.all([
    rankedWorks(wish, context),
    guarded(() => engineOf(context), "home"),
  ]);
  if (ranked.length === 0) return [];
  const keys = ranked.map(({ work }) => keyOfWorkId(work, context.settings.RECORD_PREFIX));
  return (await guarded(() => engine.getMany(keys, SHOWN_FIELDS), "home")).map(shownBook);
}

/** Books of most editions. One round trip. */
function reprintedBooks(context: RequestContext): Promise<ShownBook[]> {
  const search = {
    query: ALL,
    filters: [],
    editionClauses: [],
    sort: parseWorkSort("editions", context.now).sorts,
    start: 0,
    rows: HOME_BOOKS,
    withEditions: false,
    fields: ["key", ...SHOWN_FIELDS],
  };
  const make = async () =>
    (await askIndex(context, "home", (engine) => engine.works(search))).documents.map(shownBook);
  return derived(context, { name: "reprinted:v1", seconds: REPRINTED_SECONDS, make });
}
