import type { Document } from "../../../search/engine.ts";
import type { Cursor } from "../../../search/solr/queries.ts";
import { SolrRequestError } from "../../../search/solr/parameters.ts";
import { type SelectRequest, selectRequest, shownDocument } from "../../../search/solr/select-request.ts";
import { type Reply, JSON_TYPE } from "../../http/reply.ts";
import type { EngineCall } from "./call.ts";
import { type RawHits, searchAll, walkAll } from "./search-all.ts";
import { searchOf } from "./select.ts";

const EXPORT_PAGE_RECORDS = 500;

/** `/export`: all matching documents, one page after the other, in the order of cursors. */
export async function exportAll({ parameters, engine }: EngineCall): Promise<Reply> {
  const request = selectRequest(parameters);
  const selection = searchOf(request);
  if (selection === undefined) throw new SolrRequestError("q is missing");
  const search = { ...selection, rows: EXPORT_PAGE_RECORDS };
  const { numFound } = await searchAll(engine, { ...search, start: 0, rows: 0 });
  const head = `{"responseHeader":{"status":0},"response":{"numFound":${numFound},"docs":[`;
  return streamReply(
    head,
    readPages((cursor) => walkAll(engine, search, cursor)),
    request,
  );
}

async function* readPages(
  pageAfter: (cursor: Cursor | undefined) => Promise<RawHits & { cursor: Cursor | undefined }>,
) {
  let cursor: Cursor | undefined;
  do {
    const page = await pageAfter(cursor);
    yield page.documents;
    ({ cursor } = page);
  } while (cursor !== undefined);
}

function streamReply(
  head: string,
  pages: AsyncGenerator<readonly Document[]>,
  { returned }: SelectRequest,
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
      const texts = documents.map((document) => JSON.stringify(shownDocument(document, returned)));
      controller.enqueue(encoder.encode(separator + texts.join(",")));
      separator = ",";
    },
  });
  return { status: 200, contentType: JSON_TYPE, body };
}

/** Returns the next page with documents: an empty page would stop the stream. */
async function nextDocuments(
  pages: AsyncGenerator<readonly Document[]>,
): Promise<readonly Document[] | undefined> {
  for (;;) {
    const { value, done } = await pages.next();
    if (done === true) return undefined;
    if (value.length > 0) return value;
  }
}
