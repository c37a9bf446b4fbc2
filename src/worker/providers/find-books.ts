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

const FIELDS = ["key", "author_key", "series_key", "isbn", "editions", "editions.key"];
const NO_SELECTION = z.object(selectionParameters).parse({});

export interface ProvidedBook {
  /** Best edition of a work, or the work if it has none. */
  readonly book: Book;
  /** ISBNs of the edition, or else of the work. */
  readonly isbns: readonly string[];
}

/** Q838: searches works and reads the best edition of each. Two round trips. */
export async function provideBooks(
  params: Partial<Omit<SearchParams, "fields">> & { readonly limit: number },
  context: RequestContext,
): Promise<ProvidedBook[]> {
  const results = await runSearch({ ...NO_SELECTION, ...params, fields: FIELDS }, context);
  const works = toFoundWorks(results.hits, results.editionChoice);
  const hits = works.map(({ document, chosen }) => {
    const work = workAddressOf(String(document["key"]));
    const [key = work] = stringsOf(chosen?.edition?.["key"]);
    const named = [
      work,
      ...keysIn(document, "author_key", "authors"),
      ...keysIn(document, "series_key", "series"),
    ];
    return { key, named };
  });
  const books = await Array.fromAsync(readFoundBooks(hits, context));
  return books.flatMap((book, at) => {
    if (book === undefined) return [];
    const own = isbnsOf(book);
    return [{ book, isbns: own.length > 0 ? own : stringsOf(works[at]?.document["isbn"]) }];
  });
}

function keysIn(document: CatalogRecord, field: string, folder: string): string[] {
  return stringsOf(document[field]).map((olid) => `/${folder}/${olid}`);
}

function isbnsOf({ isbn13, isbn10 }: Book): string[] {
  return [...isbn13, ...isbn10];
}

/** Finds the edition that a text names by an ISBN or another number. Two round trips; none for other texts. */
export async function provideEdition(
  text: string,
  context: RequestContext,
): Promise<ProvidedBook | undefined> {
  const key = parseBibKey(text, context.settings.RECORD_PREFIX);
  if (key.kind === "none") return undefined;
  const { matches } = await findByBibKeys(catalogReader(context), [key]);
  const [match] = matches;
  if (match === undefined) return undefined;
  const [book] = await Array.fromAsync(readBooks([{ record: match.edition }], context));
  return book && { book, isbns: isbnsOf(book) };
}
