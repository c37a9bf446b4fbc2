import * as z from "zod";
import { readListExport } from "../../db/lists/export.ts";
import { notFound } from "../http/errors.ts";
import { baseUrl, catalogReader } from "../http/operation.ts";
import { PAGE_CSP } from "../ui/layout.ts";
import { type ExportFormat, EXPORT_TYPES, exportText } from "./export-text.ts";
import { LISTS_CACHE_CONTROL, LIST_PATH, listNotFound, listOperations } from "./operation.ts";

/** `GET <list>/export?format=`: the records of a list or series to take away. */
export const exportList = listOperations({
  ids: { people: "exportPeopleList", lists: "exportList", series: "exportSeries" },
  summary: "Records of a list or series to take away",
  path: LIST_PATH,
  query: { format: z.string().default("html").describe("html, bibtex, json or yaml") },
  responses: {
    200: { description: "Editions, works and authors, last changed first", contentType: "text/html" },
    404: { description: "No such list or series, or no such format" },
  },
  async handle({ key }, { query: { format } }, context) {
    if (!isFormat(format)) throw notFound();
    const database = catalogReader(context);
    const exported = await readListExport(database, key);
    if (exported === undefined) throw listNotFound();
    return {
      status: 200,
      body: textStream(exportText(format, { database, exported, baseUrl: baseUrl(context) })),
      contentType: EXPORT_TYPES[format],
      cacheControl: LISTS_CACHE_CONTROL,
      headers: { "Content-Security-Policy": PAGE_CSP },
    };
  },
});

/** Pieces of text as a body that is made as fast as it is read. */
function textStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

function isFormat(text: string): text is ExportFormat {
  return Object.hasOwn(EXPORT_TYPES, text);
}
