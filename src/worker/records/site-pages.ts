import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { explorePage } from "../search/explore-page.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { type Words, say } from "../ui/words.ts";

/** Section of a page: heading, text, and links. */
type Part = readonly [heading: Words, text: Words, links: readonly (readonly [href: string, words: Words])[]];

const ABOUT: readonly Part[] = [
  [
    "about.catalog",
    "about.catalog_text",
    [
      ["/stats", "nav.stats"],
      ["/recentchanges", "nav.changes"],
    ],
  ],
  [
    "about.reading",
    "about.reading_text",
    [
      ["/account/create", "home.create"],
      ["/account/books", "nav.my_books"],
    ],
  ],
  [
    "footer.data",
    "about.data_text",
    [
      ["/data", "nav.dumps"],
      ["/docs", "nav.docs"],
    ],
  ],
];

const HELP: readonly Part[] = [
  [
    "help.find",
    "help.find_text",
    [
      ["/search", "search.how"],
      ["/advancedsearch", "search.advanced"],
      ["/barcodescanner", "home.barcode"],
    ],
  ],
  [
    "help.keep",
    "help.keep_text",
    [
      ["/account/books", "nav.my_books"],
      ["/lists", "nav.lists"],
    ],
  ],
  ["help.read", "help.read_text", [["/account/loans", "account.loans"]]],
  [
    "help.change",
    "help.change_text",
    [
      ["/books/add", "nav.add"],
      ["/recentchanges", "nav.changes"],
    ],
  ],
  [
    "help.account",
    "help.account_text",
    [
      ["/account/create", "home.create"],
      ["/account/login", "account.log_in"],
    ],
  ],
];

/** Time that clients and shared caches may keep these pages, in seconds. */
const SITE_SECONDS = 300;

/** Pages of every site (Q590), unless the catalog has a record of its own at their keys. */
const PAGES: ReadonlyMap<string, (context: RequestContext) => Reply | Promise<Reply>> = new Map<
  string,
  (context: RequestContext) => Reply | Promise<Reply>
>([
  ["/about", () => sitePage("about.title", ABOUT)],
  ["/help", () => sitePage("help.title", HELP)],
  ["/explore", explorePage],
]);

/** Returns the page of the site at a key that no record has; undefined for all other keys. */
export async function pageOfSite(key: string, context: RequestContext): Promise<Reply | undefined> {
  const reply = await PAGES.get(key)?.(context);
  // A new record at the key replaces the page.
  return reply && { ...reply, records: [key] };
}

function sitePage(title: Words, parts: readonly Part[]): Reply {
  return page({
    title: say(title),
    body: parts.map(partOf),
    cacheControl: `public, max-age=${SITE_SECONDS}`,
  });
}

function partOf([heading, text, links]: Part): Markup | undefined {
  return section(
    say(heading),
    markup`<div class="text"><p>${say(text)}</p></div>
<ul class="chips">${links.map(([href, words]) => markup`<li>${link(href, say(words))}</li>`)}</ul>`,
  );
}
