import { beforeEach, describe, expect, it } from "vitest";
import {
  followBy,
  followedNetwork,
  SINCE,
  SOURCE,
  TODAY,
  W1,
  change,
  many,
  manyAt,
  pageAt,
  record,
} from "../../support/worker/followed.ts";
import { OPERATOR } from "../../support/worker/import-queue.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const network = followedNetwork();
let service: TestService;
const follow = (wish?: object) => followBy(service, wish);

beforeEach(async () => {
  await emptyStores();
  service = testService();
});

describe("follow", () => {
  it("imports the records that changes name, redirects included", async () => {
    const redirect = {
      ...record("/works/OL2W", 3),
      type: { key: "/type/redirect" },
      location: "/works/OL1W",
    };
    const deleted = { ...record("/books/OL3M", 4), type: { key: "/type/delete" } };
    network.answers({
      [pageAt()]: [
        change(12, { key: "/works/OL1W", revision: 2 }, { key: "/works/OL2W", revision: 3 }),
        change(11, { key: "/books/OL3M", revision: 4 }, { key: "/people/jane", revision: 9 }),
        { ...change(10), changes: null },
      ],
      [manyAt("/books/OL3M", "/works/OL1W", "/works/OL2W")]: many(W1, redirect),
      [`${SOURCE}/books/OL3M.json`]: deleted,
    });
    expect(await follow(SINCE)).toMatchObject({
      day: TODAY,
      changes: 3,
      stored: 3,
      waiting: 0,
      caught_up: true,
      problem: null,
    });
    expect(await service.json("/works/OL1W.json")).toEqual(W1);
    expect((await service.fetch("/works/OL2W.json?v=3")).status).toBe(200);
    expect(await service.json("/works/OL2W.json?v=3")).toMatchObject({ location: "/works/OL1W" });
    expect(await service.json("/books/OL3M.json?v=4")).toMatchObject({ type: { key: "/type/delete" } });
    expect((await service.fetch("/people/jane.json")).status).toBe(404);
    network.asked.length = 0;
    expect(await follow(SINCE)).toMatchObject({ changes: 3, stored: 3, caught_up: true });
    expect(network.asked).toEqual([pageAt()]);
  });

  it("reads changes page by page, while others are added", async () => {
    const all = Array.from({ length: 250 }, (_, n) =>
      change(1000 - n, { key: `/works/OL${n + 1}W`, revision: 1 }),
    );
    const records = all.map((_, n) => record(`/works/OL${n + 1}W`, 1, { title: `Title ${n}` }));
    const later = [
      change(1002, { key: "/works/OL1W", revision: 2 }),
      change(1001, { key: "/works/OL2W", revision: 1 }),
    ];
    const batch = (from: number, to: number) => records.slice(from, to).toReversed();
    const seen = [...later, ...all];
    network.answers({
      [pageAt()]: all.slice(0, 100),
      // Two more have come since the first page.
      [pageAt(100)]: seen.slice(100),
      [manyAt(...batch(0, 100).map(({ key }) => key))]: many(...batch(0, 100)),
      [manyAt(...batch(150, 250).map(({ key }) => key))]: many(...batch(150, 250)),
      [manyAt(...batch(100, 150).map(({ key }) => key))]: many(...batch(100, 150)),
    });
    expect(await follow(SINCE)).toMatchObject({ changes: 250, stored: 250, caught_up: true });
    network.answers({
      [pageAt()]: seen.slice(0, 100),
      [pageAt(100)]: seen.slice(100),
      [manyAt("/works/OL2W", "/works/OL1W")]: many(W1, records[1] ?? W1),
    });
    expect(await follow()).toMatchObject({ changes: 252, stored: 251, caught_up: true });
    expect(await service.json("/works/OL1W.json")).toEqual(W1);
  });

  it("continues with the next day", async () => {
    network.answers({
      [pageAt(0, "2026-11-19")]: [change(5, { key: "/works/OL1W", revision: 2 })],
      [pageAt(0, "2026-11-20")]: [],
      [pageAt()]: [],
      [`${SOURCE}/works/OL1W.json`]: W1,
    });
    expect(await follow({ since: "2026-11-19" })).toMatchObject({ day: TODAY, stored: 1, caught_up: true });
  });

  it("imports each revision with `history`", async () => {
    const first = record("/works/OL1W", 1, { title: "First" });
    network.answers({
      [pageAt()]: [
        change(2, { key: "/works/OL1W", revision: 2 }),
        change(1, { key: "/works/OL1W", revision: 1 }),
      ],
      [`${SOURCE}/works/OL1W.json?v=1`]: { ...first, latest_revision: 2 },
      [`${SOURCE}/works/OL1W.json?v=2`]: W1,
    });
    expect(await follow({ ...SINCE, history: true })).toMatchObject({ stored: 2, caught_up: true });
    expect(await service.json("/works/OL1W.json?v=1")).toMatchObject({ title: "First", revision: 1 });
    expect(await service.json("/works/OL1W.json?m=history")).toHaveLength(2);
  });

  it("fetches records one by one if the source cannot return many", async () => {
    const page = [change(1, { key: "/works/OL1W", revision: 2 }, { key: "/authors/OL1A", revision: 1 })];
    network.answers({
      [pageAt()]: page,
      [manyAt("/works/OL1W", "/authors/OL1A")]: new Response("", { status: 404 }),
      [`${SOURCE}/works/OL1W.json`]: W1,
      [`${SOURCE}/authors/OL1A.json`]: record("/authors/OL1A", 1, { name: "Ann" }),
    });
    expect(await follow(SINCE)).toMatchObject({ stored: 2, caught_up: true });
  });

  it("imports only records that the changes name", async () => {
    const group = { ...record("/usergroup/admin", 1), members: [{ key: "/people/mallory" }] };
    network.answers({
      [pageAt()]: [
        change(2, { key: "/usergroup/admin", revision: 1 }, { key: "/works/OL1W", revision: 2 }),
        change(1, { key: "/works/OL2W", revision: 1 }),
      ],
      [manyAt("/works/OL2W", "/works/OL1W")]: many(W1, group, record("/works/OL2W", 1, { title: "Two" })),
    });
    expect(await follow(SINCE)).toMatchObject({ stored: 2, caught_up: true });
    expect((await service.fetch("/usergroup/admin.json")).status).toBe(404);
  });

  it("imports only the wanted kinds", async () => {
    network.answers({
      [pageAt()]: [change(1, { key: "/works/OL1W", revision: 2 }, { key: "/authors/OL1A", revision: 1 })],
      [`${SOURCE}/works/OL1W.json`]: W1,
    });
    expect(await follow({ ...SINCE, only: ["works"] })).toMatchObject({ stored: 1, kinds: ["works"] });
  });
});

describe("follow: conflicts", () => {
  it("keeps a record edited here, and lists it as a conflict", async () => {
    await service.loadUnindexed(work(1));
    const boss = await loggedIn(service, "boss", { groups: ["admin"] });
    const edited = { key: "/works/OL1W", type: { key: "/type/work" }, title: "Edited here" };
    const put = await boss.fetch("/works/OL1W.json", { method: "PUT", body: JSON.stringify(edited) });
    expect(put.status).toBe(200);
    network.answers({
      [pageAt()]: [change(9, { key: "/works/OL1W", revision: 7 })],
      [`${SOURCE}/works/OL1W.json`]: record("/works/OL1W", 7, { title: "There" }),
    });
    expect(await follow(SINCE)).toMatchObject({ stored: 0, caught_up: true });
    expect(await service.json("/works/OL1W.json")).toMatchObject({ title: "Edited here", revision: 2 });
    const state = await (await service.fetch("/system/follow.json", { headers: OPERATOR })).json();
    expect(state).toMatchObject({ kept: [{ key: "/works/OL1W", there: 7 }], next: null });
    const page = await (await boss.fetch("/admin/follow", { headers: { Accept: "text/html" } })).text();
    expect(page).toContain(`<a href="${SOURCE}/works/OL1W?v=7">`);
  });
});

it("keeps a revision loaded from a dump", async () => {
  await service.loadUnindexed(work(1, { table_of_contents: ["As it is stored"] }));
  const stored = (await service.json("/works/OL1W.json")) as object;
  network.answers({
    [pageAt()]: [change(9, { key: "/works/OL1W", revision: 1 })],
    [`${SOURCE}/works/OL1W.json`]: { ...stored, table_of_contents: [{ title: "As it is shown" }] },
  });
  expect(await follow(SINCE)).toMatchObject({ stored: 0, caught_up: true });
  expect(await service.json("/works/OL1W.json")).toEqual(stored);
});

describe("follow: parts", () => {
  it("imports the records of a list, what they name and editions of its works only", async () => {
    const wanted = record("/works/OL1W", 2, {
      title: "One",
      authors: [{ author: { key: "/authors/OL1A" } }],
    });
    const edition = record("/books/OL5M", 1, { title: "One", works: [{ key: "/works/OL1W" }] });
    const other = record("/books/OL6M", 1, { title: "Other", works: [{ key: "/works/OL9W" }] });
    const fresh = record("/books/OL7M", 1, { title: "New", works: [{ key: "/works/OL1W" }] });
    network.answers({
      [`${SOURCE}/people/ann/lists/OL8L/seeds.json?limit=100&offset=0`]: {
        entries: [{ url: "/works/OL1W" }, { url: "/subjects/love" }],
      },
      [`${SOURCE}/works/OL1W/editions.json?limit=100&offset=0`]: { size: 1, entries: [edition] },
      [`${SOURCE}/works/OL1W.json`]: wanted,
      [`${SOURCE}/books/OL5M.json`]: edition,
      [`${SOURCE}/authors/OL1A.json`]: record("/authors/OL1A", 1, { name: "Ann" }),
      [pageAt()]: [
        change(3, { key: "/books/OL7M", revision: 1 }, { key: "/works/OL9W", revision: 1 }),
        change(2, { key: "/books/OL6M", revision: 1 }),
      ],
      [manyAt("/books/OL6M", "/books/OL7M")]: many(other, fresh),
    });
    expect(await follow({ ...SINCE, parts: ["/people/ann/lists/OL8L"] })).toMatchObject({
      part: true,
      stored: 4,
      caught_up: true,
    });
    const statuses = await Promise.all(
      ["OL5M", "OL6M", "OL7M"].map(async (id) => (await service.fetch(`/books/${id}.json`)).status),
    );
    expect(statuses).toEqual([200, 404, 200]);
    expect(await service.json("/authors/OL1A.json")).toMatchObject({ name: "Ann" });
  });

  it("imports histories, page by page of a subject", async () => {
    const works = Array.from({ length: 101 }, (_, n) =>
      record(`/works/OL${n + 1}W`, 1, {
        title: `Title ${n}`,
        authors: [{ author: { key: "/authors/OL1A" } }],
      }),
    );
    const last = works.at(-1) ?? W1;
    const listing = (offset: number) => `${SOURCE}/subjects/love.json?limit=100&offset=${offset}`;
    // Each may bring many revisions along, so that ten are asked for at once.
    const tens = Array.from({ length: 10 }, (_, n) => works.slice(10 * n, 10 * n + 10));
    const editions = works.map(({ key }) => [
      `${SOURCE}${key}/editions.json?limit=100&offset=0`,
      { entries: [] },
    ]);
    network.answers({
      ...Object.fromEntries(editions),
      [listing(0)]: { works: works.slice(0, 100) },
      [listing(100)]: { works: [last] },
      ...Object.fromEntries(tens.map((ten) => [manyAt(...ten.map(({ key }) => key)), many(...ten)])),
      [`${SOURCE}${last.key}.json`]: { ...last, revision: 3, latest_revision: 3 },
      [`${SOURCE}${last.key}.json?v=2`]: { ...last, revision: 2, latest_revision: 3 },
      [`${SOURCE}${last.key}.json?v=1`]: { ...last, revision: 1, latest_revision: 3 },
      [pageAt()]: [],
    });
    const wish = { ...SINCE, history: true, only: ["works", "editions"], parts: ["/subjects/love"] };
    let state = await follow(wish);
    while (state["caught_up"] === false) state = await follow();
    expect(state).toMatchObject({ stored: 103, problem: null });
    expect(await service.json(`${last.key}.json?m=history`)).toHaveLength(3);
  });

  it("imports lists as stored, and reports missing ones", async () => {
    const key = "/people/ann/lists/OL8L";
    const list = { ...record(key, 1, { name: "Mine", seeds: [] }), type: { key: "/type/list" } };
    network.answers({
      [`${SOURCE}/people/bob/lists/OL9L/seeds.json?limit=100&offset=0`]: new Response("", { status: 404 }),
      [pageAt()]: [change(1, { key, revision: 1 })],
      [`${SOURCE}${key}.json?_raw=true`]: list,
    });
    expect(await follow(SINCE)).toMatchObject({ stored: 1 });
    expect(await service.json(`${key}.json?_raw=true`)).toEqual(list);
    const state = await follow({ parts: ["/people/bob/lists/OL9L"] });
    expect(state).toMatchObject({ failed: ["/people/bob/lists/OL9L/seeds"], caught_up: true });
  });

  it("refuses parts other than lists, series and subjects", async () => {
    await expect(follow({ ...SINCE, parts: ["/works/OL1W"] })).rejects.toThrow(/400 .*Not a list/);
  });
});
