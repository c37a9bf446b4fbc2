import * as z from "zod";
import { BOOK_PAGES_MAX, pagesOf } from "../../../search/inside/pages.ts";
import { bodyText } from "../../body.ts";
import { badData, notFound } from "../../errors.ts";
import { bookMetadata } from "../../inside/book-metadata.ts";
import { removeText, storeText } from "../../inside/store-text.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { integer } from "../../validation/parameters.ts";

/** Largest text of a book, in bytes of UTF-8. */
export const TEXT_BODY_BYTES = 10 * 1024 * 1024;
/** Longest value of metadata, in UTF-16 units, and most values of one kind. */
const METADATA_LENGTH_MAX = 500;
const METADATA_VALUES_MAX = 100;

const path = {
  item: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
    .describe("Id of the scan"),
};
const text = z.string().max(METADATA_LENGTH_MAX);
const texts = z.array(text).max(METADATA_VALUES_MAX).optional();
const metadata = {
  title: text.optional(),
  creator: texts,
  year: integer(z.int().gte(0).lte(9999)).optional(),
  language: texts.describe("MARC codes or English names"),
  collection: texts,
  subject: texts,
  publisher: texts,
  date: text.optional(),
  mediatype: text.optional(),
  downloads: integer(z.int().gte(0)).optional(),
};

/** `PUT /system/text/{item}`: the text of a scan for the search inside. What is not said comes from its edition. */
export const putText = operation({
  id: "putText",
  summary: "Store the text of a scanned book",
  tag: "operation",
  path,
  query: metadata,
  body: { contentType: "text/plain", description: "The text, UTF-8; form feeds separate the pages" },
  responses: {
    200: {
      description: "What was stored",
      schema: z.object({ identifier: z.string(), pages: z.int(), title: z.string().nullable() }),
    },
  },
  async handle({ path: { item }, query }, context) {
    const pages = pagesOf(await bodyText(context.request, TEXT_BODY_BYTES));
    if (pages.every((page) => page.trim() === "")) throw badData("there is no text in the request");
    if (pages.length > BOOK_PAGES_MAX) throw badData(`a book can have ${BOOK_PAGES_MAX} pages at most`);
    const known = await bookMetadata(item, query, context);
    await storeText(item, { pages, metadata: known }, context);
    const answer = { identifier: item, pages: pages.length, title: known.title ?? null };
    return json(answer, { cacheControl: NO_STORE });
  },
});

/** `DELETE /system/text/{item}`: the text of a scan is found no more. */
export const deleteText = operation({
  id: "deleteText",
  summary: "Remove the text of a scanned book",
  tag: "operation",
  path,
  responses: {
    200: { description: "It is gone", schema: z.object({ identifier: z.string() }) },
    404: { description: "There is none of it" },
  },
  async handle({ path: { item } }, context) {
    if (!(await removeText(item, context))) throw notFound();
    return json({ identifier: item }, { cacheControl: NO_STORE });
  },
});
