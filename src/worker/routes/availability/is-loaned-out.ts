import * as z from "zod";
import { lendingOf } from "../../lending/lending-of.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

/** What ids of resources begin with whose loans are kept here. */
const BOOKREADER = "bookreader:";

/** `GET /is_loaned_out/{resource_id}`: the loans of a scan that are not returned (lookup.md 12.5). */
export const isLoanedOut = operation({
  id: "isLoanedOut",
  summary: "The loans of a scan that are not returned yet",
  tag: "lending",
  path: { resource_id: z.string().default("").describe("`bookreader:` and the id of the scan") },
  responses: {
    200: {
      description: "A row for each loan; none for resources of other kinds",
      schema: z.array(
        z.object({
          resourceid: z.string(),
          until: z.string().nullable(),
          loanuntil: z.string().nullable(),
          returned: z.string(),
        }),
      ),
    },
  },
  async handle({ path: { resource_id: id } }, context) {
    const ocaid = id.startsWith(BOOKREADER) ? id.slice(BOOKREADER.length) : "";
    // Q285: without the id of a scan there is nothing to list.
    const loans = ocaid === "" ? [] : await lendingOf(context).loansOf(ocaid);
    const rows = loans.map(({ uuid, expiry }) => {
      const until = expiry === null ? null : new Date(expiry).toISOString().slice(0, 19);
      return { resourceid: uuid, until, loanuntil: until, returned: "F" };
    });
    return json(rows, { cacheControl: NO_STORE });
  },
});
