import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { toLoanRecord } from "../../catalog/lending/records.ts";
import { readRecords } from "../../db/records/records.ts";
import { ownSession } from "../accounts/own-session.ts";
import {
  type AnyOperation,
  type RequestContext,
  type Session,
  catalogReader,
  operation,
} from "../http/operation.ts";
import { type Reply, privateJson, seeOther } from "../http/reply.ts";
import { lendingOf } from "./service/lending-of.ts";
import { resource } from "../http/views.ts";
import { aboutBorrowingPage, editionBook, loansPage } from "./loans-page.ts";
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
  handle: async (_input, context) => ownLoansJson(await ownSession(context), context),
});

export const ownLoansForPeople = resource({
  id: "accountLoansPage",
  summary: "Show your loans and waiting lists",
  tag: "lending",
  responses: {
    200: { description: "Page, or JSON", contentType: "text/html", also: ["application/json"] },
  },
  isPageByDefault: true,
  read: (_input, context) => ownSession(context),
  asJson: ownLoansJson,
  async page(borrower, _input, context) {
    const lending = lendingOf(context);
    const [loans, places] = await Promise.all([lending.loans(borrower), lending.places({ borrower })]);
    const keys = new Set([...loans, ...places].map(({ book }) => book));
    const rows = await readRecords(catalogReader(context), [...keys]);
    const editions = rows.filter(({ type }) => type === "/type/edition");
    const books = new Map(editions.map((row) => [row.key, editionBook(row.key, latestRecordOf(row))]));
    // Forms that borrow redirect to the reader.
    return loansPage({ loans, places, books, formsLeadTo: readerUrl(context) });
  },
});

async function ownLoansJson(borrower: Session, context: RequestContext): Promise<Reply> {
  const loans = await lendingOf(context).loans(borrower);
  const names = { username: borrower.username, readerUrl: readerUrl(context) };
  return privateJson({ loans: loans.map((loan) => toLoanRecord(loan, names)) });
}

export const aboutBorrowing = operation({
  id: "aboutBorrowing",
  summary: "Show the page about borrowing",
  tag: "lending",
  responses: { 200: { description: "Page", contentType: "text/html" } },
  handle: () => aboutBorrowingPage(),
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
