import * as z from "zod";
import { ownSession } from "../../accounts/own-session.ts";
import { loanHistory } from "../../availability/loan-history.ts";
import { wantsJson } from "../../wants-html.ts";
import { operation } from "../../operation.ts";
import { loanHistoryPage } from "../../pages/loans/loan-history-page.ts";
import { integer } from "../../validation/parameters.ts";
import { loanHistoryJson } from "./loan-history.ts";

/** `GET /account/loan-history`: the page of what one has borrowed before; programs get the JSON. */
export const loanHistoryForm = operation({
  id: "accountLoanHistoryPage",
  summary: "Page of what one has borrowed before",
  tag: "lending",
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: {
    200: { description: "The page, or the JSON", contentType: "text/html", also: ["application/json"] },
  },
  async handle(input, context) {
    if (wantsJson(context.request)) return loanHistoryJson.handle(input, context);
    const { page } = input.query;
    const { items, hasMore } = await loanHistory(context, await ownSession(context), page);
    return loanHistoryPage({ items, page, hasMore });
  },
});
