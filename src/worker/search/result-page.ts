import { FEED_TYPES } from "../../catalog/web-feed.ts";
import { WINDOW_WORKS_MAX } from "../../search/engine.ts";
import type { Reply } from "../http/reply.ts";
import { bookRows } from "../ui/book-row.ts";
import { pictureId, previewImage } from "../ui/cover.ts";
import { select } from "../ui/form.ts";
import { apiCall } from "../ui/api-call.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { collectionMetadata } from "../ui/metadata.ts";
import { notice as noticeMarkup } from "../ui/notice.ts";
import { commas, countTime, link } from "../ui/parts.ts";
import { type Words, t } from "../ui/words.ts";
import { type Narrowing, renderActiveFilters, renderFacetRail } from "./facet-lists.ts";
import type { ResultsPage } from "./find-page.ts";
import { toShownBook } from "./shown-book.ts";
import {
  type PageParameters,
  type PagePlace,
  SEARCH_PAGE_WORKS,
  WORK_SORTS,
  numberedAddressOf,
  pageAddressOf,
  renderPlaceLinks,
  renderPlace,
  renderSearchKinds,
} from "./result-parts.ts";
import { resultRow } from "./result-row.ts";

const PATH = "/search";
const SORTS: readonly (readonly [string, Words])[] = [
  ["", "sort.best"],
  ...WORK_SORTS,
  ["random.daily", "sort.random"],
];

interface SearchView {
  q: string;
  sort?: string | undefined;
  page: number;
  parameters: PageParameters;
  notice?: Piece;
  /** Absent if nothing selects works. */
  results?: ResultsPage | undefined;
  status?: number;
  cacheControl: string;
}

export function renderSearchPage(view: SearchView): Reply {
  const { q, sort = "", parameters, notice, results, status = 200, cacheControl } = view;
  const feedParameters = parameters.filter(([name]) => !["sort", "lang", "editions"].includes(name));
  const feed = pageAddressOf(`${PATH}.atom`, feedParameters);
  const order = markup`<form class="line" method="get" action="${PATH}">${parameters
    .filter(([name]) => name !== "sort")
    .map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}
${select({ name: "sort", label: t("search.order"), options: SORTS.map(([value, words]) => [value, t(words)] as const), chosen: sort })} <button>${t("layout.apply")}</button></form>`;
  const body = markup`<div class="bar"><h1>${q === "" ? t("layout.search_books") : markup`<bdi>${q}</bdi>`}${
    results !== undefined &&
    markup` <small class="soft" role="status"><bdi>${t("search.books", { count: results.numFound })}</bdi>${renderPlace(placeOf(results, view))}</small>`
  }</h1>${results !== undefined && order}</div>
${notice !== undefined && noticeMarkup("bad", notice)}
${results === undefined ? [renderSearchKinds(PATH, q), hints()] : resultsMarkup(results, view)}
<p>${link("/advancedsearch", t("home.advanced"))}</p>
${results !== undefined && [markup`<p>${link(feed, t("search.feed"))}</p>`, apiCall(pageAddressOf(`${PATH}.json`, apiParametersOf(results, parameters)), "search#search")]}`;
  const title = q === "" ? t("layout.search_books") : t("search.title", { q });
  return page({
    title,
    heading: false,
    q,
    body,
    status,
    cacheControl,
    ...(results !== undefined && {
      metadata: collectionMetadata({
        address: numberedAddressOf(PATH, feedParameters, view.page),
        name: q,
        size: t("search.books", { count: results.numFound }),
        image: previewImage(results.works.map(({ document }) => pictureId(document["cover_i"]))),
        total: results.numFound,
        items: results.works.map(({ document }) => toShownBook(document)),
        feeds: [{ href: feed, type: FEED_TYPES.atom, title }],
        isSearch: true,
      }),
    }),
  });
}

/** Returns the parameters of the works shown, also of a correction that the page includes. */
function apiParametersOf({ included }: ResultsPage, parameters: PageParameters): PageParameters {
  if (included === undefined) return parameters;
  return parameters.map(([name, value]) => [name, name === "q" ? `(${value}) OR (${included})` : value]);
}

function placeOf({ numFound }: ResultsPage, { page: number, parameters }: SearchView): PagePlace {
  return {
    page: number,
    numFound,
    size: SEARCH_PAGE_WORKS,
    window: WINDOW_WORKS_MAX,
    addressOf: (to) => numberedAddressOf(PATH, parameters, to),
  };
}

function resultsMarkup(results: ResultsPage, view: SearchView): Markup {
  const { q, parameters } = view;
  const { numFound, works, groups, counted, corrected, parts, included, suggested, authors } = results;
  const narrowing: Narrowing = { ...results, path: PATH, parameters };
  const first = (view.page - 1) * SEARCH_PAGE_WORKS + 1;
  const query = new URLSearchParams({ q });
  const hasFilters = parameters.some(([name]) => name !== "q" && name !== "sort");
  const help = markup`<h2>${t("search.try")}</h2><ul>
<li>${t("search.try_words")}</li>${
    hasFilters &&
    markup`
<li>${t("search.try_filters")}</li>`
  }
<li>${link(`/search/inside?${query}`, t("search.try_inside"))}</li>
<li>${link(`/search/authors?${query}`, t("search.try_authors"))}</li>
<li>${link("/books/add", t("search.try_add"))}</li></ul>`;
  // The rail comes first: by keyboard its values are near.
  return markup`<div class="found">${renderFacetRail(narrowing)}
<div>${renderSearchKinds(PATH, q)}
${corrected !== undefined && markup`<p>${t("search.corrected", { q, corrected: correctedLink(corrected, view, parts) })}</p>`}
${included !== undefined && markup`<p>${t("search.included", { included: correctedLink(included, view) })}</p>`}
${suggested !== undefined && markup`<p>${t("search.suggested", { suggested: correctedLink(suggested, view) })}</p>`}
${authors.length > 0 && markup`<p>${t("search.authors", { authors: commas(authors.map(({ key, name }) => link(key, name))) })}</p>`}
${renderActiveFilters(narrowing)}
${
  works.length > 0 &&
  bookRows(
    works.map((work, at) => resultRow(work, at, results)),
    first,
  )
}
${numFound === 0 ? help : renderPlaceLinks(placeOf(results, view))}
${groups.length > 0 && countTime(counted)}</div></div>`;
}

function correctedLink(corrected: string, { parameters }: SearchView, parts: readonly string[] = []): Markup {
  const others = parameters.filter(([name]) => name !== "q" && !parts.includes(name));
  const address = pageAddressOf(PATH, [["q", corrected], ...others]);
  return link(address, `“${corrected}”`);
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
  return markup`<h2>${t("search.how")}</h2><ul>
<li>${t("search.how_words", { words: code("dune herbert"), phrase: code('"the left hand"') })}</li>
<li>${t("search.how_fields", { fields: commas(FIELDS.map(code)) })}</li>
<li>${t("search.how_operators", { operators: commas(["OR", "NOT"].map(code)), prefix: code("dun*") })}</li></ul>`;
}
