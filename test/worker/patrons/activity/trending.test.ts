import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { minuteOf } from "../../../../src/catalog/datetime.ts";
import type { ActivityMessage } from "../../../../src/catalog/patrons/activity.ts";
import {
  type TrendingPeriod,
  TRENDING_PERIODS,
  TRENDING_PERIOD_NAMES,
} from "../../../../src/catalog/patrons/shelves.ts";
import { readTrending } from "../../../../src/db/patrons/trending.ts";
import { storeActivity } from "../../../../src/db/patrons/activity.ts";
import { addAccounts, workItem } from "../../../support/worker/activity.ts";
import { indexAll } from "../../../support/worker/indexing.ts";
import { randomFrom } from "../../../support/worker/random.ts";
import { author, edition, work } from "../../../support/worker/records.ts";
import { type TestService, testService } from "../../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../../support/worker/statements.ts";
import { emptyStores } from "../../../support/worker/stored.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WORKS = 12;
const NOW = Date.parse("2026-11-21T12:34:56.789Z");

interface Entry {
  readonly work: number;
  readonly shelf: 1 | 2 | 3 | 4;
  readonly logged: number;
  readonly moved: number;
}

let service: TestService;
const entries: Entry[] = [];

beforeAll(async () => {
  await emptyStores();
  service = testService();
  service.now = NOW;
  await service.load(
    author(1, { name: "Ann Author" }),
    ...Array.from({ length: WORKS }, (_, index) => work(index + 1, { authors: [1] })),
    edition(1, { work: 1, ocaid: "scan1" }),
  );
  await indexAll();
  await fill();
});

/** Entries of all ages, some at the very bounds of windows; work 13 is in no index. */
async function fill(): Promise<void> {
  const random = randomFrom(7);
  const names = Array.from({ length: 40 }, (_, index) => `patron${index}`);
  await addAccounts(...names);
  const messages: ActivityMessage[] = [];
  const ages = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS, 2000 * DAY_MS];
  for (const patron of names) {
    const items = [];
    for (let number = 1; number <= WORKS + 1; number += 1) {
      if (random.chance(0.3)) continue;
      const age = random.chance(0.2) ? random.pick(ages) : random.below(random.pick(ages));
      const logged = NOW - age;
      const moved = logged + random.below(age + 1);
      const entry = { work: number, shelf: random.pick([1, 2, 3, 4] as const), logged, moved };
      entries.push(entry);
      items.push(workItem(number, number, entry));
    }
    messages.push({ patron, items });
  }
  await storeActivity(env.PATRONS, messages);
}

/** Works with their counts, in the expected order. */
function ranking(start: number, minimum = 0): [work: number, entries: number][] {
  const counts = new Map<number, number>();
  for (const { work: id, shelf, logged } of entries) {
    if (shelf < 4 && logged >= start) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > minimum).sort(([a, x], [b, y]) => y - x || a - b);
}

function startOf(period: TrendingPeriod, hours = 0): number {
  const days = TRENDING_PERIODS[period];
  return days === null ? 0 : NOW - (days * 24 + hours) * HOUR_MS;
}

const keysOf = (ranked: readonly [number, number][]): string[] =>
  ranked.filter(([id]) => id <= WORKS).map(([id]) => `/works/OL${id}W`);
const keys = async (path: string): Promise<string[]> => {
  const answer = Object(await service.json(path));
  return answer.works.map(({ key }: { key: string }) => key);
};

describe("GET /trending/<period>", () => {
  it.each(TRENDING_PERIOD_NAMES.filter((name) => name !== "now"))(
    "equals a recount for %s",
    async (period) => {
      const start = TRENDING_PERIODS[period] === null ? null : startOf(period);
      const wish = {
        window: { recent: false, start },
        minimum: 0,
        byCount: true,
        offset: 0,
        limit: 100,
      } as const;
      const ranked = await readTrending(env.PATRONS, wish);
      expect(ranked.map(({ work: id, entries: count }) => [id, count])).toEqual(ranking(startOf(period)));
      expect(await keys(`/trending/${period}.json?fields=key`)).toEqual(keysOf(ranking(startOf(period))));
      // Answered from the cache.
      expect(await keys(`/trending/${period}.json?fields=key`)).toEqual(keysOf(ranking(startOf(period))));
    },
  );

  it.each([
    ["now", 1],
    ["now", 30],
    ["daily", 5],
    ["monthly", 24 * 400],
    ["yearly", 1_000_000_000],
  ] as const)("equals a recount for %s and %i hours", async (period, hours) => {
    expect(await keys(`/trending/${period}.json?hours=${hours}&fields=key`)).toEqual(
      keysOf(ranking(startOf(period, hours))),
    );
  });

  it.each(["weekly", "yearly", "forever"] as const)("keeps works above a minimum for %s", async (period) => {
    const counts = ranking(startOf(period)).map(([, count]) => count);
    const minimum = counts[4] ?? 0;
    expect(await keys(`/trending/${period}.json?minimum=${minimum}&fields=key`)).toEqual(
      keysOf(ranking(startOf(period), minimum)),
    );
    expect(await keys(`/trending/${period}.json?minimum=1000&fields=key`)).toEqual([]);
  });

  it.each(["monthly", "forever"] as const)("pages by page or offset for %s", async (period) => {
    const all = keysOf(ranking(startOf(period)));
    const all13 = ranking(startOf(period)).map(([id]) => id);
    const page = (from: number, to: number): string[] =>
      all13
        .slice(from, to)
        .filter((id) => id <= WORKS)
        .map((id) => `/works/OL${id}W`);
    expect(await keys(`/trending/${period}.json?limit=5&fields=key`)).toEqual(page(0, 5));
    expect(await keys(`/trending/${period}.json?limit=5&page=2&fields=key`)).toEqual(page(5, 10));
    // Q203
    expect(await keys(`/trending/${period}.json?limit=5&page=2&offset=3&fields=key`)).toEqual(page(3, 8));
    expect(await keys(`/trending/${period}.json?limit=0`)).toEqual([]);
    expect(await keys(`/trending/${period}.json?limit=1000&offset=999999`)).toEqual([]);
    expect(all).toHaveLength(WORKS);
  });

  it("sorts by the last change on request", async () => {
    for (const period of ["weekly", "forever"] as const) {
      const last = new Map<number, number>();
      for (const { work: id, shelf, logged, moved } of entries) {
        if (shelf < 4 && logged >= startOf(period)) last.set(id, Math.max(last.get(id) ?? 0, moved));
      }
      const order = [...last]
        .sort(([a, x], [b, y]) => y - x || a - b)
        .map(([id]) => [id, 0] as [number, number]);
      expect(await keys(`/trending/${period}.json?sort_by_count=false&fields=key`)).toEqual(keysOf(order));
    }
  });

  it("lists every work once for now, the last changed first", async () => {
    const last = new Map<number, number>();
    for (const { work: id, shelf, moved } of entries)
      if (shelf < 4) last.set(id, Math.max(last.get(id) ?? 0, moved));
    const order = [...last]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .map(([id]) => [id, 0] as [number, number]);
    expect(await keys("/trending/now.json?fields=key")).toEqual(keysOf(order));
    expect(await keys("/trending.json?fields=key")).toEqual(keysOf(order));
    expect(await keys("/trending/now?fields=key")).toEqual(keysOf(order));
  });
});

describe("the response", () => {
  it("echoes the query", async () => {
    const answer = Object(await service.json("/trending/daily.json?hours=3"));
    expect(Object.keys(answer)).toEqual(["query", "works", "days", "hours"]);
    expect(answer).toMatchObject({ query: "/trending/daily", days: 1, hours: 3 });
    const forever = Object(await service.json("/trending/forever.json"));
    expect(Object.keys(forever)).toEqual(["query", "works", "hours"]);
    expect(forever.hours).toBe(0);
  });

  it("has works like a search, with editions and availability", async () => {
    const { works } = Object(await service.json("/trending/forever.json"));
    const first = works.find(({ key }: { key: string }) => key === "/works/OL1W");
    expect(first).toMatchObject({ title: "Work 1", author_name: ["Ann Author"], edition_count: 1 });
    expect(first.editions.docs[0]).toMatchObject({
      key: "/books/OL1M",
      availability: { identifier: "scan1" },
    });
    expect(first).not.toHaveProperty("availability");
    const bare = Object(await service.json("/trending/forever.json?fields=key"));
    expect(Object.keys(bare.works.at(-1))).toEqual(["key"]);
  });

  it.each([
    ["/trending/x.json", "literal_error", ["path", "period"]],
    ["/trending/daily.json?limit=1001", "less_than_equal", ["query", "limit"]],
    ["/trending/daily.json?page=0", "greater_than_equal", ["query", "page"]],
    ["/trending/daily.json?hours=-1", "greater_than_equal", ["query", "hours"]],
  ])("is 422 for %s", async (path, type, loc) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(422);
    expect(Object(await response.json()).detail).toMatchObject([{ type, loc }]);
  });

  it.each([
    ["day", "daily"],
    ["week", "weekly"],
    ["month", "monthly"],
    ["year", "yearly"],
  ])("takes %s for %s", async (alias, period) => {
    expect(await service.json(`/trending/${alias}.json`)).toEqual(
      await service.json(`/trending/${period}.json`),
    );
    expect(await service.json(`/trending/${alias}`)).toMatchObject({ query: `/trending/${period}` });
  });

  it("takes one round trip to each database", async () => {
    const [patrons, search] = [countedDatabase(env.PATRONS), countedDatabase(env.SEARCH)];
    const counting = testService({ PATRONS: patrons.database, SEARCH: search.database });
    counting.now = NOW;
    await counting.json("/trending/weekly.json?fields=key");
    const [before, searched] = [roundTrips(patrons), roundTrips(search)];
    await counting.json("/trending/daily.json?fields=key,editions");
    expect(roundTrips(patrons) - before).toBe(1);
    expect(roundTrips(search) - searched).toBe(1);
  });
});

describe("the page of trending books", () => {
  const html = { headers: { Accept: "text/html" } };

  it("lists titles with their counts", async () => {
    const response = await service.fetch("/trending/forever", html);
    expect(response.headers.get("Content-Type")).toContain("text/html");
    const text = await response.text();
    const [[first, count] = [0, 0]] = ranking(0);
    expect(text).toContain(`Added to ${count} shelves`);
    expect(text).toContain(`/works/OL${first}W`);
    expect(text).toContain('aria-current="page">All time');
  });

  it("shows the time of a ranking, cached or not", async () => {
    const textOf = async (period: string) => (await service.fetch(`/trending/${period}`, html)).text();
    const kept = await textOf("monthly");
    expect(kept).toMatch(/Updated <time datetime="[^"]+"/);
    const before = service.now;
    service.now += 120_000;
    const [, counted] = /Updated <time datetime="([^"]+)"/.exec(kept) ?? [];
    expect(await textOf("monthly")).toContain(`Updated <time datetime="${counted}"`);
    expect(await textOf("forever")).toContain(
      `Updated <time datetime="${minuteOf(service.now).slice(0, 19)}Z"`,
    );
    service.now = before;
  });

  it("answers 404 for other periods", async () => {
    expect((await service.fetch("/trending/hourly", html)).status).toBe(404);
    expect((await service.fetch("/trending/hourly")).status).toBe(404);
  });
});
