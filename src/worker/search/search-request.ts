import { latestRecord } from "../../catalog/document.ts";
import { type CatalogRecord, type Json, isObject, keyOf } from "../../catalog/record.ts";
import { readRecord, readRecords } from "../../db/records/records.ts";
import type { Sort, WorkSearch } from "../../search/engine.ts";
import { marcLanguage } from "../../catalog/language.ts";
import type { EditionWish } from "../../search/present/choose-edition.ts";
import { type FieldSelection, fieldNames, selectFields } from "../../search/present/fields.ts";
import { editionsFrom, presentedFrom } from "../../search/present/works.ts";
import { type Query, NONE, allOf, equals } from "../../search/query/query.ts";
import { type QueryDictionary, readQueryDictionary } from "../../search/query/work-parameters.ts";
import { parseEditionSort, parseWorkSort } from "../../search/sorts.ts";
import { languageOf } from "../http/accept.ts";
import { type CarrelError, type ValidationFailure, validationFailed } from "../http/errors.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { workKeyOf } from "../holdings/bundles.ts";
import { choosesEditions } from "./engine.ts";
import { type Selection, SEARCH_LIMIT, windowOf } from "./parameters.ts";
import { VALUE_ERROR } from "./guarded.ts";
import { parseSelection } from "./selection.ts";

/** Members of a list that are looked at. */
const LIST_MEMBERS_MAX = 10_000;

/** A text that starts with the key of a list, and what remains of it. */
interface ListText {
  readonly key: string;
  readonly isSeries: boolean;
  readonly rest: string;
}

/** Recognises `/people/<user>/lists/OL1L words`, `/lists/OL1L`, `/series/OL1L`. */
function listText(text: string, prefix: string): ListText | undefined {
  const expression = new RegExp(`^\\s*((?:/people/[^/\\s]+)?/(lists|series)/${prefix}\\d{1,15}L)(?![\\w])`);
  const match = expression.exec(text);
  if (match === null) return undefined;
  const [whole, key = "", folder] = match;
  return { key, isSeries: folder === "series", rest: text.slice(whole.length).trim() };
}

/** Which works a list means: those of a window of its seeds, or, of a series, those that name it. */
type ListWorks = { readonly keys: readonly string[] } | { readonly filter: Query };

/** The works of a list. Two statements at most. */
async function listWorks(
  { key, isSeries }: ListText,
  window: { readonly start: number; readonly rows: number },
  context: RequestContext,
): Promise<ListWorks> {
  const { start } = window;
  // Where none is to be shown, those of a page of the usual length are counted.
  const rows = window.rows === 0 ? SEARCH_LIMIT.default : window.rows;
  const database = catalogReader(context);
  const row = await readRecord(database, key);
  const seeds = row === undefined ? [] : seedKeys(latestRecord(row));
  if (isSeries && seeds.length === 0) return { filter: equals("series_key", key.slice("/series/".length)) };
  const books = seeds.filter((seed) => /^\/(?:works|books)\//.test(seed)).slice(start, start + rows);
  const editions = await readRecords(
    database,
    books.filter((seed) => seed.startsWith("/books/")),
  );
  // An edition without a work stands in the index for one.
  const works = new Map(
    editions.map((one) => [one.key, workKeyOf(latestRecord(one)) ?? one.key.replace("/books/", "/works/")]),
  );
  return { keys: [...new Set(books.map((seed) => works.get(seed) ?? seed))] };
}

function seedKeys({ seeds }: CatalogRecord): string[] {
  if (!Array.isArray(seeds)) return [];
  // Seeds are `{key}`, `{thing: {key}}`, or texts.
  return seeds
    .slice(0, LIST_MEMBERS_MAX)
    .flatMap((seed) => keyOf(isObject(seed) ? (seed["thing"] ?? seed) : seed) ?? []);
}

/** Longest JSON text that is read, in characters. */
const QUERY_JSON_LENGTH_MAX = 65_536;

/** Reads the JSON of `query=`; throws 422 when it is no JSON object. */
function queryDictionary(json: string): QueryDictionary {
  if (json.length > QUERY_JSON_LENGTH_MAX) {
    const msg = `String should have at most ${QUERY_JSON_LENGTH_MAX} characters`;
    throw failed({ type: "string_too_long", msg, ctx: { max_length: QUERY_JSON_LENGTH_MAX } }, json.length);
  }
  const value = parsed(json);
  if (isObject(value)) return readQueryDictionary(value);
  throw failed({ type: "dict_type", msg: "Input should be a valid dictionary" }, value);
}

function parsed(json: string): Json {
  try {
    // What JSON.parse makes is JSON.
    return JSON.parse(json) as Json;
  } catch (error) {
    const message = error instanceof Error ? error.message : "not JSON";
    throw failed({ ...VALUE_ERROR, msg: `Value error, Invalid JSON in 'query' parameter: ${message}` }, json);
  }
}

function failed(failure: Pick<ValidationFailure, "type" | "msg" | "ctx">, input: unknown): CarrelError {
  const { type, msg, ...context } = failure;
  return validationFailed([{ type, loc: ["query", "query"], msg, input, ...context }]);
}

/** Parameters of `/search.json`, checked. */
export interface SearchQuery extends Selection {
  readonly query?: string | undefined;
  readonly sort?: string | undefined;
  readonly fields: readonly string[];
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly page?: number | undefined;
}

/** What `/search.json` is asked, in the terms of the engine and of the answer. */
export interface SearchRequest {
  readonly search: WorkSearch;
  /** The text that is searched; empty when only parameters ask for something. */
  readonly text: string;
  /** Words that may be misspelt. */
  readonly freeWords: readonly string[];
  /** Nothing is asked, so nothing is found. */
  readonly isEmpty: boolean;
  readonly fields: FieldSelection;
  /** Absent: no editions in the answer. */
  readonly wish: EditionWish | undefined;
}

/** Reads a request. Reads the list that the text names, if it names one. Throws 422. */
export async function searchRequest(asked: SearchQuery, context: RequestContext): Promise<SearchRequest> {
  const { q, parameters, editionsSort = "" } = dictionaryOf(asked);
  const prefix = context.settings.RECORD_PREFIX;
  const list = listText(q, prefix);
  const selected = parseSelection({ q: list?.rest ?? q, parameters }, context);
  const window = windowOf(asked);
  const inList = list === undefined ? undefined : await listWorks(list, window, context);
  const fields = selectFields(fieldNames(asked.fields));
  const withEditions = fields.editions && choosesEditions(context);
  const bestEditions = editionSort(editionsSort, context);
  const works = inList === undefined ? selected.works : restricted(selected.works, inList);
  const wish = withEditions
    ? {
        clauses: selected.editionClauses,
        language: marcLanguage(languageOf(context)),
        words: selected.freeWords,
        sort: bestEditions,
      }
    : undefined;
  return {
    search: {
      ...works,
      // Q84: works are restricted by their editions only when editions are asked for.
      editionClauses: withEditions ? selected.editionClauses : [],
      // The parameter's schema has refused what is no order.
      sort: parseWorkSort(asked.sort ?? "", context.now).sorts,
      // Q83: the page was taken of the list already.
      start: inList !== undefined && "keys" in inList ? 0 : window.start,
      rows: window.rows,
      withEditions,
      fields: presentedFrom(fields),
      ...(wish !== undefined && { editionFields: editionsFrom(fields, wish) }),
    },
    text: q,
    freeWords: selected.freeWords,
    isEmpty: selected.isEmpty && list === undefined,
    fields,
    wish,
  };
}

/** The parameters, or what stands for them all in `query=`. */
function dictionaryOf(asked: SearchQuery): QueryDictionary & { readonly q: string } {
  if (asked.query === undefined || asked.query === "") return { q: asked.q, parameters: asked };
  const dictionary = queryDictionary(asked.query);
  return { ...dictionary, q: dictionary.q ?? "" };
}

function restricted<Works extends { readonly query: Query; readonly filters: readonly Query[] }>(
  works: Works,
  list: ListWorks,
): Works & { readonly keys?: readonly string[] } {
  if ("filter" in list) return { ...works, filters: [...works.filters, list.filter] };
  return list.keys.length === 0
    ? { ...works, query: allOf([works.query, NONE]) }
    : { ...works, keys: list.keys };
}

function editionSort(text: string, { now }: RequestContext): readonly Sort[] {
  const { sorts, message } = parseEditionSort(text, now);
  if (message === undefined) return sorts;
  const loc = ["query", "query", "editions.sort"];
  throw validationFailed([{ ...VALUE_ERROR, loc, msg: `Value error, ${message}`, input: text }]);
}
