import type { Reply } from "../http/reply.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { bookShelf } from "../ui/book-row.ts";
import { chips } from "../ui/chip.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, forReader, markup } from "../ui/markup.ts";
import { ownerSentence } from "../ui/owner.ts";
import { commas, link, siteName } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { type Words, dayOf, t } from "../ui/words.ts";
import type { HomeShelf } from "./home-shelves.ts";

const HOME_SECONDS = 60;

interface HomeView {
  readonly shelves: readonly (HomeShelf | "subjects")[];
  readonly subjects: readonly { readonly name: string; readonly key: string; readonly count: number }[];
  readonly totals: {
    readonly works: number;
    readonly editions: number;
    readonly authors: number;
    readonly counted: string;
  };
  /** True for administrators of a catalog without books. */
  readonly canImport: boolean;
}

/** Renders the first page: what the catalog is, what readers and programs can do here, and shelves of books. */
export function homePage({ shelves, subjects, totals, canImport }: HomeView): Reply {
  const { works, editions, authors, counted } = totals;
  const numbers = commas([
    t("home.works", { count: works }),
    t("home.editions", { count: editions }),
    t("home.authors_count", { count: authors }),
  ]);
  const subjectChips = subjects.map(({ name, key, count }) => ({
    href: nameAddressOf(key),
    text: name,
    count,
  }));
  const parts = shelves.map((shelf): Piece => {
    if (shelf === "subjects") return section(t("nav.subjects"), chips(subjectChips));
    const { words, name, href, books } = shelf;
    if (books.length === 0) return undefined;
    return section(link(href, words === undefined ? markup`<bdi>${name}</bdi>` : t(words)), bookShelf(books));
  });
  return page({
    title: forReader(({ site }) => (site.sentence === "" ? t("home.title") : site.sentence)),
    heading: false,
    body: markup`<div class="hero"><h1>${ownerSentence}</h1>
${works === 0 ? emptyNote(canImport) : markup`<p class="soft">${t("home.numbers", { name: markup`<bdi>${siteName}</bdi>`, numbers })} ${t("stats.counted", { time: dayOf(counted) })}. ${link("/about", t("about.title"))}</p>`}</div>
<div class="doors">${DOORS}</div>
${parts}`,
    metadata: { description: markup`${ownerSentence}. ${t("home.find_text")}` },
    // Identical for all clients.
    cacheControl: `public, max-age=${HOME_SECONDS}`,
  });
}

type Links = readonly (readonly [href: string, words: Words])[];

function door(heading: Words, { who, text, links }: { who?: Words; text: Words; links: Links }): Markup {
  return markup`<section class="card"><h2>${t(heading)}${who !== undefined && markup` <small class="soft">${t(who)}</small>`}</h2>
<p>${t(text)}</p>
<p class="links">${links.map(([href, words]) => markup`${link(href, t(words))} `)}</p></section>`;
}

const DOORS = [
  door("home.find", {
    who: "home.free",
    text: "home.find_text",
    links: [
      ["/explore", "nav.explore"],
      ["/advancedsearch", "home.advanced"],
      ["/barcodescanner", "home.barcode"],
    ],
  }),
  forReader(({ username }) =>
    username === undefined
      ? door("home.keep", {
          who: "home.account",
          text: "home.keep_text",
          links: [
            ["/account/create", "home.create"],
            ["/account/login", "account.log_in"],
          ],
        })
      : door("home.yours", {
          text: "home.yours_text",
          links: [
            ["/account/books", "nav.my_books"],
            ["/account/loans", "account.loans"],
            ["/account/lists", "accounts.lists"],
            ["/account/import", "accounts.import"],
            ["/books/add", "nav.add"],
          ],
        }),
  ),
  door("home.data", {
    who: "home.free",
    text: "home.data_text",
    links: [
      ["/docs", "nav.docs"],
      ["/data", "nav.dumps"],
      ["/opds", "home.opds"],
    ],
  }),
];

function emptyNote(canImport: boolean): Markup {
  return markup`<p>${t("home.empty")}</p>
<p class="actions">${canImport && markup`<a class="button primary" href="/import/batch/new">${t("home.import")}</a>`}${link("/books/add", t("nav.add"))}</p>`;
}
