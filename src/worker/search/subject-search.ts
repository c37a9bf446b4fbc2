import * as z from "zod";
import type { Facets, Hits, PlainSearch } from "../../search/engine.ts";
import { requestMostFrequent } from "../../search/facets.ts";
import { publisherPageKeyOf } from "../../search/present/subjects.ts";
import { clausesOf } from "../../search/query/work-parameters.ts";
import { allOf } from "../../search/query/query.ts";
import { misspellingCostOf } from "../../search/text/spelling.ts";
import { wordsOf } from "../../search/text/words.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { countWorks } from "./facets.ts";
import { askIndex, hitsSchema, NOTHING_FOUND, searchCacheControl } from "./guarded.ts";
import { SEARCH_PAGE_NAMES } from "./result-parts.ts";
import { publisherSearchPage, subjectSearchPage } from "./subject-search-page.ts";
import { pagingParameters, parsePlainSearch, windowOf } from "./parameters.ts";

/** Minimum length of a word whose spelling is corrected, and number of its first letters that are right. */
const CORRECTED_LENGTH_MIN = 4;
const KEPT_LETTERS = 3;
const MOST_WORKS = [{ field: "work_count", descending: true }];

export const searchSubjects = operation({
  id: "searchSubjects",
  summary: "Search subjects",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name, or field:value"), ...pagingParameters },
  responses: { 200: { description: "Page of subjects", schema: hitsSchema } },
  async handle({ query: params }, context) {
    const { start, rows } = windowOf(params);
    const { numFound, numFoundExact, documents } = await findSubjects(params.q, { start, rows }, context);
    // Q73
    const docs = Array.from(documents, (document) => {
      return { ...document, type: document["subject_type"] ?? "subject", count: document["work_count"] ?? 0 };
    });
    const cacheControl = searchCacheControl(context);
    return json({ numFound, start, numFoundExact, docs }, { cacheControl });
  },
});

/** Finds subjects, those with most works first; none for an empty text. One round trip. Throws 422 and 503. */
function findSubjects(
  q: string,
  page: Pick<PlainSearch, "start" | "rows">,
  context: RequestContext,
): Promise<Hits> {
  const query = parsePlainSearch(q, "subject");
  if (query === undefined) return Promise.resolve(NOTHING_FOUND);
  const search = { query, filters: [], sort: MOST_WORKS, ...page };
  return askIndex(context, q, (engine) => engine.subjects(search));
}

export const searchSubjectsPage = operation({
  id: "searchSubjectsPage",
  summary: "Show the subject search page",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name, or field:value"), page: pageNumber() },
  responses: { 200: { description: "HTML page or JSON", schema: hitsSchema, also: ["text/html"] } },
  programs: searchSubjects,
  async handle({ query }, context) {
    const [q, start] = [query.q.trim(), (query.page - 1) * SEARCH_PAGE_NAMES];
    const { numFound, documents } = await findSubjects(q, { start, rows: SEARCH_PAGE_NAMES }, context);
    const cacheControl = searchCacheControl(context);
    return subjectSearchPage({ q, page: query.page, numFound, documents, cacheControl });
  },
});

const PUBLISHERS_LIMIT = 25;

const publishersSchema = z.object({
  numFound: z.int(),
  docs: z.array(z.object({ name: z.string(), key: z.string(), count: z.int() })),
});

export const searchPublishers = operation({
  id: "searchPublishers",
  summary: "Search publishers",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name") },
  responses: {
    200: {
      description: "Publishers whose name contains `q`; numFound is the number of their works",
      schema: publishersSchema,
    },
  },
  async handle({ query: { q } }, context) {
    return json(await findPublishers(q, context), {
      cacheControl: searchCacheControl(context),
    });
  },
});

/**
 * Finds publishers by words of their names, those with most works first; `numFound` counts the works of all of them. If
 * there are none, words of names that begin with the same letters take the place of the typed ones (Q831).
 */
export async function findPublishers(
  q: string,
  context: RequestContext,
): Promise<z.infer<typeof publishersSchema>> {
  const name = q.trim();
  if (name === "") return { numFound: 0, docs: [] };
  const find = async (publisher: string, contains?: string) => {
    const { clauses } = clausesOf({ publisher }, { prefix: context.settings.RECORD_PREFIX });
    const frequent = requestMostFrequent("publisher_facet", PUBLISHERS_LIMIT);
    const facet = contains === undefined ? frequent : { ...frequent, contains };
    const { numFound, fields } = await countWorks({ query: allOf(clauses), facets: [facet] }, name, context);
    return { numFound, docs: publishersIn(fields) };
  };
  const found = await find(name, name);
  const typed = wordsOf(name).map(({ parts }) => parts.join(" "));
  const [longest = ""] = typed.toSorted((a, b) => b.length - a.length);
  if (found.docs.length > 0 || longest.length < CORRECTED_LENGTH_MIN) return found;
  for (const { name: other } of (await find(`${longest.slice(0, KEPT_LETTERS)}*`)).docs) {
    const words = wordsOf(other).map(({ parts }) => parts.join(" "));
    const near = typed.map((word) => words.find((term) => misspellingCostOf(word, term) <= 1));
    if (!near.includes(undefined)) return find(near.join(" "), near.join(" "));
  }
  return found;
}

/** Returns the counted publishers with the keys of their pages. */
export function publishersIn({ publisher_facet: publishers = [] }: Facets["fields"]) {
  return publishers.map(({ value, count }) => ({ name: value, key: publisherPageKeyOf(value), count }));
}

export const searchPublishersPage = operation({
  id: "searchPublishersPage",
  summary: "Show the publisher search page",
  tag: "search",
  query: { q: z.string().default("").describe("Words of a name") },
  responses: { 200: { description: "HTML page or JSON", schema: publishersSchema, also: ["text/html"] } },
  programs: searchPublishers,
  async handle({ query }, context) {
    const q = query.q.trim();
    const { docs } = await findPublishers(q, context);
    const cacheControl = searchCacheControl(context);
    return publisherSearchPage({ q, publishers: docs, most: PUBLISHERS_LIMIT, cacheControl });
  },
});
