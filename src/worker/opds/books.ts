import * as z from "zod";
import { stringsOf } from "../../catalog/record.ts";
import { type FacetGroup, type Feed, type FeedLink, OPDS_TYPES } from "../../export/opds/feed.ts";
import { renderAtomEntry } from "../../export/opds/atom.ts";
import { toJsonPublication } from "../../export/opds/json.ts";
import type { FoundWork } from "../../search/present/works.ts";
import { type Query, ALL, between } from "../../search/query/query.ts";
import { inParts } from "../http/book-formats.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, integer } from "../http/parameters.ts";
import { searchCacheControl } from "../search/guarded.ts";
import { type ResultsPage, findResultsPage } from "../search/find-page.ts";
import { selectionParameters, workSort } from "../search/parameters.ts";
import { parseSearchRequest } from "../search/search-request.ts";
import {
  INVALID,
  NO_BOOK,
  OPDS_ERRORS,
  isOpds2,
  makeFeedReply,
  makeOpdsReply,
  opdsTimeOf,
  opdsUrlOf,
} from "./feeds.ts";
import { readPublications } from "./publications.ts";

export const OPDS_PAGE = 30;
/** Last page that the index can return. */
const PAGES_MAX = 333;

export const ORDERS = [
  ["Most editions", "editions"],
  ["Trending", "trending"],
  ["Newest", "new"],
  ["Best rated", "rating"],
  ["By title", "title"],
] as const;

const ACCESSES = [
  ["All", undefined],
  ["Open to all", "open"],
  ["To borrow", "borrow"],
] as const;

/** Parameter of a template that a reader has not filled in, such as `{startPage?}`. */
const UNFILLED = /^\{\??\w+[?*]?\}$/;

export const BOOK_PARAMETERS = {
  q: selectionParameters.q,
  query: selectionParameters.q.describe("Alias of `q` in OPDS 2.0 templates"),
  language: selectionParameters.language,
  author_key: selectionParameters.author_key,
  subject_facet: selectionParameters.subject_facet,
  sort: workSort.optional(),
  page: z
    .string()
    .transform((page) => (UNFILLED.test(page) ? "1" : page))
    .pipe(integer(z.int().gte(1).lte(PAGES_MAX)))
    .default(1),
};
const access = z
  .enum(["open", "borrow"])
  .optional()
  .describe("`open`: books that are free to read; `borrow`: books that are lent");
/** Parameters that links to other views of a list repeat. */
const REPEATED =
  "q query language author_key subject_facet access sort lang mode media_type title limit".split(" ");
const FACETS = new Map([
  ["language", "Language"],
  ["author_key", "Author"],
  ["subject_facet", "Subject"],
]);

export const OPDS_WORK_FIELDS = ["key", "editions", "editions.key"];
/** Order of editions: the most open one represents a work. */
export const OPEN_FIRST = [{ field: "ebook_access", descending: true }];

const feedLink = z.looseObject({
  href: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
});
const publication = z
  .object({
    metadata: z.looseObject({ title: z.string() }),
    links: z.array(feedLink),
    images: z.array(feedLink).optional(),
  })
  .meta({ id: "OpdsPublication" });
const feed = z
  .object({
    metadata: z.looseObject({ title: z.string() }),
    links: z.array(feedLink),
    navigation: z.array(feedLink).optional(),
    publications: z.array(publication).optional(),
    facets: z.array(z.object({ metadata: z.looseObject({}), links: z.array(feedLink) })).optional(),
  })
  .meta({ id: "OpdsFeed" });

export const FEED = {
  description: "Feed of OPDS 2.0 or 1.2",
  schema: feed,
  contentType: OPDS_TYPES.feed,
  also: ["application/atom+xml"],
};

export const opdsBooks = operation({
  id: "opdsBooks",
  summary: "List books to read or borrow (OPDS)",
  tag: "search",
  query: { ...BOOK_PARAMETERS, access },
  responses: { ...OPDS_ERRORS, 200: FEED, 422: INVALID },
  async handle({ query }, context) {
    const params = { ...query, q: searchTextOf(query) };
    const least = query.access === "open" ? "public" : "borrowable";
    const most = query.access === "borrow" ? "borrowable" : null;
    const filters = [between("ebook_access", least, most)];
    const results = await findBooks(params, { filters, limit: OPDS_PAGE }, context);
    const publications = await readPublications(editionKeysOf(results.works), context);
    const title = params.q === "" ? "Books to read" : `Books to read: ${params.q.slice(0, 100)}`;
    return makeFeedReply(
      {
        title,
        kind: "acquisition",
        publications,
        facets: [
          choiceFacet({ title: "Order", parameter: "sort", active: query.sort ?? "" }, ORDERS, context),
          choiceFacet({ title: "Access", parameter: "access", active: query.access }, ACCESSES, context),
          ...valueFacets(results, context),
        ],
        ...pagingOf({ total: results.numFound, size: OPDS_PAGE, page: params.page }, context),
        cacheControl: searchCacheControl(context, { sort: [], availability: true }),
      },
      context,
    );
  },
});

type ListParams = z.output<z.ZodObject<typeof BOOK_PARAMETERS>>;

/** Returns the search text, which a reader may have left as the placeholder of a template. */
export function searchTextOf({ q, query }: Pick<ListParams, "q" | "query">): string {
  return [q, query].find((text) => text !== "" && !UNFILLED.test(text)) ?? "";
}

export async function findBooks(
  { query: _query, ...params }: ListParams,
  { filters, limit }: { filters: readonly Query[]; limit: number },
  context: RequestContext,
): Promise<ResultsPage> {
  const searchParams = { ...NO_SELECTION, ...params, fields: OPDS_WORK_FIELDS, limit };
  const request = await parseSearchRequest(searchParams, context);
  const { search, editionChoice, isEmpty } = request;
  const find = (places: readonly number[]) =>
    findResultsPage(
      {
        ...request,
        search: {
          ...search,
          query: isEmpty ? ALL : search.query,
          filters: [...search.filters, ...filters],
          start: places[0] ?? search.start,
          rows: places.length,
        },
        editionChoice: editionChoice && { ...editionChoice, sort: OPEN_FIRST },
      },
      context,
    );
  const places = Array.from({ length: search.rows }, (_place, at) => search.start + at);
  // Large works are read in parts: pages have numbers, so none can end early.
  const parts = await Array.fromAsync(inParts(places, find));
  const first = parts[0] ?? (await find(places));
  return { ...first, works: parts.flatMap(({ works }) => works) };
}

const NO_SELECTION = z.object(selectionParameters).parse({});

export function editionKeysOf(works: readonly FoundWork[]): string[] {
  return works.flatMap(({ chosen }) => stringsOf(chosen?.edition?.["key"]));
}

/** Returns the address of another view of the list. */
export function changedUrl(
  changes: Readonly<Record<string, readonly string[]>>,
  context: RequestContext,
): string {
  const unchanged = [...context.url.searchParams].filter(
    ([name]) => REPEATED.includes(name) && !(name in changes),
  );
  const changed = Object.entries(changes).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  const path = context.url.pathname.replace(/^\/opds|\.json$/g, "");
  return opdsUrlOf(context, path, [...unchanged, ...changed]);
}

function pageUrl(page: number, context: RequestContext): string {
  return changedUrl({ page: page === 1 ? [] : [String(page)] }, context);
}

/** Returns the members of a feed that say which page it is, and link to others. */
export function pagingOf(paging: NonNullable<Feed["paging"]>, context: RequestContext) {
  const { total, size, page } = paging;
  const last = Math.min(PAGES_MAX, Math.max(1, Math.ceil(total / size)));
  const link = (rel: string, to: number): FeedLink => ({
    rel,
    href: pageUrl(to, context),
    type: OPDS_TYPES.acquisition,
  });
  const links = [
    link("first", 1),
    ...(page > 1 ? [link("previous", Math.min(page - 1, last))] : []),
    ...(page < last ? [link("next", page + 1)] : []),
    link("last", last),
  ];
  return { self: pageUrl(page, context), links, paging };
}

/** Returns the group of views that differ in one parameter. */
export function choiceFacet(
  { title, parameter, active }: { title: string; parameter: string; active: string | undefined },
  choices: readonly (readonly [title: string, value: string | undefined])[],
  context: RequestContext,
): FacetGroup {
  const links = choices.map(([name, value]) => ({
    title: name,
    href: changedUrl({ [parameter]: value === undefined ? [] : [value] }, context),
    isActive: active === value,
  }));
  return { title, links };
}

export function valueFacets({ groups }: ResultsPage, context: RequestContext): FacetGroup[] {
  return groups.flatMap(({ kind: { parameter }, rows, isCounted }) => {
    const title = FACETS.get(parameter);
    if (title === undefined) return [];
    const chosen = context.url.searchParams.getAll(parameter);
    const links = rows.map(({ value, label, count }) => ({
      title: label,
      href: changedUrl({ [parameter]: [...chosen, value] }, context),
      count: isCounted ? count : undefined,
      isActive: false,
    }));
    return [{ title, links }];
  });
}

export const opdsBook = operation({
  id: "opdsBook",
  summary: "Get a book to read or borrow (OPDS)",
  tag: "search",
  path: { edition_id: digitsOf("edition") },
  responses: {
    ...OPDS_ERRORS,
    422: INVALID,
    200: {
      description: "Publication of OPDS 2.0, or entry of OPDS 1.2",
      schema: publication,
      contentType: OPDS_TYPES.publication,
      also: ["application/atom+xml"],
    },
    404: NO_BOOK,
  },
  async handle({ path: { edition_id: digits } }, context) {
    const [book] = await readPublications([`/books/${context.settings.RECORD_PREFIX}${digits}M`], context);
    if (book === undefined) throw notFound();
    const type = isOpds2(context) ? OPDS_TYPES.publication : OPDS_TYPES.entry;
    const document = {
      json: () => toJsonPublication(book),
      atom: () => renderAtomEntry(book, opdsTimeOf(context.now)),
      type,
    };
    return makeOpdsReply(document, { cacheControl: "public, max-age=60", context });
  },
});
