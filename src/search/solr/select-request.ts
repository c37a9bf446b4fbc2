import type { Json } from "../../catalog/record.ts";
import type { Document, FacetRequest, Sort } from "../engine.ts";
import { FACET_SOURCES } from "../facets.ts";
import { findFieldsHaving } from "../fields.ts";
import { PLAIN_FIELDS } from "../plain-fields.ts";
import { parseFieldNames, project } from "../present/selected-fields.ts";
import { SolrRequestError } from "./parameters.ts";

/** Default and maximum number of rows of an answer: `/export` has no such limit. */
export const SOLR_ROWS = { default: 10, max: 10_000 };
const FACET_LIMIT = 100;
const SORT_FIELD = /^(\S+)\s+(asc|desc)$/i;
const RANDOM_FIELD = /^random(?:_(.*))?$/;
const SORTABLE: ReadonlySet<string> = new Set([
  "score",
  "key",
  ...findFieldsHaving("sorted").map(([name]) => name),
  ...Object.values(PLAIN_FIELDS).flatMap((fields) =>
    [...fields].flatMap(([name, { sorted }]) => (sorted ? [name] : [])),
  ),
]);
/** Maximum number of facets, and of queries of facets, in one request, and of filters: each is a search of its own. */
const FACETS_MAX = 30;
const FILTERS_MAX = 100;

/** Forms of facet counts: `["eng",665]`, `[["eng",665]]`, `{"eng":665}`. */
const NAMED_LISTS = ["flat", "arrarr", "map"] as const;
export type NamedList = (typeof NAMED_LISTS)[number];

export type SelectRequest = ReturnType<typeof parseSelectRequest>;

/** Reads the parameters of `/select`. Throws SolrRequestError, with the name, for unsupported ones. */
export function parseSelectRequest(parameters: URLSearchParams) {
  const last = (name: string): string | undefined => parameters.getAll(name).at(-1);
  const sortParts = (last("sort") ?? "").split(",").map((part) => part.trim());
  const hasFacets = ["true", "on"].includes(last("facet") ?? "");
  const start = parseWholeNumber(last("start"), "start") ?? 0;
  // For example `edition_count desc,key asc`.
  const sort = sortParts.filter((part) => part !== "").map(parseSort);
  return {
    q: last("q") ?? "",
    fq: limitCount(parameters.getAll("fq"), "fq", FILTERS_MAX),
    options: { "q.op": last("q.op") || undefined, mm: last("mm") || undefined, df: last("df") || undefined },
    returned: parseReturnedFields(parameters.getAll("fl")),
    start,
    rows: Math.min(parseWholeNumber(last("rows"), "rows") ?? SOLR_ROWS.default, SOLR_ROWS.max),
    sort,
    cursorMark: parseCursorMark(last("cursorMark"), start, sort),
    facets: hasFacets ? parseFacetRequests(parameters) : [],
    facetQueries: hasFacets ? limitCount(parameters.getAll("facet.query"), "facet.query", FACETS_MAX) : [],
    namedList: parseNamedList(last("json.nl")),
  };
}

function limitCount(values: string[], name: string, max: number): string[] {
  if (values.length <= max) return values;
  throw new SolrRequestError("bad_request.solr_repeated", { name, most: max });
}

/** Returns the form of lists of names. Throws SolrRequestError. */
export function parseNamedList(text = "flat"): NamedList {
  const form = NAMED_LISTS.find((name) => name === text);
  if (form === undefined)
    throw new SolrRequestError("bad_request.solr_value", { name: "json.nl", value: text });
  return form;
}

function parseCursorMark(
  text: string | undefined,
  start: number,
  sorts: readonly Sort[],
): string | undefined {
  if (text === undefined) return undefined;
  if (start > 0) throw new SolrRequestError("bad_request.solr_cursor_start");
  if (sorts.some(({ field }) => field === "key")) return text;
  throw new SolrRequestError("bad_request.solr_cursor_sort");
}

function parseSort(part: string): Sort {
  const [, field = "", direction = ""] = SORT_FIELD.exec(part) ?? [];
  const descending = direction.toLowerCase() === "desc";
  const random = RANDOM_FIELD.exec(field);
  if (random !== null) return { field: "random", descending, seed: random[1] ?? "1" };
  if (!SORTABLE.has(field)) throw new SolrRequestError("bad_request.solr_sort", { part });
  return { field, descending };
}

function parseFacetRequests(parameters: URLSearchParams): FacetRequest[] {
  return limitCount(parameters.getAll("facet.field"), "facet.field", FACETS_MAX).map((field) =>
    parseFacetRequest(field, parameters),
  );
}

/** Throws SolrRequestError for a field whose values are not counted. */
export function checkFacet(name: string, field: string): void {
  if (field !== "type" && !FACET_SOURCES.has(field))
    throw new SolrRequestError("bad_request.solr_facet_field", { name, field });
}

function parseFacetRequest(field: string, parameters: URLSearchParams): FacetRequest {
  const option = (name: string): string | undefined =>
    parameters.getAll(`f.${field}.facet.${name}`).at(-1) ?? parameters.getAll(`facet.${name}`).at(-1);
  const limit =
    option("limit") === "-1" ? -1 : (parseWholeNumber(option("limit"), "facet.limit") ?? FACET_LIMIT);
  const [contains, prefix] = [option("contains"), option("prefix")];
  checkFacet("facet.field", field);
  return {
    field,
    limit,
    // The order is by count with a limit, by value without one.
    sort: (option("sort") ?? (limit > 0 ? "count" : "index")) === "index" ? "index" : "count",
    offset: parseWholeNumber(option("offset"), "facet.offset") ?? 0,
    mincount: parseWholeNumber(option("mincount"), "facet.mincount") ?? 0,
    ...(contains && { contains }),
    ...(prefix && { prefix }),
  };
}

/** Returns a parameter as a number; undefined without one. Throws SolrRequestError. */
export function parseWholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  if (/^\d{1,10}$/.test(text.trim())) return Number(text);
  throw new SolrRequestError("bad_request.solr_number", { name, text });
}

interface ReturnedFields {
  fields: readonly string[];
  aliases: ReadonlyMap<string, string>;
  /** Fields that documents must have for the answer. */
  read: readonly string[];
}

const ITEM = /^(?:([\w.-]+):)?([\w.*-]+)$/;

/** Reads the fields in `fl`, separated by commas or blanks; all if there are none. Throws SolrRequestError. */
export function parseReturnedFields(lists: readonly string[]): ReturnedFields {
  const fields: string[] = [];
  const aliases = new Map<string, string>();
  for (const item of parseFieldNames(lists.map((list) => list.replace(/\s+/g, ",")))) {
    const [, alias, field] = ITEM.exec(item) ?? [];
    if (field === undefined)
      throw new SolrRequestError("bad_request.solr_value", { name: "fl", value: item });
    if (alias === undefined) fields.push(field);
    else aliases.set(alias, field);
  }
  if (fields.length + aliases.size === 0) fields.push("*");
  return { fields, aliases, read: [...fields, ...aliases.values()] };
}

/** Returns a document in the form for answers. */
export function toReturnedDocument(document: Document, { fields, aliases }: ReturnedFields): Document {
  const others = [...aliases].flatMap(([alias, field]): [string, Json][] => {
    const value = project(document, [field])[field];
    return value === undefined ? [] : [[alias, value]];
  });
  return { ...project(document, fields), ...Object.fromEntries(others) };
}
