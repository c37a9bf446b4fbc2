import { latestRecord } from "../../catalog/document.ts";
import {
  type BookToAdd,
  NONE_OF_THESE,
  firstAuthor,
  hasSameTitle,
  isSameEdition,
  titlesToLookUp,
} from "../../catalog/editing/add-book.ts";
import { type CatalogRecord, keyOf, keysOf } from "../../catalog/record.ts";
import { badDocument } from "../../catalog/editing/failure.ts";
import { findTitles } from "../../db/records/titles.ts";
import { readMembers } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import type { Database } from "../../db/statement.ts";
import { writeError } from "../history/edit-desk.ts";
import type { RequestContext } from "../http/operation.ts";

/** Works that a new book is compared with, and editions of those works, at most. */
const MATCHED_WORKS_MAX = 20;
const MATCHED_EDITIONS_MAX = 1000;

/** Match in the catalog of a book to be added. */
export type Match =
  | { readonly kind: "none" }
  | { readonly kind: "edition"; readonly edition: CatalogRecord }
  | { readonly kind: "work"; readonly work: CatalogRecord }
  | { readonly kind: "works"; readonly works: readonly CatalogRecord[] };

/**
 * Searches the catalog for a book to be added: in the work that the form names, else among works with its title and
 * first author. A new author has no works yet, so nothing is searched then. Throws 400 if the work is invalid.
 */
export async function matchBook(context: RequestContext, book: BookToAdd): Promise<Match> {
  if (book.work === NONE_OF_THESE) return { kind: "none" };
  if (book.work !== "") return matchInWork(context, book);
  if (book.news.documents.length > 0) return { kind: "none" };
  // Q114: reads the catalog, which knows a book added a moment ago, and not the search index.
  const wanted = { titles: titlesToLookUp(book), author: firstAuthor(book) };
  const found = await findTitles(primary(context), wanted, {
    works: MATCHED_WORKS_MAX,
    editions: MATCHED_EDITIONS_MAX,
  });
  const works = found.works.map(latestRecord).filter((work) => hasSameTitle(book, work));
  const keys = new Set(works.map((work) => keyOf(work)));
  const edition = found.editions
    .map(latestRecord)
    .find((one) => keysOf(one["works"]).some((key) => keys.has(key)) && isSameEdition(book, one));
  if (edition !== undefined) return { kind: "edition", edition };
  const [first, second] = works;
  if (first === undefined) return { kind: "none" };
  return second === undefined ? { kind: "work", work: first } : { kind: "works", works };
}

async function matchInWork(context: RequestContext, book: BookToAdd): Promise<Match> {
  const page = { limit: MATCHED_EDITIONS_MAX, offset: 0 };
  const found = await readMembers(primary(context), { kind: "editions", owner: book.work }, page);
  const { owner, members } = found;
  if (owner?.type !== "/type/work") {
    throw writeError([
      badDocument(`There is no work '${book.work}'`, { key: "/books/add", property: "work" }),
    ]);
  }
  const edition = members.map(latestRecord).find((one) => isSameEdition(book, one));
  return edition === undefined
    ? { kind: "work", work: latestRecord(owner satisfies RecordRow) }
    : { kind: "edition", edition };
}

/** Returns the primary: a book that was just added must be found. */
function primary({ stores }: RequestContext): Database {
  return stores.catalog.withSession("first-primary");
}
