import { formatDatetime } from "../../catalog/datetime.ts";
import type { EditionBundle } from "../../catalog/lookup/bundle.ts";
import { keyOf } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { accountPage } from "../ui/action-answer.ts";
import { bookRow, bookRows } from "../ui/book-row.ts";
import { markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { moment, t } from "../ui/words.ts";
import { editionBook, scanBook } from "./loans-page.ts";

export interface LoanHistory {
  /** Number of the page, from 1. */
  readonly page: number;
  /** `lastLoan`: its start, in milliseconds since the epoch. */
  readonly items: readonly { ocaid: string; lastLoan: number; bundle: EditionBundle | undefined }[];
  readonly hasMore: boolean;
}

/** `size`: loans on a page. */
export function loanHistoryPage({ page, items, hasMore }: LoanHistory, size: number): Reply {
  const rows = items.map(({ ocaid, lastLoan, bundle }) => {
    const key = keyOf(bundle?.edition);
    const isRecord = bundle !== undefined && key !== undefined;
    const book = isRecord ? editionBook(key, bundle.edition) : scanBook(ocaid);
    return bookRow(book, { notes: [t("loans.last", { time: moment(formatDatetime(lastLoan)) })] });
  });
  const path = "/account/loan-history?page=";
  const body = markup`${
    rows.length === 0
      ? markup`<p>${t(page > 1 ? "loans.no_more" : "loans.none_before")}</p>`
      : bookRows(rows, (page - 1) * size + 1)
  }
${pageLinks(page > 1 ? path + (page - 1) : undefined, hasMore ? path + (page + 1) : undefined)}
<p>${link("/account/loans", t("loans.title"))}</p>`;
  return accountPage({ title: t("loans.before"), body });
}
