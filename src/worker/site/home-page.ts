import type { Reply } from "../http/reply.ts";
import type { BookView } from "../patrons/people/book-list.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { bookShelf } from "../ui/book-row.ts";
import { chips } from "../ui/chip.ts";
import { page } from "../ui/layout.ts";
import { forReader, markup } from "../ui/markup.ts";
import { countTime, link } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { type Words, t } from "../ui/words.ts";

const HOME_SECONDS = 60;

const START_LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/advancedsearch", "home.advanced"],
  ["/search/authors", "home.authors"],
  ["/search/inside", "home.inside"],
  ["/barcodescanner", "home.barcode"],
  ["/random", "home.random"],
];

interface HomeView {
  readonly trending: readonly BookView[];
  readonly reprinted: readonly BookView[];
  readonly subjects: readonly { readonly name: string; readonly key: string; readonly count: number }[];
  readonly totals: {
    readonly works: number;
    readonly editions: number;
    readonly authors: number;
    readonly counted: string;
  };
}

export function homePage({ trending, reprinted, subjects, totals }: HomeView): Reply {
  const { works, editions, authors } = totals;
  const numbers = [
    t("home.works", { count: works }),
    t("home.editions", { count: editions }),
    t("home.authors_count", { count: authors }),
  ];
  const shelves = [
    trending.length > 0 && section(t("home.trending"), bookShelf(trending)),
    reprinted.length > 0 && section(t("home.reprinted"), bookShelf(reprinted)),
  ];
  const [first, ...others] = shelves.filter((row) => row !== false);
  return page({
    title: t("home.title"),
    heading: false,
    body: markup`<div class="hero"><h1>${t("home.title")}</h1>
<p class="soft">${t("home.numbers", { numbers: numbers.map((count, index) => [index > 0 && t("list.comma"), count]) })} ${t("home.what")}</p></div>
${first}
${section(t("nav.subjects"), chips(subjects.map(({ name, key, count }) => ({ href: nameAddressOf(key), text: name, count }))))}
${countTime(totals.counted)}
${others}
<nav aria-labelledby="begin"><h2 id="begin">${t("home.begin")}</h2>
<ul class="chips">${START_LINKS.map(([href, words]) => markup`<li>${link(href, t(words))}</li>`)}${forReader(({ username }) => username === undefined && markup`<li>${link("/account/create", t("home.create"))}</li>`)}</ul></nav>`,
    // Identical for all clients.
    cacheControl: `public, max-age=${HOME_SECONDS}`,
  });
}
