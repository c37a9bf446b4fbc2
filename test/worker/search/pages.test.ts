import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SEARCH_PAGE_WORKS } from "../../../src/worker/search/result-parts.ts";
import { loadBooks } from "../../support/worker/books.ts";
import { addScanFile } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, language, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";
import {
  type XmlElement,
  childrenNamed,
  parseXml,
  elementText as textInside,
} from "../../../src/import/xml/document.ts";
import { hrefs, mainOf, textOf } from "../../support/worker/page-text.ts";

const index = countedDatabase(env.SEARCH);
const catalog = countedDatabase(env.CATALOG);
const service = testService({ SEARCH: index.database, CATALOG: catalog.database });
const HTML = { headers: { Accept: "text/html" } };
const page = async (query: string): Promise<string> => {
  const response = await service.fetch(`/search?${query}`, HTML);
  expect([query, response.status]).toEqual([query, 200]);
  return response.text();
};
const location = async (query: string) => {
  const response = await service.fetch(`/search?${query}`, HTML);
  expect(response.status).toBe(303);
  return response.headers.get("Location");
};
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const code = (name: string) => ({ languages: [{ key: `/languages/${name}` }] });

beforeAll(async () => {
  await loadBooks(service);
  await service.load(
    language("eng", "English"),
    language("ger", "German"),
    author(7, { name: "Ann <b>Lee</b>" }),
    ...numbers(45).map((at) =>
      work(700 + at, {
        title: `Lighthouse number ${at}`,
        authors: [7],
        subjects: ["Sea & shore", at < 5 ? "Storms" : "Calm"],
      }),
    ),
    ...numbers(45).map((at) =>
      edition(700 + at, {
        work: 700 + at,
        title: `Lighthouse number ${at}`,
        publish_date: at < 30 ? "1901" : "1902",
        publishers: [at < 10 ? "Rock Press" : "Sand Press"],
        ...code(at % 3 === 0 ? "ger" : "eng"),
      }),
    ),
    work(800, { title: '<script>alert(1)</script> "quoted"', authors: [7], covers: [9] }),
    edition(800, { work: 800, title: "<i>edition</i>", publishers: ["<u>Press</u>"], ...code("eng") }),
    work(801, { title: "Halfling", first_publish_date: "21 September 1937" }),
    edition(801, { work: 801, title: "Halfling", publish_date: "2025" }),
  );
  await indexAll();
});

beforeEach(async () => {
  const { keys } = await env.CACHE.list({ prefix: "facets:" });
  for (const { name } of keys) await env.CACHE.delete(name);
});

/** Addresses of the books of a page, in their order. */
const titles = (html: string): string[] =>
  [...html.matchAll(/<p class="title"><a href="([^"]+)"/g)].map(([, href = ""]) => href);

describe("GET /search for browsers", () => {
  it("shows the works of /search.json with their best editions", async () => {
    const html = await page("q=hobbit");
    expect(textOf(html)).toContain("hobbit 1 book");
    expect(html).toContain(
      '<a href="/works/OL1W"><cite dir="auto">The Hobbit</cite></a></p><p class="by">by <a href="/authors/OL1A">',
    );
    // Nothing is said of a loan that would not open.
    expect(textOf(html)).toMatch(/2 editions · first published 1937(?! ·)/);
    await addScanFile("hobbitscan");
    service.now += 60_000;
    const opens = textOf(await page("q=hobbit"));
    expect(opens).toContain("2 editions · first published 1937 · Available to borrow");
    // The record's page shows the record's date; the index has dates of editions only.
    expect(textOf(await page("q=halfling"))).toContain("21 September 1937 · 1 edition");
    expect(await service.json("/search.json?q=halfling")).toMatchObject({
      docs: [{ first_publish_year: 2025 }],
    });
    expect(textOf(html)).toContain("Matching edition: The Hobbit (English, 1937) (1 of 2)");
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain("<h1><bdi>hobbit</bdi> <small");
    expect(textOf(await page("q=title:halfling"))).toContain("21 September 1937 · 1 edition 2025");
    const german = textOf(await page("q=hobbit&language=ger"));
    expect(german).toContain("Matching edition: Der Hobbit (German, 1957)");
    expect(german).toContain("Remove: Language: German");
  });

  it("is a form without a query", async () => {
    for (const query of ["", "has_fulltext=true", "sort=new", "page=2"]) {
      const html = await page(query);
      expect(html).toContain("<h1>Search books</h1>");
      expect(html).toContain("<h2>How to search</h2>");
      expect(html).not.toContain("<h1>Search books <small");
    }
  });

  it("pages in the order of the JSON", async () => {
    const asked = "q=lighthouse&sort=title";
    const shown: string[] = [];
    for (let number = 1; number <= 3; number += 1) {
      const html = await page(`${asked}&page=${number}`);
      expect(textOf(html)).toContain(`45 books, page ${number} of 3`);
      expect(html).toContain(`<ol class="res" start="${(number - 1) * SEARCH_PAGE_WORKS + 1}">`);
      shown.push(...titles(html));
    }
    const { docs } = Object(await service.json(`/search.json?${asked}&fields=key`));
    expect(shown).toEqual(docs.map(({ key }: { key: string }) => key));
    expect(shown).toHaveLength(45);
    expect(hrefs(await page(`${asked}&page=2`))).toEqual(
      expect.arrayContaining(["/search?q=lighthouse&sort=title", "/search?q=lighthouse&sort=title&page=3"]),
    );
    const beyond = textOf(await page(`${asked}&page=9`));
    expect(beyond).toContain("lighthouse 45 books");
    expect(beyond).toContain("Only 3 pages. Go to the last page");
  });

  it("shows facet counts that equal the narrowed results", async () => {
    for (const asked of [
      "q=lighthouse",
      "q=lighthouse&language=ger",
      "q=lighthouse&publisher_facet=Rock+Press",
      "q=*:*",
    ]) {
      const html = await page(asked);
      const offered = [
        ...html.matchAll(/<li><a href="([^"]+)"><span><bdi>[^<]*<\/bdi><\/span><span class="n">([\d,]+)</g),
      ];
      expect(offered.length).toBeGreaterThan(3);
      for (const [, href = "", count] of offered) {
        const narrowed = await service.fetch(href.replaceAll("&amp;", "&"), HTML);
        expect(narrowed.status).toBe(200);
        expect([href, textOf(await narrowed.text())]).toEqual([
          href,
          expect.stringMatching(new RegExp(`[^\\d,]${count} books?`)),
        ]);
      }
    }
  });

  it("offers no value twice, and no count where one edition must meet two conditions", async () => {
    const german = await page("q=lighthouse&language=ger&subject_facet=Storms");
    expect(german).not.toContain("<summary>Languages</summary>");
    expect(german).toContain("<summary>Publishers</summary>");
    expect(german).not.toMatch(/publisher_facet=[^"]+"><span><bdi>[^<]*<\/bdi><\/span><span class="n"/);
    expect(hrefs(german)).toContain("/search?q=lighthouse&language=ger");
    expect(hrefs(german)).not.toContain("/search?q=lighthouse&subject_facet=Storms&subject_facet=Storms");
    expect(textOf(german)).toContain("Subject: Storms");
    const byAuthor = await page("author_key=OL7A");
    expect(textOf(byAuthor)).toContain("Author: Ann <b>Lee</b>");
  });

  it("suggests authors named in the query", async () => {
    expect(textOf(await page("q=tolkien"))).toContain("Authors: J. R. R. Tolkien");
    expect(textOf(await page("q=hobbit"))).not.toContain("Authors: J. R. R.");
  });

  it("corrects a misspelt word and says so", async () => {
    const html = await page("q=hobbitt");
    expect(textOf(html)).toContain("No results for “hobbitt”. Showing results for “hobbit”.");
    expect(hrefs(html)).toContain("/search?q=hobbit");
    expect(hrefs(html)).toContain("/works/OL1W");
  });

  it("escapes records and parameters", async () => {
    const html = await page("q=alert+quoted&publisher=%3Cu%3EPress");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &quot;quoted&quot;");
    expect(html).toContain('<b dir="auto">&lt;script&gt;');
    expect(html).not.toContain("<script>");
    expect(mainOf(html)).not.toMatch(/<[iu]>/);
    expect((await page("q=%22%3E%3Cscript%3E")).includes("<script>")).toBe(false);
  });

  it.each([
    ["q=ab", "Type at least 3 characters"],
    ["q=The", "That word matches too many books"],
    [`q=${Array(300).fill("dune").join("+")}`, "Query too complex"],
  ])("answers 422 with the form for %s", async (query, notice) => {
    const response = await service.fetch(`/search?${query}`, HTML);
    expect(response.status).toBe(422);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const html = await response.text();
    expect(textOf(html)).toContain(notice);
    expect(html).toContain('<input id="site-search" name="q"');
  });

  it("takes few round trips", async () => {
    await page("q=hobbit");
    for (const query of ["q=hobbit", "q=lighthouse&language=ger&sort=new", "subject_facet=Storms"]) {
      for (const database of [index, catalog]) {
        database.statements.length = 0;
        database.batches.length = 0;
      }
      await page(query);
      // One count and page of works, one read of their editions, one count of values beside them.
      expect(roundTrips(index)).toBeLessThanOrEqual(3);
      // When the works were first published; names of languages are kept.
      expect(roundTrips(catalog)).toBe(1);
    }
  });
});

describe("GET /search.atom (Q598)", () => {
  const named = (element: XmlElement, name: string) =>
    childrenNamed(element, "http://www.w3.org/2005/Atom", name);
  const textIn = (element: XmlElement, ...names: string[]): string[] =>
    names
      .reduce((found: XmlElement[], name) => found.flatMap((one) => named(one, name)), [element])
      .map(textInside);
  const feed = async (query: string) => {
    const response = await service.fetch(`/search.atom?${query}`);
    expect(response.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
    const root = parseXml(await response.text());
    const entries = named(root, "entry").map((entry) => ({
      id: textIn(entry, "id")[0],
      year: textIn(entry, "summary")[0],
      authors: textIn(entry, "author", "name"),
    }));
    return { root, entries };
  };

  it("has the newest works of the search", async () => {
    const { root, entries } = await feed("q=lighthouse&subject_facet=Calm");
    expect(textIn(root, "title")).toEqual(["Carrel: lighthouse, Calm"]);
    expect(entries).toHaveLength(40);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/^http:\/\/[^/]+\/works\/OL7\d\dW$/),
      year: "1902",
      authors: ["Ann <b>Lee</b>"],
    });
    expect(entries.map(({ year }) => year)).toEqual(
      entries
        .map(({ year }) => year)
        .toSorted()
        .toReversed(),
    );
    expect(await page("q=lighthouse&subject_facet=Calm&sort=title")).toContain(
      '<link rel="alternate" type="application/atom+xml" href="/search.atom?q=lighthouse&amp;subject_facet=Calm"',
    );
  });

  it("accepts the range of years, and is empty without a query", async () => {
    const years = new Set((await feed("q=lighthouse&to=1901")).entries.map(({ year }) => year));
    expect([...years]).toEqual(["1901"]);
    expect((await feed("q=")).entries).toEqual([]);
    expect((await service.fetch("/search.atom?q=ab")).status).toBe(422);
  });
});

describe("GET /search for JSON clients", () => {
  it.each([undefined, "*/*", "application/json"])("answers Accept %s like /search.json", async (accept) => {
    const init = accept === undefined ? {} : { headers: { Accept: accept } };
    const response = await service.fetch("/search?q=hobbit&fields=key,title&limit=1&page=1", init);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Vary")).toBe("Accept, Accept-Language, Cookie");
    expect(await response.json()).toEqual(
      await service.json("/search.json?q=hobbit&fields=key,title&limit=1&page=1"),
    );
  });

  it("does not redirect", async () => {
    expect((await service.fetch("/search?q=OL1W")).status).toBe(200);
    expect((await service.fetch("/search?authors=tolkien&q2=x")).status).toBe(200);
  });

  it("is cacheable for a minute by format", async () => {
    const response = await service.fetch("/search?q=hobbit", HTML);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(response.headers.get("Vary")).toBe("Accept, Accept-Language, Cookie");
    const random = await service.fetch("/search?q=hobbit&sort=random", HTML);
    expect(random.headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("redirects of old parameters", () => {
  it.each([
    ["q=OL1W", "/works/OL1W"],
    ["q=OL7A", "/authors/OL7A"],
    ["q=OL11M", "/books/OL11M"],
    ["q=isbn+9780060935467", "/books/OL31M"],
    ["q=978-0-06-093546-7", "/books/OL31M"],
    ["isbn=0060935464", "/books/OL31M"],
    ["q=+hobbit+", "/search?q=hobbit"],
    ["q=hobbit&title=&author=", "/search?q=hobbit"],
    ["authors=tolkien&publishers=x", "/search?author=tolkien&publisher=x"],
    ["wisbn=123", "/search?isbn=123"],
    ["q=hobbit&q2=dwarves&language=eng", "/search?q=dwarves+hobbit&language=eng"],
    ["q=hobbit&search-fulltext=true", "/search/inside?q=hobbit"],
    ["q=", "/search"],
    ["q=cafe%CC%81", "/search?q=caf%C3%A9"],
  ])("%s redirects to %s", async (query, target) => {
    expect(await location(query)).toBe(target);
  });

  it("are skipped for an ISBN without an edition", async () => {
    expect(textOf(await page("q=9791234567896"))).toContain("9791234567896 0 books");
  });
});
