import { takeFitting, utf8Length } from "../../catalog/bytes.ts";
import { stringsOf } from "../../catalog/record.ts";
import { element, renderDenseElement, renderedElement } from "../../catalog/xml.ts";
import { PAGE_BYTES } from "../../db/records/record-rows.ts";
import { BOOK_BYTES, fitBook } from "../../export/book.ts";
import { Diagnostic } from "../../search/cql/diagnostic.ts";
import { parseCqlSearch, parseSortKeys, parseWordsSearch } from "../../search/cql/cql-search.ts";
import { type Document, type Hits, type SearchEngine, WINDOW_WORKS_MAX } from "../../search/engine.ts";
import { editionNumbersOf } from "../../search/plan/editions.ts";
import { TooBroadError } from "../../search/plan/too-broad.ts";
import { workAddressOf } from "../../search/present/works.ts";
import { FIRST_DATE_FIELDS, firstDateOf, readFoundBooks } from "../http/book-formats.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { askIndex, searchCacheControl } from "../search/guarded.ts";
import {
  type RecordSchema,
  type SruParameters,
  isEscaped,
  parseSruNumber,
  schemaOf,
  versionOf,
} from "./sru-request.ts";
import { type SruRecord, makeDiagnostics, makeEcho, renderSruRecord, makeSruReply } from "./sru-response.ts";

/** Maximum bytes of a book as written, less than elsewhere: records that are sent as text are escaped twice. */
const SRU_BOOK_BYTES = BOOK_BYTES / 2;
export const SRU_RECORDS = { default: 10, max: 100 };
const INDEX_FIELDS = ["key", ...FIRST_DATE_FIELDS, "author_key", "series_key"];

/** `searchRetrieve`: finds books by CQL. One search, and one round trip for their records. Throws a `Diagnostic`. */
export async function searchRetrieve(
  parameters: SruParameters,
  warnings: readonly Diagnostic[],
  context: RequestContext,
): Promise<Reply> {
  const { query, queryType = "cql" } = parameters;
  if (query === undefined) throw new Diagnostic(7, "query");
  const version = versionOf(parameters);
  const [schema, isText] = [schemaOf(parameters), isEscaped(parameters)];
  const start = parseSruNumber(parameters, "startRecord", { absent: 1, least: 1, most: 1e9 }) - 1;
  const { default: absent, max: most } = SRU_RECORDS;
  const limit = parseSruNumber(parameters, "maximumRecords", { absent, least: 0, most });
  const rows = Math.max(0, Math.min(limit, WINDOW_WORKS_MAX - start));
  if (queryType !== "cql" && queryType !== "searchTerms") throw new Diagnostic(6, "queryType");
  const options = { prefix: context.settings.RECORD_PREFIX };
  const parsed = queryType === "cql" ? parseCqlSearch(query, options) : parseWordsSearch(query, options);
  // The order of the query takes precedence.
  const sort = parsed.sort.length > 0 ? parsed.sort : parseSortKeys(parameters.sortKeys ?? "");
  const page = { ...parsed, sort, start, rows };
  const hits = await askIndex(context, query, async (engine) => {
    try {
      return (await findEditions(engine, page)) ?? (await findWorks(engine, page));
    } catch (error) {
      throw error instanceof TooBroadError ? new Diagnostic(47, error.message) : error;
    }
  });
  const reachable = Math.min(hits.numFound, WINDOW_WORKS_MAX);
  if (start > 0 && start >= reachable) throw new Diagnostic(61, String(start + 1));
  const records = readSruRecords(hits.documents, { schema, start }, context);
  const { taken: elements } = await takeFitting(
    writeRecords(),
    ({ content }) => utf8Length(String(content)),
    PAGE_BYTES,
  );
  const next = start + elements.length + 1;
  const precision = `info:srw/vocabulary/resultCountPrecision/1/${hits.numFoundExact ? "exact" : "minimum"}`;
  const parts = [
    element("numberOfRecords", String(hits.numFound)),
    ...(elements.length === 0 ? [] : [element("records", elements)]),
    ...(next <= reachable ? [element("nextRecordPosition", String(next))] : []),
    makeEcho("echoedSearchRetrieveRequest", [
      ["version", version],
      ["queryType", version === "2.0" ? queryType : undefined],
      ["query", query],
      ["startRecord", String(start + 1)],
      ["maximumRecords", String(rows)],
      [version === "2.0" ? "recordXMLEscaping" : "recordPacking", isText ? "string" : "xml"],
      ["recordSchema", schema.identifier],
    ]),
    ...makeDiagnostics(warnings, version),
    ...(version === "2.0" ? [element("resultCountPrecision", precision)] : []),
  ];
  const cacheControl = searchCacheControl(context, page);
  return makeSruReply("searchRetrieveResponse", { version, parts }, { cacheControl });

  async function* writeRecords() {
    for await (const record of records) {
      yield renderedElement(renderDenseElement(renderSruRecord(record, { version, isText })));
    }
  }
}

type Page = ReturnType<typeof parseCqlSearch> & { start: number; rows: number };

function findWorks(engine: SearchEngine, page: Page): Promise<Hits> {
  const about = { filters: [], editionClauses: [], withEditions: false, fields: INDEX_FIELDS };
  return engine.works({ ...page, ...about });
}

/**
 * Q791: finds works by numbers of editions, and returns the work's document with the key of each edition that has them.
 * Undefined if the query has no numbers, or more works or editions than one response can have.
 */
async function findEditions(engine: SearchEngine, page: Page): Promise<Hits | undefined> {
  const numbers = editionNumbersOf(page.query);
  if (numbers === undefined) return undefined;
  const whole = { start: 0, rows: SRU_RECORDS.max };
  const [works, editions] = await Promise.all([
    findWorks(engine, { ...page, ...whole }),
    engine.editions({ ...whole, query: numbers, filters: [], sort: [], keysOnly: true }),
  ]);
  if (Math.max(works.numFound, editions.numFound) > whole.rows) return undefined;
  const byWork = Map.groupBy(editions.documents, ({ work }) => work);
  // By key: an edition of several works is found once.
  const found = new Map<unknown, Document>();
  for (const work of works.documents) {
    const books = byWork.get(work["key"]) ?? [work];
    for (const book of books) found.set(book["key"], { ...work, ...book });
  }
  const documents = [...found.values()];
  const shown = documents.slice(page.start, page.start + page.rows);
  return { ...works, numFound: documents.length, documents: shown };
}

async function* readSruRecords(
  documents: readonly Document[],
  { schema, start }: { schema: RecordSchema; start: number },
  context: RequestContext,
): AsyncGenerator<SruRecord> {
  const keys = documents.map(({ key }) => workAddressOf(stringsOf(key)[0] ?? ""));
  const books = readFoundBooks(
    documents.map((document, at) => ({
      key: keys[at] ?? "",
      named: [
        ...stringsOf(document["work"]),
        ...stringsOf(document["author_key"]).map((olid) => `/authors/${olid}`),
        ...stringsOf(document["series_key"]).map((olid) => `/series/${olid}`),
      ],
      firstDate: firstDateOf(document),
    })),
    context,
  );
  let at = 0;
  for await (const book of books) {
    const identifier = keys[at] ?? "";
    at += 1;
    // The record may have been deleted since it was indexed.
    const data =
      book === undefined ? new Diagnostic(65, identifier) : schema.write(fitBook(book, SRU_BOOK_BYTES));
    yield { schema: schema.identifier, data, identifier, position: start + at };
  }
}
