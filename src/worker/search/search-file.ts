import * as z from "zod";
import { ByteBudget, utf8Length } from "../../catalog/bytes.ts";
import { latestRecord } from "../../catalog/document.ts";
import { stringsOf } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/records.ts";
import { READ_DOCUMENT_BYTES } from "../../db/records/record-rows.ts";
import { FORMATS, FORMAT_NAMES, FORMAT_TYPES } from "../../export/formats.ts";
import type { Document } from "../../search/engine.ts";
import { booksDocument, inParts, isBook } from "../formats/books.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { searchCacheControl } from "./answers.ts";
import { workAddress } from "./result-parts.ts";
import { searchParameters, searched } from "./search.ts";

/** `GET /search.bib` and its like: the works of the same search as a file, in a format of others. */
export const searchFile = operation({
  id: "searchFile",
  summary: "Works by words, fields and filters, in a format of others",
  tag: "search",
  path: { format: z.enum(FORMAT_NAMES) },
  query: searchParameters,
  responses: {
    200: { description: "The works of a page, as one document", also: FORMAT_TYPES },
    403: { description: "A parameter that would tune the engine" },
    413: { description: "The document would be too large: a smaller limit is answered" },
    503: { description: "The index does not answer" },
  },
  async handle({ path: { format }, query }, context) {
    const { search, hits } = await searched({ ...query, fields: FILE_FIELDS }, context);
    const pieces = booksDocument(format, recordPages(hits.documents, context), context);
    const cacheControl = searchCacheControl(context, { sort: search.sort });
    return {
      status: 200,
      body: await wholeText(pieces),
      contentType: FORMATS[format].contentType,
      cacheControl,
      headers: { "Content-Disposition": `attachment; filename="search.${format}"` },
    };
  },
});

/** A document that is not sent before it is known to be small enough. Throws `AnswerTooLarge`. */
async function wholeText(pieces: AsyncIterable<string>): Promise<string> {
  const budget = new ByteBudget(READ_DOCUMENT_BYTES);
  let text = "";
  for await (const piece of pieces) {
    budget.spend(utf8Length(piece));
    text += piece;
  }
  return text;
}

/** What the index knows that records do not say. */
const FILE_FIELDS = ["key", "first_publish_year"];
/** Records that are read at once while a file is made. */
const FILE_PAGE_RECORDS = 200;

async function* recordPages(documents: readonly Document[], context: RequestContext) {
  for (let at = 0; at < documents.length; at += FILE_PAGE_RECORDS) {
    const page = documents.slice(at, at + FILE_PAGE_RECORDS);
    yield* inParts(page, (some) => recordsOf(some, context));
  }
}

async function recordsOf(documents: readonly Document[], context: RequestContext) {
  const keys = documents.map(({ key }) => workAddress(stringsOf(key)[0] ?? ""));
  const rows = new Map((await readRecords(catalogReader(context), keys)).map((row) => [row.key, row]));
  return keys.flatMap((key, index) => {
    const row = rows.get(key);
    // It may have been deleted or merged since it was indexed.
    if (row === undefined || !isBook(row)) return [];
    const { first_publish_year: year } = documents[index] ?? {};
    return [{ record: latestRecord(row), firstYear: typeof year === "number" ? year : undefined }];
  });
}
