import * as z from "zod";
import { bothIsbnsOf, parseIsbn } from "../../catalog/identifiers/isbn.ts";
import { toNormalForm } from "../../catalog/matching/match-keys.ts";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { CLAUSE_PARAMETERS, FLAG_PARAMETERS, LIST_PARAMETERS } from "../../search/query/work-parameters.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { Failure } from "../http/failure.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { pageNumber } from "../http/parameters.ts";
import { type Reply, NO_STORE, redirect } from "../http/reply.ts";
import { searchCacheControl } from "./guarded.ts";
import { type ResultsPage, findResultsPage } from "./find-page.ts";
import { refusalText } from "../ui/failure-text.ts";
import { t } from "../ui/words.ts";
import {
  type YearRange,
  isShortText,
  refusalOf,
  describeSort,
  yearFiltersOf,
  yearParameters,
} from "./parameters.ts";
import { advancedSearchPage } from "./advanced-page.ts";
import { renderSearchPage } from "./result-page.ts";
import { type PageParameters, SEARCH_PAGE_WORKS } from "./result-parts.ts";
import { type SearchParams, parseSearchRequest } from "./search-request.ts";
import { searchOperation, searchParameters, searchResponse } from "./search.ts";

const FOLDERS = new Map([
  ["A", "/authors/"],
  ["M", "/books/"],
  ["W", "/works/"],
]);

/** Q441: former names of parameters, which are redirected. */
const NEW_NAMES = new Map([
  ["authors", "author"],
  ["publishers", "publisher"],
  ["wisbn", "isbn"],
]);

/**
 * Returns the canonical address of a search page: values trimmed and not empty, no former names, `q2` joined to `q`, and
 * a search inside books at its own address. Undefined if the parameters are canonical.
 */
export function canonicalSearchAddress(searchParams: URLSearchParams): string | undefined {
  const entries = [...searchParams];
  const clean = entries.flatMap(([name, value]): [string, string][] => {
    const text = toNormalForm(value, "NFC").trim();
    return text === "" ? [] : [[NEW_NAMES.get(name) ?? name, text]];
  });
  if (clean.some(([name]) => name === "search-fulltext")) {
    return `/search/inside?${new URLSearchParams({ q: lastValue(clean, "q") })}`;
  }
  const second = lastValue(clean, "q2");
  const others = clean.filter(([name]) => name !== "q2" && (second === "" || name !== "q"));
  const joined = `${second} ${lastValue(clean, "q")}`.trim();
  const canonical: [string, string][] = second === "" ? others : [["q", joined], ...others];
  const isCanonical =
    canonical.length === entries.length &&
    canonical.every(([name, value], at) => name === entries[at]?.[0] && value === entries[at]?.[1]);
  if (isCanonical) return undefined;
  const query = new URLSearchParams(canonical);
  return query.size === 0 ? "/search" : `/search?${query}`;
}

function lastValue(entries: PageParameters, parameter: string): string {
  return entries.findLast(([name]) => name === parameter)?.[1] ?? "";
}

const FIELDS = (
  "key title subtitle author_key author_name cover_i ebook_access edition_count first_publish_year language " +
  "publish_date series_key series_name series_position editions ia lending_identifier_s"
).split(" ");
const FILTERS = [...CLAUSE_PARAMETERS, ...FLAG_PARAMETERS, ...LIST_PARAMETERS];
const LINK_PARAMETERS = ["q", ...FILTERS, "from", "to", "sort", "lang", "editions"];

/** Makes a parameter of yes or no; forms send an empty value for neither. */
function flag() {
  return z.enum(["true", "false"]).optional().catch(undefined);
}

export const searchPage = operation({
  id: "searchPage",
  summary: "Show the search page",
  tag: "search",
  query: {
    ...searchParameters,
    q: z.string().default("").describe("Search text: words, phrases, field:value, AND, OR, NOT"),
    sort: z.string().default("").meta(describeSort(parseWorkSort)),
    page: pageNumber(),
    has_fulltext: flag().describe("Only works that can (`true`) or cannot be read or borrowed"),
    public_scan: flag(),
    print_disabled: flag(),
    ...yearParameters,
  },
  responses: {
    200: { description: "HTML page or JSON", schema: searchResponse, also: ["text/html"] },
    303: { description: "Redirect to the book that `q` identifies, or to current parameter names" },
    403: { description: "Solr tuning parameter (API clients)" },
    422: { description: "Invalid search text", also: ["text/html"] },
  },
  programs: searchOperation,
  async handle({ query }, context) {
    const address = canonicalSearchAddress(context.url.searchParams);
    if (address !== undefined) return redirectTo(address);
    // Q442: an OLID leads to its record, which may not exist.
    const { RECORD_PREFIX: prefix } = context.settings;
    const { q, isbn, sort, page } = query;
    const folder = FOLDERS.get(q.slice(-1));
    const isOlid = q.startsWith(prefix) && /^\d{1,15}[AMW]$/.test(q.slice(prefix.length));
    if (isOlid && folder !== undefined) return redirectTo(folder + q);
    const parameters = LINK_PARAMETERS.flatMap((name) =>
      context.url.searchParams.getAll(name).map((value): [string, string] => [name, value]),
    );
    const view = { q, sort, page, parameters };
    const refused = { ...view, status: 422, cacheControl: NO_STORE };
    if (refusalOf(q) !== undefined) return renderSearchPage({ ...refused, notice: t("search.too_common") });
    try {
      const isbns = [isbn, q]
        .flatMap((text) => bothIsbnsOf(parseIsbn(text ?? "") ?? ""))
        .filter((value) => value !== undefined);
      const [edition, results] = await Promise.all([
        isbns.length === 0
          ? undefined
          : findEditionKey(
              catalogReader(context),
              isbns.map((value) => ({ kind: "isbn", value })),
            ),
        findResults({ ...query, query: undefined }, parameters, context),
      ]);
      if (edition !== undefined) return redirectTo(edition);
      const { sorts } = parseWorkSort(sort, context.now);
      const cacheControl = searchCacheControl(context, { sort: sorts });
      return renderSearchPage({ ...view, results, cacheControl });
    } catch (thrown) {
      // Q449
      if (!(thrown instanceof Failure) || !["validation", "too_broad"].includes(thrown.code)) throw thrown;
      const notice = isShortText(q) ? t("search.too_short") : refusalText(thrown);
      return renderSearchPage({ ...refused, status: thrown.status, notice });
    }
  },
});

function redirectTo(location: string): Reply {
  return redirect(303, location, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

/** Runs the search; undefined if nothing selects works. `has_fulltext` alone does not. */
async function findResults(
  params: SearchParams & YearRange,
  parameters: PageParameters,
  context: RequestContext,
): Promise<ResultsPage | undefined> {
  const pageParams = { ...params, fields: FIELDS, limit: SEARCH_PAGE_WORKS, offset: undefined };
  const request = await parseSearchRequest(pageParams, context);
  const years = yearFiltersOf(params);
  const selectsWorks = parameters.some(
    ([name]) => !["has_fulltext", "sort", "lang", "editions"].includes(name),
  );
  if ((request.isEmpty && years.length === 0) || !selectsWorks) return undefined;
  const { search } = request;
  return findResultsPage(
    { ...request, search: { ...search, filters: [...search.filters, ...years] } },
    context,
    { isInclusive: true },
  );
}

export const advancedSearch = operation({
  id: "advancedSearch",
  summary: "Show the advanced search form",
  tag: "search",
  responses: { 200: { description: "HTML form", contentType: "text/html" } },
  handle: () => advancedSearchPage(),
});
