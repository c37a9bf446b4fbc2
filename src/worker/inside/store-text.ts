import { deleteBook, putBook } from "../../db/search/inside/write.ts";
import { type BookMetadata, facetValues, languageKeys } from "../../search/inside/metadata.ts";
import { literalTokens } from "../../search/inside/phrase.ts";
import type { RequestContext } from "../context.ts";
import { packText } from "./text-archive.ts";

interface Text {
  readonly pages: readonly string[];
  readonly metadata: BookMetadata;
}

/**
 * Stores the text of a book in place of what there was of it. The object in R2 gets a name of its own, so that
 * rows and text always belong together: first the object, then the rows, then the old object goes.
 */
export async function storeText(identifier: string, { pages, metadata }: Text, context: RequestContext) {
  const { archive, search } = context.stores;
  const { bytes, map } = packText(pages);
  const object = `text/${identifier}/${context.requestId}.gz`;
  await archive.put(object, bytes, { httpMetadata: { contentType: "application/gzip" } });
  const book = {
    identifier,
    object,
    metadata: JSON.stringify(metadata),
    facets: JSON.stringify(facetValues(metadata)),
    languages: JSON.stringify(languageKeys(metadata)),
    blocks: JSON.stringify(map),
  };
  const tokens = pages.map((page) => literalTokens(page).join(" "));
  const old = await putBook(search, book, tokens).catch((error: unknown) => dropped(object, error, context));
  if (old !== undefined && old !== object) context.waitUntil(archive.delete(old));
}

/** Removes the text of a book; false when there was none. */
export async function removeText(
  identifier: string,
  { stores, ...context }: RequestContext,
): Promise<boolean> {
  const object = await deleteBook(stores.search, identifier);
  if (object !== undefined) context.waitUntil(stores.archive.delete(object));
  return object !== undefined;
}

/** The text that got no rows is not left behind. */
async function dropped(object: string, error: unknown, { stores }: RequestContext): Promise<never> {
  await stores.archive.delete(object);
  throw error;
}
