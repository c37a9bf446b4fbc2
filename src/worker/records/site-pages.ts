import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { explore } from "../search/explore.ts";
import { page } from "../ui/layout.ts";
import { type Markup, forReader, markup } from "../ui/markup.ts";
import { ownerLinks, ownerSentence } from "../ui/owner.ts";
import { link, siteName } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { type Words, t } from "../ui/words.ts";

type Section = readonly [heading: Words, text: Words, links: Readonly<Record<string, Words>>];

const ABOUT: readonly Section[] = [
  ["about.catalog", "about.catalog_text", { "/stats": "nav.stats", "/recentchanges": "nav.changes" }],
  [
    "about.reading",
    "about.reading_text",
    { "/account/create": "home.create", "/account/books": "nav.my_books" },
  ],
  ["footer.data", "about.data_text", { "/data": "nav.dumps", "/docs": "nav.docs" }],
];

const HELP: readonly Section[] = [
  [
    "help.find",
    "help.find_text",
    { "/search": "search.how", "/advancedsearch": "search.advanced", "/barcodescanner": "home.barcode" },
  ],
  ["help.keep", "help.keep_text", { "/account/books": "nav.my_books", "/lists": "nav.lists" }],
  ["help.read", "help.read_text", { "/account/loans": "account.loans" }],
  ["help.change", "help.change_text", { "/books/add": "nav.add", "/recentchanges": "nav.changes" }],
  [
    "help.account",
    "help.account_text",
    { "/account/create": "home.create", "/account/login": "account.log_in" },
  ],
];

/** Name of the service, its sentence, and the links of its owner, as far as they are set. */
const ABOUT_OWNER = forReader(({ site }) => {
  const links = ownerLinks(site);
  if (links.length === 0 && site.sentence === "") return undefined;
  return markup`<h2>${siteName}</h2>
<div class="text"><p>${ownerSentence}</p></div>
<ul class="chips">${links.map((item) => markup`<li>${item}</li>`)}</ul>
`;
});

const SITE_SECONDS = 60;

type PageOf = (context: RequestContext) => Reply | Promise<Reply>;

/** Pages of every site (Q590), unless the catalog has a record at their keys. */
const PAGES: ReadonlyMap<string, PageOf> = new Map<string, PageOf>([
  ["/about", () => pageOfParts("about.title", ABOUT, ABOUT_OWNER)],
  ["/help", () => pageOfParts("help.title", HELP)],
  ["/explore", explore],
]);

/** Returns the page of the site at a key that no record has; undefined for all other keys. */
export async function sitePage(key: string, context: RequestContext): Promise<Reply | undefined> {
  const reply = await PAGES.get(key)?.(context);
  // A record saved at the key evicts the cached page.
  return reply && { ...reply, records: [key] };
}

function pageOfParts(title: Words, parts: readonly Section[], before?: Markup): Reply {
  return page({
    title: t(title),
    body: markup`${before}${parts.map(([heading, text, links]) =>
      section(
        t(heading),
        markup`<div class="text"><p>${t(text)}</p></div>
<ul class="chips">${Object.entries(links).map(([href, words]) => markup`<li>${link(href, t(words))}</li>`)}</ul>`,
      ),
    )}`,
    cacheControl: `public, max-age=${SITE_SECONDS}`,
  });
}
