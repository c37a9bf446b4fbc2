import { readWorkKeys } from "../../../db/search/read-works.ts";
import { readIndexState } from "../../../db/search/generation.ts";
import { project } from "../../../search/present/fields.ts";
import type { Document, SearchEngine, WorkSearch } from "../../../search/engine.ts";
import { type SelectRequest, SOLR_ROWS, selectRequest } from "../../../search/solr/select-request.ts";
import { SolrRequestError } from "../../../search/solr/queries.ts";
import { JSON_TYPE, type Reply } from "../../http/reply.ts";
import type { EngineCall } from "./call.ts";
import { type RawSearch, searchAll, searchFor } from "./search-all.ts";
import { searchOf } from "./select.ts";

/** Documents that are read at a time. */
const EXPORT_PAGE_RECORDS = 500;

/**
 * `/export`: everything that matches, one page after the other. Up to 10,000 documents come in the
 * order asked for; beyond that works come in the order of their numbers, and other documents end there.
 */
export async function exportAll({ parameters, engine, context }: EngineCall): Promise<Reply> {
  const { stores, settings } = context;
  const request = selectRequest(parameters);
  const asked = searchOf(request);
  if (asked === undefined) throw new SolrRequestError("q is missing");
  const search = { ...asked, fields: request.fields };
  const { numFound } = await searchAll(engine, { ...search, start: 0, rows: 0 });
  const works = numFound > SOLR_ROWS.max ? searchFor("work", search) : undefined;
  const { live } = await readIndexState(stores.search);
  const page = { limit: EXPORT_PAGE_RECORDS, prefix: settings.RECORD_PREFIX };
  const pages =
    works === undefined
      ? searchedPages(search, engine)
      : worksByNumber({ ...works, start: 0, editionClauses: [], withEditions: false }, engine, (after) =>
          readWorkKeys(stores.search, live, { ...page, after }),
        );
  const head = `{"responseHeader":{"status":0},"response":{"numFound":${numFound},"docs":[`;
  return streamed(head, pages, request);
}

async function* searchedPages(search: RawSearch, engine: SearchEngine) {
  for (let start = 0; start < SOLR_ROWS.max; start += EXPORT_PAGE_RECORDS) {
    const { documents, numFound } = await searchAll(engine, { ...search, start, rows: EXPORT_PAGE_RECORDS });
    yield documents;
    if (start + EXPORT_PAGE_RECORDS >= numFound) return;
  }
}

async function* worksByNumber(
  search: Omit<WorkSearch, "rows">,
  engine: SearchEngine,
  keysAfter: (after: number) => ReturnType<typeof readWorkKeys>,
) {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { keys, last } = await keysAfter(after);
    if (keys.length === 0) return;
    yield (await engine.works({ ...search, keys, rows: keys.length })).documents;
    after = last;
  }
}

function streamed(
  head: string,
  pages: AsyncGenerator<readonly Document[]>,
  { fields }: SelectRequest,
): Reply {
  const encoder = new TextEncoder();
  let separator = "";
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    async pull(controller) {
      const documents = await nextDocuments(pages);
      if (documents === undefined) {
        controller.enqueue(encoder.encode("]}}"));
        controller.close();
        return;
      }
      const texts = documents.map((document) => JSON.stringify(project(document, fields)));
      controller.enqueue(encoder.encode(separator + texts.join(",")));
      separator = ",";
    },
  });
  return { status: 200, contentType: JSON_TYPE, body };
}

/** The next page that has documents: a stream stops when it is given nothing. */
async function nextDocuments(
  pages: AsyncGenerator<readonly Document[]>,
): Promise<readonly Document[] | undefined> {
  for (;;) {
    const { value, done } = await pages.next();
    if (done === true) return undefined;
    if (value.length > 0) return value;
  }
}
