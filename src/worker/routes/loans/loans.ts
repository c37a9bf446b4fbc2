import * as z from "zod";
import { loanRecord } from "../../../catalog/lending/records.ts";
import { privateJson } from "../../accounts/private.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { lendingOf } from "../../lending/lending-of.ts";
import { readerUrl } from "../../lending/reader.ts";
import { operation } from "../../operation.ts";

/** `GET /account/loans.json`: what one has borrowed (patrons.md 4.1). */
export const loans = operation({
  id: "accountLoans",
  summary: "The own loans",
  tag: "lending",
  responses: {
    200: {
      description: "The loans, the newest first",
      schema: z.object({ loans: z.array(z.looseObject({ uuid: z.string(), ocaid: z.string() })) }),
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
