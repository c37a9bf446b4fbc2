import * as z from "zod";
import { parseBibKey } from "../../catalog/lookup/bibkey.ts";
import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import type { Book } from "../../export/book.ts";
import { toFoundWorks, workAddressOf } from "../../search/present/works.ts";
import { readBooks, readFoundBooks } from "../http/book-formats.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { findByBibKeys } from "../lookup/editions/find-editions.ts";
import { selectionParameters } from "../search/parameters.ts";
import type { SearchParams } from "../search/search-request.ts";
import { runSearch } from "../search/search.ts";

const FIELDS = ["key", "author_key", "series_key", "editions", "editions.key", "editions.isbn"];
const NO_SELECTION = z.object(selectionParameters).parse({});

/**
 * Q838: searches works and reads the best edition of each, with an ISBN if there is one, or the work if it has no editions.
 * Two round trips.
 */
export async function provideBooks(
  params: Partial<Omit<SearchParams, "fields">> & { readonly limit: number },
  context: RequestContext,
): Promise<Book[]> {
  const { hits, editionChoice } = await runSearch({ ...NO_SELECTION, ...params, fields: FIELDS }, context);
  const editions = hits.editions.map((all) => {
    const numbered = all.filter(({ isbn }) => stringsOf(isbn).length > 0);
    return numbered.length > 0 ? numbered : all;
  });
  const found = toFoundWorks({ ...hits, editions }, editionChoice).map(({ document, chosen }) => {
    const work = workAddressOf(String(document["key"]));
    const [key = work] = stringsOf(chosen?.edition?.["key"]);
    const named = [
      work,
      ...keysIn(document, "author_key", "authors"),
      ...keysIn(document, "series_key", "series"),
    ];
    return { key, named };
  });
  const books = await Array.fromAsync(readFoundBooks(found, context));
  return books.filter((book) => book !== undefined);
}

function keysIn(document: CatalogRecord, field: string, folder: string): string[] {
  return stringsOf(document[field]).map((olid) => `/${folder}/${olid}`);
}

/** Finds the edition that a text names by an ISBN or another number. Two round trips; none for other texts. */
export async function provideEdition(text: string, context: RequestContext): Promise<Book | undefined> {
  const key = parseBibKey(text, context.settings.RECORD_PREFIX);
  if (key.kind === "none") return undefined;
  const { matches } = await findByBibKeys(catalogReader(context), [key]);
  const [book] = await Array.fromAsync(
    readBooks(
      matches.map(({ edition }) => ({ record: edition })),
      context,
    ),
  );
  return book;
}
