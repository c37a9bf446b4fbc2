import { beforeAll, describe, expect, it } from "vitest";
import { childElements, elementText, parseXml } from "../../../src/import/xml/document.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "https://books.example" });
service.now = Date.parse("2026-11-20T10:00:00Z");
let ann: LoggedIn;

interface JsonFeed {
  version: string;
  title: string;
  home_page_url: string;
  feed_url: string;
  items: { id: string; url: string; title: string; date_published: string; authors?: { name: string }[] }[];
}

const at = (day: string) => ({
  created: { type: "/type/datetime", value: `2020-01-${day}T00:00:00.000000` },
});
const feed = async (path: string): Promise<JsonFeed> => {
  const response = await service.fetch(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
};
const post = (path: string, body: Record<string, string>) =>
  ann.fetch(path, { method: "POST", body: new URLSearchParams(body) });

beforeAll(async () => {
  await service.load(
    author(1, { name: "Jane Doe" }),
    author(3),
    redirected("/authors/OL2A", "/authors/OL1A"),
    { key: "/series/OL1L", type: "/type/series", name: "Waters" },
    work(1, { authors: [1], title: "Older <b>", subjects: ["Slow rivers"], ...at("01") }),
    work(2, {
      authors: [1],
      title: "Newest",
      subjects: ["Slow rivers"],
      series: [{ series: { key: "/series/OL1L" }, position: "1" }],
      ...at("03"),
    }),
    work(4, { authors: [1], title: "Middle", subtitle: "a part", ...at("02") }),
    author(4, { name: "Many" }),
    ...Array.from({ length: 60 }, (_, index) => work(95 + index, { authors: [4] })),
    edition(1, { work: 1, publishers: ["Doe & Sons"], publish_date: "1999" }),
  );
  await indexAll();
  ann = await loggedIn(service, "ann");
  for (const id of [1, 2]) {
    service.now += 1000;
    expect((await post(`/works/OL${id}W/bookshelves.json`, { bookshelf_id: "1" })).status).toBe(200);
  }
});

describe("feeds of new books (Q837)", () => {
  it.each([
    ["/authors/OL1A", "Jane Doe", ["Newest", "Middle: a part", "Older <b>"]],
    ["/authors/OL3A", "Author 3", []],
    ["/series/OL1L", "Waters", ["Newest"]],
    ["/subjects/slow_rivers", "slow rivers", ["Newest", "Older <b>"]],
    ["/publishers/Doe_%26_Sons", "Doe & Sons", ["Older <b>"]],
  ])("%s has the newest first, in both formats", async (path, name, titles) => {
    const json = await feed(`${path}/feed.json`);
    expect(json).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      title: `New books: ${name}`,
      home_page_url: `https://books.example${path}`,
      feed_url: `https://books.example${path}/feed.json`,
    });
    expect(json.items.map(({ title }) => title)).toEqual(titles);
    const root = parseXml(await (await service.fetch(`${path}/feed.atom`)).text());
    const entries = childElements(root).filter((child) => child.name === "entry");
    const texts = entries.map((entry) => elementText(childElements(entry)[0] ?? entry));
    expect([root.name, texts]).toEqual(["feed", titles]);
  });

  it("have the 50 works with the highest numbers", async () => {
    const { items } = await feed("/authors/OL4A/feed.json");
    expect(items.map(({ title }) => title)).toEqual(
      Array.from({ length: 50 }, (_, place) => `Work ${154 - place}`),
    );
  });

  it("have lasting ids and the times of the records", async () => {
    const { items } = await feed("/authors/OL1A/feed.json");
    expect(items[2]).toMatchObject({
      id: "https://books.example/works/OL1W",
      url: "https://books.example/works/OL1W",
      date_published: "2020-01-01T00:00:00Z",
      content_text: "1999",
      authors: [{ name: "Jane Doe" }],
    });
  });

  it("can be kept for a minute and asked for again", async () => {
    const response = await service.fetch("/authors/OL1A/feed.atom");
    expect(response.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    const headers = { "If-None-Match": response.headers.get("ETag") ?? "" };
    expect((await service.fetch("/authors/OL1A/feed.atom", { headers })).status).toBe(304);
  });

  it.each([
    ["/authors/OL9A/feed.atom", 404],
    ["/authors/OL2A/feed.atom", 301],
    ["/series/OL9L/feed.json", 404],
    ["/subjects/none/feed.json", 404],
    ["/publishers/None/feed.atom", 404],
    ["/recentchanges/20x/feed.atom", 404],
    ["/recentchanges/feed.rss", 422],
    ["/recentchanges/2026/feed.rss", 422],
    ["/subjects/love/feed.rss", 422],
    ["/people/nobody/books/want-to-read/feed.atom", 404],
    ["/people/ann/books/unknown/feed.atom", 404],
  ])("%s is answered with %i", async (path, status) => {
    const response = await service.fetch(path, { redirect: "manual" });
    expect(response.status).toBe(status);
    if (status === 301) expect(response.headers.get("Location")).toBe("/authors/OL1A/feed.atom");
  });
});

describe("the feed of changes", () => {
  it("lists the changes of a kind with their records", async () => {
    const body = JSON.stringify({ key: "/works/OL1W", type: { key: "/type/work" }, title: "Corrected" });
    const headers = { "Content-Type": "application/json" };
    const bot = await loggedIn(service, "bot", { groups: ["api"] });
    expect((await bot.fetch("/works/OL1W.json", { method: "PUT", body, headers })).status).toBe(200);
    const { title, items } = await feed("/recentchanges/update/feed.json");
    expect(title).toBe("Recent changes: update");
    expect(items).toMatchObject([{ title: "Record edited: Corrected", authors: [{ name: "bot" }] }]);
    const all = await feed("/recentchanges/feed.json?author=/people/bot");
    expect(all.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    const page = items[0]?.url.replace("https://books.example", "") ?? "";
    expect((await service.fetch(page)).status).toBe(200);
    expect((await feed("/recentchanges/merge-works/feed.json")).items).toEqual([]);
  });
});

describe("the feed of a shelf", () => {
  const path = "/people/ann/books/want-to-read";

  it("exists while the reading log is public", async () => {
    await post("/account/preferences.json", { public_readlog: "no" });
    expect((await service.fetch(`${path}/feed.json`)).status).toBe(404);
    expect((await ann.fetch(`${path}/feed.json`)).status).toBe(404);
    const body = JSON.stringify({ public_readlog: "yes" });
    const headers = { "Content-Type": "application/json" };
    await ann.fetch("/account/preferences.json", { method: "POST", body, headers });
    const { title, items } = await feed(`${path}/feed.json`);
    expect(title).toBe("ann: Want to Read");
    expect(items).toMatchObject([
      { id: `https://books.example${path}#/works/OL2W`, date_published: "2026-11-20T10:00:02Z" },
      { title: "Corrected", url: "https://books.example/works/OL1W" },
    ]);
  });
});

describe("pages", () => {
  it.each([
    "/authors/OL1A/Jane_Doe",
    "/series/OL1L/Waters",
    "/subjects/slow_rivers",
    "/publishers/Doe_%26_Sons",
    "/recentchanges",
    "/recentchanges/update",
    "/people/ann/books/want-to-read",
  ])("%s links to its feeds", async (path) => {
    const page = await (await service.fetch(path, { headers: { Accept: "text/html" } })).text();
    const links = page.matchAll(/<link rel="alternate" type="[^"]+" href="([^"]+\/feed\.\w+)"/g);
    const addresses = [...links].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
    expect(addresses).toHaveLength(2);
    for (const address of addresses) expect((await service.fetch(address)).status).toBe(200);
  });
});
