import { olidOfKey } from "../../catalog/keys.ts";
import type { EditionBundle } from "../../catalog/lookup/shared.ts";
import { type JsonObject, keyOf } from "../../catalog/record.ts";
import { availability, lendingAvailability } from "../../search/present/availability.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { editionsOfScans } from "../inside/editions-of-scans.ts";
import { lendingOf } from "../lending/lending-of.ts";
import type { LendingPatron } from "../lending/service.ts";

/** Items on a page of the history (patrons.md 4.2). */
export const HISTORY_PAGE_LIMIT = 25;
/** Pages that are looked at: what is further back is not shown. */
export const HISTORY_PAGES_MAX = 400;

/** An item that a patron has had. */
export interface PastLoan {
  readonly ocaid: string;
  /** Milliseconds since the epoch. */
  readonly lastLoan: number;
  /** The edition that the scan belongs to, if there is one. */
  readonly bundle: EditionBundle | undefined;
}

/** A page of what somebody has borrowed, each item once (Q291), the last first, and whether there is more. `page` is from 1. */
export async function loanHistory(
  context: RequestContext,
  patron: LendingPatron,
  page: number,
): Promise<{ readonly items: readonly PastLoan[]; readonly hasMore: boolean }> {
  if (page > HISTORY_PAGES_MAX) return { items: [], hasMore: false };
  const offset = (page - 1) * HISTORY_PAGE_LIMIT;
  const found = await lendingOf(context).history(patron, { limit: HISTORY_PAGE_LIMIT + 1, offset });
  const rows = found.slice(0, HISTORY_PAGE_LIMIT);
  const bundles = await editionsOfScans(
    catalogReader(context),
    rows.map(({ ocaid }) => ocaid),
    context,
  );
  const items = rows.map((row) => ({ ...row, bundle: bundles.get(row.ocaid) }));
  return { items, hasMore: found.length > rows.length && page < HISTORY_PAGES_MAX };
}

/** An entry of the history as programs see it: the edition's record, or the item alone. */
export function pastLoanRecord({ ocaid, lastLoan, bundle }: PastLoan): JsonObject {
  const date = new Date(lastLoan).toISOString().slice(0, 19).replace("T", " ");
  if (bundle === undefined) return { ocaid, last_loan_date: date, ia_only: true };
  const { edition, work, access, lending } = bundle;
  const of = { scan: ocaid, work: olidOfKey(keyOf(work) ?? ""), edition: olidOfKey(keyOf(edition) ?? "") };
  const state =
    lending === undefined ? availability({ ebook_access: access }, of) : lendingAvailability(lending, of);
  return { ...edition, availability: state, last_loan_date: date };
}
