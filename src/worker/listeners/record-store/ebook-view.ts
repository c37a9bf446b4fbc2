import { availabilityWord } from "../../../search/present/availability.ts";
import type { JsonObject } from "../../../catalog/record.ts";
import type { RequestContext } from "../../context.ts";
import { lendingOf } from "../../lending/lending-of.ts";
import { withRev } from "./rev.ts";

/** How a scan is lent, as the store shows it (lookup.md 13.5); undefined for one of which nothing is known. Never with names. */
export async function ebookDocument(context: RequestContext, ocaid: string): Promise<JsonObject | undefined> {
  const lending = lendingOf(context);
  const status = (await lending.statuses([ocaid])).get(ocaid);
  if (status === undefined) return undefined;
  const [loan] = await lending.loansOf(ocaid);
  const word = availabilityWord(status);
  return withRev({
    _key: `ebooks/${ocaid}`,
    type: "ebook",
    identifier: ocaid,
    loan:
      loan === undefined
        ? null
        : {
            uuid: loan.uuid,
            loaned_at: loan.loanedAt / 1000,
            resource_type: "bookreader",
            ocaid,
            book: loan.book,
          },
    // Q480: a text, and "true" for whatever cannot be had at the moment.
    borrowed: word === "open" || word === "borrow_available" ? "false" : "true",
    wl_size: status.waiting,
  });
}
