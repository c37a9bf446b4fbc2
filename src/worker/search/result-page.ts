import { stringsOf, textOf } from "../../catalog/record.ts";
import { type Document, WINDOW_WORKS_MAX } from "../../search/engine.ts";
import type { FoundWork } from "../../search/present/works.ts";
import type { Reply } from "../http/reply.ts";
import { type Book, bookRow, bookRows, editionsLine } from "../ui/book-row.ts";
import { pictureId } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import { select } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup, shortText } from "../ui/markup.ts";
import { notice as noticeMarkup } from "../ui/notice.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { type Words, say } from "../ui/words.ts";
import { type Narrowing, activeFilters, facetRail } from "./facet-lists.ts";
import type { FoundPage } from "./find-page.ts";
import { type Parameters, SEARCH_PAGE_WORKS, numberedAddress, pageAddress } from "./page-address.ts";
import { type PagePlace, jsonLink, placeLinks, placeText, searchKinds, workAddress } from "./result-parts.ts";

const ACCESS: ReadonlyMap<string, Words> = new Map([
  ["public", "lending.free"],
  ["borrowable", "lending.borrowable"],
  ["printdisabled", "lending.print_disabled"],
]);

/** How wide the covers are that are seen at once: those of the first rows. */
const FIRST_ROWS = 4;

function resultRow(work: FoundWork, at: number, { languages, firstDates }: FoundPage): Markup {
  const { document, chosen } = work;
  const book = bookOf(document);
  const notes = [
    notesOf(document, firstDates.get(book.key)),
    seriesOf(document),
    chosen?.edition !== undefined && editionOf(chosen.edition, chosen.numFound, languages),
  ];
  const isWork = book.key.startsWith("/works/") && book.href === book.key;
  return bookRow(book, { notes, isFirst: at < FIRST_ROWS, ...(isWork && { action: dropper(book) }) });
}

/** A work of the index as a book of the pages. */
export function bookOf(document: Document): Book {
  const names = stringsOf(document["author_name"]);
  const key = textOf(document["key"]) ?? "";
  return {
    key,
    href: workAddress(key),
    title: titleOf(document),
    authors: stringsOf(document["author_key"]).map((olid, at) => ({
      href: `/authors/${olid}`,
      name: names[at] ?? olid,
    })),
    cover: pictureId(document["cover_i"]),
  };
}

/** Title and subtitle. */
function titleOf(document: Document): string {
  const [title = "", subtitle] = [textOf(document["title"]), textOf(document["subtitle"])];
  const shown = title === "" || title === "__None__" ? "Untitled" : title;
  return shortText(subtitle === undefined || subtitle === "" ? shown : `${shown}: ${subtitle}`);
}

/** What the record says of the first time is what its page says; else the years of its editions say it. */
function notesOf(document: Document, firstDate: string | undefined): Piece {
  const { first_publish_year: year, edition_count: editions, ebook_access: access } = document;
  const words = ACCESS.get(textOf(access) ?? "");
  return dots([
    firstDate !== undefined && shortText(firstDate),
    editionsLine(
      typeof editions === "number" ? editions : undefined,
      typeof year === "number" && firstDate === undefined ? year : undefined,
    ),
    words !== undefined && say(words),
  ]);
}

function seriesOf(document: Document): Piece {
  const names = stringsOf(document["series_name"]);
  const positions = stringsOf(document["series_position"]);
  const series = stringsOf(document["series_key"]).map((olid, at) => {
    const name = markup`<a href="/series/${olid}"><bdi>${shortText(names[at] ?? olid)}</bdi></a>`;
    const position = positions[at] ?? "";
    return position === "" ? name : markup`${name}, ${position}`;
  });
  if (series.length === 0) return undefined;
  return say("book.series", { series: series.map((one, at) => [at > 0 && "; ", one]) });
}

function editionOf(edition: Document, fitting: number, languages: ReadonlyMap<string, string>): Markup {
  const notes = [
    ...stringsOf(edition["language"]).map((code) => languages.get(code) ?? code),
    ...stringsOf(edition["publisher"]).slice(0, 1),
    ...stringsOf(edition["publish_date"]).slice(0, 1),
  ].map(shortText);
  const title = link(textOf(edition["key"]) ?? "", markup`<cite dir="auto">${titleOf(edition)}</cite>`);
  return markup`${say("search.edition", { edition: title })}${notes.length > 0 && markup` (${commas(notes)})`}${
    fitting > 1 && say("search.fitting", { count: fitting })
  }`;
}

const PATH = "/search";
const SORTS: readonly (readonly [string, Words])[] = [
  ["", "sort.best"],
  ["editions", "sort.editions"],
  ["old", "sort.old"],
  ["new", "sort.new"],
  ["title", "sort.title"],
  ["rating", "sort.rating"],
  ["readinglog", "sort.readers"],
  ["trending", "sort.trending"],
  ["random.daily", "sort.random"],
];

/** What the page of a search shows. */
interface SearchView {
  readonly asked: { readonly q: string; readonly sort?: string | undefined; readonly page: number };
  /** The parameters of the page's address but for its number. */
  readonly parameters: Parameters;
  /** Why the text is not searched for. */
  readonly notice?: Piece;
  /** Absent: nothing was asked. */
  readonly found?: FoundPage | undefined;
  readonly status?: number;
  readonly cacheControl: string;
}

/** The page of a search for works: results, and what narrows or widens it. */
export function searchPageOf(view: SearchView): Reply {
  const { asked, parameters, notice, found, status = 200, cacheControl } = view;
  const { q } = asked;
  const kept = parameters.filter(([name]) => !["sort", "lang", "editions"].includes(name));
  const feed = pageAddress(`${PATH}.atom`, kept);
  const body = markup`<div class="bar"><h1>${q === "" ? say("layout.search_books") : markup`<bdi>${q}</bdi>`}${
    found !== undefined &&
    markup` <small class="soft" role="status"><bdi>${say("search.books", { count: found.numFound })}</bdi>${placeText(placeOf(found, view))}</small>`
  }</h1>${found !== undefined && orderForm(view)}</div>
${notice !== undefined && noticeMarkup("bad", notice)}
${found === undefined ? hints() : results(found, view)}
${searchKinds(PATH, q)}
<p>${link("/advancedsearch", say("home.advanced"))}</p>
${found !== undefined && [markup`<p>${link(feed, say("search.feed"))}</p>`, jsonLink(pageAddress(`${PATH}.json`, parameters))]}`;
  const title = q === "" ? say("layout.search_books") : say("search.title", { q });
  const head = markup`
<link rel="alternate" type="application/atom+xml" href="${feed}" title="${title}">`;
  return page({
    title,
    heading: false,
    q,
    body,
    status,
    cacheControl,
    ...(found !== undefined && { head }),
  });
}

function orderForm({ asked: { sort = "" }, parameters }: SearchView): Markup {
  const hidden = parameters
    .filter(([name]) => name !== "sort")
    .map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`);
  const options = SORTS.map(([value, words]) => [value, say(words)] as const);
  return markup`<form class="line" method="get" action="${PATH}">${hidden}
${select({ name: "sort", label: say("search.order"), options, chosen: sort })} <button>${say("layout.apply")}</button></form>`;
}

function placeOf({ numFound }: FoundPage, { asked, parameters }: SearchView): PagePlace {
  return {
    page: asked.page,
    numFound,
    size: SEARCH_PAGE_WORKS,
    window: WINDOW_WORKS_MAX,
    addressOf: (number) => numberedAddress(PATH, parameters, number),
  };
}

function results(found: FoundPage, view: SearchView): Markup {
  const { asked, parameters } = view;
  const { numFound, works, corrected, authors, groups, languages, authorNames, readable } = found;
  const narrowing: Narrowing = {
    path: PATH,
    parameters,
    groups,
    languages,
    authorNames,
    numFound,
    readable,
  };
  const first = (asked.page - 1) * SEARCH_PAGE_WORKS + 1;
  return markup`<div class="found">${corrected === undefined ? facetRail(narrowing) : markup`<div></div>`}
<div>${corrected !== undefined && correction(corrected, { asked, parameters })}
${authors.length > 0 && markup`<p>${say("search.authors", { authors: commas(authors.map(({ key, name }) => link(key, name))) })}</p>`}
${activeFilters(narrowing)}
${
  works.length > 0 &&
  bookRows(
    works.map((work, at) => resultRow(work, at, found)),
    first,
  )
}
${
  numFound === 0
    ? nothingFound(
        asked.q,
        parameters.some(([name]) => name !== "q" && name !== "sort"),
      )
    : placeLinks(placeOf(found, view))
}</div></div>`;
}

function correction(
  corrected: string,
  { asked, parameters }: Pick<SearchView, "asked" | "parameters">,
): Markup {
  const address = pageAddress(PATH, [["q", corrected], ...parameters.filter(([name]) => name !== "q")]);
  return markup`<p>${say("search.corrected", { q: asked.q, corrected: link(address, `“${corrected}”`) })}</p>`;
}

function nothingFound(q: string, hasFilters: boolean): Markup {
  const query = new URLSearchParams({ q });
  return markup`<h2>${say("search.try")}</h2><ul>
<li>${say("search.try_words")}</li>${
    hasFilters &&
    markup`
<li>${say("search.try_filters")}</li>`
  }
<li>${link(`/search/inside?${query}`, say("search.try_inside"))}</li>
<li>${link(`/search/authors?${query}`, say("search.try_authors"))}</li>
<li>${link("/books/add", say("search.try_add"))}</li></ul>`;
}

const code = (text: string): Markup => markup`<code>${text}</code>`;
const FIELDS = [
  "title:dune",
  "author:herbert",
  "subject:deserts",
  "publisher:ace",
  "isbn:9780441013593",
  "language:fre",
  "first_publish_year:[1960 TO 1969]",
];

function hints(): Markup {
  return markup`<h2>${say("search.how")}</h2><ul>
<li>${say("search.how_words", { words: code("dune herbert"), phrase: code('"the left hand"') })}</li>
<li>${say("search.how_fields", { fields: commas(FIELDS.map(code)) })}</li>
<li>${say("search.how_operators", { operators: commas(["OR", "NOT"].map(code)), prefix: code("dun*") })}</li></ul>`;
}
