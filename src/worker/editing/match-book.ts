import { latestRecordOf } from "../../catalog/document.ts";
import {
  type BookToAdd,
  NONE_OF_THESE,
  firstAuthorKeyOf,
  hasSameTitle,
  isSameEdition,
  lookupTitlesOf,
} from "../../catalog/editing/add-book.ts";
import { type CatalogRecord, keyOf, keysOf } from "../../catalog/record.ts";
import { documentFailure } from "../../catalog/editing/failure.ts";
import { findTitles } from "../../db/records/titles.ts";
import { readMembers } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import type { Database } from "../../db/statement.ts";
import { writeError } from "./edit-desk.ts";
import type { RequestContext } from "../http/operation.ts";
import { bothIsbnsOf, toCanonicalIsbn, hasValidCheckDigit } from "../../catalog/identifiers/isbn.ts";
import { findEditionKey } from "../../db/records/identifiers.ts";
import { readRecord } from "../../db/records/records.ts";

const MATCHED_WORKS_MAX = 20;
const MATCHED_EDITIONS_MAX = 1000;

/** Edition that is the new book, or else its work, or several works that may be its work. None if the book is new. */
export interface BookMatch {
  readonly edition?: CatalogRecord;
  readonly work?: CatalogRecord;
  readonly works?: readonly CatalogRecord[];
}

/**
 * Searches the catalog for a new book: in the work that the form names, or else among works with its title and first
 * author. A new author has no works yet, so nothing is searched then. Throws 400 if the work does not exist.
 */
export async function matchBook(context: RequestContext, book: BookToAdd): Promise<BookMatch> {
  if (book.work === NONE_OF_THESE) return {};
  if (book.work !== "") return matchInWork(context, book);
  if (book.newRecords.documents.length > 0) return {};
  // Q114: the catalog, unlike the search index, has books that were just added.
  const candidates = await findTitles(
    primary(context),
    { titles: lookupTitlesOf(book), author: firstAuthorKeyOf(book) },
    { works: MATCHED_WORKS_MAX, editions: MATCHED_EDITIONS_MAX },
  );
  const works = candidates.works.map(latestRecordOf).filter((work) => hasSameTitle(book, work));
  const keys = new Set(works.map((work) => keyOf(work)));
  const edition = candidates.editions
    .map(latestRecordOf)
    .find((record) => keysOf(record["works"]).some((key) => keys.has(key)) && isSameEdition(book, record));
  if (edition !== undefined) return { edition };
  const [work, second] = works;
  if (work === undefined) return {};
  return second === undefined ? { work } : { works };
}

async function matchInWork(context: RequestContext, book: BookToAdd): Promise<BookMatch> {
  const page = { limit: MATCHED_EDITIONS_MAX, offset: 0 };
  const { owner, members } = await readMembers(
    primary(context),
    { kind: "editions", owner: book.work },
    page,
  );
  if (owner?.type !== "/type/work") {
    throw writeError([
      documentFailure(
        { key: "bad_data.no_record", values: { key: book.work } },
        { key: "/books/add", property: "work" },
      ),
    ]);
  }
  const edition = members.map(latestRecordOf).find((record) => isSameEdition(book, record));
  return edition === undefined ? { work: latestRecordOf(owner satisfies RecordRow) } : { edition };
}

/** Returns the primary, so that books that were just added are found. */
function primary({ stores }: RequestContext): Database {
  return stores.catalog.withSession("first-primary");
}

export type IsbnState =
  | { readonly kind: "bad" | "free" | "none" }
  | { readonly kind: "length"; readonly count: number }
  | { readonly kind: "known"; readonly edition: CatalogRecord };

/** Validates an ISBN and finds the edition that has it. At most two round trips. */
export async function findIsbnState(text: string, { stores }: RequestContext): Promise<IsbnState> {
  if (text.trim() === "") return { kind: "none" };
  const isbn = toCanonicalIsbn(text);
  if (isbn === undefined) {
    return { kind: "length", count: text.replace(/[^\dXx]/g, "").length };
  }
  const catalog = stores.catalog.withSession("first-primary");
  const isbns = bothIsbnsOf(text).flatMap((value) => (value === undefined ? [] : [{ kind: "isbn", value }]));
  const key = await findEditionKey(catalog, isbns);
  const row = key === undefined ? undefined : await readRecord(catalog, key);
  if (row !== undefined) return { kind: "known", edition: latestRecordOf(row) };
  return { kind: hasValidCheckDigit(isbn) ? "free" : "bad" };
}
