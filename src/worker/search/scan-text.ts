import * as z from "zod";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { editionTitle } from "../../catalog/document.ts";
import { readItems } from "../../db/lending/holdings.ts";
import { deleteBook, putBook } from "../../db/search/inside.ts";
import { type BookMetadata, facetValues, languageKeys } from "../../search/inside/metadata.ts";
import { BOOK_PAGES_MAX, pagesOf } from "../../search/inside/pages.ts";
import { literalTokens } from "../../search/inside/snippets.ts";
import { bodyText } from "../http/bytes.ts";
import { badData, notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { editionsOfScans } from "../holdings/bundles.ts";
import { authorsOfBundle, languagesInEnglish, packText } from "./scans.ts";

/**
 * Stores the text of a book in place of an older one. Each version has an object of its own in R2, so that rows and text
 * always match: first the object is written, then the rows, then the old object is deleted.
 */
async function storeText(
  book: { identifier: string; pages: readonly string[]; metadata: BookMetadata },
  context: RequestContext,
): Promise<void> {
  const { identifier, pages, metadata: values } = book;
  const { archive, search } = context.stores;
  const { bytes, map } = packText(pages);
  const object = `text/${identifier}/${context.requestId}.gz`;
  await archive.put(object, bytes, { httpMetadata: { contentType: "application/gzip" } });
  const row = {
    identifier,
    object,
    metadata: JSON.stringify(values),
    facets: JSON.stringify(facetValues(values)),
    languages: JSON.stringify(languageKeys(values)),
    blocks: JSON.stringify(map),
  };
  const tokens = pages.map((page) => literalTokens(page).join(" "));
  const old = await putBook(search, row, tokens).catch(async (error: unknown) => {
    // A text without rows must not remain.
    await archive.delete(object);
    throw error;
  });
  if (old !== undefined && old !== object) context.waitUntil(archive.delete(old));
}

async function removeText(identifier: string, { stores, ...context }: RequestContext): Promise<boolean> {
  const object = await deleteBook(stores.search, identifier);
  if (object !== undefined) context.waitUntil(stores.archive.delete(object));
  return object !== undefined;
}

/** Longest value of metadata, in UTF-16 units, and most values of a member. */
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
/** Metadata from the operator; the rest comes from the edition of the scan. */
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
type OperatorMetadata = z.output<z.ZodObject<typeof metadata>>;

const SUBJECTS_MAX = 20;
const YEAR = /(?<!\d)\d{4}(?!\d)/;
const LANGUAGES = "/languages/";

/** Collects the metadata of a book. Four statements at most. */
async function collectMetadata(
  identifier: string,
  request: OperatorMetadata,
  context: RequestContext,
): Promise<BookMetadata> {
  const database = catalogReader(context);
  const [editions, items] = await Promise.all([
    editionsOfScans(database, [identifier], context),
    readItems(database, [identifier]),
  ]);
  const defaults = metadataOfEdition(editions.get(identifier));
  const languages = await languagesInEnglish(database, request.language ?? defaults.languages);
  return {
    title: request.title ?? defaults.title,
    date: request.date ?? defaults.date,
    year: request.year ?? defaults.year,
    downloads: request.downloads,
    creators: request.creator ?? defaults.creators,
    languages,
    collections: request.collection ?? items.get(identifier)?.collections ?? [],
    subjects: request.subject ?? defaults.subjects,
    publishers: request.publisher ?? defaults.publishers,
    mediatype: request.mediatype ?? "texts",
  };
}

/** Reads metadata from the records of an edition; languages are codes. */
function metadataOfEdition(bundle: EditionBundle | undefined) {
  if (bundle === undefined) return { creators: [], languages: [], subjects: [], publishers: [] };
  const { edition, work } = bundle;
  const date = textOf(edition["publish_date"]);
  const year = YEAR.exec(date ?? "")?.[0];
  return {
    title: editionTitle(edition),
    creators: authorsOfBundle(bundle).flatMap((author) => textOf(author["name"]) ?? []),
    date,
    year: year === undefined ? undefined : Number(year),
    languages: languageCodes(edition),
    subjects: stringsOf((work ?? edition)["subjects"]).slice(0, SUBJECTS_MAX),
    publishers: stringsOf(edition["publishers"]),
  };
}

function languageCodes({ languages }: CatalogRecord): string[] {
  if (!Array.isArray(languages)) return [];
  return languages.flatMap((language) => keyOf(language)?.replace(LANGUAGES, "") ?? []);
}

/** Largest text of a book, in bytes. */
const TEXT_BODY_BYTES = 10 * 1024 * 1024;

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
    const values = await collectMetadata(item, query, context);
    await storeText({ identifier: item, pages, metadata: values }, context);
    const body = { identifier: item, pages: pages.length, title: values.title ?? null };
    return json(body, { cacheControl: NO_STORE });
  },
});

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
