import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeActivity } from "../../../src/db/patrons/activity.ts";
import { LEADERS_MAX } from "../../../src/db/patrons/leaders.ts";
import { addAccounts, workMessage } from "../../support/worker/activity.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { hrefs, textOf } from "../../support/worker/page-text.ts";

const service = testService();
const HTML = { headers: { Accept: "text/html" } };
const page = async (path: string): Promise<string> => {
  const response = await service.fetch(path, HTML);
  expect([path, response.status]).toEqual([path, 200]);
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
  return response.text();
};
const NOW = service.now;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

beforeAll(async () => {
  await addItem("openscan", ["americana"]);
  await service.load(
    author(1, { name: "Ann <b>Lee</b>" }),
    ...numbers(60).map((at) => work(1 + at, { title: `Work <i>${at}</i>`, authors: [1], subjects: ["Sea"] })),
    edition(1, { work: 1, ocaid: "openscan" }),
    edition(2, { work: 1 }),
    redirected("/works/OL99W", "/works/OL1W", 1),
    { key: "/people/joe/lists/OL1L", type: "/type/list", name: "L", seeds: [{ key: "/works/OL1W" }] },
    { key: "/series/OL2L", type: "/type/series", name: "S", seeds: [] },
  );
  await service.load(work(90), author(91));
  await service.load(deleted("/works/OL90W", 2), deleted("/authors/OL91A", 2));
  await indexAll();
  await addAccounts("ann", "ben", "cat");
  const onShelf = (shelf: 1 | 2 | 3 | 4, stars: 4 | null = null) => ({
    shelf,
    logged: NOW - 1000,
    moved: NOW - 1000,
    stars,
    rated: stars === null ? null : NOW,
  });
  await storeActivity(env.PATRONS, [
    ...numbers(60).map((at) => workMessage("ann", 1 + at, 1, onShelf(1))),
    workMessage("ben", 7, 1, onShelf(1)),
    workMessage("ben", 3, 1, onShelf(3, 4)),
    workMessage("cat", 3, 1, { stars: 4, rated: NOW }),
    workMessage("cat", 4, 1, onShelf(4)),
  ]);
});

beforeEach(async () => {
  const { keys } = await env.CACHE.list();
  for (const { name } of keys) await env.CACHE.delete(name);
});

describe("GET /stats", () => {
  it("counts records without deleted and redirected ones", async () => {
    expect(await service.json("/stats.json")).toEqual({
      works: 60,
      editions: 2,
      authors: 1,
      subjects: 1,
      lists: 1,
      series: 1,
      ebooks: 1,
      members: 3,
      changes: 3,
      recent: { days: 30, changes: 3, logins: 0 },
      counted: "2026-11-21T12:00:00.000000",
    });
    expect(await service.json("/search.json?has_fulltext=true&limit=0")).toMatchObject({ numFound: 1 });
  });

  it("is a page with the loans of 30 days", async () => {
    const html = await page("/stats");
    expect(textOf(html)).toContain("Works 60");
    expect(textOf(html)).toContain("21 November 2026 0 20 November 2026 0");
    expect(textOf(html)).not.toContain("2026-10-22");
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(hrefs(html)).toEqual(expect.arrayContaining(["/stats/waitinglists", "/stats.json"]));
    for (const path of hrefs(html).filter((href) => href.startsWith("/stats"))) {
      expect([path, (await service.fetch(path, HTML)).status]).toEqual([path, 200]);
    }
  });
});

describe("GET /stats/readinglog.json", () => {
  it("ranks works by shelves and ratings, without patrons", async () => {
    const answer = Object(await service.json("/stats/readinglog.json?limit=2"));
    expect(answer).toMatchObject({
      totals: { want_to_read: 61, currently_reading: 0, already_read: 1, stopped_reading: 1, ratings: 2 },
      works: 60,
      readers: 3,
      leaderboards: {
        want_to_read: [
          { key: "/works/OL7W", title: "Work <i>6</i>", authors: ["Ann <b>Lee</b>"], count: 2 },
          { key: "/works/OL1W", count: 1 },
        ],
        currently_reading: [],
        already_read: [{ key: "/works/OL3W", count: 1 }],
        stopped_reading: [{ key: "/works/OL4W", count: 1 }],
        ratings: [{ key: "/works/OL3W", count: 2 }],
      },
      counted: "2026-11-21T12:00:00.000000",
    });
    expect(JSON.stringify(answer)).not.toMatch(/"ann"|"ben"|"cat"/);
  });

  it.each([
    ["", 10],
    ["?limit=50", LEADERS_MAX],
    ["?limit=51&mode=all", LEADERS_MAX],
    ["?limit=0", 1],
    ["?limit=x", 10],
  ])("%s returns %i works", async (query, count) => {
    const { leaderboards } = Object(await service.json(`/stats/readinglog.json${query}`));
    expect(leaderboards.want_to_read).toHaveLength(count);
  });
});

it("GET /stats/waitinglists is a page", async () => {
  const html = await page("/stats/waitinglists");
  expect(textOf(html)).toContain("Books with a waiting list 0");
  expect(await service.json("/stats/waitinglists")).toEqual({ items: 0, waiting: 0, available: 0 });
});
