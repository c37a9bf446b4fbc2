import { WINDOW_WORKS_MAX } from "../../../db/search/works/search-works.ts";
import type { Reply } from "../../reply.ts";
import { VARY_LANGUAGE } from "../../reader-language.ts";
import { SEARCH_PAGE_WORKS } from "../../search-pages/limits.ts";
import type { FoundPage } from "../../search-pages/find-page.ts";
import { type Parameters, numberedAddress, pageAddress } from "../../search-pages/page-address.ts";
import { page } from "../layout.ts";
import { type Markup, type Piece, markup } from "../markup.ts";
import { link } from "../parts.ts";
import { type Narrowing, activeFilters, facetLists } from "./facet-lists.ts";
import { type PagePlace, choice, counted, jsonLink, placeLinks, placeText, searchKinds } from "./parts.ts";
import { resultList } from "./result-list.ts";

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
export interface SearchView {
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
  const { numFound, works, corrected, groups, languages, authorNames } = found;
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
${suggestedAuthors(found)}
${activeFilters(narrowing)}
${works.length > 0 && resultList({ works, first, languages })}
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

function suggestedAuthors({ authors }: FoundPage): Piece {
  if (authors.length === 0) return undefined;
  return markup`<p>Authors: ${authors.map(({ key, name }, at) => [at > 0 && ", ", link(key, name)])}</p>`;
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
