import * as z from "zod";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { makeNumberedKey } from "../../catalog/keys.ts";
import { readRecord } from "../../db/records/records.ts";
import { FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import { CITATION_LANGUAGES } from "../../export/reference-words.ts";
import { CITATION_LABELS, CITATION_STYLES, formatReferences } from "../../export/references.ts";
import { isBook, readBook } from "../http/book-formats.ts";
import { recordNotFound } from "../http/errors.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { REVALIDATE, json, plain } from "../http/reply.ts";
import { RECORD_CACHE } from "./record-answer.ts";

const reference = z.object({
  text: z.string(),
  html: z.string().describe("Reference as HTML, with the title in italics or as code"),
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

const RESPONSES = {
  json: { description: "References, and URLs of the export formats", schema: citation },
  text: { description: "References, one a line after the name of the style", contentType: "text/plain" },
};

export const citeEdition = citeOperation("citeEdition", "edition", "json");
export const citeWork = citeOperation("citeWork", "work", "json");
export const citeEditionText = citeOperation("citeEditionText", "edition", "text");
export const citeWorkText = citeOperation("citeWorkText", "work", "text");

function citeOperation(id: string, kind: "edition" | "work", form: keyof typeof RESPONSES) {
  const name = `${kind}_id`;
  return operation({
    id,
    summary: `Cite ${kind === "edition" ? "an edition" : "a work"} in several styles${form === "text" ? " as text" : ""}`,
    tag: "records",
    path: { [name]: digitsOf("record") },
    // Not from `Accept-Language`, because caches do not vary answers by it.
    query: { lang: z.enum(CITATION_LANGUAGES).default("en").describe("Language of the references") },
    cache: RECORD_CACHE,
    responses: { 200: RESPONSES[form] },
    async handle({ path, query: { lang } }, context) {
      const key = makeNumberedKey(kind, String(path[name]), context.settings.RECORD_PREFIX);
      const row = await readRecord(catalogReader(context), key);
      if (row === undefined || !isBook(row)) throw recordNotFound(key);
      const { book, revisions } = await readBook(row, context);
      const styles = formatReferences(book, lang);
      const options = {
        etag: `${computeRevisionsEtag(revisions)}-cite-${lang}`,
        lastModified: row.lastModified,
        cacheControl: REVALIDATE,
        records: [...new Set(revisions.map((revision) => revision.key))],
      };
      if (form === "text") {
        const lines = CITATION_STYLES.map((style) => `${CITATION_LABELS[style]}: ${styles[style].text}\n`);
        return plain(lines.join(""), options);
      }
      const formats = FORMAT_NAMES.map((format) => ({
        name: format,
        label: FORMATS[format].label,
        url: `${book.url}.${format}`,
      }));
      return json({ key, styles, formats }, options);
    },
  });
}
