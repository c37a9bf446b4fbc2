import { latestRecordOf } from "../../catalog/document.ts";
import { marcLanguageOf } from "../../catalog/language.ts";
import { type Json, isObject, keyOf } from "../../catalog/record.ts";
import { readRecord, readRecords } from "../../db/records/records.ts";
import type { SearchRequest } from "../../search/engine.ts";
import type { EditionCriteria } from "../../search/present/choose-edition.ts";
import { type FieldSelection, parseFieldNames, selectFields } from "../../search/present/selected-fields.ts";
import { editionSourceFieldsOf, workSourceFieldsOf } from "../../search/present/works.ts";
import { type Query, NONE, allOf, equals } from "../../search/query/query.ts";
import type { Typed } from "../../search/query/typed-search.ts";
import {
  type QueryDictionary,
  type WorkParameters,
  readQueryDictionary,
} from "../../search/query/work-parameters.ts";
import { parseEditionSort, parseWorkSort } from "../../search/sorts.ts";
import { workKeyOf } from "../../catalog/lookup/bundle.ts";
import { languageOf } from "../http/accept.ts";
import { validationFailed } from "../http/errors.ts";
import type { Failure } from "../http/failure.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { choosesEditions } from "./engine.ts";
import { SEARCH_LIMIT, parseSelection, refuseShortText, windowOf } from "./parameters.ts";
import { invalid } from "../http/input-failures.ts";
import type { Text } from "../../catalog/texts.ts";
import { VALUE_ERROR } from "./guarded.ts";

export interface SearchParams extends WorkParameters {
  readonly q: string;
  readonly query?: string | undefined;
  readonly sort?: string | undefined;
  readonly "editions.sort"?: string | undefined;
  readonly fields: readonly string[];
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly page?: number | undefined;
}

export interface ParsedSearch {
  readonly q: string;
  readonly search: SearchRequest;
  readonly freeWords: readonly string[];
  /** Typed text and parameters; undefined if the text names a list. */
  readonly typed: Typed | undefined;
  readonly prefix: string;
  /** Parses another reading of what was typed. Throws 422. */
  readonly parse: (typed: Typed) => QueryParts;
  readonly isEmpty: boolean;
  readonly fields: FieldSelection;
  /** Choice of the best edition of a work; undefined if the response has no editions. */
  readonly editionChoice: EditionCriteria | undefined;
}

/** Query of works with the conditions on their editions, and its words. */
export interface QueryParts extends Pick<SearchRequest, "query" | "editionClauses"> {
  readonly freeWords: readonly string[];
}

/** Parses a search for works, and reads the list that its text names, if any. Throws 422. */
export async function parseSearchRequest(
  params: SearchParams,
  context: RequestContext,
): Promise<ParsedSearch> {
  // The JSON of `query=` takes the place of all parameters that select works.
  const dictionary: QueryDictionary = params.query
    ? parseQueryJson(params.query)
    : { q: params.q, parameters: params, editionsSort: params["editions.sort"] ?? "" };
  const { q = "", parameters, editionsSort = "" } = dictionary;
  const prefix = context.settings.RECORD_PREFIX;
  const [named, list] =
    new RegExp(`^\\s*((?:/people/[^/\\s]+)?/(?:lists|series)/${prefix}\\d{1,15}L)(?![\\w])`).exec(q) ?? [];
  const text = named === undefined ? q : q.slice(named.length).trim();
  const selection = parseSelection({ q: text, parameters }, context);
  await refuseShortText(params.query ? "" : q, context);
  const window = windowOf(params);
  const listWorks = list === undefined ? undefined : await readListWorks(list, window, context);
  const fields = selectFields(parseFieldNames(params.fields));
  const withEditions = fields.editions && choosesEditions(context);
  const order = parseEditionSort(editionsSort, context.now);
  if (order.refusal !== undefined) {
    const loc = ["query", "query", "editions.sort"];
    throw validationFailed([invalid(loc, order.refusal, { ...VALUE_ERROR, input: editionsSort })]);
  }
  const editionChoice = withEditions
    ? {
        clauses: selection.editionClauses,
        language: marcLanguageOf(languageOf(context)),
        words: selection.freeWords,
        sort: order.sorts,
      }
    : undefined;
  const search = {
    ...(listWorks === undefined ? selection.works : restrictTo(listWorks, selection.works)),
    // Q84: editions restrict works only if the response has editions.
    editionClauses: withEditions ? selection.editionClauses : [],
    // The schema of the parameter has refused invalid orders.
    sort: parseWorkSort(params.sort ?? "", context.now).sorts,
    // Q83: the keys of a list are those of the page already.
    start: listWorks !== undefined && "keys" in listWorks ? 0 : window.start,
    rows: window.rows,
    withEditions,
    fields: workSourceFieldsOf(fields),
    ...(editionChoice !== undefined && { editionFields: editionSourceFieldsOf(fields, editionChoice) }),
  };
  return {
    q,
    search,
    freeWords: selection.freeWords,
    typed: list === undefined ? { q, parameters } : undefined,
    prefix,
    parse: (typed) => parseReading(typed, context),
    isEmpty: selection.isEmpty && list === undefined,
    fields,
    editionChoice,
  };
}

/** Parses a reading of what was typed. Throws 422. */
export function parseReading(typed: Typed, context: RequestContext): QueryParts {
  const { works, editionClauses, freeWords } = parseSelection(typed, context);
  return { query: works.query, editionClauses, freeWords };
}

/** Longest JSON of `query=`, in UTF-16 units. */
const QUERY_JSON_LENGTH_MAX = 65_536;

/** Reads the JSON of `query=`. Throws 422 if it is not a JSON object. */
function parseQueryJson(json: string): QueryDictionary {
  if (json.length > QUERY_JSON_LENGTH_MAX) {
    const text = { key: "validation.string_max", values: { count: QUERY_JSON_LENGTH_MAX } } as const;
    const ctx = { max_length: QUERY_JSON_LENGTH_MAX };
    throw invalidQuery(text, { type: "string_too_long", input: json.length, ctx });
  }
  let value: Json;
  try {
    // JSON.parse returns JSON.
    value = JSON.parse(json) as Json;
  } catch (error) {
    const values = { reason: error instanceof Error ? error.message : "" };
    throw invalidQuery({ key: "validation.query_json", values }, { ...VALUE_ERROR, input: json });
  }
  if (isObject(value)) return readQueryDictionary(value);
  throw invalidQuery({ key: "validation.dictionary" }, { type: "dict_type", input: value });
}

function invalidQuery(text: Text, more: Parameters<typeof invalid>[2]): Failure {
  return validationFailed([invalid(["query", "query"], text, more)]);
}

/** Works of a list: those of a page of its seeds or, for a series without seeds, those that name it. */
type ListWorks = { readonly keys: readonly string[] } | { readonly filter: Query };

const LIST_SEEDS_MAX = 10_000;

/** Reads the works of a list or series, whose key is `/people/<user>/lists/OL1L`, `/lists/OL1L` or `/series/OL1L`. */
async function readListWorks(
  key: string,
  window: { start: number; rows: number },
  context: RequestContext,
): Promise<ListWorks> {
  // A request for no rows counts the works of a page of the default length.
  const rows = window.rows === 0 ? SEARCH_LIMIT.default : window.rows;
  const database = catalogReader(context);
  const row = await readRecord(database, key);
  const { seeds } = row === undefined ? {} : latestRecordOf(row);
  // Seeds are `{key}`, `{thing: {key}}`, or texts.
  const keys = (Array.isArray(seeds) ? seeds.slice(0, LIST_SEEDS_MAX) : []).flatMap(
    (seed) => keyOf(isObject(seed) ? (seed["thing"] ?? seed) : seed) ?? [],
  );
  if (key.split("/").at(-2) === "series" && keys.length === 0) {
    return { filter: equals("series_key", key.slice("/series/".length)) };
  }
  const books = keys
    .filter((seed) => /^\/(?:works|books)\//.test(seed))
    .slice(window.start, window.start + rows);
  const editions = await readRecords(
    database,
    books.filter((seed) => seed.startsWith("/books/")),
  );
  // In the index, an edition without a work is a work of its own.
  const works = new Map(
    editions.map((edition) => [
      edition.key,
      workKeyOf(latestRecordOf(edition)) ?? edition.key.replace("/books/", "/works/"),
    ]),
  );
  return { keys: [...new Set(books.map((seed) => works.get(seed) ?? seed))] };
}

function restrictTo<Works extends { readonly query: Query; readonly filters: readonly Query[] }>(
  list: ListWorks,
  works: Works,
): Works & { readonly keys?: readonly string[] } {
  if ("filter" in list) return { ...works, filters: [...works.filters, list.filter] };
  return list.keys.length === 0
    ? { ...works, query: allOf([works.query, NONE]) }
    : { ...works, keys: list.keys };
}
