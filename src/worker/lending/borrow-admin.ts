import * as z from "zod";
import { loanKeyOf, toLoanRecord, toStatusRecord, toWaitingRecord } from "../../catalog/lending/records.ts";
import { type EditionBundle, ocaidOf } from "../../catalog/lookup/bundle.ts";
import { keyOf } from "../../catalog/record.ts";
import { english } from "../../catalog/texts.ts";
import { editionOfDigits } from "../lookup/editions/bundles.ts";
import { lendingOf } from "./service/lending-of.ts";
import { failure } from "../http/failure.ts";
import { type AnyOperation, type RequestContext, operation } from "../http/operation.ts";
import { digitsOf } from "../http/parameters.ts";
import { privateJson, seeOther } from "../http/reply.ts";
import { command } from "../ui/command.ts";
import { readerUrl } from "./reader.ts";

const path = { edition_id: digitsOf("edition") };
const borrowAdminResponses = {
  200: {
    description: "Loans, waiting list and status of the scan",
    schema: z.object({
      edition: z.string(),
      loans: z.array(z.looseObject({ uuid: z.string() })),
      waitinglist: z.array(z.looseObject({ position: z.int() })),
      status: z.looseObject({ is_lendable: z.boolean() }).nullable(),
    }),
  },
  404: { description: "No such edition or loan" },
  409: { description: "Edition without a scan, or loans of several patrons" },
};

/** `GET /books/OL1M/borrow_admin`: loans and queue of an edition's scan, as its desk has them. */
export const borrowAdmin = loansOperation("borrowAdmin", true);
/** `GET /books/OL1M/borrow_admin_no_update`: loans and queue as last stored, without calling the desk. */
export const borrowAdminNoUpdate = loansOperation("borrowAdminNoUpdate", false);

function loansOperation(id: string, isFresh: boolean): AnyOperation {
  return operation({
    id,
    summary: "List the loans and waiting list of an edition's scan",
    tag: "lending",
    path,
    responses: borrowAdminResponses,
    async handle({ path: { edition_id: digits } }, context) {
      return privateJson(await readLoansOfEdition(context, await editionOfDigits(context, digits), isFresh));
    },
  });
}

export const borrowAdminAction = command({
  id: "borrowAdminAction",
  summary: "End a loan of an edition's scan, or refresh its waiting list",
  tag: "lending",
  path,
  form: {
    action: z.enum(["delete", "update_loan_info"]),
    loan_key: z
      .string()
      .default("")
      .describe("For `delete`: UUID of the loan, or its key if it is the only one"),
  },
  responses: { ...borrowAdminResponses, 303: { description: "For browsers: redirect to the loans" } },
  load: ({ path: { edition_id: digits } }, context) => editionOfDigits(context, digits),
  async submit({ loaded: bundle, form: { action, loan_key: name } }, context) {
    if (action === "delete") {
      const ocaid = scanOfEdition(bundle);
      const lending = lendingOf(context);
      const loans = await lending.loansOf(ocaid);
      const [loan, secondLoan] = loans.filter(({ uuid }) => uuid === name || name === loanKeyOf(ocaid));
      if (secondLoan !== undefined) throw failure("conflict.several_loans");
      if (loan === undefined) throw failure("not_found.loan");
      if (loan.patron === null) throw failure("conflict.loan_holder");
      const closed = await lending.close(ocaid, { username: loan.patron });
      if (!closed.ok) throw failure(closed.text.key);
    }
    // Calling the desk updates it: expired loans end, and the next patron in the queue gets a turn.
    return readLoansOfEdition(context, bundle, true);
  },
  page: (_loans, _input, { url }) => seeOther(url.pathname),
});

/** Returns the scan of an edition; throws 409 for an edition without one. */
function scanOfEdition({ edition }: EditionBundle): string {
  const ocaid = ocaidOf(edition);
  if (ocaid !== undefined) return ocaid;
  const message = english({ key: "conflict.not_lendable" });
  throw failure("conflict.not_lendable", {}, { body: { error: "not_lendable", message } });
}

async function readLoansOfEdition(context: RequestContext, bundle: EditionBundle, isFresh: boolean) {
  const ocaid = scanOfEdition(bundle);
  const lending = lendingOf(context);
  const status = isFresh ? await lending.status(ocaid) : (await lending.statuses([ocaid])).get(ocaid);
  const [loans, places] = await Promise.all([lending.loansOf(ocaid), lending.places({ ocaid })]);
  return {
    edition: keyOf(bundle.edition) ?? "",
    loans: loans.map((loan) => toLoanRecord(loan, { username: loan.patron, readerUrl: readerUrl(context) })),
    waitinglist: places.map((place) => toWaitingRecord(place, place.patron)),
    status: status === undefined ? null : toStatusRecord(status),
  };
}
