import { datetimeText } from "../../../catalog/datetime.ts";
import { keyOf } from "../../../catalog/record.ts";
import { recordUrl } from "../../../catalog/slug.ts";
import { editionTitle } from "../../../catalog/view.ts";
import type { PastLoan } from "../../availability/loan-history.ts";
import type { Reply } from "../../reply.ts";
import { accountPage } from "../account/account-page.ts";
import { type Markup, markup } from "../markup.ts";
import { link, moment, pageLinks, table } from "../parts.ts";

/** A page of what a patron has borrowed. */
export interface HistoryView {
  readonly items: readonly PastLoan[];
  readonly page: number;
  readonly hasMore: boolean;
}

/** The page of what a patron has borrowed before. */
export function loanHistoryPage({ items, page, hasMore }: HistoryView): Reply {
  const body = markup`${
    items.length === 0
      ? markup`<p>There is nothing ${page > 1 && "more "}to show.</p>`
      : table({
          caption: "Books that you have borrowed",
          columns: ["Book", "Last borrowed"],
          rows: items.map((item) => [named(item), moment(datetimeText(item.lastLoan))]),
        })
  }
${pageLinks(page > 1 ? address(page - 1) : undefined, hasMore ? address(page + 1) : undefined)}
<p>${link("/account/loans", "What you have now")}</p>`;
  return accountPage({ title: "What you have borrowed", body });
}

function named({ ocaid, bundle }: PastLoan): Markup {
  const { edition } = bundle ?? {};
  if (edition === undefined || keyOf(edition) === undefined) return markup`${ocaid}`;
  return link(recordUrl("", edition), editionTitle(edition) ?? "Untitled");
}

function address(page: number): string {
  return `/account/loan-history?page=${page}`;
}
