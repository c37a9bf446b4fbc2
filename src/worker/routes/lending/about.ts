import { operation } from "../../operation.ts";
import { page } from "../../pages/layout.ts";
import { markup } from "../../pages/markup.ts";
import { link } from "../../pages/parts.ts";

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
