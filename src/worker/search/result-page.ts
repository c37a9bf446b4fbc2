import { stringsOf, textOf } from "../../catalog/record.ts";
import { type Document, WINDOW_WORKS_MAX } from "../../search/engine.ts";
import type { FoundWork } from "../../search/present/works.ts";
import { VARY_LANGUAGE } from "../http/accept.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup, shortText } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { type Narrowing, activeFilters, facetLists } from "./facet-lists.ts";
import type { FoundPage } from "./find-page.ts";
import { type Parameters, SEARCH_PAGE_WORKS, numberedAddress, pageAddress } from "./page-address.ts";
import {
  type PagePlace,
  choice,
  counted,
  coverImage,
  jsonLink,
  nameLinks,
  placeLinks,
  placeText,
  searchKinds,
  workAddress,
} from "./result-parts.ts";

const ACCESS = new Map([
  ["public", "Free to read"],
  ["borrowable", "Can be borrowed"],
  ["printdisabled", "For readers with print disabilities"],
]);

function resultItem({ document, chosen }: FoundWork, languages: ReadonlyMap<string, string>): Markup {
  const title = titleOf(document);
  const names = stringsOf(document["author_name"]);
  const authors = stringsOf(document["author_key"]).map((olid, at) => ({
    key: `/authors/${olid}`,
    name: names[at] ?? olid,
  }));
  return markup`<li>${coverImage(document["cover_i"], title)}
<p><a href="${workAddress(textOf(document["key"]) ?? "")}"><cite>${title}</cite></a>${nameLinks(authors)}</p>
<p class="hint">${notesOf(document).join(" · ")}</p>
${seriesOf(document)}${chosen?.edition !== undefined && editionOf(chosen.edition, chosen.numFound, languages)}</li>`;
}

/** Title and subtitle. */
function titleOf(document: Document): string {
  const [title = "", subtitle] = [textOf(document["title"]), textOf(document["subtitle"])];
  const shown = title === "" || title === "__None__" ? "Untitled" : title;
  return shortText(subtitle === undefined || subtitle === "" ? shown : `${shown}: ${subtitle}`);
}

function notesOf(document: Document): string[] {
  const { first_publish_year: year, edition_count: editions, ebook_access: access } = document;
  const notes = [
    typeof year === "number" && `First published ${year}`,
    typeof editions === "number" && counted(editions, "edition", "editions"),
    ACCESS.get(textOf(access) ?? ""),
  ];
  return notes.filter((note) => typeof note === "string");
}

function seriesOf(document: Document): Piece {
  const names = stringsOf(document["series_name"]);
  const positions = stringsOf(document["series_position"]);
  const series = stringsOf(document["series_key"]).map((olid, at) => {
    const name = markup`<a href="/series/${olid}">${shortText(names[at] ?? olid)}</a>`;
    const position = positions[at] ?? "";
    return position === "" ? name : markup`${name}, ${position}`;
  });
  if (series.length === 0) return undefined;
  return markup`<p>Series: ${series.map((one, at) => [at > 0 && "; ", one])}</p>`;
}

function editionOf(edition: Document, fitting: number, languages: ReadonlyMap<string, string>): Markup {
  const notes = [
    ...stringsOf(edition["language"]).map((code) => languages.get(code) ?? code),
    ...stringsOf(edition["publisher"]).slice(0, 1),
    ...stringsOf(edition["publish_date"]).slice(0, 1),
  ].map(shortText);
  const others = fitting > 1 ? `, one of ${fitting} that fit` : "";
  return markup`<p>Edition: <a href="${textOf(edition["key"]) ?? ""}">${titleOf(edition)}</a>${
    notes.length > 0 && ` (${notes.join(", ")})`
  }${others}</p>`;
}

const PATH = "/search";
const SORTS: readonly (readonly [string, string])[] = [
  ["", "Best match"],
  ["editions", "Most editions"],
  ["old", "First published, oldest first"],
  ["new", "First published, newest first"],
  ["title", "Title"],
  ["rating", "Rating"],
  ["readinglog", "Most readers"],
  ["trending", "Trending"],
  ["random.daily", "At random, another order each day"],
];

/** What the page of a search shows. */
interface SearchView {
  readonly asked: { readonly q: string; readonly sort?: string | undefined; readonly page: number };
  /** The parameters of the page's address but for its number. */
  readonly parameters: Parameters;
  /** Why the text is not searched for. */
  readonly notice?: string | undefined;
  /** Absent: nothing was asked. */
  readonly found?: FoundPage | undefined;
  readonly status?: number;
  readonly cacheControl: string;
}

/** The page of a search for works: results, and what narrows or widens it. */
export function searchPageOf(view: SearchView): Reply {
  const { asked, parameters, notice, found, status = 200, cacheControl } = view;
  const body = markup`${searchKinds(PATH, asked.q)}
${searchForm(view)}
${notice !== undefined && markup`<p class="error" role="alert">${notice}.</p>`}
${found !== undefined && results(found, view)}
${found === undefined && hints()}
${found !== undefined && jsonLink(pageAddress(`${PATH}.json`, parameters))}`;
  return page({
    title: asked.q === "" ? "Search books" : `Search: ${asked.q}`,
    body,
    status,
    cacheControl,
    headers: { Vary: `Accept, ${VARY_LANGUAGE}` },
  });
}

function searchForm({ asked: { q, sort = "" }, parameters }: SearchView): Markup {
  const hidden = parameters
    .filter(([name]) => name !== "q" && name !== "sort")
    .map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`);
  return markup`<form method="get" action="${PATH}">
<label for="q">Words, a title, an author, an ISBN</label><input id="q" name="q" type="search" maxlength="1000" value="${q}">
${choice({ name: "sort", label: "Order", options: SORTS, chosen: sort })}${hidden}
<p><button type="submit">Search</button></p></form>
<p>${link("/advancedsearch", "Search by title, author, subject and more")}</p>`;
}

function results(found: FoundPage, { asked, parameters }: SearchView): Markup {
  const { numFound, works, corrected, authors, groups, languages, authorNames } = found;
  const place: PagePlace = {
    page: asked.page,
    numFound,
    size: SEARCH_PAGE_WORKS,
    window: WINDOW_WORKS_MAX,
    addressOf: (number) => numberedAddress(PATH, parameters, number),
  };
  const narrowing: Narrowing = { path: PATH, parameters, groups, languages, authorNames };
  const first = (asked.page - 1) * SEARCH_PAGE_WORKS + 1;
  return markup`<p role="status">${counted(numFound, "book", "books")} found${placeText(place)}.</p>
${corrected !== undefined && correction(corrected, { asked, parameters })}
${authors.length > 0 && markup`<p>Authors: ${authors.map(({ key, name }, at) => [at > 0 && ", ", link(key, name)])}</p>`}
${activeFilters(narrowing)}
${works.length > 0 && markup`<ol class="books" start="${first}">${works.map((work) => resultItem(work, languages))}</ol>`}
${numFound === 0 ? nothingFound(asked.q) : placeLinks(place)}
${corrected === undefined && facetLists(narrowing)}`;
}

function correction(
  corrected: string,
  { asked, parameters }: Pick<SearchView, "asked" | "parameters">,
): Markup {
  const address = pageAddress(PATH, [["q", corrected], ...parameters.filter(([name]) => name !== "q")]);
  return markup`<p>Nothing was found for “${asked.q}”. These are books for ${link(address, `“${corrected}”`)}.</p>`;
}

function nothingFound(q: string): Markup {
  const query = new URLSearchParams({ q });
  return markup`<h2>What you can try</h2><ul>
<li>Fewer words, or other ones. Every word has to occur in the book’s title, author, subjects or publisher.</li>
<li>Taking away what the search is narrowed by, if there is something.</li>
<li>${link(`/search/inside?${query}`, "Looking for the words inside books")}</li>
<li>${link(`/search/authors?${query}`, "Looking among the authors")}</li>
<li>${link("/books/add", "Adding the book, if it is missing")}</li></ul>`;
}

function hints(): Markup {
  return markup`<h2>How to search</h2><ul>
<li>All words have to occur: <code>dune herbert</code>. Words in quotation marks stand side by side: <code>"the left hand"</code>.</li>
<li>A field with a colon looks there alone: <code>title:dune</code>, <code>author:herbert</code>, <code>subject:deserts</code>, <code>publisher:ace</code>, <code>isbn:9780441013593</code>, <code>language:fre</code>, <code>first_publish_year:[1960 TO 1969]</code>.</li>
<li><code>OR</code>, <code>NOT</code> and brackets combine them; <code>dun*</code> stands for all words that begin so.</li></ul>`;
}
