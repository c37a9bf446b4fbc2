import { ResponseTooLarge } from "../../../catalog/bytes.ts";
import type { Document, SearchEngine } from "../../../search/engine.ts";
import type { Cursor } from "../../../search/solr/queries.ts";
import { SolrRequestError } from "../../../search/solr/parameters.ts";
import {
  type SelectRequest,
  toReturnedDocument,
  parseSelectRequest,
} from "../../../search/solr/select-request.ts";
import { type Reply, JSON_TYPE } from "../../http/reply.ts";
import type { EngineCall } from "./call.ts";
import { type RawSearch, searchAll, walkAll } from "./search-all.ts";
import { searchOf } from "./select.ts";

const EXPORT_PAGE_RECORDS = 500;

/** `/export`: all matching documents, one page after the other, in the order of cursors. */
export async function exportAll({ parameters, engine }: EngineCall): Promise<Reply> {
  const request = parseSelectRequest(parameters);
  const selection = searchOf(request);
  if (selection === undefined) throw new SolrRequestError("q is missing");
  const search = { ...selection, rows: 0 };
  const { numFound } = await searchAll(engine, { ...search, start: 0 });
  const head = `{"responseHeader":{"status":0},"response":{"numFound":${numFound},"docs":[`;
  return streamReply(head, readPages(engine, search), request);
}

/**
 * Reads page after page. A page whose documents are too large for one read is halved; of a single document that is too
 * large, only the key is sent.
 */
async function* readPages(engine: SearchEngine, search: RawSearch): AsyncGenerator<readonly Document[]> {
  let cursor: Cursor | undefined;
  let rows = EXPORT_PAGE_RECORDS;
  let isDone = false;
  while (!isDone) {
    const fields = rows === 0 ? ["key"] : search.fields;
    const request = { ...search, rows: Math.max(rows, 1), ...(fields && { fields }) };
    const page = await walkAll(engine, request, cursor).catch((error: unknown) => {
      if (!(error instanceof ResponseTooLarge) || rows === 0) throw error;
    });
    if (page === undefined) {
      rows = Math.floor(rows / 2);
      continue;
    }
    yield page.documents;
    ({ cursor } = page);
    isDone = cursor === undefined;
    rows = Math.min(Math.max(rows, 1) * 2, EXPORT_PAGE_RECORDS);
  }
}

function streamReply(head: string, pages: AsyncGenerator<readonly Document[]>, { returned }: SelectRequest) {
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
      const texts = documents.map((document) => JSON.stringify(toReturnedDocument(document, returned)));
      controller.enqueue(encoder.encode(separator + texts.join(",")));
      separator = ",";
    },
  });
  return { status: 200, contentType: JSON_TYPE, body };
}

/** Returns the next page with documents: an empty page would stop the stream. */
async function nextDocuments(pages: AsyncGenerator<readonly Document[]>) {
  for (;;) {
    const { value, done } = await pages.next();
    if (done === true) return undefined;
    if (value.length > 0) return value;
  }
}
