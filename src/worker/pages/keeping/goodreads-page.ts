import type { GoodreadsBook, GoodreadsFile } from "../../../catalog/patrons/goodreads.ts";
import type { Reply } from "../../http/reply.ts";
import { accountPage } from "../account/account-page.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { table } from "../../ui/parts.ts";

/** Books of each kind that the page shows; the form sends all. */
export const PREVIEWED_BOOKS = 200;

/** What is in a file, and the form that has it taken over. */
export function goodreadsPage({ books, withoutIsbn }: GoodreadsFile, csv: string): Reply {
  const body = markup`<p>${count(books.length, "book")} in this file can be looked for here.
Nothing has been changed yet.</p>
<form method="post" action="/account/import" enctype="multipart/form-data">
<textarea name="csv" hidden aria-hidden="true">
${csv}</textarea>
<p><button type="submit">Import ${count(books.length, "book")}</button></p>
</form>
${books.length > 0 && bookTable("Books with an ISBN", books)}
${
  withoutIsbn.length > 0 &&
  markup`<p>${count(withoutIsbn.length, "book")} without an ISBN cannot be imported.
Search for them here, and put them onto your shelves by hand.</p>
${bookTable("Books without an ISBN", withoutIsbn)}`
}`;
  return accountPage({ title: "Books from Goodreads", body });
}

function bookTable(caption: string, books: readonly GoodreadsBook[]): Markup {
  const rest = books.length - PREVIEWED_BOOKS;
  return markup`${table({
    caption,
    columns: ["Title", "Author", "ISBN", "Shelf", "Rating", "Read on"],
    rows: books
      .slice(0, PREVIEWED_BOOKS)
      .map((book) =>
        ["Title", "Author", "ISBN", "Exclusive Shelf", "My Rating", "Date Read"].map(
          (name) => book[name] ?? "",
        ),
      ),
  })}${rest > 0 && markup`<p>And ${rest} more.</p>`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
