import * as z from "zod";
import { isCheckedOut } from "../../../catalog/lookup/shared.ts";
import { lendingOf } from "../../lending/lending-of.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

/** `GET /ia_loan_status/{ocaid}`: whether a scan is lent out; never a 404 (lookup.md 12.5). */
export const iaLoanStatus = operation({
  id: "iaLoanStatus",
  summary: "Whether a scan is lent out, and whether anybody waits for it",
  tag: "lending",
  path: { ocaid: z.string().describe("Id of the scan") },
  responses: {
    200: {
      description: "How the scan stands; all false for one that nobody knows",
      schema: z.object({
        identifier: z.string(),
        checkedout: z.boolean(),
        has_loan: z.boolean(),
        has_waitinglist: z.boolean(),
      }),
    },
  },
  async handle({ path: { ocaid } }, context) {
    const status = (await lendingOf(context).statuses([ocaid])).get(ocaid);
    const body = {
      identifier: ocaid,
      checkedout: isCheckedOut(status),
      has_loan: status !== undefined && status.activeBorrows + status.activeBrowses > 0,
      // Q284: booleans for scans of no edition, too.
      has_waitinglist: status !== undefined && status.waiting > 0,
    };
    return json(body, { cacheControl: NO_STORE });
  },
});
