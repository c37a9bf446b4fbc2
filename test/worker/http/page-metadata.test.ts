import { beforeAll, describe, expect, it } from "vitest";
import { jsonOf } from "../../support/worker/accounts.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { list } from "../../support/worker/lists.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { dataOf, textOf } from "../../support/worker/page-text.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const SITE = "http://books.example";
const service = testService({ BASE_URL: SITE });
const SERIES = "/series/OL9L";
const LIST = "/people/joe/lists/OL1L";
const PURPOSE = "The library catalog anyone can edit";
const SIGN = `${SITE}/static/icon.png`;

beforeAll(async () => {
  await service.load(
    language("spa", "Spanish"),
    author(1, { bio: "Wrote **much** about\n\nthe [sea](https://sea.example)." }),
    author(2, { name: "Ann <b>", birth_date: "1901", photos: [9] }),
    work(1, {
      title: "Sea & <i>Shore</i>",
      authors: [1],
      description: `All "tides" & ${"waves ".repeat(99)}`,
      covers: [55],
      series: [{ series: { key: SERIES }, position: "1" }],
      subjects: ["Sea"],
      subject_places: ["Wales"],
    }),
    work(2, { authors: [2], title: "Mar", subjects: ["Sea"] }),
    edition(1, { work: 1, title: "Sea", subtitle: "A tale", isbn_13: ["9780441013593"] }),
    edition(2, {
      work: 2,
      title: "Mar",
      publish_date: "1999",
      publishers: ["Ola"],
      languages: [{ key: "/languages/spa" }],
    }),
    list(LIST, [{ key: "/works/OL1W" }], { name: "Wet", description: "Books that are wet" }),
    list(SERIES, [], { name: "Coasts" }),
    { key: "/contact", type: "/type/page", title: "Contact", body: "Write to us" },
  );
  const ann = await loggedIn(service, "Ann_Reader");
  await ann.fetch("/account/preferences.json", jsonOf({ public_readlog: "yes" }));
  await ann.fetch("/works/OL1W/bookshelves.json", {
    method: "POST",
    body: new URLSearchParams({ bookshelf_id: "3" }),
  });
  await indexAll();
});

interface Head {
  /** Canonical path; the requested one if absent. */
  address?: string;
  title: string;
  description: string;
  image?: string;
  type?: string;
  feeds?: string[];
  data?: string;
}

const bothFeeds = (path: string): string[] => [`${path}/feed.atom`, `${path}/feed.json`];
const COVER = `${SITE}/b/id/55-L.jpg`;

const named = (title: string): Head => ({ title, description: `${title}. ${PURPOSE}` });
const found = (title: string, description: string): Head => ({ title, description });
const TIDES = `All "tides" & ${"waves ".repeat(99)}`.slice(0, 299);
const SEA = "Sea & <i>Shore</i>";

const HEADS: readonly (readonly [path: string, head: Head])[] = [
  [
    "/",
    found(
      PURPOSE,
      `${PURPOSE}. Search by title, author, subject or ISBN, compare editions, and read free books online.`,
    ),
  ],
  ["/about", named("About this catalog")],
  ["/help", named("Help")],
  ["/contact", found("Contact", "Write to us")],
  ["/explore", found("Explore the catalog", "Explore the catalog: Sea")],
  [
    "/works/OL1W/Sea_i_Shore_i",
    { title: SEA, description: `${TIDES}…`, image: COVER, type: "book", data: "Book" },
  ],
  [
    "/books/OL1M/Sea",
    { title: "Sea: A tale", description: `${TIDES}…`, image: COVER, type: "book", data: "Book" },
  ],
  ["/books/OL2M/Mar", { title: "Mar", description: "by Ann <b> · 1999 · Ola", type: "book", data: "Book" }],
  [
    "/authors/OL1A/Author_1",
    {
      title: "Author 1",
      description: "Wrote much about the sea.",
      type: "profile",
      feeds: bothFeeds("/authors/OL1A"),
      data: "Person",
    },
  ],
  [
    "/authors/OL2A/Ann_b",
    {
      title: "Ann <b>",
      description: "Ann <b> · 1901 · 1 work: Mar",
      image: `${SITE}/a/id/9-L.jpg`,
      type: "profile",
      feeds: bothFeeds("/authors/OL2A"),
      data: "Person",
    },
  ],
  ["/works/OL1W?m=history", { ...named(`History of ${SEA}`), address: "/works/OL1W" }],
  ["/works/OL1W/lists", named(`Lists containing ${SEA}`)],
  ["/languages/spa", named("Spanish")],
  ["/languages", found("Languages", "Languages: Spanish")],
  ["/languages?sort=name", { ...found("Languages", "Languages: Spanish"), address: "/languages" }],
  ["/search", named("Search books")],
  [
    "/search?q=sea&sort=old",
    {
      address: "/search?q=sea",
      title: "Search: sea",
      description: `2 books: Mar · ${SEA}`,
      image: COVER,
      feeds: ["/search.atom?q=sea"],
      data: "SearchResultsPage",
    },
  ],
  ["/search/authors?q=author", found("Authors: author", "Authors: author. 1 author")],
  ["/search/subjects?q=sea", found("Subjects: sea", "Subjects: sea. 1 subject")],
  ["/search/publishers?q=ola", found("Publishers: ola", "Publishers: ola. Top 25 by number of works")],
  ["/search/languages?q=spa", found("Languages: spa", "Languages: spa. 1 work in this language")],
  ["/search/lists?q=coasts", found("Lists matching “coasts”", "Lists matching “coasts”: Coasts")],
  ["/search/inside?q=sea", named("Inside books: sea")],
  ["/advancedsearch", named("Advanced search")],
  ["/authors", found("Authors", "Authors: Author 1 · Ann <b>")],
  ["/subjects", found("Subjects", "Subjects: Sea")],
  ["/publishers", found("Publishers", "Publishers: Ola")],
  [
    "/subjects/sea",
    {
      title: "Sea",
      description: `2 works: ${SEA} · Mar`,
      image: COVER,
      feeds: bothFeeds("/subjects/sea"),
      data: "ItemList",
    },
  ],
  [
    "/subjects/place:wales",
    {
      title: "Wales",
      description: `Books about this place · 1 work: ${SEA}`,
      image: COVER,
      feeds: bothFeeds("/subjects/place:wales"),
      data: "ItemList",
    },
  ],
  [
    "/publishers/Ola",
    {
      title: "Ola",
      description: "Books from this publisher · 1 work: Mar",
      feeds: bothFeeds("/publishers/Ola"),
      data: "ItemList",
    },
  ],
  ["/lists", found("Lists", "Lists: Coasts")],
  [
    `${LIST}/Wet`,
    {
      title: "Wet",
      description: "Books that are wet",
      image: COVER,
      feeds: [`${LIST}/feeds/updates.atom`],
      data: "ItemList",
    },
  ],
  [
    `${SERIES}/Coasts`,
    {
      title: "Coasts",
      description: `1 entry: ${SEA}`,
      image: COVER,
      feeds: [`${SERIES}/feeds/updates.atom`, ...bothFeeds(SERIES)],
      data: "ItemList",
    },
  ],
  ["/people", named("Readers")],
  ["/people/Ann_Reader", { title: "Ann_Reader", description: `Ann_Reader · ${SEA}`, type: "profile" }],
  [
    "/people/Ann_Reader/books/already-read",
    {
      title: "Already read: Ann_Reader",
      description: `1 book: ${SEA}`,
      image: COVER,
      feeds: bothFeeds("/people/Ann_Reader/books/already-read"),
      data: "ItemList",
    },
  ],
  ["/people/Ann_Reader/lists", named("Lists by Ann_Reader")],
  ["/recentchanges", { ...found("Recent edits", "Recent edits"), feeds: bothFeeds("/recentchanges") }],
  [
    "/recentchanges/add-book",
    {
      ...found("Recent edits: add-book", "Recent edits: add-book"),
      feeds: bothFeeds("/recentchanges/add-book"),
    },
  ],
  [
    "/trending/weekly",
    {
      title: "Trending books: This week",
      description: `Trending books: This week: ${SEA}`,
      image: COVER,
      data: "ItemList",
    },
  ],
  ["/stats", found("Statistics", "2 works · 2 editions · 2 authors")],
  ["/data", named("Data dumps")],
  ["/docs", named("API reference")],
  ["/libraries", named("Libraries")],
  ["/barcodescanner", named("Scan a barcode")],
  ["/account/login", named("Log in")],
  ["/account/create", named("Create an account")],
];

const attributesOf = (text: string, tag: string): string[] =>
  Array.from(text.matchAll(new RegExp(`<${tag} ([^>]*)>`, "g")), ([, attributes = ""]) => attributes);

describe("the head of each type of page", () => {
  it.each(HEADS)("describes %s", async (path, head) => {
    const response = await service.fetch(path, { headers: { Accept: "text/html" } });
    expect(response.status).toBe(200);
    const text = await response.text();
    const metas = attributesOf(text, "meta").flatMap((attributes): [string, string][] => {
      const [, name, content = ""] =
        /^(?:name|property)="([^"]*)" .*?content="([^"]*)"$/.exec(attributes) ?? [];
      return name === undefined ? [] : [[name, textOf(content)]];
    });
    const valueOf = (name: string): string | undefined => metas.find(([meta]) => meta === name)?.[1];
    const links = attributesOf(text, "link");
    const data = text.includes("ld+json") ? (dataOf(text) as { "@type": string })["@type"] : undefined;
    const feeds = links.flatMap((link) => {
      const [, href] =
        /^rel="alternate" type="application\/(?:atom|feed)\+\w+" href="([^"]*)"/.exec(link) ?? [];
      return href ?? [];
    });
    const { address = path, image = SIGN, type = "website" } = head;
    expect({
      title: valueOf("og:title"),
      description: valueOf("description"),
      preview: valueOf("og:description"),
      image: valueOf("og:image"),
      type: valueOf("og:type"),
      url: valueOf("og:url"),
      canonical: links.filter((link) => link.startsWith('rel="canonical"')),
      colors: metas.filter(([name]) => name === "theme-color").length,
      feeds,
      data,
    }).toEqual({
      title: head.title,
      description: head.description,
      preview: head.description,
      image,
      type,
      url: SITE + address,
      canonical: [`rel="canonical" href="${SITE}${address}"`],
      colors: 2,
      feeds: head.feeds ?? [],
      data: head.data,
    });
  });

  it("leaves an unknown page without an address", async () => {
    const response = await service.fetch("/nothing", { headers: { Accept: "text/html" } });
    const text = await response.text();
    expect(response.status).toBe(404);
    expect(text).toContain('<meta name="description" content="Page not found. The library catalog');
    expect(text).not.toMatch(/canonical|og:url/);
  });
});
