import { type TrendingPeriod, TRENDING_PERIOD_NAMES } from "../../../catalog/patrons/shelves.ts";
import type { RankedWork } from "../../../db/patrons/trending.ts";
import type { Reply } from "../../http/reply.ts";
import { bookRow, bookRows } from "../../ui/book-row.ts";
import { previewImage } from "../../ui/cover.ts";
import { dropper } from "../../ui/dropper.ts";
import { page } from "../../ui/layout.ts";
import { markup } from "../../ui/markup.ts";
import { collectionMetadata } from "../../ui/metadata.ts";
import { pageLinks } from "../../ui/pager.ts";
import { countTime } from "../../ui/parts.ts";
import { tabs } from "../../ui/tabs.ts";
import { type Words, t } from "../../ui/words.ts";
import type { BookView } from "../people/book-list.ts";

const PERIOD_WORDS: Readonly<Record<TrendingPeriod, Words>> = {
  now: "trending.now",
  daily: "trending.daily",
  weekly: "trending.weekly",
  monthly: "trending.monthly",
  yearly: "trending.yearly",
  forever: "trending.forever",
};

interface TrendingView {
  readonly works: readonly (RankedWork & { readonly book: BookView })[];
  readonly counted: string;
  /** Number of the page, and of its first work, from 0. */
  readonly number: number;
  readonly offset: number;
  readonly hasNext: boolean;
  readonly cacheControl: string;
}

export function trendingPage(
  period: TrendingPeriod,
  { works, counted, number, offset, hasNext, cacheControl }: TrendingView,
): Reply {
  const address = (to: number): string => `/trending/${period}${to === 1 ? "" : `?page=${to}`}`;
  const periods = TRENDING_PERIOD_NAMES.map((name) => {
    return { href: `/trending/${name}`, text: t(PERIOD_WORDS[name]), isCurrent: name === period };
  });
  const items = works.map(({ book, entries }, at) =>
    bookRow(book, {
      notes: [period !== "now" && t("trending.logged", { count: entries })],
      action: dropper(book),
      isFirst: at < 4,
    }),
  );
  const title = t("trending.title", { period: t(PERIOD_WORDS[period]) });
  return page({
    title,
    metadata: collectionMetadata({
      address: address(number),
      name: `Trending: ${period}`,
      size: title,
      image: previewImage(works.map(({ book }) => book.cover)),
      total: works.length,
      items: works.map(({ book }) => book),
    }),
    body: markup`${tabs(t("trending.period"), periods)}
${countTime(counted)}
${works.length === 0 ? markup`<p>${t("my.none")}</p>` : bookRows(items, offset + 1)}
${pageLinks(number > 1 ? address(number - 1) : undefined, hasNext ? address(number + 1) : undefined)}`,
    cacheControl,
  });
}
