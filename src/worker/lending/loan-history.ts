import * as z from "zod";
import { olidOfKey } from "../../catalog/keys.ts";
import { formatTimeWithBlank } from "../../catalog/lending/records.ts";
import { type JsonObject, keyOf } from "../../catalog/record.ts";
import { accessAvailabilityOf, lendingAvailabilityOf } from "../../search/present/availability.ts";
import { ownSession } from "../accounts/own-session.ts";
import { lendingOf } from "./service/lending-of.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { editionsOfScans } from "../lookup/editions/bundles.ts";
import { resource } from "../http/views.ts";
import { type LoanHistory, loanHistoryPage } from "./loan-history-page.ts";

export const HISTORY_PAGE_LIMIT = 25;
/** Pages of the history: older loans are not shown. */
export const HISTORY_PAGES_MAX = 400;

export const loanHistoryJson = operation({
  id: "accountLoanHistory",
  summary: "List your past loans, latest first",
  tag: "lending",
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: {
    200: {
      description: "Editions with availability and loan date; scans without an edition by their ID",
      schema: z
        .object({
          loans_history: z.object({
            docs: z.array(z.looseObject({ last_loan_date: z.string() })),
            show_next: z.boolean(),
            limit: z.int(),
            page: z.int(),
          }),
        })
        .meta({ id: "AccountLoanHistoryResponse" }),
    },
  },
  handle: async ({ query: { page } }, context) => sendHistory(await readLoanHistory(context, page)),
});

export const loanHistory = resource({
  id: "accountLoanHistoryPage",
  summary: "Show your loan history",
  tag: "lending",
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: {
    200: { description: "Page, or JSON", contentType: "text/html", also: ["application/json"] },
  },
  isPageByDefault: true,
  read: ({ query: { page } }, context) => readLoanHistory(context, page),
  asJson: sendHistory,
  page: (history) => loanHistoryPage(history, HISTORY_PAGE_LIMIT),
});

/** Reads a page (from 1) of a patron's past loans, each item once (Q291), the last first. */
async function readLoanHistory(context: RequestContext, page: number): Promise<LoanHistory> {
  const patron = await ownSession(context);
  if (page > HISTORY_PAGES_MAX) return { page, items: [], hasMore: false };
  const offset = (page - 1) * HISTORY_PAGE_LIMIT;
  const history = await lendingOf(context).history(patron, { limit: HISTORY_PAGE_LIMIT + 1, offset });
  const rows = history.slice(0, HISTORY_PAGE_LIMIT);
  const scans = rows.map(({ ocaid }) => ocaid);
  const bundles = await editionsOfScans(catalogReader(context), scans, context);
  const items = rows.map((row) => ({ ...row, bundle: bundles.get(row.ocaid) }));
  return { page, items, hasMore: history.length > rows.length && page < HISTORY_PAGES_MAX };
}

function sendHistory({ page, items, hasMore }: LoanHistory): Reply {
  const docs = items.map(({ ocaid, lastLoan, bundle }): JsonObject => {
    const date = formatTimeWithBlank(lastLoan);
    if (bundle === undefined) return { ocaid, last_loan_date: date, ia_only: true };
    const { edition, work, access, lending } = bundle;
    const ids = { scan: ocaid, work: olidOfKey(keyOf(work) ?? ""), edition: olidOfKey(keyOf(edition) ?? "") };
    const state =
      lending === undefined
        ? accessAvailabilityOf({ ebook_access: access }, ids)
        : lendingAvailabilityOf(lending, ids);
    return { ...edition, availability: state, last_loan_date: date };
  });
  return privateJson({ loans_history: { docs, show_next: hasMore, limit: HISTORY_PAGE_LIMIT, page } });
}
