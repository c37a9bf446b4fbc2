import * as z from "zod";
import { bothIsbns } from "../../catalog/identifiers/isbn.ts";
import { normalForm } from "../../catalog/matching/match-keys.ts";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { isbnOfText } from "../../search/query/normalize.ts";
import { CLAUSE_PARAMETERS, FLAG_PARAMETERS, LIST_PARAMETERS } from "../../search/query/work-parameters.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { CarrelError } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { type Reply, NO_STORE, redirect } from "../http/reply.ts";
import { searchCacheControl } from "./answers.ts";
import { type FoundPage, findPage } from "./find-page.ts";
import type { Markup } from "../ui/markup.ts";
import { say } from "../ui/words.ts";
import { type Parameters, SEARCH_PAGE_WORKS } from "./page-address.ts";
import { QUERY_LENGTH_MIN, refusalOf, sortNames } from "./parameters.ts";
import { searchPageOf } from "./result-page.ts";
import { type SearchQuery, searchRequest } from "./search-request.ts";
import { searchAnswer, searchOperation, searchParameters } from "./search.ts";
import { type YearRange, yearFilters, yearParameters } from "./year-range.ts";

const FOLDERS = new Map([
  ["A", "/authors/"],
  ["M", "/books/"],
  ["W", "/works/"],
]);

/** The record whose number a whole text is, such as `OL1W` (Q442). It may not be there. */
function recordOfText(text: string, prefix: string): string | undefined {
  const isNumber = text.startsWith(prefix) && /^\d{1,15}[AMW]$/.test(text.slice(prefix.length));
  const folder = FOLDERS.get(text.slice(-1));
  return isNumber && folder !== undefined ? folder + text : undefined;
}

/** Key of the edition that has the ISBN that a text is; undefined when it is none, or nobody has it. One round trip. */
async function editionOfText(
  texts: readonly (string | undefined)[],
  context: RequestContext,
): Promise<string | undefined> {
  const isbns = texts.map((text) => isbnOfText(text ?? "")).filter((isbn) => isbn !== undefined);
  const wanted = isbns.flatMap(bothIsbns).filter((isbn) => isbn !== undefined);
  if (wanted.length === 0) return undefined;
  return findEditionKey(
    catalogReader(context),
    wanted.map((value) => ({ kind: "isbn", value })),
  );
}

// Q441: older spellings are taken, and redirected.
/** Parameters of search pages that have other names now. */
const NEW_NAMES = new Map([
  ["authors", "author"],
  ["publishers", "publisher"],
  ["wisbn", "isbn"],
]);

/**
 * Where a search page is to be asked instead, undefined when its parameters are in order: values without
 * blanks around them, none of them empty, no older names, `q2` before `q`, and a search inside books at its own address.
 */
export function settledSearch(asked: URLSearchParams): string | undefined {
  const given = [...asked];
  const clean = given.flatMap(([name, value]): [string, string][] => {
    const text = normalForm(value, "NFC").trim();
    return text === "" ? [] : [[NEW_NAMES.get(name) ?? name, text]];
  });
  if (clean.some(([name]) => name === "search-fulltext")) {
    return `/search/inside?${new URLSearchParams({ q: last(clean, "q") })}`;
  }
  const settled = withoutSecondQuery(clean);
  const isSettled =
    settled.length === given.length &&
    settled.every(([name, value], at) => name === given[at]?.[0] && value === given[at]?.[1]);
  if (isSettled) return undefined;
  const query = new URLSearchParams(settled);
  return query.size === 0 ? "/search" : `/search?${query}`;
}

type Entries = readonly (readonly [string, string])[];

function withoutSecondQuery(entries: Entries): [string, string][] {
  const second = last(entries, "q2");
  const others = entries.filter(([name]) => name !== "q2" && (second === "" || name !== "q"));
  const query: [string, string][] = second === "" ? [] : [["q", `${second} ${last(entries, "q")}`.trim()]];
  return [...query, ...others.map(([name, value]): [string, string] => [name, value])];
}

function last(entries: Entries, wanted: string): string {
  return entries.findLast(([name]) => name === wanted)?.[1] ?? "";
}

/** What is shown of works and of their best editions. */
const FIELDS = (
  "key title subtitle author_key author_name cover_i ebook_access edition_count first_publish_year " +
  "publish_date series_key series_name series_position editions"
).split(" ");
/** Parameters that links of the page keep, in their order. */
const FILTERS = [...CLAUSE_PARAMETERS, ...FLAG_PARAMETERS, ...LIST_PARAMETERS];
const KEPT = ["q", ...FILTERS, "from", "to", "sort", "lang", "editions"];

/** Yes or no; forms send nothing for neither. */
function flag() {
  return z.enum(["true", "false"]).optional().catch(undefined);
}

/** `GET /search`: works for people, and for programs the same as `/search.json`. */
export const searchPage = operation({
  id: "searchPage",
  summary: "Works by words, fields and filters, as a page with ways to narrow the search",
  tag: "search",
  query: {
    ...searchParameters,
    q: z.string().default("").describe("Search text: words, phrases, field:value, AND, OR, NOT"),
    sort: z.string().default("").meta(sortNames(parseWorkSort)),
    page: pageNumber(),
    has_fulltext: flag().describe("Whether it can be read or borrowed"),
    public_scan: flag(),
    print_disabled: flag(),
    ...yearParameters,
  },
  responses: {
    200: { description: "A page, or JSON for programs", schema: searchAnswer, also: ["text/html"] },
    303: { description: "For people: the book that the text names, or the parameters as they are spelt now" },
    403: { description: "For programs: a parameter that would tune the engine" },
    422: { description: "A text that cannot be searched for", also: ["text/html"] },
  },
  programs: searchOperation,
  async handle({ query }, context) {
    const settled = settledSearch(context.url.searchParams);
    if (settled !== undefined) return elsewhere(settled);
    const record = recordOfText(query.q, context.settings.RECORD_PREFIX);
    if (record !== undefined) return elsewhere(record);
    return answer({ ...query, page: query.page, query: undefined }, context);
  },
});

function elsewhere(location: string): Reply {
  return redirect(303, location, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

/** What the page is asked. */
type PageQuery = SearchQuery & YearRange & { readonly page: number };

async function answer(asked: PageQuery, context: RequestContext): Promise<Reply> {
  const parameters = keptParameters(context.url.searchParams);
  const view = { asked, parameters, notice: noticeOf(asked.q) };
  if (view.notice !== undefined) return searchPageOf({ ...view, status: 422, cacheControl: NO_STORE });
  try {
    const edition = editionOfText([asked.isbn, asked.q], context);
    const [known, found] = await Promise.all([edition, find(asked, context)]);
    if (known !== undefined) return elsewhere(known);
    const { sorts: sort } = parseWorkSort(asked.sort ?? "", context.now);
    return searchPageOf({ ...view, found, cacheControl: searchCacheControl(context, { sort }) });
  } catch (thrown) {
    const notice = refusal(thrown);
    if (notice === undefined) throw thrown;
    return searchPageOf({ ...view, notice, status: 422, cacheControl: NO_STORE });
  }
}

/** What people are told of a text that is not searched for (Q449). */
function noticeOf(q: string): Markup | undefined {
  if (refusalOf(q) === undefined) return undefined;
  return say(Array.from(q).length < QUERY_LENGTH_MIN ? "search.too_short" : "search.too_common");
}

/** Finds nothing where nothing is asked; whether books can be read is no question by itself. */
async function find(asked: PageQuery, context: RequestContext): Promise<FoundPage | undefined> {
  const wanted = { ...asked, fields: FIELDS, limit: SEARCH_PAGE_WORKS, offset: undefined };
  const request = await searchRequest(wanted, context);
  const names = new Set(keptParameters(context.url.searchParams).map(([name]) => name));
  const years = yearFilters(asked);
  const asksForWorks = [...names].some(
    (name) => !["has_fulltext", "sort", "lang", "editions"].includes(name),
  );
  if ((request.isEmpty && years.length === 0) || !asksForWorks) return undefined;
  const { search } = request;
  return findPage(
    { ...request, search: { ...search, filters: [...search.filters, ...years] } },
    (parameter) => context.url.searchParams.getAll(parameter),
    context,
  );
}

function keptParameters(searchParams: URLSearchParams): Parameters {
  return KEPT.flatMap((name) => searchParams.getAll(name).map((value): [string, string] => [name, value]));
}

/** Why a search was refused, for the page; undefined for all other errors. */
function refusal(thrown: unknown): string | undefined {
  if (!(thrown instanceof CarrelError) || thrown.status !== 422) return undefined;
  const detail = thrown.body?.["detail"];
  const [first] = Array.isArray(detail) ? detail : [];
  return String(first?.msg ?? thrown.message).replace(/^Value error, /, "");
}
