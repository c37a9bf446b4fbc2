import * as z from "zod";
import { stringsOf } from "../../catalog/record.ts";
import { type FacetGroup, type FeedLink, OPDS_TYPES } from "../../export/opds/feed.ts";
import { atomEntry } from "../../export/opds/atom.ts";
import { jsonPublication } from "../../export/opds/json.ts";
import type { FoundWork } from "../../search/present/works.ts";
import { ALL, between } from "../../search/query/query.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { digitsOf, integer } from "../http/parameters.ts";
import { searchCacheControl } from "../search/answers.ts";
import { type FoundPage, findPage } from "../search/find-page.ts";
import { selectionParameters, workSort } from "../search/parameters.ts";
import { searchRequest } from "../search/search-request.ts";
import { feedReply, isJsonForm, opdsReply, opdsUrl, signature } from "./form.ts";
import { publicationsOf } from "./publications.ts";

/** Books of a page. */
export const OPDS_PAGE = 30;
/** The last page that the index answers. */
const PAGES_MAX = 333;

/** Orders that readers choose among, and what they are called. */
export const ORDERS = [
  ["editions", "Most editions"],
  ["trending", "Trending"],
  ["new", "Newest"],
  ["rating", "Best rated"],
  ["title", "By title"],
] as const;

const { q, author_key: authors, language, subject_facet: subjects } = selectionParameters;
const NARROWED = {
  q,
  language,
  author_key: authors,
  subject_facet: subjects,
  access: z
    .enum(["open", "borrow"])
    .optional()
    .describe("open: books that all can read; borrow: those that are lent"),
  sort: workSort.optional(),
};
/** Facets that are told of the groups that a search can be narrowed by. */
const FACETS = new Map([
  ["language", "Language"],
  ["author_key", "Author"],
  ["subject_facet", "Subject"],
]);

/** What the index is asked of works: the best edition of each comes along. */
export const WORK_FIELDS = ["key", "editions", "editions.key"];
/** The edition that is most open stands for a work. */
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
    images: z.array(feedLink),
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

/** What feeds answer with. */
export const FEED = {
  description: "A feed of OPDS 2.0, or of 1.2",
  schema: feed,
  contentType: OPDS_TYPES.feed,
  also: ["application/atom+xml"],
};

/** `GET /opds/books`: works that can be read, by words and by what they have in common. */
export const opdsBooks = operation({
  id: "opdsBooks",
  summary: "Books that can be read or borrowed, for e-book readers (OPDS)",
  tag: "search",
  query: { ...NARROWED, page: integer(z.int().gte(1).lte(PAGES_MAX)).default(1) },
  responses: { 200: FEED, 503: { description: "The index does not answer" } },
  async handle({ query }, context) {
    const found = await search(query, context);
    const publications = await publicationsOf(editionKeys(found.works), context);
    const title = query.q === "" ? "Books to read" : `Books to read: ${query.q.slice(0, 100)}`;
    return feedReply(
      {
        title,
        kind: "acquisition",
        self: pageUrl(query.page, context),
        links: turns(query.page, found.numFound, context),
        publications,
        facets: [...orders(query, context), ...access(query, context), ...narrowed(found, context)],
        paging: { total: found.numFound, size: OPDS_PAGE, page: query.page },
        cacheControl: searchCacheControl(context, { sort: [], availability: true }),
      },
      context,
    );
  },
});

type Query = z.output<z.ZodObject<typeof NARROWED>> & { readonly page: number };

/** Finds all that can be read where nothing else is asked. */
async function search({ access: wanted, ...query }: Query, context: RequestContext): Promise<FoundPage> {
  const asked = { ...NOTHING, ...query, fields: WORK_FIELDS, limit: OPDS_PAGE };
  const request = await searchRequest(asked, context);
  const least = wanted === "open" ? "public" : "borrowable";
  const most = wanted === "borrow" ? "borrowable" : null;
  const filters = [...request.search.filters, between("ebook_access", least, most)];
  const works = request.isEmpty ? { query: ALL } : {};
  return findPage(
    {
      ...request,
      search: { ...request.search, ...works, filters },
      wish: request.wish && { ...request.wish, sort: OPEN_FIRST },
    },
    (parameter) => context.url.searchParams.getAll(parameter),
    context,
  );
}

/** Parameters of searches that are not taken here. */
const NOTHING = z.object(selectionParameters).parse({});

/** Keys of the editions that stand for works. */
export function editionKeys(works: readonly FoundWork[]): string[] {
  return works.flatMap(({ chosen }) => stringsOf(chosen?.edition?.["key"]));
}

/** The same address with some parameters changed; the page begins anew. */
function changedUrl(changes: Readonly<Record<string, readonly string[]>>, context: RequestContext): string {
  const kept = [...context.url.searchParams].filter(
    ([name]) => (name in NARROWED || name === "lang") && !(name in changes),
  );
  const more = Object.entries(changes).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  return opdsUrl(context, "/books", [...kept, ...more]);
}

function pageUrl(page: number, context: RequestContext): string {
  return changedUrl({ page: page === 1 ? [] : [String(page)] }, context);
}

function turns(page: number, total: number, context: RequestContext): FeedLink[] {
  const last = Math.min(PAGES_MAX, Math.max(1, Math.ceil(total / OPDS_PAGE)));
  const link = (rel: string, to: number): FeedLink => ({
    rel,
    href: pageUrl(to, context),
    type: OPDS_TYPES.acquisition,
  });
  return [
    link("first", 1),
    ...(page > 1 ? [link("previous", Math.min(page - 1, last))] : []),
    ...(page < last ? [link("next", page + 1)] : []),
    link("last", last),
  ];
}

function orders({ sort = "" }: Query, context: RequestContext): FacetGroup[] {
  const links = ORDERS.map(([name, title]) => ({
    title,
    href: changedUrl({ sort: [name] }, context),
    isActive: sort === name,
  }));
  return [{ title: "Order", links }];
}

function access({ access: chosen }: Query, context: RequestContext): FacetGroup[] {
  const all = [
    ["All", undefined],
    ["Open to all", "open"],
    ["To borrow", "borrow"],
  ] as const;
  const links = all.map(([title, value]) => ({
    title,
    href: changedUrl({ access: value === undefined ? [] : [value] }, context),
    isActive: chosen === value,
  }));
  return [{ title: "Access", links }];
}

/** Values by which the works that were found can be narrowed. */
function narrowed({ groups }: FoundPage, context: RequestContext): FacetGroup[] {
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

/** `GET /opds/books/OL1M`: a book as a document of its own. */
export const opdsBook = operation({
  id: "opdsBook",
  summary: "A book that can be read or borrowed, for e-book readers (OPDS)",
  tag: "search",
  path: { edition_id: digitsOf("edition") },
  responses: {
    200: {
      description: "A publication of OPDS 2.0, or an entry of 1.2",
      schema: publication,
      contentType: OPDS_TYPES.publication,
      also: ["application/atom+xml"],
    },
    404: { description: "No such edition, or it cannot be had" },
  },
  async handle({ path: { edition_id: digits } }, context) {
    const [found] = await publicationsOf([`/books/${context.settings.RECORD_PREFIX}${digits}M`], context);
    if (found === undefined) throw notFound();
    const type = isJsonForm(context) ? OPDS_TYPES.publication : OPDS_TYPES.entry;
    const document = {
      json: () => jsonPublication(found),
      atom: () => atomEntry(found, signature(context)),
      type,
    };
    return opdsReply(document, { cacheControl: "public, max-age=60", context });
  },
});
