import * as z from "zod";
import { privateJson, seeOther } from "../../accounts/private.ts";
import { askedEdition } from "../../availability/asked-edition.ts";
import { loanHolder, loansOfEdition, scanOfEdition } from "../../availability/loans-of-edition.ts";
import { lendingOf } from "../../lending/lending-of.ts";
import { operation } from "../../operation.ts";
import { wantsHtml } from "../../wants-html.ts";
import { borrowAdminResponses } from "./schemas.ts";

/** `POST /books/OL1M/borrow_admin`: ends a loan, or has the desk look at its loans and its queue (lookup.md 12.5). */
export const borrowAdminAction = operation({
  id: "borrowAdminAction",
  summary: "Ends a loan of an edition's scan, or has its queue looked at",
  tag: "lending",
  path: { edition_id: z.string().describe("The digits of the edition's number") },
  form: {
    action: z.enum(["delete", "update_loan_info"]),
    loan_key: z
      .string()
      .default("")
      .describe("For `delete`: uuid of the loan, or its key if it is the only one"),
  },
  responses: { ...borrowAdminResponses, 303: { description: "Done; people are led back" } },
  async handle({ path: { edition_id: digits }, form: { action, loan_key: name } }, context) {
    const bundle = await askedEdition(context, digits);
    if (action === "delete") {
      const ocaid = scanOfEdition(bundle);
      const username = await loanHolder(context, ocaid, name);
      await lendingOf(context).close(ocaid, { username });
    }
    // To ask the desk is to have it look: loans that are over end, and the next in the queue is called.
    const body = await loansOfEdition(context, bundle, true);
    return wantsHtml(context.request) ? seeOther(context.url.pathname) : privateJson(body);
  },
});
