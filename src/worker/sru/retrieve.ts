import { stringsOf } from "../../catalog/record.ts";
import { element } from "../../catalog/xml.ts";
import { Diagnostic } from "../../search/cql/diagnostic.ts";
import { cqlSearch, sortKeysOf, wordsSearch } from "../../search/cql/cql-search.ts";
import { type Document, type WorkHits, WINDOW_WORKS_MAX } from "../../search/engine.ts";
import { TooBroadError } from "../../search/plan/too-broad.ts";
import { readFoundBooks } from "../formats/books.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { searchCacheControl } from "../search/answers.ts";
import { askIndex } from "../search/guarded.ts";
import { workAddress } from "../search/result-parts.ts";
import { type SruParameters, isEscaped, numberOf, schemaOf, versionOf } from "./parameters.ts";
import { type SruRecord, diagnosticsElement, echoElement, recordElement, sruReply } from "./protocol.ts";
import type { RecordSchema } from "./schemas.ts";

/** Records of an answer: when none are asked for, and at most. */
export const SRU_RECORDS = { default: 10, max: 100 };
/** What the index says of a work that its record does not, and what is read with it. */
const FOUND_FIELDS = ["key", "first_publish_year", "author_key", "series_key"];

/** What a request asks for, checked. */
interface Retrieval {
  readonly parameters: SruParameters;
  readonly schema: RecordSchema;
  readonly isText: boolean;
  /** From 0. */
  readonly start: number;
  readonly rows: number;
}

/** `searchRetrieve`: works by a query of CQL. One search, and one round trip for their records. Throws a `Diagnostic`. */
export async function searchRetrieve(
  parameters: SruParameters,
  warnings: readonly Diagnostic[],
  context: RequestContext,
): Promise<Reply> {
  const { query: written } = parameters;
  if (written === undefined) throw new Diagnostic(7, "query");
  const [schema, isText] = [schemaOf(parameters), isEscaped(parameters)];
  const start = numberOf(parameters, "startRecord", { absent: 1, least: 1, most: 1e9 }) - 1;
  const { default: absent, max: most } = SRU_RECORDS;
  const rows = numberOf(parameters, "maximumRecords", { absent, least: 0, most });
  const retrieval: Retrieval = { parameters, schema, isText, start, rows: roomAt(start, rows) };
  const search = queryOf(parameters, written, context);
  const hits = await found(written, { ...search, start, rows: retrieval.rows }, context);
  if (start > 0 && start >= Math.min(hits.numFound, WINDOW_WORKS_MAX))
    throw new Diagnostic(61, String(start + 1));
  const records = await recordsOf(hits.documents, retrieval, context);
  return answer({ ...retrieval, hits, records, warnings }, searchCacheControl(context, search));
}

/** As many of some rows as can be asked for. */
function roomAt(start: number, rows: number): number {
  return Math.max(0, Math.min(rows, WINDOW_WORKS_MAX - start));
}

type Search = ReturnType<typeof cqlSearch>;

/** The works that are asked for, and their order: that of the query goes before the other. */
function queryOf(
  { queryType = "cql", sortKeys = "" }: SruParameters,
  written: string,
  { settings }: RequestContext,
): Search {
  const options = { prefix: settings.RECORD_PREFIX };
  if (queryType !== "cql" && queryType !== "searchTerms") throw new Diagnostic(6, "queryType");
  const parsed = queryType === "cql" ? cqlSearch(written, options) : wordsSearch(written, options);
  return parsed.sort.length > 0 ? parsed : { ...parsed, sort: sortKeysOf(sortKeys) };
}

function found(
  written: string,
  search: Search & { readonly start: number; readonly rows: number },
  context: RequestContext,
): Promise<WorkHits> {
  return askIndex(context, written, async (engine) => {
    try {
      return await engine.works({
        ...search,
        filters: [],
        editionClauses: [],
        withEditions: false,
        fields: FOUND_FIELDS,
      });
    } catch (error) {
      throw error instanceof TooBroadError ? new Diagnostic(47, error.message) : error;
    }
  });
}

async function recordsOf(
  documents: readonly Document[],
  { schema, start }: Retrieval,
  context: RequestContext,
): Promise<SruRecord[]> {
  const keys = documents.map(({ key }) => workAddress(stringsOf(key)[0] ?? ""));
  const books = await readFoundBooks(
    documents.map((document, at) => ({
      key: keys[at] ?? "",
      named: namedBy(document),
      firstYear: Number(document["first_publish_year"]) || undefined,
    })),
    context,
  );
  return books.map((book, at) => ({
    schema: schema.identifier,
    // It may have been deleted since it was indexed.
    data: book === undefined ? new Diagnostic(65, keys[at]) : schema.write(book),
    identifier: keys[at] ?? "",
    position: start + at + 1,
  }));
}

function namedBy(document: Document): string[] {
  const keys = (member: string, folder: string) =>
    stringsOf(document[member]).map((number) => `/${folder}/${number}`);
  return [...keys("author_key", "authors"), ...keys("series_key", "series")];
}

interface Retrieved extends Retrieval {
  readonly hits: WorkHits;
  readonly records: readonly SruRecord[];
  readonly warnings: readonly Diagnostic[];
}

function answer({ hits, records, warnings, ...asked }: Retrieved, cacheControl: string): Reply {
  const { parameters, isText, start } = asked;
  const version = versionOf(parameters);
  const next = start + records.length + 1;
  const hasNext = next <= Math.min(hits.numFound, WINDOW_WORKS_MAX);
  const precision = `info:srw/vocabulary/resultCountPrecision/1/${hits.numFoundExact ? "exact" : "minimum"}`;
  const parts = [
    element("numberOfRecords", String(hits.numFound)),
    ...(records.length === 0
      ? []
      : [
          element(
            "records",
            records.map((record) => recordElement(record, { version, isText })),
          ),
        ]),
    ...(hasNext ? [element("nextRecordPosition", String(next))] : []),
    echo(asked),
    ...diagnosticsElement(warnings, version),
    ...(version === "2.0" ? [element("resultCountPrecision", precision)] : []),
  ];
  return sruReply("searchRetrieveResponse", { version, parts }, { cacheControl });
}

function echo({ parameters, schema, isText, start, rows }: Omit<Retrieval, "hits">) {
  const { query, queryType } = parameters;
  const version = versionOf(parameters);
  const packing = isText ? "string" : "xml";
  return echoElement("echoedSearchRetrieveRequest", [
    ["version", version],
    ["queryType", version === "2.0" ? (queryType ?? "cql") : undefined],
    ["query", query],
    ["startRecord", String(start + 1)],
    ["maximumRecords", String(rows)],
    [version === "2.0" ? "recordXMLEscaping" : "recordPacking", packing],
    ["recordSchema", schema.identifier],
  ]);
}
