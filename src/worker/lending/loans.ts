import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { latestRecordOf, editionTitleOf } from "../../catalog/document.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { toLoanRecord } from "../../catalog/lending/records.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { recordUrlOf } from "../../catalog/slug.ts";
import { readRecords } from "../../db/records/records.ts";
import { ownSession } from "../accounts/own-session.ts";
import { wantsJson } from "../http/accept.ts";
import { type AnyOperation, type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { privateJson, seeOther } from "../http/reply.ts";
import { lendingOf } from "./service/lending-of.ts";
import { accountPage } from "../ui/action-answer.ts";
import { type ShownBook, bookRow, bookRows } from "../ui/book-row.ts";
import { firstPicture } from "../ui/cover.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { dots, link } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { moment, t } from "../ui/words.ts";
import { readerUrl } from "./reader.ts";

export const ownLoans = operation({
  id: "accountLoans",
  summary: "List your loans",
  tag: "lending",
  responses: {
    200: {
      description: "Loans, newest first",
      schema: z
        .object({ loans: z.array(z.looseObject({ uuid: z.string(), ocaid: z.string() })) })
        .meta({ id: "AccountLoansResponse" }),
    },
  },
  async handle(_input, context) {
    const borrower = await ownSession(context);
    const loans = await lendingOf(context).loans(borrower);
    const names = { username: borrower.username, readerUrl: readerUrl(context) };
    return privateJson({ loans: loans.map((loan) => toLoanRecord(loan, names)) });
  },
});

export const ownLoansPage = operation({
  id: "accountLoansPage",
  summary: "Show your loans and waiting lists",
  tag: "lending",
  responses: {
    200: { description: "Page, or JSON", contentType: "text/html", also: ["application/json"] },
  },
  async handle(input, context) {
    if (wantsJson(context.request)) return ownLoans.handle(input, context);
    const borrower = await ownSession(context);
    const lending = lendingOf(context);
    const [loans, places] = await Promise.all([lending.loans(borrower), lending.places({ borrower })]);
    const keys = [...loans, ...places].map(({ book }) => book);
    const books = await readBooks(context, keys);
    const body = markup`${loans.length === 0 ? markup`<p>${t("loans.none")}</p>` : bookRows(loans.map((loan) => loanRow(loan, books)))}
${places.length > 0 && section(t("loans.waiting"), bookRows(places.map((place) => placeRow(place, books))))}
<p>${dots([link("/account/loan-history", t("loans.before")), link("/borrow/about", t("loans.about"))])}</p>`;
    // Forms that borrow redirect to the reader.
    return accountPage({ title: t("loans.title"), body, formsLeadTo: readerUrl(context) });
  },
});

type Books = ReadonlyMap<string, ShownBook>;

/** Reads editions as shown on pages; keys that are no longer editions are absent. One statement. */
async function readBooks(context: RequestContext, keys: readonly string[]): Promise<Books> {
  const rows = await readRecords(catalogReader(context), [...new Set(keys)]);
  const editions = rows.filter(({ type }) => type === "/type/edition");
  return new Map(editions.map((row) => [row.key, editionBook(row.key, latestRecordOf(row))]));
}

export function editionBook(key: string, edition: CatalogRecord): ShownBook {
  return {
    key,
    href: recordUrlOf("", edition),
    title: editionTitleOf(edition) ?? lastSegmentOf(key),
    cover: firstPicture(edition["covers"]),
  };
}

function loanRow(loan: Loan, books: Books): Markup {
  const book = bookOf(loan, books);
  const until = loan.expiry === null ? undefined : moment(formatDatetime(loan.expiry));
  return bookRow(book, {
    notes: [until === undefined ? t("loans.not_fetched") : t("loans.until", { time: until })],
    action: markup`<div class="line"><a class="button primary" href="${borrowPath(loan)}?action=read">${t("lending.read")}<span class="unseen"> ${book.title}</span></a>
${actionForm(loan, "return", { text: t("loans.return"), title: book.title })}</div>`,
  });
}

function placeRow(place: WaitingPlace, books: Books): Markup {
  const book = bookOf(place, books);
  const isTurn = place.status === "available";
  const note =
    isTurn && place.expiry !== null
      ? t("loans.your_turn", { time: moment(formatDatetime(place.expiry)) })
      : t("loans.place", { place: place.position, length: place.queueLength });
  return bookRow(book, {
    notes: [note],
    action: markup`<div class="line">${isTurn && actionForm(place, "borrow", { text: t("loans.borrow"), title: book.title })}
${actionForm(place, "leave-waitinglist", { text: t("loans.leave"), title: book.title })}</div>`,
  });
}

type LoanedBook = Pick<Loan, "book" | "ocaid">;

function bookOf({ book: key, ocaid }: LoanedBook, books: Books): ShownBook {
  return books.get(key) ?? scanBook(ocaid);
}

export function scanBook(ocaid: string): ShownBook {
  return { key: ocaid, href: `/borrow/ia/${encodeURIComponent(ocaid)}`, title: ocaid, cover: undefined };
}

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

export const aboutBorrowing = operation({
  id: "aboutBorrowing",
  summary: "Show the page about borrowing",
  tag: "lending",
  responses: { 200: { description: "Page", contentType: "text/html" } },
  handle() {
    const body = markup`<p>${t("borrowing.what")}</p>
<ul><li>${t("borrowing.how_long")}</li><li>${t("borrowing.how_many")}</li><li>${t("borrowing.waiting")}</li></ul>
<p>${link("/account/loans", t("loans.title"))}</p>`;
    return page({ title: t("loans.about"), body });
  },
});

export const borrowShelf = redirectTo("borrowShelf", "/subjects/in_library#ebooks=true");
export const borrowShelfJson = redirectTo("borrowShelfJson", "/subjects/in_library.json");
export const readShelf = redirectTo("readShelf", "/subjects/accessible_book#ebooks=true");
export const readShelfJson = redirectTo("readShelfJson", "/subjects/accessible_book.json");

/** Redirects to a subject of readable books; the query is kept for JSON targets only. */
function redirectTo(id: string, target: string): AnyOperation {
  return operation({
    id,
    summary: "Redirect to a subject of readable books",
    tag: "lending",
    responses: { 303: { description: "Redirect to the subject" } },
    handle: (_input, { url }) => seeOther(target.endsWith(".json") ? target + url.search : target),
  });
}
