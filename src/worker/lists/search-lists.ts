import * as z from "zod";
import { elementsOf, textOf, typeKeyOf } from "../../catalog/record.ts";
import { recordSlugOf } from "../../catalog/slug.ts";
import { readRecordMap } from "../../db/records/records.ts";
import { parseFieldNames, project } from "../../search/present/selected-fields.ts";
import { type Document, type Hits, type Sort, WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import { type Query, anyOf, between, equals, ALL } from "../../search/query/query.ts";
import { parseListSort } from "../../search/sorts.ts";
import { validationFailed } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer, listPageNumber, listPageText } from "../http/parameters.ts";
import { type Reply, json, redirect } from "../http/reply.ts";
import { askIndex, NOTHING_FOUND, searchCacheControl, VALUE_ERROR } from "../search/guarded.ts";
import { pagingParameters, parsePlainSearch, describeSort, windowOf } from "../search/parameters.ts";
import type { ListEntry } from "../../catalog/lists/list-view.ts";
import { numberedAddressOf, renderPlaceLinks, renderSearchKinds } from "../search/result-parts.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { firstNames } from "../ui/metadata.ts";
import { dots, link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { listTable } from "./collections-page.ts";
import { invalid } from "../http/input-failures.ts";
import type { Text } from "../../catalog/texts.ts";

const LISTS_LIMIT = 20;
const DEFAULT_FIELDS = ["key", "name"];
const parameters = {
  q: z.string().default("").describe('Words of the name, or field:value, for example seed:("/works/OL1W")'),
  fields: z.string().default("").describe("Fields to return, comma-separated; only with `api=next`"),
  sort: z.string().default("").meta(describeSort(parseListSort)),
  api: z.enum(["next", ""]).default("").describe("`next` for documents of the index and their number"),
  ...pagingParameters,
  limit: integer(z.int().gte(0)).default(LISTS_LIMIT),
};

const searchListsSchema = z.looseObject({ start: z.int(), docs: z.array(z.looseObject({})) });

export const searchLists = operation({
  id: "searchLists",
  summary: "Search lists and series",
  tag: "search",
  query: parameters,
  responses: { 200: { description: "Page of lists", schema: searchListsSchema } },
  handle: ({ query }, context) =>
    query.api === "next" ? replyWithDocuments(query, context) : replyWithRows(query, context),
});

type Parameters = z.output<z.ZodObject<typeof parameters>>;

/** Answers with rows built from the records, without the number of hits. */
async function replyWithRows({ q, sort, ...paging }: Parameters, context: RequestContext): Promise<Reply> {
  if (sort !== "") throw invalidSort({ key: "validation.list_sort" }, sort);
  // Q74: a limit of 0 means the default.
  const window = windowOf({ ...paging, limit: paging.limit === 0 ? LISTS_LIMIT : paging.limit });
  const { documents } = await findLists(q, { ...window, sort: [] }, context);
  const keys = documents.map(({ key }) => String(key));
  const records = await readRecordMap(catalogReader(context), keys);
  const docs = documents.flatMap((document) => {
    const url = String(document["key"]);
    const record = records.get(url);
    if (record === undefined) return [];
    // A series does not list its members: the index counts the works that name it.
    const { seed_count: members } = document;
    const isCounted = typeKeyOf(record) === "/type/series" && typeof members === "number";
    return {
      url,
      full_url: `${url}/${recordSlugOf(record) ?? ""}`,
      name: textOf(record["name"]) ?? "",
      seed_count: isCounted ? members : elementsOf(record["seeds"]).length,
      last_update: textOf(record["last_modified"]) ?? null,
    };
  });
  return json({ start: window.start, docs }, { cacheControl: searchCacheControl(context, { sort: [] }) });
}

async function replyWithDocuments(
  { q, sort: sortText, fields: fieldsText, ...paging }: Parameters,
  context: RequestContext,
): Promise<Reply> {
  const { sorts: sort, refusal } = parseListSort(sortText, context.now);
  if (refusal !== undefined) throw invalidSort(refusal, sortText);
  const window = windowOf(paging);
  const { numFound, documents } = await findLists(q, { ...window, sort }, context);
  const names = parseFieldNames([fieldsText]);
  const fields = names.length === 0 ? DEFAULT_FIELDS : names;
  const projected = documents.map((document) => project(document, fields));
  const docs = fields.includes("description")
    ? await addDescriptions(documents, projected, context)
    : projected;
  const body = { numFound, num_found: numFound, start: window.start, q, docs };
  return json(body, { cacheControl: searchCacheControl(context, { sort }) });
}

async function addDescriptions(
  documents: readonly Document[],
  projected: readonly Document[],
  context: RequestContext,
): Promise<Document[]> {
  const keys = documents.map(({ key }) => String(key));
  const records = await readRecordMap(catalogReader(context), keys);
  return projected.map((document, place) => {
    const description = textOf(records.get(keys[place] ?? "")?.["description"]);
    return description === undefined || description === "" ? document : { ...document, description };
  });
}

function findLists(
  text: string,
  { start, rows, sort }: ReturnType<typeof windowOf> & { sort: readonly Sort[] },
  context: RequestContext,
): Promise<Hits> {
  const query = parsePlainSearch(text, "list");
  if (query === undefined) return Promise.resolve(NOTHING_FOUND);
  const search = { query, filters: filtersFor(text), sort, start, rows };
  return askIndex(context, text, (engine) => engine.lists(search));
}

const WORTH_SHOWING = anyOf([between("seed_count", "2", null), equals("list_type", "series")]);

/** Returns the filter that hides lists with a single seed, except for series; none if the query is about their size. */
function filtersFor(text: string): readonly Query[] {
  return text.includes("seed_count") ? [] : [WORTH_SHOWING];
}

function invalidSort(text: Text, input: string) {
  return validationFailed([invalid(["query", "sort"], text, { ...VALUE_ERROR, input })]);
}

const LISTS_PER_PAGE = 20;

export const listsOverview = overviewOperation("listsOverview", "lists", "lists and series");
export const seriesOverview = overviewOperation("seriesOverview", "series", "series");

function overviewOperation(id: string, what: string, content: string) {
  return operation({
    id,
    summary: `List all ${what}, last changed first`,
    tag: "lists",
    query: { page: listPageText() },
    responses: { 200: { description: `HTML page of ${content}`, contentType: "text/html" } },
    handle: ({ query }, context) => overview("", query.page, context),
  });
}

export const searchListsPage = operation({
  id: "searchListsPage",
  summary: "Search lists and series by name",
  tag: "lists",
  query: { q: z.string().default("").describe("Words of the name"), page: listPageText() },
  responses: {
    200: { description: "Lists, as HTML or JSON", schema: searchListsSchema, also: ["text/html"] },
  },
  programs: searchLists,
  handle: ({ query }, context) => overview(query.q, query.page, context),
});

/** `GET /lists/search`: the older address of the search (Q251). */
export const oldListSearch = operation({
  id: "oldListSearch",
  summary: "Redirect from the legacy path of the list search",
  tag: "lists",
  responses: { 303: { description: "Redirect to /search/lists, with the query" } },
  handle: (_input, { url }) => redirect(303, `/search/lists${url.search}`),
});

const SEARCH = "/search/lists";
const SERIES = "/series";

/** Renders lists whose names contain the words, best first; without words all lists, last changed first. */
async function overview(words: string, pageText: string | undefined, context: RequestContext) {
  const number = listPageNumber(pageText);
  const text = words.trim();
  const query: Query = parsePlainSearch(text, "list") ?? ALL;
  const path = context.url.pathname;
  const isSeries = path === SERIES;
  const search = {
    query,
    filters: [...filtersFor(text), ...(isSeries ? [equals("list_type", "series")] : [])],
    sort: query === ALL ? [{ field: "last_modified", descending: true }] : [],
    start: (number - 1) * LISTS_PER_PAGE,
    rows: LISTS_PER_PAGE,
  };
  const { numFound, documents } = await askIndex(context, text, (engine) => engine.lists(search));
  const lists = documents.map(entryOf);
  const pageAddress = (at: number): string => numberedAddressOf(path, [["q", text]], at);
  const names = lists.map(({ name }) => name);
  const title = text === "" ? t(isSeries ? "lists.series" : "nav.lists") : t("lists.found", { q: text });
  return page({
    title,
    metadata: { address: pageAddress(number), description: firstNames(title, names) },
    body: markup`${path === SEARCH && renderSearchKinds(SEARCH, text)}${form({
      action: SEARCH,
      method: "get",
      fields: [{ name: "q", label: t("lists.words"), value: text }],
      submit: t("layout.search"),
    })}
<p>${dots([t("lists.count", { count: numFound }), ...(text === "" ? MAKE_LINKS : [link("/lists", t("lists.all"))])])}</p>
${lists.length > 0 && listTable(lists, t(text === "" ? "lists.newest" : "lists.best"), t("lists.changed"))}
${numFound > 0 && renderPlaceLinks({ page: number, numFound, size: LISTS_PER_PAGE, window: WINDOW_PLAIN_MAX, addressOf: pageAddress })}`,
  });
}

/** Converts a document of the index. Its `lastUpdate` is the last change of the list itself, not of its members. */
function entryOf({ key, name, seed_count: count, last_modified: modified }: Document): ListEntry {
  return {
    key: String(key),
    revision: 0,
    name: typeof name === "string" ? name : "",
    seedCount: typeof count === "number" ? count : 0,
    lastUpdate: typeof modified === "string" ? modified.replace(/Z$/, "") : null,
  };
}

const MAKE_LINKS = [
  link("/series", t("lists.series")),
  link("/lists/add", t("lists.make_community")),
  link("/series/add", t("listform.add_series")),
];
