import { parseWorkSort } from "../../search/sorts.ts";
import { ALL } from "../../search/query/query.ts";
import { derived } from "../http/derived-answers.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import type { Book } from "../ui/book-row.ts";
import { chips } from "../ui/chip.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { countedAt, link } from "../ui/parts.ts";
import { shelf } from "../ui/shelf.ts";
import { section } from "../ui/values.ts";
import { type Words, say } from "../ui/words.ts";
import { yearBars } from "../ui/years.ts";
import { searchCacheControl } from "./answers.ts";
import { facetRow, keptLanguageNames, wholeFacets } from "./facets.ts";
import { askIndex } from "./guarded.ts";
import { bookOf } from "./result-page.ts";
import { nameAddress } from "./result-parts.ts";
import { subjectIndex } from "./subject-index.ts";

/** Names of each kind, and books, on the page. */
const EXPLORED_NAMES = 24;
const EXPLORED_BOOKS = 14;
/** How long the books are kept, in seconds: they change with the day. */
const BOOKS_SECONDS = 3600;

/** Where people go through the catalog without looking for something. All of it is kept for an hour; three round trips to make it. */
export async function explorePage(context: RequestContext): Promise<Reply> {
  const [books, { counted, lists }, { fields }, languages] = await Promise.all([
    booksOfTheDay(context),
    subjectIndex(context),
    wholeFacets(["first_publish_year", "language"], context),
    keptLanguageNames(context),
  ]);
  const years = (fields["first_publish_year"] ?? []).map(({ value, count }) => ({
    year: Number(value),
    count,
  }));
  const spoken = (fields["language"] ?? []).slice(0, EXPLORED_NAMES).map((one) => {
    const { value, label, count } = facetRow("language", one, languages);
    return { href: addressOf(`/languages/${value}`), text: label, count };
  });
  return page({
    title: say("explore.title"),
    body: [
      books.length > 0 && section(say("explore.today"), shelf(books)),
      part("nav.subjects", named(lists.subjects), ["/subjects", "explore.all_subjects"]),
      part("search.places", named(lists.places)),
      part("search.times", named(lists.times)),
      years.length > 0 && part("book.first", [yearBars(years), centuries(years)]),
      part("search.people", named(lists.people)),
      part("nav.languages", chips(spoken), ["/languages", "explore.all_languages"]),
      countedAt(counted),
      part("explore.more", elsewhere()),
    ],
    cacheControl: searchCacheControl(context, { sort: [] }),
  });
}

function part(heading: Words, content: Piece, all?: readonly [href: string, words: Words]): Piece {
  return section(say(heading), markup`${content}${all && markup`<p>${link(all[0], say(all[1]))}</p>`}`);
}

function named(
  names: readonly { readonly name: string; readonly key: string; readonly count: number }[],
): Markup {
  const shown = names.slice(0, EXPLORED_NAMES);
  return (
    chips(shown.map(({ name, key, count }) => ({ href: nameAddress(key), text: name, count }))) ??
    markup`<p>${say("search.none_yet")}</p>`
  );
}

const CENTURY = 100;

/** The centuries that books come from, each leading to them. */
function centuries(years: readonly { readonly year: number }[]): Markup | undefined {
  const begun = new Set(years.map(({ year }) => Math.floor(year / CENTURY) * CENTURY));
  return chips(
    [...begun]
      .toSorted((one, other) => one - other)
      .map((from) => {
        const to = from + CENTURY - 1;
        return { href: `/search?from=${from}&to=${to}`, text: `${from}–${to}` };
      }),
  );
}

const ELSEWHERE: readonly (readonly [href: string, words: Words])[] = [
  ["/authors", "nav.authors"],
  ["/publishers", "nav.publishers"],
  ["/series", "lists.series"],
  ["/lists", "nav.lists"],
  ["/trending", "nav.trending"],
  ["/random", "home.random"],
];

function elsewhere(): Markup | undefined {
  return chips(ELSEWHERE.map(([href, words]) => ({ href, text: say(words) })));
}

/** Books at random, others every day. */
function booksOfTheDay(context: RequestContext): Promise<Book[]> {
  const search = {
    query: ALL,
    filters: [],
    editionClauses: [],
    sort: parseWorkSort("random.daily", context.now).sorts,
    start: 0,
    rows: EXPLORED_BOOKS,
    withEditions: false,
    fields: ["key", "title", "subtitle", "author_key", "author_name", "cover_i"],
  };
  const make = async () =>
    (await askIndex(context, "", (engine) => engine.works(search))).documents.map(bookOf);
  return derived(context, { name: "books-of-the-day:v1", seconds: BOOKS_SECONDS, make });
}
