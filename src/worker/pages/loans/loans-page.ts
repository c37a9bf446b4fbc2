import { datetimeText } from "../../../catalog/datetime.ts";
import type { Loan, WaitingPlace } from "../../../catalog/lending/loan.ts";
import type { NamedBook } from "../../availability/book-titles.ts";
import type { Flash } from "../../availability/flash.ts";
import type { Reply } from "../../reply.ts";
import { accountPage } from "../account/account-page.ts";
import { type Markup, markup } from "../markup.ts";
import { link, moment, table } from "../parts.ts";

/** What a patron sees of what he has borrowed and waits for. */
export interface LoansView {
  readonly loans: readonly Loan[];
  readonly places: readonly WaitingPlace[];
  readonly books: ReadonlyMap<string, NamedBook>;
  readonly messages: readonly Flash[];
  /** Where books are read: forms that borrow lead there. */
  readonly readerUrl: string;
}

const OWN_PAGE = "/account/loans";

/** The page of a patron's loans. */
export function loansPage({ loans, places, books, messages, readerUrl }: LoansView): Reply {
  const body = markup`${messages.map(flash)}
${
  loans.length === 0
    ? markup`<p>You have borrowed nothing at present.</p>`
    : table({
        caption: "Books that you have",
        columns: ["Book", "Until", "Read", "Return"],
        rows: loans.map((loan) => [
          named(loan, books),
          loan.expiry === null ? "Not fetched yet" : moment(datetimeText(loan.expiry)),
          markup`<a href="${borrowPath(loan)}?action=read">Read<span class="unseen"> ${titleOf(loan, books)}</span></a>`,
          actionForm(loan, "return", { text: "Return", title: titleOf(loan, books) }),
        ]),
      })
}
${places.length > 0 && waiting(places, books)}
<p>${link("/account/loan-history", "What you have borrowed before")}</p>`;
  return accountPage({ title: "Your loans", body, formsLeadTo: readerUrl });
}

function waiting(places: readonly WaitingPlace[], books: LoansView["books"]): Markup {
  return table({
    caption: "Books that you wait for",
    columns: ["Book", "Your place", "Borrow", "Leave"],
    rows: places.map((place) => [
      named(place, books),
      place.status === "available" && place.expiry !== null
        ? markup`It is your turn: kept for you until ${moment(datetimeText(place.expiry))}`
        : `${place.position} of ${place.queueLength}`,
      place.status === "available" &&
        actionForm(place, "borrow", { text: "Borrow", title: titleOf(place, books) }),
      actionForm(place, "leave-waitinglist", {
        text: "Do not wait any longer",
        title: titleOf(place, books),
      }),
    ]),
  });
}

function flash({ type, message }: Flash): Markup {
  return type === "error"
    ? markup`<div class="summary" role="alert"><p>${message}</p></div>`
    : markup`<p role="status">${message}</p>`;
}

type Lent = Pick<Loan, "book" | "ocaid">;

function named(lent: Lent, books: LoansView["books"]): Markup {
  const book = books.get(lent.book);
  return book === undefined ? markup`${lent.ocaid}` : link(book.href, book.title);
}

function titleOf({ book, ocaid }: Lent, books: LoansView["books"]): string {
  return books.get(book)?.title ?? ocaid;
}

/** Where a book is borrowed and returned; a scan of no edition has an address of its own. */
function borrowPath({ book, ocaid }: Lent): string {
  return book.startsWith("/books/ia:") ? `/borrow/ia/${encodeURIComponent(ocaid)}` : `${book}/x/borrow`;
}

/** A button; `title` is read out with it, as there are several of the kind on the page. */
function actionForm(lent: Lent, action: string, { text, title }: { text: string; title: string }): Markup {
  return markup`<form method="post" action="${borrowPath(lent)}">
<input type="hidden" name="action" value="${action}"><input type="hidden" name="redirect" value="${OWN_PAGE}">
<button type="submit">${text}<span class="unseen"> ${title}</span></button></form>`;
}
