import { type CatalogRecord, type Json, isObject } from "../../../catalog/record.ts";
import type { FacetRequest, SearchEngine } from "../../../search/engine.ts";
import { SolrRequestError, checkParameters } from "../../../search/solr/parameters.ts";
import { type SelectRequest, checkFacet, parseSelectRequest } from "../../../search/solr/select-request.ts";
import type { Reply } from "../../http/reply.ts";
import { type EngineCall, echoParameters, toSolrNumber, responseHeader, writeAnswer } from "./call.ts";
import { type RawSearch, searchFor } from "./search-all.ts";
import { countSelectFacets, replyFitting, searchOf, selectDocuments } from "./select.ts";

const TERMS_LIMIT = 10;
/** Works whose numbers are summed: the first ones in the order of the search. */
const SUM_RECORDS_MAX = 10_000;
const SUM_PAGE_RECORDS = 1000;
const SUM = /^sum\((\w+)\)$/;
const MEMBERS = new Map([
  ["query", "q"],
  ["filter", "fq"],
  ["fields", "fl"],
  ["limit", "rows"],
  ["offset", "start"],
  ["sort", "sort"],
]);

/** `/query`: `/select` with a body of JSON, and sums and counts over all matching documents. */
export async function runSolrQuery(call: EngineCall): Promise<Reply> {
  const { facet, ...body } = bodyOf(call.body);
  const parameters = mergeParameters(call.parameters, body);
  checkParameters(parameters);
  const request = parseSelectRequest(parameters);
  const facets = isObject(facet) ? { facets: await computeFacets(facet, request, call.engine) } : {};
  return replyFitting(request, async (fitting) =>
    writeAnswer(call, {
      responseHeader: responseHeader(call, { params: echoParameters(parameters) }),
      ...(await selectDocuments(fitting, call)),
      ...facets,
    }),
  );
}

function bodyOf(text: string): CatalogRecord {
  try {
    const body: unknown = text.trim() === "" ? {} : JSON.parse(text);
    if (isObject(body)) return body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new SolrRequestError("bad_request.solr_body");
}

function mergeParameters(address: URLSearchParams, { params, ...body }: CatalogRecord): URLSearchParams {
  const merged = new URLSearchParams(address);
  for (const [member, value] of Object.entries(body)) {
    const name = MEMBERS.get(member);
    if (name === undefined) throw new SolrRequestError("bad_request.solr_unsupported", { name: member });
    addParameter(merged, name, value);
  }
  if (isObject(params)) for (const [name, value] of Object.entries(params)) addParameter(merged, name, value);
  return merged;
}

function addParameter(parameters: URLSearchParams, name: string, value: Json | undefined): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item === "string" || typeof item === "number" || typeof item === "boolean") {
      parameters.append(name, String(item));
    }
  }
}

async function computeFacets(facet: CatalogRecord, request: SelectRequest, engine: SearchEngine) {
  const whole = searchOf(request);
  const search = whole === undefined ? undefined : searchFor("work", whole);
  const sums = new Map<string, string>();
  const terms = new Map<string, FacetRequest>();
  for (const [name, requested] of Object.entries(facet)) {
    const sumField = SUM.exec(typeof requested === "string" ? requested : "")?.[1];
    if (sumField !== undefined) sums.set(name, sumField);
    else terms.set(name, termsRequest(name, requested));
  }
  if (whole === undefined || search === undefined) return { count: 0 };
  const works = { ...search, start: 0, rows: 0, editionClauses: [], withEditions: false };
  const [{ numFound: count }, valuesOf, totals] = await Promise.all([
    engine.works(works),
    countSelectFacets([...terms.values()], whole, engine),
    sumFields([...sums.values()], search, engine),
  ]);
  const buckets = [...terms].map(([name, { field }]) => {
    const values = valuesOf(field);
    return [name, { buckets: values.map(({ value: val, count: n }) => ({ val, count: n })) }];
  });
  return {
    count,
    ...Object.fromEntries([...sums].map(([name, field]) => [name, totals.get(field) ?? 0])),
    ...Object.fromEntries(buckets),
  };
}

function termsRequest(name: string, requested: Json | undefined): FacetRequest {
  const { type, field, limit, offset, mincount, prefix, ...others } = isObject(requested) ? requested : {};
  if (type !== "terms" || typeof field !== "string")
    throw new SolrRequestError("bad_request.solr_facet", { name });
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new SolrRequestError("bad_request.solr_value", { name: `facet.${name}`, value: unknown });
  checkFacet(`facet.${name}`, field);
  return {
    field,
    limit: typeof limit === "number" ? limit : TERMS_LIMIT,
    sort: "count",
    offset: Math.max(0, toSolrNumber(offset)),
    mincount: Math.max(1, toSolrNumber(mincount)),
    ...(typeof prefix === "string" && { prefix }),
  };
}

/** Sums fields of the matching works, at most of the first 10,000. */
async function sumFields(fields: readonly string[], search: RawSearch, engine: SearchEngine) {
  const totals = new Map<string, number>();
  if (fields.length === 0) return totals;
  for (let start = 0; start < SUM_RECORDS_MAX; start += SUM_PAGE_RECORDS) {
    const page = { ...search, start, rows: SUM_PAGE_RECORDS, editionClauses: [], withEditions: false };
    const { documents, numFound } = await engine.works(page);
    for (const document of documents) {
      for (const field of fields) totals.set(field, (totals.get(field) ?? 0) + toSolrNumber(document[field]));
    }
    if (start + SUM_PAGE_RECORDS >= numFound) break;
  }
  return totals;
}
