import type { Sort, WorkSearch } from "../../search/engine.ts";
import type { EditionWish } from "../../search/present/choose-edition.ts";
import { type FieldSelection, fieldNames, selectFields } from "../../search/present/fields.ts";
import { marcLanguage } from "../../search/present/marc-language.ts";
import { PRESENTED_FROM } from "../../search/present/works.ts";
import { NONE, type Query, allOf } from "../../search/query/query.ts";
import type { QueryDictionary } from "../../search/query/work-parameters.ts";
import { parseEditionSort, parseWorkSort } from "../../search/sort/work-sorts.ts";
import type { RequestContext } from "../context.ts";
import { validationFailed } from "../errors.ts";
import { languageOf } from "../reader-language.ts";
import { type ListWorks, listText, listWorks } from "./list-query.ts";
import { SEARCH_LIMIT, type Selection, VALUE_ERROR, windowOf } from "./parameters.ts";
import { queryDictionary } from "./query-parameter.ts";
import { choosesEditions } from "./reader.ts";
import { parseSelection } from "./selection.ts";

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

/** Reads a request (search.md 2). Reads the list that the text names, if it names one. Throws 422. */
export async function searchRequest(asked: SearchQuery, context: RequestContext): Promise<SearchRequest> {
  const { q, parameters, editionsSort = "" } = dictionaryOf(asked);
  const prefix = context.settings.RECORD_PREFIX;
  const list = listText(q, prefix);
  const parsed = parseSelection({ q: list?.rest ?? q, parameters }, context);
  const window = windowOf(asked);
  const inList = list === undefined ? undefined : await listWorks(list, listWindow(window), context);
  const fields = selectFields(fieldNames(asked.fields));
  const withEditions = fields.editions && choosesEditions(context);
  const bestEdition = editionSort(editionsSort, context);
  const works = inList === undefined ? parsed.works : restricted(parsed.works, inList);
  return {
    search: {
      ...works,
      // Q84: works are restricted by their editions only when editions are asked for.
      editionClauses: withEditions ? parsed.editionClauses : [],
      sort: sortOf(asked.sort ?? "", context),
      // Q83: the page was taken of the list already.
      start: inList !== undefined && "keys" in inList ? 0 : window.start,
      rows: window.rows,
      withEditions,
      fields: [...fields.work, ...PRESENTED_FROM],
    },
    text: q,
    freeWords: parsed.freeWords,
    isEmpty: parsed.isEmpty && list === undefined,
    fields,
    wish: withEditions
      ? {
          clauses: parsed.editionClauses,
          language: marcLanguage(languageOf(context)),
          words: parsed.freeWords,
          sort: bestEdition,
        }
      : undefined,
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

/** The seeds that a page of a list looks at: those of a page of the usual length when none is to be shown. */
function listWindow({ start, rows }: { start: number; rows: number }): { start: number; rows: number } {
  return { start, rows: rows === 0 ? SEARCH_LIMIT.default : rows };
}

function sortOf(text: string, { now }: RequestContext): readonly Sort[] {
  const parsed = parseWorkSort(text, now);
  // The parameter's schema has refused what is no order.
  return "sorts" in parsed ? parsed.sorts : [];
}

function editionSort(text: string, { now }: RequestContext): readonly Sort[] {
  const parsed = parseEditionSort(text, now);
  if ("sorts" in parsed) return parsed.sorts;
  const loc = ["query", "query", "editions.sort"];
  throw validationFailed([{ ...VALUE_ERROR, loc, msg: `Value error, ${parsed.message}`, input: text }]);
}
