import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordAnswer, workSchema } from "../../../src/worker/records/record-answer.ts";
import { NO_COUNTS } from "../../../src/search/documents/types.ts";
import { formOf } from "../../support/worker/accounts.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";
import { setWorkCounts } from "../../support/worker/work-counts.ts";

const catalog = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: catalog.database });
let reader: LoggedIn;

beforeAll(async () => {
  await addItem("scan", ["inlibrary"]);
  await service.load(
    author(1, { name: "Agatha Author", photos: [8] }),
    redirected("/authors/OL2A", "/authors/OL1A"),
    deleted("/authors/OL3A", 2),
    language("eng", "English"),
    { key: "/series/OL5L", type: "/type/series", name: "Middle-earth" },
    work(1, {
      title: "A work",
      authors: [1, 2, 3, 9],
      series: [{ series: { key: "/series/OL5L" }, position: "2" }],
      covers: [7],
    }),
    redirected("/works/OL2W", "/works/OL1W"),
    edition(1, {
      work: 2,
      title: "An edition",
      languages: [{ key: "/l/eng" }],
      covers: [-1, 6],
      ocaid: "scan",
      isbn_13: ["9780060935467"],
      by_statement: "by A. Author",
    }),
    edition(2, { work: 1, authors: [{ key: "/authors/OL2A" }] }),
    edition(3, { works: [{ key: "/books/OL3M" }], authors: [{ key: "/works/OL1W" }] }),
    {
      key: "/people/me/lists/OL1L",
      type: "/type/list",
      name: "L",
      seeds: [{ key: "/works/OL1W" }, { key: "/books/OL1M" }, "subject:love"],
    },
  );
  await setWorkCounts([{ workId: 1, counts: { ...NO_COUNTS, ratings: [0, 0, 0, 1, 3] } }]);
  reader = await loggedIn(service, "reader");
  await reader.fetch("/works/OL1W/bookshelves.json", formOf({ bookshelf_id: "1" }));
});

beforeEach(() => {
  // The answers and memos of the tests before are out of date.
  service.now += 600_000;
  catalog.statements.length = 0;
});

const AUTHOR = { key: "/authors/OL1A", type: { key: "/type/author" }, name: "Agatha Author" };
const TOMBSTONE = { key: "/authors/OL3A", type: { key: "/type/delete" } };
const SERIES = { key: "/series/OL5L", name: "Middle-earth" };
const RATINGS = { summary: { average: 4.75, count: 4 }, counts: { 4: 1, 5: 3 } };
const WORK = {
  key: "/works/OL1W",
  authors: [
    { author: AUTHOR },
    { author: AUTHOR },
    { author: TOMBSTONE },
    { author: { key: "/authors/OL9A" } },
  ],
  series: [{ series: SERIES, position: "2" }],
};

interface Body {
  entries?: unknown[];
  reading_log_entries?: unknown[];
  OL1M?: { details?: unknown };
  "OL1M@1"?: { details?: unknown };
}

describe("expand", () => {
  it.each([
    ["/works/OL1W.json", "authors,series", WORK, "authors, series"],
    ["/books/OL1M.json", "works,authors,series", { works: [WORK] }, "authors, works, series"],
    [
      "/books/OL1M.json",
      "languages",
      { languages: [{ key: "/languages/eng", name: "English" }] },
      "languages",
    ],
    ["/books/OL2M.json", "authors", { authors: [AUTHOR], works: [{ key: "/works/OL1W" }] }, "authors"],
    // Q811: from the work, which has been merged.
    [
      "/books/OL1M.json",
      "authors",
      { authors: [AUTHOR, AUTHOR, TOMBSTONE, { key: "/authors/OL9A" }] },
      "authors",
    ],
    // References to records of other types stay, also to the record itself.
    [
      "/books/OL3M.json",
      "works,authors",
      { works: [{ key: "/books/OL3M" }], authors: [{ key: "/works/OL1W" }] },
      null,
    ],
    ["/books/OL1M.json", "cover", { cover: { small: expect.stringMatching(/\/b\/id\/6-S\.jpg$/) } }, "cover"],
    [
      "/authors/OL1A.json",
      "cover",
      { cover: { large: expect.stringMatching(/\/a\/id\/8-L\.jpg$/) } },
      "cover",
    ],
    ["/works/OL1W.json", "ratings", { ratings: RATINGS }, "ratings"],
    ["/books/OL1M.json", "ratings", { ratings: RATINGS }, "ratings"],
    [
      "/books/OL1M.json",
      "availability",
      { availability: { status: "borrow_available", identifier: "scan" } },
      "availability",
    ],
    ["/works/OL1W.json", "availability", { availability: { openlibrary_work: "OL1W" } }, "availability"],
    ["/works/OL2W.json", "authors", { type: { key: "/type/redirect" } }, null],
    ["/works/OL1W.json", "", { authors: [{ author: { key: "/authors/OL1A" } }, {}, {}, {}] }, null],
  ])("puts parts into %s: %s", async (path, names, expected, header) => {
    const response = await service.fetch(`${path}?expand=${names}`);
    expect(await response.json()).toMatchObject(expected);
    expect(response.headers.get("X-Carrel-Expanded")).toBe(header);
  });

  const ENTRY = "/api/books.json?bibkeys=OL1M";
  it.each([
    ["/authors/OL1A/works.json", (body: Body) => body.entries?.[0], WORK],
    ["/works/OL1W/editions.json", (body: Body) => body.entries?.[0], { authors: [AUTHOR] }],
    ["/people/me/lists/OL1L/editions.json", (body: Body) => body.entries?.[0], { works: [WORK] }],
    [`${ENTRY}&jscmd=details`, (body: Body) => body.OL1M?.details, { works: [WORK] }],
    [`${ENTRY}&jscmd=data`, (body: Body) => body.OL1M, { title: "An edition", record: { works: [WORK] } }],
    [`${ENTRY}@1&jscmd=details`, (body: Body) => body["OL1M@1"]?.details, { works: [WORK] }],
    [ENTRY, (body: Body) => body.OL1M, { bib_key: "OL1M", record: { works: [WORK] } }],
    [
      "/people/me/lists/OL1L/seeds.json",
      (body: Body) => body.entries?.[0],
      { url: "/works/OL1W", record: WORK },
    ],
    ["/people/me/lists/OL1L/seeds.json", (body: Body) => body.entries?.[1], { record: { works: [WORK] } }],
    [
      "/people/reader/books/want-to-read.json",
      (body: Body) => body.reading_log_entries?.[0],
      { work: { record: WORK } },
    ],
  ] as const)("puts parts into the entries of %s", async (path, entryOf, expected) => {
    const url = `${path}${path.includes("?") ? "&" : "?"}expand=works,authors,series`;
    const response = await (path.startsWith("/people/reader") ? reader : service).fetch(url);
    expect(entryOf(await response.json())).toMatchObject(expected);
    expect(response.headers.get("X-Carrel-Expanded")).toContain("authors");
    // A shelf shows more than records.
    expect(response.headers.has("ETag")).toBe(!path.includes("want-to-read"));
  });

  it("takes one statement for a record, and one more of the same round trip for a page", async () => {
    const statements = async (path: string) => {
      catalog.statements.length = 0;
      catalog.batches.length = 0;
      const response = await service.fetch(path);
      expect([response.status, roundTrips(catalog)]).toEqual([200, 1]);
      return catalog.statements.length;
    };
    expect(await statements("/books/OL1M.json?expand=works,authors,series,languages")).toBe(1);
    const plain = await statements("/works/OL1W/editions.json");
    expect(await statements("/works/OL1W/editions.json?expand=works,authors,series,languages")).toBe(
      plain + 1,
    );
  });

  it("has the key of records first", async () => {
    const text = await (await service.fetch("/works/OL1W.json?expand=authors")).text();
    expect(text).toContain('"author":{"key":"/authors/OL1A"');
    expect(text).toMatch(/^\{"key":/);
  });

  it("refuses unknown names", async () => {
    const response = await service.fetch("/works/OL1W.json?expand=authors,editors");
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ["query", "expand", 1], input: "editors" }],
    });
  });

  it("expands an old revision, and calls of scripts", async () => {
    const old = await service.json("/works/OL1W.json?v=1&expand=authors");
    expect(old).toMatchObject({ authors: WORK.authors });
    const script = await service.fetch("/works/OL1W.json?expand=authors&callback=show");
    expect(await script.text()).toContain('show({"key":"/works/OL1W"');
  });

  it("shows changes of a part at once, with another tag", async () => {
    const path = "/works/OL1W.json?expand=authors";
    const before = await service.fetch(path);
    await service.load(author(1, { name: "Renamed", revision: 2 }));
    const after = await service.fetch(path, {
      headers: { "If-None-Match": before.headers.get("ETag") ?? "" },
    });
    expect(after.status).toBe(200);
    expect(await after.json()).toMatchObject({ authors: [{ author: { name: "Renamed" } }, {}, {}, {}] });
    const headers = { "If-None-Match": after.headers.get("ETag") ?? "" };
    expect((await service.fetch(path, { headers })).status).toBe(304);
    await service.load(author(1, { name: "Agatha Author", revision: 3 }));
  });

  it("shows ratings without a cache", async () => {
    const path = "/works/OL1W.json?expand=ratings";
    await service.json(path);
    await setWorkCounts([{ workId: 1, counts: { ...NO_COUNTS, ratings: [1, 0, 0, 0, 0] } }]);
    expect(await service.json(path)).toMatchObject({ ratings: { summary: { count: 1 } } });
  });
});

describe("fields", () => {
  it("select members that the description allows to be absent", () => {
    expect(recordAnswer(workSchema).safeParse({ key: "/works/OL1W" }).success).toBe(true);
  });

  it.each([
    [
      "/books/OL1M.json?fields=title,by_*",
      { key: "/books/OL1M", title: "An edition", by_statement: "by A. Author" },
    ],
    ["/works/OL1W.json?fields=nothing", { key: "/works/OL1W" }],
    [
      "/books/OL2M.json?fields=authors&expand=authors,cover",
      { key: "/books/OL2M", authors: [expect.objectContaining(AUTHOR)] },
    ],
  ])("selects members of %s", async (path, expected) => {
    expect(await service.json(path)).toEqual(expected);
  });

  it.each([
    ["/authors/OL1A/works.json", { entries: [{ key: "/works/OL1W", title: "A work" }] }],
    ["/works/OL1W/editions.json", { entries: [{ key: "/books/OL2M", title: "Edition 2" }] }],
    [
      "/people/me/lists/OL1L/seeds.json",
      { entries: [{ key: "/works/OL1W", title: "A work" }, {}, { key: "subject:love" }] },
    ],
    ["/people/reader/books/want-to-read.json", { reading_log_entries: [{ work: { key: "/works/OL1W" } }] }],
  ])("selects members of the entries of %s", async (path, expected) => {
    const client = path.startsWith("/people/reader") ? reader : service;
    const body = await client.json(`${path}?fields=title`);
    expect(body).toMatchObject(expected);
    expect(JSON.stringify(body)).not.toMatch(/"(?:type|url|cover_id|logged_date)"/);
  });
});
