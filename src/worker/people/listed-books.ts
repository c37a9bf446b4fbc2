import type { OwnBook } from "../../durable/patron/pages.ts";
import type { RequestContext } from "../http/operation.ts";
import type { ListedBook } from "../pages/people/book-list.ts";
import { shownBooks } from "./shown-books.ts";

/** Books of a patron with what pages say of them, in their order. */
export async function listedBooks(context: RequestContext, books: readonly OwnBook[]): Promise<ListedBook[]> {
  const shown = await shownBooks(
    context,
    books.map(({ work }) => work),
  );
  return books.flatMap(({ work, shelf, created, stars, finished, noted }) => {
    const book = shown.get(work);
    return book === undefined ? [] : [{ book, shelf, created, stars, finished, hasNote: noted === 1 }];
  });
}
