import * as z from "zod";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { readRecord } from "../../db/records/records.ts";
import { FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import { CITATION_LANGUAGES } from "../../export/reference-words.ts";
import { CITATION_STYLES, formatReferences } from "../../export/references.ts";
import { isBook, readBook } from "../http/book-formats.ts";
import { recordNotFound } from "../http/errors.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { REVALIDATE, json } from "../http/reply.ts";
import { RECORD_CACHE } from "./record-answer.ts";

const reference = z.object({
  text: z.string(),
  html: z.string().describe("Reference as HTML, with the title in italics"),
});
const citation = z
  .object({
    key: z.string(),
    styles: z.record(z.enum(CITATION_STYLES), reference),
    formats: z
      .array(z.object({ name: z.string(), label: z.string(), url: z.string() }))
      .describe("Export formats of the book"),
  })
  .meta({ id: "Citation" });

export const citeEdition = citeOperation("citeEdition", "edition");
export const citeWork = citeOperation("citeWork", "work");

function citeOperation(id: string, kind: "edition" | "work") {
  const name = `${kind}_id`;
  return operation({
    id,
    summary: `Cite ${kind === "edition" ? "an edition" : "a work"} in several styles`,
    tag: "records",
    path: { [name]: digitsOf("record") },
    // Not from `Accept-Language`, because caches do not vary answers by it.
    query: { lang: z.enum(CITATION_LANGUAGES).default("en").describe("Language of the references") },
    cache: RECORD_CACHE,
    responses: {
      200: { description: "References, and URLs of the export formats", schema: citation },
    },
    async handle({ path, query: { lang } }, context) {
      const key = makeNumberedKey(kind, String(path[name]), context.settings.RECORD_PREFIX);
      const row = await readRecord(catalogReader(context), key);
      if (row === undefined || !isBook(row)) throw recordNotFound(key);
      const { book, revisions } = await readBook(row, context);
      const formats = FORMAT_NAMES.map((format) => ({
        name: format,
        label: FORMATS[format].label,
        url: `${book.url}.${format}`,
      }));
      return json(
        { key, styles: formatReferences(book, lang), formats },
        {
          etag: `${computeRevisionsEtag(revisions)}-cite-${lang}`,
          lastModified: row.lastModified,
          cacheControl: REVALIDATE,
          records: [...new Set(revisions.map((revision) => revision.key))],
        },
      );
    },
  });
}
