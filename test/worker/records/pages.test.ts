import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addItem, addScanFile } from "../../support/worker/holdings.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { mainOf } from "../../support/worker/page-text.ts";
import { testService } from "../../support/worker/service.ts";
import { countedWaves } from "../../support/worker/statements.ts";

const service = testService({ BASE_URL: "http://carrel.example" });
const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const html = (path: string, init: RequestInit = {}) => service.fetch(path, { headers: HTML, ...init });
const text = async (path: string) => {
  const response = await html(path);
  expect(response.status).toBe(200);
  return response.text();
};
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
const WORK = "/works/OL1W/Dune_b";

const DUNE = {
  title: "Dune <b>",
  authors: [1, 3, 3],
  covers: [-1, 55],
  description: "A <script>desert</script>",
  subjects: ["Science Fiction", "Science Fiction", "???"],
  subject_people: ["Paul Atreides"],
  subject_places: ["Arrakis"],
  series: [{ series: { key: "/series/OL9L" }, position: "1" }],
  first_publish_date: "1965",
  excerpts: [{ excerpt: "I must not fear.", comment: "the litany" }],
};

beforeAll(async () => {
  await service.load(
    author(1, {
      name: "Frank <i>Herbert</i>",
      title: "Sir",
      birth_date: "1920",
      bio: { type: "/type/text", value: "Line one\nLine two" },
      photos: [-1, 77],
      remote_ids: { wikidata: "Q7934" },
      links: [
        { title: "Bad", url: "javascript:alert(1)" },
        { title: "Good", url: "https://example.org/x?a=1&b=2" },
      ],
    }),
    author(2, { name: "Second" }),
    redirected("/authors/OL3A", "/authors/OL2A", 1),
    language("eng", "English", { name_translated: { de: ["Englisch"] } }),
    work(1, DUNE),
    { key: "/series/OL9L", type: "/type/series", name: "Dune Chronicles" },
    edition(1, {
      work: 1,
      title: "Dune",
      publishers: ["Ace & Co"],
      publish_date: "1990",
      isbn_13: ["9780441013593"],
      languages: [{ key: "/languages/eng" }],
      ocaid: "openscan",
      number_of_pages: 604,
      authors: [{ key: "/authors/OL2A" }],
      table_of_contents: [{ level: 0, label: "1", title: "Book One", pagenum: "3", type: "/type/toc_item" }],
      identifiers: { goodreads: ["234"] },
    }),
    edition(2, { work: 1, title: "Dune lent", ocaid: "lentscan", works: [{ key: "/works/OL1W" }] }),
    edition(3, {
      title: "Lonely",
      providers: [{ url: "https://example.org/book.pdf", format: "pdf" }],
      identifiers: { project_gutenberg: ["1342"] },
    }),
    edition(4, { work: 7, title: "Of a merged work" }),
    redirected("/works/OL7W", "/works/OL1W", 1),
    redirected("/works/OL9W", "/works/OL9W", 1),
    work(8, { title: "Gone" }),
    {
      key: "/usergroup/testers",
      type: "/type/usergroup",
      members: [{ key: "/people/jo" }, { key: "/people/al" }],
    },
    { key: "/help/faq", type: "/type/page", title: "Questions", body: "How?\nSo." },
    { key: "/tags/OL1T", type: "/type/tag", name: "Science Fiction", tag_type: "subject" },
    { key: "/works/OL6W", type: "/type/author", name: "Odd one" },
    { key: "/languages/xyz", type: "/type/language", code: "xyz", name: "Xyz" },
  );
  await service.load(deleted("/works/OL8W", 2));
  await service.load(work(1, { title: "Dune <b>", authors: [1, 3], revision: 2 }));
  await service.load(work(1, { ...DUNE, revision: 3 }));
  await addItem("openscan", ["americana"]);
  await addItem("lentscan", ["inlibrary", "printdisabled"]);
  for (const scan of ["openscan", "lentscan"]) await addScanFile(scan);
  await service.load(
    author(50, { name: "Prolific" }),
    author(51, { name: "Two Years" }),
    work(61, { title: "Early", authors: [51], first_publish_date: "1811" }),
    work(62, { title: "Undated", authors: [51] }),
    work(63, { title: "Late", authors: [51], first_publish_date: "Spring 1817" }),
    ...numbers(1000, 120).map((id) => work(id, { title: `Book ${id}`, authors: [50] })),
    work(60, { title: "Often printed" }),
    ...numbers(2000, 101).map((id) => edition(id, { work: 60, title: `Print ${id}` })),
  );
  await service.load(work(60, { title: "Often printed", revision: 2 }));
});

/** Keys that the rows of a page lead to. */
const rowKeys = (body: string, folder: string) =>
  [...body.matchAll(new RegExp(`<(?:div><p|p class="title")><a href="/${folder}/(OL\\d+\\w)`, "g"))].map(
    ([, olid]) => olid,
  );

describe("the page of a work", () => {
  it("shows the record, escaped, with its links", async () => {
    const response = await html(WORK);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Vary")).toBe("Accept, Accept-Language, Cookie");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    const body = await response.text();
    expect(body).toContain('<h1 dir="auto">Dune &lt;b&gt;</h1>');
    // References have titles in italics.
    expect(mainOf(body).replaceAll(/<i>Dune &lt;b&gt;<\/i>/gi, "")).not.toMatch(/<script|<b>|<i>/);
    expect(body).toContain(
      '<a href="/authors/OL1A/Frank_i_Herbert_i">Frank &lt;i&gt;Herbert&lt;/i&gt;</a>, ',
    );
    expect(body.match(/<a href="\/authors\/OL2A\/Second">Second<\/a>/g)).toHaveLength(1);
    expect(body).toContain('<img src="/b/id/55-M.jpg" srcset="/b/id/55-S.jpg 39w,');
    expect(body.match(/href="\/subjects\/science_fiction"/g)).toHaveLength(1);
    expect(body).toContain("???");
    expect(body).toContain('<a class="chip" href="/subjects/person:paul_atreides">Paul Atreides</a>');
    expect(body).toContain('<a href="/series/OL9L">Dune Chronicles</a> (1)');
    expect(body).toContain("I must not fear.");
    expect(body).toContain('<a href="/works/OL1W.rdf">RDF</a>');
    expect(body).toContain('<a href="/works/OL1W/edit">Edit</a>');
    expect(body).toContain('<a href="/works/OL1W/lists">');
    expect(body).toContain("History (3 revisions)");
    expect(body.match(/<h1/g)).toHaveLength(1);
  });

  it("folds all but the first twelve subjects, and shows no prefixes", async () => {
    const subjects = [
      "series:Dune_Chronicles",
      ...Array.from({ length: 14 }, (_, index) => `Topic ${index}`),
    ];
    await service.load({ ...work(71), subjects });
    const body = await text("/works/OL71W/Work_71");
    expect(body).toContain(">Dune Chronicles</a>");
    expect(body).toMatch(/Topic 10<\/a><\/li><\/ul>\s*<details class="more"><summary>3 more/);
  });

  it("lists editions with language, publisher and access", async () => {
    const body = await text(WORK);
    expect(rowKeys(body, "books")).toEqual(["OL1M", "OL2M"]);
    expect(body).toContain('<a href="/languages/eng">English</a>');
    const german = await html(WORK, { headers: { ...HTML, "Accept-Language": "de" } });
    expect(await german.text()).toContain('<a href="/languages/eng">Englisch</a>');
    expect(body).toContain('1990, <a href="/publishers/Ace_%26_Co">Ace &amp; Co</a>');
    expect(body).toContain(
      '<a href="/books/OL1M/x/borrow?action=read">Read<span class="unseen"> Dune</span></a>',
    );
    expect(body).toMatch(/<form method="post" action="\/books\/OL2M\/x\/borrow">[^]*Borrow<span/);
    expect(body).toContain('<h2 id="editions">2 editions</h2>');
  });

  it("pages through all editions like the JSON", async () => {
    const { entries } = (await service.json("/works/OL60W/editions.json?limit=1000")) as {
      entries: { key: string }[];
    };
    const pages = await Promise.all(
      [1, 2, 3].map((page) => text(`/works/OL60W/Often_printed${page === 1 ? "" : `?page=${page}`}`)),
    );
    expect(pages.map((page) => rowKeys(page, "books").length)).toEqual([50, 50, 1]);
    expect(pages.flatMap((page) => rowKeys(page, "books"))).toEqual(
      entries.map(({ key }) => key.slice("/books/".length)),
    );
    expect(pages[0]).toContain('<a rel="next" href="/works/OL60W/Often_printed?page=2#editions">');
    expect(pages[0]).not.toContain('rel="prev"');
    expect(pages[1]).toContain('<h2 id="editions">101 editions, 51 to 100</h2>');
    expect(pages[2]).not.toContain('rel="next"');
    const beyond = await text("/works/OL60W/Often_printed?page=9");
    expect(beyond).toContain('<a rel="prev" href="/works/OL60W/Often_printed?page=3#editions">');
  });

  it.each([
    ["/books/OL1M/Dune", 2],
    ["/books/OL3M/Lonely", 1],
    ["/authors/OL50A/Prolific", 2],
    ["/works/OL60W/Often_printed?page=2", 2],
    ["/usergroup/testers", 1],
    // One of its authors has become another one.
    [WORK, 3],
  ])("reads the databases in few waves: %s", async (path, times) => {
    const waves = countedWaves();
    const cold = testService({ CATALOG: waves.of(env.CATALOG), PATRONS: waves.of(env.PATRONS) });
    expect((await cold.fetch(path, { headers: HTML })).status).toBe(200);
    expect(waves.count).toBe(times);
  });
});

describe("the page of an edition", () => {
  it("shows the edition, its work and all authors once", async () => {
    const body = await text("/books/OL1M/Dune");
    expect(body).toContain('<h1 dir="auto">Dune</h1>');
    expect(body).toContain('An edition of <a href="/works/OL1W/Dune_b">Dune &lt;b&gt;</a>');
    expect(body).toContain('<a href="/works/OL1W#editions">All editions</a>');
    // A subject of the work only.
    expect(body).toContain('href="/subjects/place:arrakis"');
    expect(body.match(/href="\/authors\/OL2A\/Second"/g)).toHaveLength(1);
    expect(body).toContain("9780441013593");
    expect(body).toContain('<dt>goodreads</dt><dd><a href="https://www.goodreads.com/book/show/234"');
    expect(body).toContain("<dt>Pages</dt><dd>604</dd>");
    expect(body).toContain("Book One");
    expect(body).toContain('<a href="/books/OL1M.json">JSON</a>');
  });

  it("links to providers, and has no readers without a work", async () => {
    const body = await text("/books/OL3M/Lonely");
    expect(body).toContain(
      '<a href="https://example.org/book.pdf" rel="nofollow noopener">Read at example.org (pdf)</a>',
    );
    expect(body).toContain(
      '<a href="https://www.gutenberg.org/ebooks/1342" rel="nofollow noopener">Read at Project Gutenberg</a>',
    );
    expect(body).not.toContain("Not rated yet");
  });

  it("names the merge target of its work", async () => {
    expect(await text("/books/OL4M/Of_a_merged_work")).toContain(
      'An edition of <a href="/works/OL1W/Dune_b">',
    );
  });
});

describe("the page of an author", () => {
  it("shows the author and links to safe addresses only", async () => {
    const body = await text("/authors/OL1A/Frank_i_Herbert_i");
    expect(body).toContain('<h1 dir="auto">Frank &lt;i&gt;Herbert&lt;/i&gt;</h1>');
    expect(body).toContain("<dt>Title</dt><dd>Sir</dd>");
    expect(body).toContain("Line one<br>Line two");
    expect(body).toContain('<a class="cover cloth');
    expect(body).toContain('<meta property="og:title" content="Frank &lt;i&gt;Herbert&lt;/i&gt;">');
    expect(body).toContain('<meta property="og:image" content="http://carrel.example/a/id/77-L.jpg">');
    expect(body).not.toContain("javascript:");
    expect(body).toContain('<a href="https://example.org/x?a=1&amp;b=2" rel="nofollow noopener">Good</a>');
    expect(body).toContain('<dt>wikidata</dt><dd><a href="https://www.wikidata.org/wiki/Q7934"');
    expect(body).toMatch(
      /Dune &lt;b&gt;<\/cite><\/a><\/p><p class="soft small" dir="auto">1965 · 2 editions<\/p>/,
    );
  });

  it("shows the years of its works", async () => {
    expect(await text("/authors/OL51A/Two_Years")).toContain(
      "<span>1811</span><span>1817</span></figcaption>",
    );
  });

  it("pages through all works", async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => text(`/authors/OL50A/Prolific?page=${page}`)));
    expect(pages.flatMap((page) => rowKeys(page, "works"))).toEqual(
      numbers(1000, 120).map((id) => `OL${id}W`),
    );
  });
});

describe("other records", () => {
  it("of texts and languages show their content", async () => {
    expect(await text("/help/faq")).toMatch(/<h1>Questions<\/h1>[^]*How\?<br>So\./);
    expect(await text("/languages/eng")).toContain(
      '<th scope="row">de</th><td><span lang="de" dir="auto">Englisch</span></td>',
    );
    expect(await text("/tags/OL1T/Science_Fiction")).toContain('<a href="/subjects/science_fiction">');
  });
});

describe("revisions", () => {
  it("older than the latest are marked and link to it", async () => {
    const body = await text(`${WORK}?v=2`);
    expect(body).toContain("Viewing revision 2 of 3");
    expect(body).toContain(`<a href="${WORK}">Current revision</a>`);
    expect(body).toContain('<a href="/works/OL1W/edit?v=2">Edit</a>');
    expect(body).not.toContain("Arrakis");
    const none = await html(`${WORK}?v=9`);
    expect(none.status).toBe(404);
    expect(await none.text()).toContain("has no revision 9. The current one is 3.");
    // Editions are turned over beside the revision that is shown.
    const printed = "/works/OL60W/Often_printed?v=1";
    expect(await text(printed)).toContain(`<a rel="next" href="${printed}&amp;page=2#editions">`);
    expect(await text(`${printed}&page=2`)).toContain(`<a rel="prev" href="${printed}#editions">`);
  });

  // Q430
  it("redirect when they are not numbers", async () => {
    const response = await html(`${WORK}?v=new&page=2`);
    expect([response.status, response.headers.get("Location")]).toEqual([303, `${WORK}?page=2`]);
  });

  // Q6, Q430
  it("of deleted and merged records are readable", async () => {
    const gone = await html("/works/OL8W");
    expect(gone.status).toBe(404);
    expect(await gone.text()).toContain('<a href="/works/OL8W?m=history">');
    expect(await text("/works/OL8W?v=1")).toContain('<h1 dir="auto">Gone</h1>');
    expect(await text("/works/OL7W?v=1")).toContain("/works/OL1W");
    expect((await html("/works/OL7W")).headers.get("Location")).toBe("/works/OL1W");
  });

  it("of self-redirects answer 404", async () => {
    expect((await html("/works/OL9W")).status).toBe(404);
  });
});

describe("the page of a record", () => {
  it("is JSON for clients at the same address, from every cache", async () => {
    const page = await text("/books/OL1M/Dune");
    expect(page).toContain("<!doctype html>");
    for (const headers of [undefined, { Accept: "*/*" }, { Accept: "application/json" }]) {
      const response = await service.fetch("/books/OL1M/Dune", headers === undefined ? {} : { headers });
      expect(response.headers.get("Content-Type")).toBe("application/json");
    }
    expect(await (await html("/books/OL1M/Dune")).text()).toBe(page);
  });

  it("keeps its headers in the edge cache and never shares pages of sessions", async () => {
    const [one, other] = [testService({ EDGE_CACHE: "on" }), testService({ EDGE_CACHE: "on" })];
    const first = await one.fetch("/authors/OL50A/Prolific", { headers: HTML });
    const kept = await other.fetch("/authors/OL50A/Prolific", { headers: HTML });
    for (const name of [
      "Content-Type",
      "Content-Security-Policy",
      "Referrer-Policy",
      "Vary",
      "ETag",
      "Cache-Control",
    ]) {
      expect(kept.headers.get(name)).not.toBe(null);
      expect(kept.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(await kept.text()).toBe(await first.text());
    const eve = await loggedIn(service, "eve", { groups: ["librarians"] });
    const own = await other.fetch("/authors/OL50A/Prolific", { headers: { ...HTML, ...eve.headers } });
    expect(await own.text()).toContain("/authors/OL50A/merge-works");
    const again = await one.fetch("/authors/OL50A/Prolific", { headers: HTML });
    expect(await again.text()).not.toContain("merge-works");
  });

  it("answers 304 with the same policy", async () => {
    const page = await html("/authors/OL50A/Prolific");
    const tag = page.headers.get("ETag") ?? "";
    const again = await html("/authors/OL50A/Prolific", { headers: { ...HTML, "If-None-Match": tag } });
    expect(again.status).toBe(304);
    // Browsers take the policy of a 304 for that of the page.
    expect(again.headers.get("Content-Security-Policy")).toBe(page.headers.get("Content-Security-Policy"));
    expect(tag).not.toBe((await html("/authors/OL50A/Prolific?page=2")).headers.get("ETag"));
  });

  it("has shelf forms with a session only", async () => {
    const ann = await loggedIn(service, "ann");
    const before = await text(WORK);
    expect(before).toContain('href="/account/login?redirect=%2Fworks%2FOL1W%2FDune_b">Want to read');
    const sent = await ann.fetch("/works/OL1W/bookshelves.json", {
      method: "POST",
      headers: { ...HTML, Origin: "http://carrel.test", "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ bookshelf_id: "2", redir_url: WORK, dont_remove: "true" }),
    });
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, WORK]);
    const own = await ann.fetch(WORK, { headers: HTML });
    expect(own.headers.get("Cache-Control")).toBe("private, no-store");
    expect(own.headers.get("ETag")).toBe(null);
    const body = await own.text();
    expect(body).toContain('✓ Currently reading<span class="unseen">');
    expect(body).toContain("1 person is reading this");
    expect(body).toContain("/people/ann/lists/add?seeds=%2Fworks%2FOL1W");
    const others = await text(WORK);
    expect(others).not.toContain("✓");
    expect(others).not.toContain("bookshelves.json");
  });

  it("shows writes of the same isolate at once", async () => {
    await service.load(work(70, { title: "Before" }));
    expect(await text("/works/OL70W/Before")).toContain('<h1 dir="auto">Before</h1>');
    await service.load(edition(71, { work: 70, title: "New one" }));
    expect(await text("/works/OL70W/Before")).toContain("New one");
  });
});
