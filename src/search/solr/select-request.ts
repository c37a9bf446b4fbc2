import type { FacetRequest, Sort } from "../engine.ts";
import { fieldsHaving } from "../fields.ts";
import { PLAIN_FIELDS } from "../plain-fields.ts";
import { fieldNames } from "../present/fields.ts";
import { SolrRequestError } from "./queries.ts";

/** Rows of an answer when none are asked for, and at most: `/export` has no such bound. */
export const SOLR_ROWS = { default: 10, max: 10_000 };
const FACET_LIMIT = 100;
const SORT_FIELD = /^(\S+)\s+(asc|desc)$/i;
const RANDOM_FIELD = /^random(?:_(.*))?$/;
const SORTABLE: ReadonlySet<string> = new Set([
  "score",
  "key",
  ...fieldsHaving("sorted").map(([name]) => name),
  ...Object.values(PLAIN_FIELDS).flatMap((fields) =>
    [...fields].flatMap(([name, { sorted }]) => (sorted ? [name] : [])),
  ),
]);
const FACET_FIELD = /^(?:\{![^}]*\})?(\w+)$/;

/** How facet counts are written: `["eng",665]`, `[["eng",665]]`, `{"eng":665}`. */
export type NamedList = "flat" | "arrarr" | "map";

/** What `/select` is asked. */
export type SelectRequest = ReturnType<typeof selectRequest>;

/** Reads the parameters of `/select`; unknown ones are ignored. Throws SolrRequestError. */
export function selectRequest(parameters: URLSearchParams) {
  const last = (name: string): string | undefined => parameters.getAll(name).at(-1);
  const asked = last("json.nl");
  const namedList: NamedList = asked === "arrarr" || asked === "map" ? asked : "flat";
  const sortParts = (last("sort") ?? "").split(",").map((part) => part.trim());
  return {
    q: last("q") ?? "",
    fq: parameters.getAll("fq"),
    fields: returnedFields(parameters.getAll("fl")),
    start: wholeNumber(last("start"), "start") ?? 0,
    rows: Math.min(wholeNumber(last("rows"), "rows") ?? SOLR_ROWS.default, SOLR_ROWS.max),
    // Such as `edition_count desc,key asc`.
    sort: sortParts.filter((part) => part !== "").map(solrSort),
    facets: last("facet") === "true" || last("facet") === "on" ? facetRequests(parameters) : [],
    namedList,
  };
}

/** Fields of documents as `fl` names them: by commas or blanks; all when none are named. */
export function returnedFields(lists: readonly string[]): string[] {
  const names = fieldNames(lists.map((list) => list.replace(/\s+/g, ",")));
  return names.length === 0 ? ["*"] : names;
}

function solrSort(part: string): Sort {
  const [, field = "", direction = ""] = SORT_FIELD.exec(part) ?? [];
  const descending = direction.toLowerCase() === "desc";
  const random = RANDOM_FIELD.exec(field);
  if (random !== null) return { field: "random", descending, seed: random[1] ?? "1" };
  if (!SORTABLE.has(field))
    throw new SolrRequestError(`Can't determine a Sort Order (asc or desc) in sort spec '${part}'`);
  return { field, descending };
}

function facetRequests(parameters: URLSearchParams): FacetRequest[] {
  return parameters.getAll("facet.field").map((text) => {
    const field = FACET_FIELD.exec(text)?.[1];
    if (field === undefined) throw new SolrRequestError(`undefined field: "${text}"`);
    return facetRequest(field, parameters);
  });
}

function facetRequest(field: string, parameters: URLSearchParams): FacetRequest {
  const own = (name: string): string | undefined =>
    parameters.getAll(`f.${field}.facet.${name}`).at(-1) ?? parameters.getAll(`facet.${name}`).at(-1);
  const limit = own("limit") === "-1" ? -1 : (wholeNumber(own("limit"), "facet.limit") ?? FACET_LIMIT);
  const contains = own("contains");
  return {
    field,
    limit,
    // By count when the best are asked for, by value when all are.
    sort: (own("sort") ?? (limit > 0 ? "count" : "index")) === "index" ? "index" : "count",
    offset: wholeNumber(own("offset"), "facet.offset") ?? 0,
    mincount: wholeNumber(own("mincount"), "facet.mincount") ?? 0,
    ...(contains === undefined || contains === "" ? {} : { contains }),
  };
}

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text);
  throw new SolrRequestError(`Invalid number in parameter '${name}': "${text}"`);
}
