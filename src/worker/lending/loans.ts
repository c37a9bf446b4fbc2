import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { latestRecord } from "../../catalog/document.ts";
import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { loanRecord } from "../../catalog/lending/records.ts";
import { recordUrl } from "../../catalog/slug.ts";
import { editionTitle } from "../../catalog/view.ts";
import { readRecords } from "../../db/records/read.ts";
import { ownSession } from "../accounts/own-session.ts";
import { lendingOf } from "../holdings/lending-of.ts";
import { wantsJson } from "../http/accept.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { privateJson } from "../http/reply.ts";
import { accountPage } from "../accounts/account-page.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { readerUrl } from "./reader.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** `GET /account/loans.json`: what one has borrowed. */
export const ownLoans = operation({
  id: "accountLoans",
  summary: "The own loans",
  tag: "lending",
  responses: {
    200: {
      description: "The loans, the newest first",
      schema: z
        .object({ loans: z.array(z.looseObject({ uuid: z.string(), ocaid: z.string() })) })
        .meta({ id: "AccountLoansResponse" }),
    },
    401: { description: "Not logged in" },
  },
  async handle(_input, context) {
    const borrower = await ownSession(context);
    const own = await lendingOf(context).loans(borrower);
    const names = { username: borrower.username, readerUrl: readerUrl(context) };
    return privateJson({ loans: own.map((loan) => loanRecord(loan, names)) });
  },
});

/** `GET /account/loans`: the page of what one has borrowed and waits for; programs get the JSON of the loans. */
export const ownLoansPage = operation({
  id: "accountLoansPage",
  summary: "Page of the own loans, with what one waits for",
  tag: "lending",
  responses: {
    200: { description: "The page, or the JSON", contentType: "text/html", also: ["application/json"] },
  },
  async handle(input, context) {
    if (wantsJson(context.request)) return ownLoans.handle(input, context);
    const borrower = await ownSession(context);
    const lending = lendingOf(context);
    const [lent, places] = await Promise.all([lending.loans(borrower), lending.places({ borrower })]);
    const keys = [...lent, ...places].map(({ book }) => book);
    const books = await bookTitles(context, keys);
    const body = markup`${lent.length === 0 ? markup`<p>You have borrowed nothing at present.</p>` : loanTable(lent, books)}
${places.length > 0 && waiting(places, books)}
<p>${link("/account/loan-history", "What you have borrowed before")}</p>`;
    // Forms that borrow lead to where books are read.
    return accountPage({ title: "Your loans", body, formsLeadTo: readerUrl(context) });
  },
});

/** What pages call books, and where they lead, by key. */
type Books = ReadonlyMap<string, { readonly title: string; readonly href: string }>;

/** Titles and pages of editions; books that are no editions any more are absent. One statement. */
async function bookTitles(context: RequestContext, keys: readonly string[]): Promise<Books> {
  const rows = await readRecords(catalogReader(context), [...new Set(keys)]);
  const editions = rows.filter(({ type }) => type === "/type/edition");
  return new Map(
    editions.map((row) => {
      const edition = latestRecord(row);
      return [row.key, { title: editionTitle(edition) ?? "Untitled", href: recordUrl("", edition) }];
    }),
  );
}

function loanTable(lent: readonly Loan[], books: Books): Markup {
  return table({
    caption: "Books that you have",
    columns: ["Book", "Until", "Read", "Return"],
    rows: lent.map((loan) => [
      named(loan, books),
      loan.expiry === null ? "Not fetched yet" : moment(datetimeText(loan.expiry)),
      markup`<a href="${borrowPath(loan)}?action=read">Read<span class="unseen"> ${titleOf(loan, books)}</span></a>`,
      actionForm(loan, "return", { text: "Return", title: titleOf(loan, books) }),
    ]),
  });
}

function waiting(places: readonly WaitingPlace[], books: Books): Markup {
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

type Lent = Pick<Loan, "book" | "ocaid">;

function named(lent: Lent, books: Books): Markup {
  const book = books.get(lent.book);
  return book === undefined ? markup`${lent.ocaid}` : link(book.href, book.title);
}

function titleOf({ book, ocaid }: Lent, books: Books): string {
  return books.get(book)?.title ?? ocaid;
}

/** Where a book is borrowed and returned; a scan of no edition has an address of its own. */
function borrowPath({ book, ocaid }: Lent): string {
  return book.startsWith("/books/ia:") ? `/borrow/ia/${encodeURIComponent(ocaid)}` : `${book}/x/borrow`;
}

/** A button; `title` is read out with it, as there are several of the kind on the page. */
function actionForm(lent: Lent, action: string, { text, title }: { text: string; title: string }): Markup {
  return markup`<form method="post" action="${borrowPath(lent)}">
<input type="hidden" name="action" value="${action}"><input type="hidden" name="redirect" value="/account/loans">
<button type="submit">${text}<span class="unseen"> ${title}</span></button></form>`;
}
