import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { olidOfKey } from "../../catalog/keys.ts";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import { type JsonObject, keyOf } from "../../catalog/record.ts";
import { accessAvailabilityOf, lendingAvailabilityOf } from "../../search/present/availability.ts";
import { ownSession } from "../accounts/own-session.ts";
import { lendingOf } from "./service/lending-of.ts";
import type { LendingPatron } from "./service/lending-service.ts";
import { wantsJson } from "../http/accept.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { type Reply, privateJson } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { editionsOfScans } from "../lookup/editions/bundles.ts";
import { type ShownBook, bookRow, bookRows } from "../ui/book-row.ts";
import { markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { moment, t } from "../ui/words.ts";
import { editionBook, scanBook } from "./loans.ts";

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
  async handle({ query: { page } }, context) {
    const { items, hasMore } = await readLoanHistory(context, await ownSession(context), page);
    const docs = items.map(pastLoanRecord);
    return privateJson({ loans_history: { docs, show_next: hasMore, limit: HISTORY_PAGE_LIMIT, page } });
  },
});

export const loanHistoryForm = operation({
  id: "accountLoanHistoryPage",
  summary: "Show your loan history",
  tag: "lending",
  query: { page: integer(z.int().gte(1)).default(1) },
  responses: {
    200: { description: "Page, or JSON", contentType: "text/html", also: ["application/json"] },
  },
  async handle(input, context) {
    if (wantsJson(context.request)) return loanHistoryJson.handle(input, context);
    const { page } = input.query;
    const { items, hasMore } = await readLoanHistory(context, await ownSession(context), page);
    return loanHistoryPage(items, page, hasMore);
  },
});

interface PastLoan {
  ocaid: string;
  /** Start of the last loan, in milliseconds since the epoch. */
  lastLoan: number;
  bundle: EditionBundle | undefined;
}

/** Reads a page (from 1) of a patron's past loans, each item once (Q291), the last first. */
async function readLoanHistory(context: RequestContext, patron: LendingPatron, page: number) {
  if (page > HISTORY_PAGES_MAX) return { items: [], hasMore: false };
  const offset = (page - 1) * HISTORY_PAGE_LIMIT;
  const history = await lendingOf(context).history(patron, { limit: HISTORY_PAGE_LIMIT + 1, offset });
  const rows = history.slice(0, HISTORY_PAGE_LIMIT);
  const scans = rows.map(({ ocaid }) => ocaid);
  const bundles = await editionsOfScans(catalogReader(context), scans, context);
  const items = rows.map((row) => ({ ...row, bundle: bundles.get(row.ocaid) }));
  return { items, hasMore: history.length > rows.length && page < HISTORY_PAGES_MAX };
}

function pastLoanRecord({ ocaid, lastLoan, bundle }: PastLoan): JsonObject {
  const date = new Date(lastLoan).toISOString().slice(0, 19).replace("T", " ");
  if (bundle === undefined) return { ocaid, last_loan_date: date, ia_only: true };
  const { edition, work, access, lending } = bundle;
  const ids = { scan: ocaid, work: olidOfKey(keyOf(work) ?? ""), edition: olidOfKey(keyOf(edition) ?? "") };
  const state =
    lending === undefined
      ? accessAvailabilityOf({ ebook_access: access }, ids)
      : lendingAvailabilityOf(lending, ids);
  return { ...edition, availability: state, last_loan_date: date };
}

function historyPath(page: number): string {
  return `/account/loan-history?page=${page}`;
}

function loanHistoryPage(items: readonly PastLoan[], page: number, hasMore: boolean): Reply {
  const rows = items.map((item) =>
    bookRow(bookOf(item), { notes: [t("loans.last", { time: moment(formatDatetime(item.lastLoan)) })] }),
  );
  const body = markup`${
    rows.length === 0
      ? markup`<p>${t(page > 1 ? "loans.no_more" : "loans.none_before")}</p>`
      : bookRows(rows, (page - 1) * HISTORY_PAGE_LIMIT + 1)
  }
${pageLinks(page > 1 ? historyPath(page - 1) : undefined, hasMore ? historyPath(page + 1) : undefined)}
<p>${link("/account/loans", t("loans.title"))}</p>`;
  return accountPage({ title: t("loans.before"), body });
}

function bookOf({ ocaid, bundle }: PastLoan): ShownBook {
  const key = keyOf(bundle?.edition);
  return bundle === undefined || key === undefined ? scanBook(ocaid) : editionBook(key, bundle.edition);
}
