import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EXPORT_PAGE_RECORDS } from "../../../src/worker/lists/list-export.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { atMinute, list, user } from "../../support/worker/lists.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { dataOf, mainOf } from "../../support/worker/page-text.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

const catalog = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: catalog.database, BASE_URL: "http://carrel.example" });
const HTML = { Accept: "text/html" };
const KEY = "/people/joe/lists/OL1L";
const ADDRESS = `${KEY}/Books_%C3%A9_more`;
const html = (path: string) => service.fetch(path, { headers: HTML });
const text = async (path: string) => (await html(path)).text();
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

beforeAll(async () => {
  await service.load(
    user("joe"),
    author(1, { name: "Ann <b>Author</b>" }),
    author(2, { name: "Bo" }),
    work(1, { title: "Dune", authors: [1, 2], modified: atMinute(1) }),
    work(2, { title: "Emma & <i>Co</i>", modified: atMinute(2) }),
    edition(11, { work: 1, title: "Dune illustrated", publish_date: "1999", modified: atMinute(1) }),
    edition(12, { title: "Lone", modified: atMinute(2) }),
    deleted("/works/OL3W", 1),
    redirected("/works/OL4W", "/works/OL1W", 1),
    list(
      KEY,
      [
        { key: "/works/OL1W" },
        { thing: { key: "/works/OL2W" }, notes: "<script>alert(1)</script>" },
        { key: "/books/OL11M" },
        { key: "/b/OL12M" },
        { key: "/books/OL11M" },
        "subject:love",
        { key: "/authors/OL1A" },
        { key: "/works/OL3W" },
      ],
      { name: "Books é & more", description: "First.\n<b>Second.</b>" },
    ),
    work(5, {
      title: "Part two",
      first_publish_date: "1970",
      series: [{ series: { key: "/series/OL5L" }, position: "2" }],
    }),
    work(6, {
      title: "Part one",
      first_publish_date: "May 1965",
      series: [{ series: { key: "/series/OL5L" }, position: "1" }],
    }),
    list("/series/OL5L", [], { name: "The Cycle" }),
    list("/lists/OL6L", [{ key: "/works/OL1W" }]),
    redirected("/lists/OL8L", "/lists/OL6L", 1),
  );
  await service.load(
    ...numbers(1001, 230).map((id) => work(id, { title: `W${id}` })),
    list(
      "/lists/OL7L",
      numbers(1001, 230).map((id) => ({ key: `/works/OL${id}W` })),
      { name: "Long" },
    ),
  );
  await service.load(list("/lists/OL9L", [{ key: "/works/OL1W" }]));
  await service.load(deleted("/lists/OL9L", 2));
  await indexAll();
});

describe("the page of a list", () => {
  it("is at the readable address and escapes its texts", async () => {
    for (const path of [KEY, `${KEY}/wrong`]) {
      const response = await html(`${path}?page=1`);
      expect(response.status).toBe(301);
      expect(response.headers.get("Location")).toBe(`${ADDRESS}?page=1`);
    }
    const response = await html(ADDRESS);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const body = await response.text();
    expect(body).toContain('<h1><span dir="auto">Books é &amp; more</span></h1>');
    expect(body).toContain(
      '<a href="/works/OL2W"><cite dir="auto">Emma &amp; &lt;i&gt;Co&lt;/i&gt;</cite></a>',
    );
    expect(body).toContain("Ann &lt;b&gt;Author&lt;/b&gt;</bdi></a>, <a");
    expect(body).toContain("First.\n&lt;b&gt;Second.&lt;/b&gt;");
    expect(body).toContain('<a href="/people/joe/lists">All lists by joe</a>');
    expect(body).toContain('<a href="/subjects/love"><cite dir="auto">subject:love</cite></a>');
    expect(mainOf(body)).not.toMatch(/<script|<b>|<i>/);
  });

  it("shows fifty members a page", async () => {
    const first = await text("/lists/OL7L/Long");
    expect(first.match(/<p class="title">/g)).toHaveLength(50);
    expect(first).toContain('<a rel="next" href="/lists/OL7L/Long?page=2">');
    expect(first).not.toContain('rel="prev"');
    const last = await text("/lists/OL7L/Long?page=5");
    expect(last.match(/<p class="title">/g)).toHaveLength(30);
    expect(last).toContain("W1230");
    expect(last).not.toContain('rel="next"');
  });

  it("reads the catalog in two round trips", async () => {
    catalog.statements.length = 0;
    catalog.batches.length = 0;
    await text(`${ADDRESS}?again=1`);
    expect(roundTrips(catalog)).toBe(2);
  });

  it("shows a series with the positions of its works", async () => {
    const body = await text("/series/OL5L/The_Cycle");
    expect(body).toMatch(
      /Part one<\/cite><\/a><\/p><p [^>]*>Book 1 · May 1965<\/p>.*Part two<\/cite><\/a><\/p><p [^>]*>Book 2 · 1970<\/p>/s,
    );
    expect(body).toContain("<span>1965</span><span>1970</span></figcaption>");
    expect(body).toContain("A series · 2 entries");
    expect(dataOf(body)).toMatchObject({
      "@type": "ItemList",
      "@id": "http://carrel.example/series/OL5L/The_Cycle",
      numberOfItems: 2,
      itemListElement: [
        { position: 1, name: "Part one", url: "http://carrel.example/works/OL6W" },
        { position: 2, name: "Part two", url: "http://carrel.example/works/OL5W" },
      ],
    });
    expect(body).toContain(
      '<link rel="alternate" type="application/atom+xml" href="/series/OL5L/feeds/updates.atom" title="Atom">',
    );
    expect(body).toContain(`href="/series/OL5L/feeds/updates.atom"`);
  });

  it("answers 404 for a deleted list and follows redirects", async () => {
    expect((await html("/lists/OL9L")).status).toBe(404);
    expect((await html("/lists/OL9L/x")).status).toBe(404);
    expect((await html("/lists/OL404L")).status).toBe(404);
    const moved = await html("/lists/OL8L");
    expect([moved.status, moved.headers.get("Location")]).toEqual([301, "/lists/OL6L"]);
  });

  it("replaces seeds, editions and subjects for browsers", async () => {
    for (const path of ["seeds", "editions", "subjects"]) {
      expect((await html(`${KEY}/${path}`)).headers.get("Location")).toBe(ADDRESS);
      const json = await service.fetch(`${KEY}/${path}`, { headers: { Accept: "application/json" } });
      expect(await json.json()).toMatchObject({ links: { list: KEY } });
    }
  });
});

describe("pages that list lists", () => {
  it("show the lists of a patron, a record and a subject", async () => {
    const own = await text("/people/joe/lists");
    expect(own).toContain("<h1>Lists by joe</h1>");
    expect(own).toContain(`<a href="${ADDRESS}">Books é &amp; more</a>`);
    const holding = await text("/works/OL1W/lists?limit=1");
    expect(holding).toContain("<h1>Lists containing Dune</h1>");
    expect(holding).toContain('<a rel="next" href="/works/OL1W/lists?limit=1&amp;offset=1">');
    expect(await text("/subjects/love/lists")).toContain("<h1>Lists containing love</h1>");
    expect((await html("/works/OL3W/lists")).status).toBe(404);
    const json = await service.fetch("/people/joe/lists", { headers: { Accept: "application/json" } });
    expect(await json.json()).toMatchObject({ size: 1 });
  });

  it("link to the form for patrons who may create a list there", async () => {
    const jill = await loggedIn(service, "jill");
    const boss = await loggedIn(service, "boss", { groups: ["admin"] });
    const readOnly = await loggedIn(service, "rita", { groups: ["read-only"] });
    const offered = async (who: { fetch: typeof service.fetch }, owner: string) =>
      (await (await who.fetch(`/people/${owner}/lists`, { headers: HTML })).text()).includes(
        `href="/people/${owner}/lists/add">`,
      );
    expect(await offered(jill, "jill")).toBe(true);
    expect(await offered(boss, "jill")).toBe(true);
    expect(await offered(service, "jill")).toBe(false);
    expect(await offered(jill, "joe")).toBe(false);
    expect(await offered(readOnly, "rita")).toBe(false);
    expect(await (await jill.fetch("/works/OL1W/lists", { headers: HTML })).text()).not.toContain(
      "/lists/add",
    );
  });

  it("show all lists and search them by name", async () => {
    const all = await text("/lists");
    expect(all).toContain("3 lists and series");
    expect(all).toContain('<a href="/series/OL5L/The_Cycle">The Cycle</a>');
    expect(all).not.toContain("/lists/OL6L");
    const found = await text("/search/lists?q=cycle");
    expect(found).toContain("1 list or series");
    expect(found).toContain('<input type="text" value="cycle"');
    expect(await text("/search/lists?q=%3Cb%3Enothing")).toContain("Lists matching “&lt;b&gt;nothing”");
  });

  // Q251
  it("redirect the old search address", async () => {
    const response = await service.fetch("/lists/search?q=a+b&page=2");
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/search/lists?q=a+b&page=2"]);
  });
});

describe("<list>/embed", () => {
  it("shows ten members and may be framed", async () => {
    const response = await service.fetch("/lists/OL7L/embed");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    const body = await response.text();
    expect(body.match(/<li>/g)).toHaveLength(10);
    expect(body).toContain('<a rel="next" href="/lists/OL7L/embed?page=2">');
    const last = await (await service.fetch("/lists/OL7L/embed?page=23")).text();
    expect(last).toContain('<ol start="221">');
    expect(last).not.toContain('rel="next"');
    expect(await (await service.fetch(`${KEY}/embed`)).text()).toContain(
      " by Ann &lt;b&gt;Author&lt;/b&gt;, Bo",
    );
    const elsewhere = await html("/lists/OL7L/Long");
    expect(elsewhere.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });
});

describe("<list>/export", () => {
  const exported = async (path: string, format: string) => {
    const response = await service.fetch(`${path}/export?format=${format}`);
    expect(response.status).toBe(200);
    const body = new TextDecoder().decode(await response.arrayBuffer());
    return { type: response.headers.get("Content-Type"), body };
  };

  it("exports records as JSON and YAML, each once, last changed first", async () => {
    const json = await exported(KEY, "json");
    expect(json.type).toBe("application/json");
    const groups: Record<string, { key: string }[]> = JSON.parse(json.body);
    expect(Object.entries(groups).map(([name, records]) => [name, records.map(({ key }) => key)])).toEqual([
      ["editions", ["/books/OL12M", "/books/OL11M"]],
      ["works", ["/works/OL2W", "/works/OL1W"]],
      ["authors", ["/authors/OL1A"]],
    ]);
    expect(groups["works"]?.[1]).toEqual(await service.json("/works/OL1W.json"));
    const yaml = await exported(KEY, "yaml");
    expect(yaml.type).toBe("text/x-yaml; charset=utf-8");
    expect(parse(yaml.body)).toEqual(groups);
    expect(JSON.parse((await exported("/series/OL5L", "json")).body)).toMatchObject({
      editions: [],
      works: [{ key: "/works/OL5W" }, { key: "/works/OL6W" }],
    });
    expect(parse((await exported("/series/OL5L", "yaml")).body)).toMatchObject({ editions: [], authors: [] });
  });

  it("exports a long list completely", async () => {
    const { body } = await exported("/lists/OL7L", "json");
    expect(230).toBeGreaterThan(EXPORT_PAGE_RECORDS);
    const { works }: { works: { key: string }[] } = JSON.parse(body);
    expect(works.map(({ key }) => key).toSorted()).toEqual(
      numbers(1001, 230)
        .map((id) => `/works/OL${id}W`)
        .toSorted(),
    );
    expect(parse((await exported("/lists/OL7L", "yaml")).body)).toEqual(JSON.parse(body));
  });

  it("exports BibTeX with the authors of the work where the edition has none", async () => {
    const { type, body } = await exported(KEY, "bibtex");
    expect(type).toBe("application/x-bibtex");
    expect(body.match(/^@book\{\w+,$/gm)).toEqual([
      "@book{OL12M,",
      "@book{OL11M,",
      "@book{OL2W,",
      "@book{OL1W,",
    ]);
    expect(body).toContain(
      "  author = {<b>Author</b>, Ann and {Bo}},\n  title = {Dune illustrated},\n  year = {1999}",
    );
    expect(body).toContain("url = {http://carrel.example/works/OL1W}");
  });

  it("shows a page without a format", async () => {
    const response = await service.fetch(`${KEY}/export`);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const body = await response.text();
    expect(body).toContain("<h2>Editions</h2>");
    expect(body).toContain(
      '<a href="http://carrel.example/works/OL1W/Dune">Dune</a> by Ann &lt;b&gt;Author&lt;/b&gt;, Bo',
    );
    expect(body).not.toContain("<b>");
  });
});

describe("<list>/feeds/updates.atom", () => {
  it("has an entry for each work of a series", async () => {
    const response = await service.fetch("/series/OL5L/feeds/updates.atom");
    expect(response.headers.get("Content-Type")).toBe('application/atom+xml; charset="utf-8"');
    const body = await response.text();
    expect(body.match(/<title>.*<\/title>/g)?.toSorted()).toEqual([
      "<title>Part one</title>",
      "<title>Part two</title>",
      "<title>Updates of The Cycle</title>",
    ]);
    expect(body).toContain('href="http://carrel.example/works/OL5W/Part_two"');
    expect((await service.fetch("/series/OL9999L/feeds/updates.atom")).status).toBe(404);
  });

  it("has an entry for each edition, last changed first", async () => {
    await service.load(edition(12, { title: "Lone & new", revision: 2 }));
    const response = await service.fetch(`${KEY}/feeds/updates.atom`);
    expect(response.headers.get("Content-Type")).toBe('application/atom+xml; charset="utf-8"');
    const body = await response.text();
    expect(body.match(/<title>.*<\/title>/g)).toEqual([
      "<title>Updates of Books é &amp; more</title>",
      "<title>Lone &amp; new</title>",
      "<title>Dune illustrated</title>",
    ]);
    expect(body).toContain("<name>Anonymous</name>");
    expect((await service.fetch("/lists/OL9L/feeds/updates.atom")).status).toBe(404);
    expect((await service.fetch("/lists/OL6L/feeds/updates.atom")).status).toBe(200);
  });
});
