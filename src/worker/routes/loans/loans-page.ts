import { ownSession } from "../../accounts/own-session.ts";
import { bookTitles } from "../../availability/book-titles.ts";
import { takeFlash } from "../../availability/flash.ts";
import { lendingOf } from "../../lending/lending-of.ts";
import { readerUrl } from "../../lending/reader.ts";
import { operation } from "../../operation.ts";
import { loansPage } from "../../pages/loans/loans-page.ts";
import { wantsJson } from "../../wants-html.ts";
import { loans as loansJson } from "./loans.ts";

/** `GET /account/loans`: the page of what one has borrowed and waits for; programs get the JSON of the loans. */
export const loansForm = operation({
  id: "accountLoansPage",
  summary: "Page of the own loans, with what one waits for",
  tag: "lending",
  responses: {
    200: { description: "The page, or the JSON", contentType: "text/html", also: ["application/json"] },
  },
  async handle(input, context) {
    if (wantsJson(context.request)) return loansJson.handle(input, context);
    const borrower = await ownSession(context);
    const lending = lendingOf(context);
    const [loans, places] = await Promise.all([lending.loans(borrower), lending.places({ borrower })]);
    const books = await bookTitles(
      context,
      [...loans, ...places].map(({ book }) => book),
    );
    const messages = takeFlash(context);
    return loansPage({ loans, places, books, messages, readerUrl: readerUrl(context) });
  },
});
