import * as z from "zod";
import { revisionsEtag } from "../../catalog/etag.ts";
import { numberedKey } from "../../catalog/keys.ts";
import { readRecord } from "../../db/records/records.ts";
import { FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import { CITATION_LANGUAGES } from "../../export/reference-words.ts";
import { CITATION_STYLES, referencesOf } from "../../export/references.ts";
import { isBook, readBook } from "../formats/books.ts";
import { recordNotFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { type Reply, REVALIDATE, json } from "../http/reply.ts";
import { RECORD_KEEP } from "./record-answer.ts";

const language = z.enum(CITATION_LANGUAGES);

const reference = z.object({
  text: z.string(),
  html: z.string().describe("The same with the title in italics"),
});
const citation = z
  .object({
    key: z.string(),
    styles: z.record(z.enum(CITATION_STYLES), reference),
    formats: z
      .array(z.object({ name: z.string(), label: z.string(), url: z.string() }))
      .describe("The same book for programs"),
  })
  .meta({ id: "Citation" });

/** `GET /books/OL1M/cite.json`: references to an edition in several styles, and the addresses of its formats. */
export const citeEdition = citeOperation("citeEdition", "edition");
/** `GET /works/OL1W/cite.json`: references to a work in several styles, and the addresses of its formats. */
export const citeWork = citeOperation("citeWork", "work");

function citeOperation(id: string, kind: "edition" | "work") {
  const name = `${kind}_id`;
  return operation({
    id,
    summary: `References to ${kind === "edition" ? "an edition" : "a work"} in several styles`,
    tag: "records",
    path: { [name]: digitsOf("record") },
    // Not from `Accept-Language`, because caches do not vary answers by it.
    query: { lang: language.default("en").describe("Language of its words") },
    keep: RECORD_KEEP,
    responses: {
      200: { description: "References, and the addresses of its formats", schema: citation },
      404: { description: "No such book" },
    },
    handle({ path, query }, context) {
      return cited(
        numberedKey(kind, String(path[name]), context.settings.RECORD_PREFIX),
        query.lang,
        context,
      );
    },
  });
}

async function cited(key: string, lang: z.infer<typeof language>, context: RequestContext): Promise<Reply> {
  const row = await readRecord(catalogReader(context), key);
  if (row === undefined || !isBook(row)) throw recordNotFound(key);
  const { book, revisions } = await readBook(row, context);
  const body = {
    key,
    styles: referencesOf(book, lang),
    formats: FORMAT_NAMES.map((name) => ({
      name,
      label: FORMATS[name].label,
      url: `${book.url}.${name}`,
    })),
  };
  return json(body, {
    etag: `${revisionsEtag(revisions)}-cite-${lang}`,
    lastModified: row.lastModified,
    cacheControl: REVALIDATE,
    records: [...new Set(revisions.map((one) => one.key))],
  });
}
