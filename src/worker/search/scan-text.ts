import * as z from "zod";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { editionTitle } from "../../catalog/document.ts";
import { readItems } from "../../db/lending/holdings.ts";
import { deleteBook, putBook } from "../../db/search/inside-write.ts";
import { type BookMetadata, facetValues, languageKeys } from "../../search/inside/metadata.ts";
import { BOOK_PAGES_MAX, pagesOf } from "../../search/inside/pages.ts";
import { literalTokens } from "../../search/inside/snippets.ts";
import { bodyText } from "../http/bytes.ts";
import { badData, notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { editionsOfScans } from "../holdings/edition-of-address.ts";
import { authorsOfBundle, languagesInEnglish, packText } from "./scans.ts";

/**
 * Stores the text of a book in place of what there was of it. The object in R2 gets a name of its own, so that
 * rows and text always belong together: first the object, then the rows, then the old object goes.
 */
async function storeText(
  book: { readonly identifier: string; readonly pages: readonly string[]; readonly known: BookMetadata },
  context: RequestContext,
): Promise<void> {
  const { identifier, pages, known } = book;
  const { archive, search } = context.stores;
  const { bytes, map } = packText(pages);
  const object = `text/${identifier}/${context.requestId}.gz`;
  await archive.put(object, bytes, { httpMetadata: { contentType: "application/gzip" } });
  const row = {
    identifier,
    object,
    metadata: JSON.stringify(known),
    facets: JSON.stringify(facetValues(known)),
    languages: JSON.stringify(languageKeys(known)),
    blocks: JSON.stringify(map),
  };
  const tokens = pages.map((page) => literalTokens(page).join(" "));
  const old = await putBook(search, row, tokens).catch(async (error: unknown) => {
    // The text that got no rows is not left behind.
    await archive.delete(object);
    throw error;
  });
  if (old !== undefined && old !== object) context.waitUntil(archive.delete(old));
}

/** Removes the text of a book; false when there was none. */
async function removeText(identifier: string, { stores, ...context }: RequestContext): Promise<boolean> {
  const object = await deleteBook(stores.search, identifier);
  if (object !== undefined) context.waitUntil(stores.archive.delete(object));
  return object !== undefined;
}

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
/** What the operator says of a book; what he does not say is taken from the scan's edition. */
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
type GivenMetadata = z.output<z.ZodObject<typeof metadata>>;

/** Subjects taken over from a work. */
const SUBJECTS_MAX = 20;
const YEAR = /(?<!\d)\d{4}(?!\d)/;
const LANGUAGES = "/languages/";

/** Metadata of a book whose text is loaded. Four statements at most. */
async function bookMetadata(
  identifier: string,
  given: GivenMetadata,
  context: RequestContext,
): Promise<BookMetadata> {
  const database = catalogReader(context);
  const [editions, items] = await Promise.all([
    editionsOfScans(database, [identifier], context),
    readItems(database, [identifier]),
  ]);
  const known = fromEdition(editions.get(identifier));
  const languages = await languagesInEnglish(database, given.language ?? known.languages);
  return {
    title: given.title ?? known.title,
    date: given.date ?? known.date,
    year: given.year ?? known.year,
    downloads: given.downloads,
    creators: given.creator ?? known.creators,
    languages,
    collections: given.collection ?? items.get(identifier)?.collections ?? [],
    subjects: given.subject ?? known.subjects,
    publishers: given.publisher ?? known.publishers,
    mediatype: given.mediatype ?? "texts",
  };
}

/** What the records say; languages are codes. */
function fromEdition(bundle: EditionBundle | undefined) {
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

/** Largest text of a book, in bytes of UTF-8. */
const TEXT_BODY_BYTES = 10 * 1024 * 1024;

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
    await storeText({ identifier: item, pages, known }, context);
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
