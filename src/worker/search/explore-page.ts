import { parseWorkSort } from "../../search/sorts.ts";
import { ALL } from "../../search/query/query.ts";
import { readDerived } from "../http/derived-answers.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { type ShownBook, bookShelf } from "../ui/book-row.ts";
import { chips } from "../ui/chip.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { countTime, link } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { type Words, t } from "../ui/words.ts";
import { yearBars } from "../ui/chart.ts";
import { askIndex, searchCacheControl } from "./guarded.ts";
import { countAllWorks, toFacetRow } from "./facets.ts";
import { readLanguageNames } from "./known-languages.ts";
import { toShownBook } from "./result-page.ts";
import { nameAddressOf } from "./result-parts.ts";
import { readSubjectIndex } from "./subject-index.ts";

const EXPLORED_NAMES = 24;
const EXPLORED_BOOKS = 14;
const BOOKS_SECONDS = 3600;

/** Makes the page for browsing the catalog. Everything is cached for an hour; else three round trips. */
export async function renderExplorePage(context: RequestContext): Promise<Reply> {
  const [books, { counted, lists }, { fields }, languages] = await Promise.all([
    booksOfTheDay(context),
    readSubjectIndex(context),
    countAllWorks(["first_publish_year", "language"], context),
    readLanguageNames(context),
  ]);
  const years = (fields["first_publish_year"] ?? []).map(({ value, count }) => ({
    year: Number(value),
    count,
  }));
  const languageChips = (fields["language"] ?? []).slice(0, EXPLORED_NAMES).map((facetValue) => {
    const { value, label, count } = toFacetRow("language", facetValue, languages);
    return { href: addressOf(`/languages/${value}`), text: label, count };
  });
  return page({
    title: t("explore.title"),
    body: [
      books.length > 0 && section(t("explore.today"), bookShelf(books)),
      part("nav.subjects", nameChips(lists.subjects), ["/subjects", "explore.all_subjects"]),
      part("search.places", nameChips(lists.places)),
      part("search.times", nameChips(lists.times)),
      years.length > 0 && part("book.first", [yearBars(years), centuries(years)]),
      part("search.people", nameChips(lists.people)),
      part("nav.languages", chips(languageChips), ["/languages", "explore.all_languages"]),
      countTime(counted),
      part("explore.more", chips(MORE_PAGES.map(([href, words]) => ({ href, text: t(words) })))),
    ],
    cacheControl: searchCacheControl(context),
  });
}

function part(heading: Words, content: Piece, all?: readonly [href: string, words: Words]): Piece {
  return section(t(heading), markup`${content}${all && markup`<p>${link(all[0], t(all[1]))}</p>`}`);
}

function nameChips(names: readonly { name: string; key: string; count: number }[]): Markup {
  const first = names.slice(0, EXPLORED_NAMES);
  return (
    chips(first.map(({ name, key, count }) => ({ href: nameAddressOf(key), text: name, count }))) ??
    markup`<p>${t("search.none_yet")}</p>`
  );
}

const CENTURY = 100;

function centuries(years: readonly { year: number }[]): Markup | undefined {
  const starts = new Set(years.map(({ year }) => Math.floor(year / CENTURY) * CENTURY));
  return chips(
    [...starts]
      .toSorted((a, b) => a - b)
      .map((from) => {
        const to = from + CENTURY - 1;
        return { href: `/search?from=${from}&to=${to}`, text: `${from}–${to}` };
      }),
  );
}

const MORE_PAGES: readonly (readonly [href: string, words: Words])[] = [
  ["/authors", "nav.authors"],
  ["/publishers", "nav.publishers"],
  ["/series", "lists.series"],
  ["/lists", "nav.lists"],
  ["/trending", "nav.trending"],
  ["/random", "home.random"],
];

function booksOfTheDay(context: RequestContext): Promise<ShownBook[]> {
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
    (await askIndex(context, "", (engine) => engine.works(search))).documents.map(toShownBook);
  return readDerived(context, { name: "books-of-the-day:v1", seconds: BOOKS_SECONDS, make });
}
