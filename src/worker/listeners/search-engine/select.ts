import { ResponseTooLarge, utf8Length } from "../../../catalog/bytes.ts";
import { PAGE_BYTES } from "../../../db/records/record-rows.ts";
import type { Document, FacetValue, Facets, SearchEngine } from "../../../search/engine.ts";
import { pickValues } from "../../../search/facets.ts";
import { anyOf, equals } from "../../../search/query/query.ts";
import {
  writeCursor,
  kindsOf,
  parseRawQuery,
  parseRawSelection,
  readCursor,
  toWholeQuery,
} from "../../../search/solr/queries.ts";
import { SolrRequestError } from "../../../search/solr/parameters.ts";
import {
  type NamedList,
  type SelectRequest,
  SOLR_ROWS,
  parseReturnedFields,
  parseSelectRequest,
  toReturnedDocument,
} from "../../../search/solr/select-request.ts";
import type { Reply } from "../../http/reply.ts";
import { type EngineCall, echoParameters, responseHeader, writeAnswer } from "./call.ts";
import { type RawHits, type RawSearch, searchAll, searchFor, walkAll } from "./search-all.ts";

const NO_HITS: RawHits = { numFound: 0, numFoundExact: true, documents: [], scores: [] };
/** Values of `type`: series are separate from lists. */
const TYPES = ["work", "author", "subject", "list", "series", "edition"] as const;

export async function runSelect(call: EngineCall): Promise<Reply> {
  const request = parseSelectRequest(call.parameters);
  const params = echoParameters(call.parameters);
  return replyFitting(request, async (fitting) =>
    writeAnswer(call, {
      responseHeader: responseHeader(call, { params }),
      ...(await selectDocuments(fitting, call)),
    }),
  );
}

/**
 * Q728: a cursor goes on after fewer documents than requested if they are too large: half as many, until they fit, and
 * of a single one only the key. Throws `ResponseTooLarge` without a cursor.
 */
export async function replyFitting(
  request: SelectRequest,
  reply: (request: SelectRequest) => Promise<Reply>,
): Promise<Reply> {
  const { cursorMark, returned, rows } = request;
  if (cursorMark === undefined) return reply(request);
  for (let fitting = rows; fitting >= 1; fitting = Math.floor(fitting / 2)) {
    try {
      const answer = await reply({ ...request, rows: fitting });
      if (utf8Length(String(answer.body)) <= PAGE_BYTES) return answer;
    } catch (error) {
      if (!(error instanceof ResponseTooLarge)) throw error;
    }
    // Otherwise other requests would wait for all attempts in the local runtime.
    await scheduler.wait(0);
  }
  return reply({ ...request, rows: Math.min(rows, 1), returned: { ...returned, read: ["key"] } });
}

export function searchOf(request: SelectRequest): RawSearch | undefined {
  const { q, fq, options, returned, sort, start } = request;
  const selection = parseRawSelection(q, fq, options);
  if (selection === undefined) return undefined;
  if (start >= SOLR_ROWS.max) throw new SolrRequestError("bad_request.solr_start", { most: SOLR_ROWS.max });
  const rows = Math.min(request.rows, SOLR_ROWS.max - start);
  return { ...selection, sort, start, rows, fields: returned.read };
}

export async function selectDocuments(request: SelectRequest, { engine, parameters }: EngineCall) {
  const search = searchOf(request);
  const { cursorMark, sort, facets, facetQueries } = request;
  const cursor = cursorMark === undefined ? undefined : readCursor(cursorMark, sort);
  const walked = search && cursorMark !== undefined ? await walkAll(engine, search, cursor) : undefined;
  const hits = walked ?? (search === undefined ? NO_HITS : await searchAll(engine, search));
  const next = walked?.cursor === undefined ? cursorMark : writeCursor(walked.cursor, sort);
  // XML has a list of names for every such list.
  const form = parameters.get("wt") === "xml" ? "map" : request.namedList;
  return {
    response: responseBody(request, hits),
    ...(facets.length + facetQueries.length > 0 && {
      facet_counts: {
        facet_queries: await countQueries(request, search, engine),
        facet_fields: await countFields(request, search, { engine, form }),
        facet_ranges: {},
        facet_intervals: {},
        facet_heatmaps: {},
      },
    }),
    ...(cursorMark !== undefined && { nextCursorMark: next }),
  };
}

function responseBody({ start, returned }: SelectRequest, hits: RawHits): Record<string, unknown> {
  const withScore = returned.read.includes("score");
  const docs = hits.documents.map((document, index) =>
    toReturnedDocument(withScore ? { ...document, score: hits.scores[index] ?? 0 } : document, returned),
  );
  const { numFound, numFoundExact, scores } = hits;
  const maxScore = scores.reduce<number>((most, score = 0) => Math.max(most, score), 0);
  return { numFound, start, numFoundExact, ...(withScore && { maxScore }), docs };
}

async function countMatches(
  engine: SearchEngine,
  search: RawSearch,
  query: ReturnType<typeof parseRawQuery>,
) {
  if (query === undefined) return 0;
  const filters = [...search.filters, query];
  return (await searchAll(engine, { ...search, filters, start: 0, rows: 0 })).numFound;
}

async function countQueries(
  { facetQueries, options }: SelectRequest,
  search: RawSearch | undefined,
  engine: SearchEngine,
) {
  const counts: [string, number][] = [];
  for (const text of facetQueries) {
    const query = parseRawQuery(text, { ...options, mm: undefined });
    counts.push([text, search === undefined ? 0 : await countMatches(engine, search, query)]);
  }
  return Object.fromEntries(counts);
}

async function countFields(
  { facets }: SelectRequest,
  search: RawSearch | undefined,
  { engine, form }: { engine: SearchEngine; form: NamedList },
) {
  const counted = search && (await countSelectFacets(facets, search, engine));
  const lists = facets.map(({ field }) => [field, toNamedList(counted?.(field) ?? [], form)]);
  return Object.fromEntries(lists);
}

/** Counts fields over works, and `type` over all kinds of documents (Q563). Throws SolrRequestError for editions. */
export async function countSelectFacets(
  facets: SelectRequest["facets"],
  search: RawSearch,
  engine: SearchEngine,
): Promise<(field: string) => readonly FacetValue[]> {
  const ofType = facets.find(({ field }) => field === "type");
  const others = facets.filter(({ field }) => field !== "type");
  const hasEditions = searchFor("edition", search) !== undefined && namesEditions(search);
  if (others.length > 0 && hasEditions) throw new SolrRequestError("bad_request.solr_edition_facets");
  const works = others.length === 0 ? undefined : searchFor("work", search);
  const counted = works && (await engine.facets({ ...works, editionClauses: [], facets: others }));
  const types = ofType === undefined ? [] : pickValues(await countTypes(search, engine), ofType);
  return (field) => (field === "type" ? types : valuesOf(counted, field));
}

function namesEditions(search: RawSearch): boolean {
  return kindsOf(toWholeQuery(search)).includes("edition");
}

async function countTypes(search: RawSearch, engine: SearchEngine): Promise<FacetValue[]> {
  const counts: FacetValue[] = [];
  for (const value of TYPES.filter((type) => type !== "edition" || namesEditions(search)))
    counts.push({ value, count: await countMatches(engine, search, equals("type", value)) });
  return counts;
}

/** Returns the values of a facet; none for a field that is not counted, even if objects inherit its name. */
function valuesOf(facets: Facets | undefined, field: string): readonly FacetValue[] {
  return facets !== undefined && Object.hasOwn(facets.fields, field) ? (facets.fields[field] ?? []) : [];
}

export function toNamedList(values: readonly FacetValue[], form: NamedList): unknown {
  const pairs = values.map(({ value, count }): [string, number] => [value, count]);
  if (form === "map") return Object.fromEntries(pairs);
  return form === "arrarr" ? pairs : pairs.flat();
}

const GET_KEYS_MAX = 1000;

export async function getDocuments(call: EngineCall): Promise<Reply> {
  const { parameters, engine } = call;
  const returned = parseReturnedFields(parameters.getAll("fl"));
  const ids = parameters.getAll("ids").flatMap((list) => list.split(","));
  const keys = [...parameters.getAll("id"), ...ids].map((key) => key.trim()).filter((key) => key !== "");
  if (keys.length > GET_KEYS_MAX)
    throw new SolrRequestError("bad_request.solr_repeated", { name: "id", most: GET_KEYS_MAX });
  const documents =
    keys.length === 0 ? [] : [...(await engine.getMany(keys)), ...(await findEditions(keys, engine))];
  const byKey = new Map<unknown, Document>(documents.map((document) => [document["key"], document]));
  const docs = keys.flatMap((key) => {
    const document = byKey.get(key);
    return document === undefined ? [] : [toReturnedDocument(document, returned)];
  });
  if (!parameters.has("ids")) return writeAnswer(call, { doc: docs[0] ?? null });
  return writeAnswer(call, { response: { numFound: docs.length, start: 0, numFoundExact: true, docs } });
}

async function findEditions(keys: readonly string[], engine: SearchEngine): Promise<readonly Document[]> {
  const books = keys.filter((key) => key.startsWith("/books/"));
  if (books.length === 0) return [];
  const query = anyOf(books.map((key) => equals("key", key)));
  return (await engine.editions({ query, filters: [], sort: [], start: 0, rows: books.length })).documents;
}
