import * as z from "zod";
import { privateJson } from "../../accounts/private.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { HISTORY_PAGE_LIMIT, loanHistory, pastLoanRecord } from "../../availability/loan-history.ts";
import { operation } from "../../operation.ts";
import { integer } from "../../validation/parameters.ts";

/** `GET /account/loan-history.json`: what one has borrowed before (patrons.md 4.2). */
export const loanHistoryJson = operation({
  id: "accountLoanHistory",
  summary: "What one has borrowed, the last first",
  tag: "lending",
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: {
    200: {
      description:
        "Editions with their availability and the day of the loan; scans of no edition by their id",
      schema: z.object({
        loans_history: z.object({
          docs: z.array(z.looseObject({ last_loan_date: z.string() })),
          show_next: z.boolean(),
          limit: z.int(),
          page: z.int(),
        }),
      }),
    },
    401: { description: "Not logged in" },
  },
  async handle({ query: { page } }, context) {
    const { items, hasMore } = await loanHistory(context, await ownSession(context), page);
    const docs = items.map(pastLoanRecord);
    return privateJson({ loans_history: { docs, show_next: hasMore, limit: HISTORY_PAGE_LIMIT, page } });
  },
});
