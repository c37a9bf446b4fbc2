import { formatDatetime } from "../../catalog/datetime.ts";
import { editionTitleOf } from "../../catalog/document.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { type ShownBook, bookRow, bookRows } from "../ui/book-row.ts";
import { firstPicture } from "../ui/cover.ts";
import { page } from "../ui/layout.ts";
import { type Piece, markup } from "../ui/markup.ts";
import { dots, link } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { moment, t } from "../ui/words.ts";

interface LoansView {
  readonly loans: readonly Loan[];
  readonly places: readonly WaitingPlace[];
  /** Books by the keys of their editions. Keys that are no longer editions are absent. */
  readonly books: ReadonlyMap<string, ShownBook>;
  /** Address of the reader, to which forms may redirect. */
  readonly formsLeadTo: string;
}

export function loansPage({ loans, places, books, formsLeadTo }: LoansView): Reply {
  const loanRows = loans.map((loan) => {
    const book = books.get(loan.book) ?? scanBook(loan.ocaid);
    const { expiry } = loan;
    const until =
      expiry === null ? t("loans.not_fetched") : t("loans.until", { time: moment(formatDatetime(expiry)) });
    const action = markup`<div class="line"><a class="button primary" href="${borrowPath(loan)}?action=read">${t("lending.read")}<span class="unseen"> ${book.title}</span></a>
${actionForm(loan, "return", { text: t("loans.return"), title: book.title })}</div>`;
    return bookRow(book, { notes: [until], action });
  });
  const placeRows = places.map((place) => {
    const book = books.get(place.book) ?? scanBook(place.ocaid);
    const { title } = book;
    const { expiry, position, queueLength } = place;
    const isTurn = place.status === "available";
    const note =
      isTurn && expiry !== null
        ? t("loans.your_turn", { time: moment(formatDatetime(expiry)) })
        : t("loans.place", { place: position, length: queueLength });
    const action = markup`<div class="line">${isTurn && actionForm(place, "borrow", { text: t("loans.borrow"), title })}
${actionForm(place, "leave-waitinglist", { text: t("loans.leave"), title })}</div>`;
    return bookRow(book, { notes: [note], action });
  });
  const body = markup`${loanRows.length === 0 ? markup`<p>${t("loans.none")}</p>` : bookRows(loanRows)}
${placeRows.length > 0 && section(t("loans.waiting"), bookRows(placeRows))}
<p>${dots([link("/account/loan-history", t("loans.before")), link("/borrow/about", t("loans.about"))])}</p>`;
  return accountPage({ title: t("loans.title"), body, formsLeadTo });
}

export function editionBook(key: string, edition: CatalogRecord): ShownBook {
  return {
    key,
    href: recordUrlOf("", edition),
    title: editionTitleOf(edition) ?? lastSegmentOf(key),
    cover: firstPicture(edition["covers"]),
  };
}

export function scanBook(ocaid: string): ShownBook {
  return { key: ocaid, href: `/borrow/ia/${encodeURIComponent(ocaid)}`, title: ocaid, cover: undefined };
}

type LoanedBook = Pick<Loan, "book" | "ocaid">;

/** Returns the path for borrowing and returning a book; a scan without an edition has a path of its own. */
function borrowPath({ book, ocaid }: LoanedBook): string {
  return book.startsWith("/books/ia:") ? scanBook(ocaid).href : `${book}/x/borrow`;
}

/** Renders a button. Screen readers read `title` with it, since the page has several buttons with one text. */
function actionForm(loan: LoanedBook, action: string, { text, title }: { text: Piece; title: string }) {
  return markup`<form method="post" action="${borrowPath(loan)}">
<input type="hidden" name="action" value="${action}"><input type="hidden" name="redirect" value="/account/loans">
<button>${text}<span class="unseen"> ${title}</span></button></form>`;
}

export function aboutBorrowingPage(): Reply {
  const body = markup`<p>${t("borrowing.what")}</p>
<ul><li>${t("borrowing.how_long")}</li><li>${t("borrowing.how_many")}</li><li>${t("borrowing.waiting")}</li></ul>
<p>${link("/account/loans", t("loans.title"))}</p>`;
  return page({ title: t("loans.about"), body });
}
