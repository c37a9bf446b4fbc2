import { type AnyOperation, operation } from "../http/operation.ts";
import { seeOther } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";

/** `GET /borrow/about`: how borrowing works. */
export const aboutBorrowing = operation({
  id: "aboutBorrowing",
  summary: "A page about borrowing",
  tag: "lending",
  responses: { 200: { description: "The page", contentType: "text/html" } },
  handle() {
    const body = markup`<p>Some scanned books are lent, each copy to one reader at a time. You need an account.</p>
<ul>
<li>A loan lasts two weeks; some books can also be borrowed for an hour.</li>
<li>You can have five books at a time, and return them before their time is over.</li>
<li>When all copies are out, you can join the waiting list. When it is your turn you get a mail, and the book is kept for
you for a day.</li>
</ul>
<p>${link("/account/loans", "Your loans")}</p>`;
    return page({ title: "Borrowing books", body });
  },
});

/** `GET /borrow`: books that can be borrowed. */
export const borrowShelf = moved("borrowShelf", "/subjects/in_library#ebooks=true");
/** `GET /borrow.json` */
export const borrowShelfJson = moved("borrowShelfJson", "/subjects/in_library.json");
/** `GET /read`: books that everybody can read. */
export const readShelf = moved("readShelf", "/subjects/accessible_book#ebooks=true");
/** `GET /read.json` */
export const readShelfJson = moved("readShelfJson", "/subjects/accessible_book.json");

/** Leads to a subject of books that can be read; the query is kept where it means something. */
function moved(id: string, target: string): AnyOperation {
  const summary = "A subject whose books can be read";
  return operation({
    id,
    summary,
    tag: "lending",
    responses: { 303: { description: "The subject" } },
    handle: (_input, { url }) => seeOther(target.endsWith(".json") ? target + url.search : target),
  });
}
