import { type EditionBundle, ocaidOf } from "../../catalog/lookup/shared.ts";
import { loanKey, loanRecord, statusRecord, waitingRecord } from "../../catalog/lending/records.ts";
import type { Loan } from "../../catalog/lending/loan.ts";
import { type JsonObject, keyOf } from "../../catalog/record.ts";
import type { RequestContext } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { lendingOf } from "../lending/lending-of.ts";
import { readerUrl } from "../lending/reader.ts";

/** The scan of an edition that is lent or could be; throws a 409 for an edition without one. */
export function scanOfEdition({ edition }: EditionBundle): string {
  const ocaid = ocaidOf(edition);
  if (ocaid !== undefined) return ocaid;
  const message = "This edition has no scan, so it cannot be lent.";
  throw new CarrelError(409, "not_lendable", { message, body: { error: "not_lendable", message } });
}

/** Everything about the loans of an edition, for administrators (lookup.md 12.5). `isFresh`: its desk is asked. */
export async function loansOfEdition(
  context: RequestContext,
  bundle: EditionBundle,
  isFresh: boolean,
): Promise<JsonObject> {
  const ocaid = scanOfEdition(bundle);
  const lending = lendingOf(context);
  const status = isFresh ? await lending.status(ocaid) : (await lending.statuses([ocaid])).get(ocaid);
  const [loans, places] = await Promise.all([lending.loansOf(ocaid), lending.places({ ocaid })]);
  return {
    edition: keyOf(bundle.edition) ?? "",
    loans: loans.map((loan) => recordOf(context, loan)),
    waitinglist: places.map((place) => waitingRecord(place, place.patron)),
    status: status === undefined ? null : statusRecord(status),
  };
}

function recordOf(context: RequestContext, loan: Loan): JsonObject {
  return loanRecord(loan, { username: loan.patron, readerUrl: readerUrl(context) });
}

/**
 * Who has the one loan that is meant by its uuid, or by its key where nobody else has a copy; throws a 404 or 409 when
 * there is none.
 */
export async function loanHolder(context: RequestContext, ocaid: string, name: string): Promise<string> {
  const loans = await lendingOf(context).loansOf(ocaid);
  const [loan, other] = loans.filter(({ uuid }) => uuid === name || name === loanKey(ocaid));
  if (other !== undefined) throw conflict("Several patrons have a copy: name the loan by its uuid.");
  if (loan === undefined) throw new CarrelError(404, "not_found", { message: "There is no such loan." });
  if (loan.patron === null) throw conflict("Nobody here is known by the name that the loan is held under.");
  return loan.patron;
}

function conflict(message: string): CarrelError {
  return new CarrelError(409, "conflict", { message });
}
