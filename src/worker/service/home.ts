import * as z from "zod";
import { keyOfWorkId } from "../../search/indexing/ids.ts";
import { rankedWorks } from "../patrons/activity/ranking.ts";
import { wantsHtml } from "../http/accept.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { type Reply, REVALIDATE, json } from "../http/reply.ts";
import { NAME, VERSION } from "../http/settings.ts";
import { bookTitle } from "../patrons/people/book-list.ts";
import { type ShownBook, shownBook } from "../patrons/people/shown-books.ts";
import { engineOf } from "../search/engine.ts";
import { guarded } from "../search/guarded.ts";
import { picture } from "../ui/cover.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";

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
    if (wantsHtml(context.request)) return homePage(await homeBooks(context));
    const body = { name: NAME, version: VERSION, documentation: `${baseUrl(context)}/docs` };
    return json(body, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
  },
});

/** A book that is much read at present, with the number of its cover. */
interface HomeBook extends ShownBook {
  readonly cover: number | undefined;
}

const BROWSE = [
  ["/subjects", "Subjects"],
  ["/authors", "Authors"],
  ["/languages", "Languages"],
  ["/publishers", "Publishers"],
  ["/lists", "Lists and series"],
  ["/trending", "Trending books"],
  ["/random", "A book at random"],
] as const;
const SEARCH = [
  ["/advancedsearch", "Search by title, author, subject and more"],
  ["/search/authors", "Search authors"],
  ["/search/inside", "Search inside books"],
  ["/barcodescanner", "Find a book by its barcode"],
] as const;
const TAKE_PART = [
  ["/books/add", "Add a book"],
  ["/account/books", "Your books"],
  ["/account/create", "Make an account"],
  ["/recentchanges", "What others have changed"],
] as const;
const PROGRAMS = [
  ["/docs", "The interface and its description"],
  ["/data", "Dumps of the whole catalog"],
] as const;

type Links = readonly (readonly [href: string, text: string])[];

function homePage(trending: readonly HomeBook[]): Reply {
  return page({
    title: "A library catalog that everybody can edit",
    body: markup`<p>${NAME} knows books by their works, editions and authors. Look for one, keep it on your shelves, borrow it where
it was scanned, and put right what is wrong.</p>
<form role="search" aria-label="Books" action="/search"><label for="home-search">Title, author or ISBN</label>
<input id="home-search" name="q" type="search" maxlength="1000">
<p><button type="submit">Search books</button></p></form>
${nav("search", "Other ways to search", SEARCH)}
${nav("browse", "Browse", BROWSE)}
${
  trending.length > 0 &&
  markup`<h2>Much read this week</h2>
<ul class="books">${trending.map(bookItem)}</ul>`
}
${nav("take-part", "Take part", TAKE_PART)}
${nav("programs", "For programs", PROGRAMS)}`,
    // The same for everybody.
    cacheControl: `public, max-age=${HOME_SECONDS}`,
  });
}

function bookItem(book: HomeBook): Markup {
  return markup`<li>${picture({ of: "b", id: book.cover, size: "S", alt: "" })}${bookTitle(book)}</li>`;
}

function nav(id: string, heading: string, links: Links): Markup {
  return markup`<nav aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<ul>${links.map(([href, text]) => markup`<li>${link(href, text)}</li>`)}</ul></nav>`;
}

/** Books on the first page. */
const HOME_BOOKS = 12;
const FIELDS = ["title", "author_name", "first_publish_year", "cover_i"];

/** Books that most readers put onto their shelves this week, the most logged ones first. Two round trips. */
async function homeBooks(context: RequestContext): Promise<HomeBook[]> {
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
  const documents = await guarded(() => engine.getMany(keys, FIELDS), "home");
  return documents.map((document) => {
    const { cover_i: cover } = document;
    const hasCover = typeof cover === "number" && cover > 0;
    return Object.assign(shownBook(document), { cover: hasCover ? cover : undefined });
  });
}
