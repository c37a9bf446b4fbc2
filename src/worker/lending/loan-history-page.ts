import { formatDatetime } from "../../catalog/datetime.ts";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import { keyOf } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { type ShownBook, bookRow, bookRows } from "../ui/book-row.ts";
import { markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { moment, t } from "../ui/words.ts";
import { editionBook, scanBook } from "./loans-page.ts";

export interface PastLoan {
  ocaid: string;
  /** Start of the last loan, in milliseconds since the epoch. */
  lastLoan: number;
  bundle: EditionBundle | undefined;
}

export interface LoanHistory {
  /** Number of the page, from 1. */
  page: number;
  items: readonly PastLoan[];
  hasMore: boolean;
}

function historyPath(page: number): string {
  return `/account/loan-history?page=${page}`;
}

/** `size`: loans on a page. */
export function loanHistoryPage({ page, items, hasMore }: LoanHistory, size: number): Reply {
  const rows = items.map((item) =>
    bookRow(bookOf(item), { notes: [t("loans.last", { time: moment(formatDatetime(item.lastLoan)) })] }),
  );
  const body = markup`${
    rows.length === 0
      ? markup`<p>${t(page > 1 ? "loans.no_more" : "loans.none_before")}</p>`
      : bookRows(rows, (page - 1) * size + 1)
  }
${pageLinks(page > 1 ? historyPath(page - 1) : undefined, hasMore ? historyPath(page + 1) : undefined)}
<p>${link("/account/loans", t("loans.title"))}</p>`;
  return accountPage({ title: t("loans.before"), body });
}

function bookOf({ ocaid, bundle }: PastLoan): ShownBook {
  const key = keyOf(bundle?.edition);
  return bundle === undefined || key === undefined ? scanBook(ocaid) : editionBook(key, bundle.edition);
}
