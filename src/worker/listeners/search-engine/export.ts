import { ResponseTooLarge, utf8Length } from "../../../catalog/bytes.ts";
import { PAGE_BYTES } from "../../../db/records/record-rows.ts";
import type { SearchEngine } from "../../../search/engine.ts";
import { type Cursor, readCursor, writeCursor } from "../../../search/solr/queries.ts";
import { SolrRequestError } from "../../../search/solr/parameters.ts";
import {
  type SelectRequest,
  toReturnedDocument,
  parseSelectRequest,
} from "../../../search/solr/select-request.ts";
import { requireOperator } from "../../http/access.ts";
import { type CallBudget, withBudget } from "../../http/call-budget.ts";
import { textStream } from "../../http/bytes.ts";
import { type Reply, JSON_TYPE } from "../../http/reply.ts";
import { newestEngine } from "../../search/engine.ts";
import type { EngineCall } from "./call.ts";
import { type RawSearch, searchAll, walkAll } from "./search-all.ts";
import { searchOf } from "./select.ts";

const EXPORT_PAGE_RECORDS = 500;
/** Time after which an export ends with a cursor, in milliseconds. */
const EXPORT_MS = 600_000;

/**
 * `/export`: all matching documents, one page after the other, in the order of cursors. As many as the calls of an
 * invocation can read, without the operator's token as many as fit, and the cursor for the rest (Q728).
 */
export async function exportAll({ parameters, context }: EngineCall): Promise<Reply> {
  const isService = context.request.headers.has("Authorization");
  if (isService) await requireOperator(context);
  const cursorMark = parameters.get("cursorMark");
  parameters.delete("cursorMark");
  const request = parseSelectRequest(parameters);
  const selection = searchOf(request);
  if (selection === undefined) throw new SolrRequestError("bad_request.solr_missing", { name: "q" });
  const { stores, budget } = withBudget(context, EXPORT_MS);
  const engine = await newestEngine({ ...context, stores });
  const search = { ...selection, rows: 0 };
  const { numFound } = await searchAll(engine, { ...search, start: 0 });
  const head = `{"responseHeader":{"status":0},"response":{"numFound":${numFound},"docs":[`;
  const cursor = cursorMark === null ? undefined : readCursor(cursorMark, request.sort);
  const most = isService ? Number.POSITIVE_INFINITY : PAGE_BYTES;
  const text = writePages({ engine, search, request, budget }, { head, cursor, most });
  return { status: 200, contentType: JSON_TYPE, body: textStream(text, JSON_TYPE) };
}

interface Exporting {
  readonly engine: SearchEngine;
  readonly search: RawSearch;
  readonly request: SelectRequest;
  readonly budget: CallBudget;
}

/**
 * Writes page after page, up to `most` bytes, while the budget lasts. A page that is too large is halved; of a single
 * document the key is sent.
 */
async function* writePages(
  exporting: Exporting,
  { head, cursor, most }: { head: string; cursor: Cursor | undefined; most: number },
): AsyncGenerator<string> {
  yield head;
  const endAt = (at: Cursor) => `]},"nextCursorMark":"${writeCursor(at, exporting.search.sort)}"}`;
  let [place, rows, sent, separator] = [cursor, EXPORT_PAGE_RECORDS, 0, ""];
  for (;;) {
    const page = await writePage(exporting, place, rows);
    if (page === undefined) {
      rows = Math.floor(rows / 2);
      continue;
    }
    const { text, next } = page;
    if (place !== undefined && sent > 0 && sent + utf8Length(text) > most) return yield endAt(place);
    if (text !== "") yield separator + text;
    if (next === undefined) return yield "]}}";
    if (exporting.budget.isOver()) return yield endAt(next);
    sent += utf8Length(text);
    separator = sent > 0 ? "," : "";
    place = next;
    rows = Math.min(Math.max(rows, 1) * 2, EXPORT_PAGE_RECORDS);
  }
}

/** Writes the documents after a place. Returns undefined if they are too large. */
async function writePage({ engine, search, request }: Exporting, cursor: Cursor | undefined, rows: number) {
  const fields = rows === 0 ? ["key"] : search.fields;
  const page = { ...search, rows: Math.max(rows, 1), ...(fields && { fields }) };
  try {
    const { documents, cursor: next } = await walkAll(engine, page, cursor);
    const texts = documents.map((document) => JSON.stringify(toReturnedDocument(document, request.returned)));
    const text = texts.join(",");
    return rows > 0 && utf8Length(text) > PAGE_BYTES ? undefined : { text, next };
  } catch (error) {
    if (error instanceof ResponseTooLarge && rows > 0) return undefined;
    throw error;
  }
}
