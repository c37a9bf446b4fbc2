import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { atMinute, list, user } from "../../support/worker/lists.ts";
import { isPostgres } from "../../support/worker/postgres.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

const catalog = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: catalog.database });

interface Answer {
  links: { self: string; next?: string; prev?: string };
  size: number;
  entries: { url: string; last_update?: string }[];
}
// The answer's shape is what these tests check.
const page = async (path: string) => (await service.json(path)) as Answer;
const urls = async (path: string) => (await page(path)).entries.map(({ url }) => url);

const random = randomFrom(7);
const SEEDS: readonly unknown[] = [
  { key: "/works/OL1W" },
  { thing: { key: "/works/OL1W" }, notes: "again" },
  { key: "/works/OL2W" },
  { key: "/b/OL11M" },
  { thing: { key: "/authors/OL1A" } },
  "subject:science_fiction",
  "person:mark_twain",
];

/** Sixty lists of three owners, of random members and times; several have the same time. */
const lists: TestRecord[] = Array.from({ length: 60 }, (_, index) => {
  const owner = ["/people/joe", "/people/jo", ""][index % 3] ?? "";
  const seeds = SEEDS.filter(() => random.below(3) === 0);
  return list(`${owner}/lists/OL${index + 1}L`, seeds, {
    name: `List ${index + 1}`,
    modified: atMinute(random.below(20)),
  });
});

/** Keys in the order that they are listed in, by the records alone. */
function expected(holds: (record: TestRecord) => boolean): string[] {
  return lists
    .filter(holds)
    .toSorted((a, b) => {
      const [one, other] = [a.modified ?? "", b.modified ?? ""];
      return one === other ? (a.key < b.key ? -1 : 1) : one < other ? 1 : -1;
    })
    .map(({ key }) => key);
}

const withSeed =
  (...texts: string[]) =>
  ({ seeds }: TestRecord): boolean =>
    texts.some((text) => JSON.stringify(seeds ?? []).includes(`"${text}"`));

beforeAll(async () => {
  await service.load(
    user("joe"),
    user("jo"),
    user("nobody"),
    author(1),
    author(2),
    work(1, { modified: atMinute(3) }),
    work(2, { modified: atMinute(5) }),
    edition(11, { work: 1 }),
    deleted("/works/OL3W", 1),
    redirected("/works/OL4W", "/works/OL1W", 1),
    redirected("/works/OL5W", "/works/OL5W", 1),
    ...lists,
    // A series holds nothing, and a page is no list.
    list("/series/OL90L", [{ key: "/works/OL1W" }]),
    { key: "/old/page", type: "/type/page", seeds: [{ key: "/works/OL1W" }] },
  );
});

describe("GET <key>/lists.json", () => {
  it.each([
    ["/works/OL1W", withSeed("/works/OL1W")],
    ["/works/OL2W", withSeed("/works/OL2W")],
    ["/books/OL11M", withSeed("/b/OL11M")],
    ["/authors/OL1A", withSeed("/authors/OL1A")],
    ["/subjects/science_fiction", withSeed("subject:science_fiction")],
    ["/subjects/person:mark_twain", withSeed("person:mark_twain")],
    ["/people/joe", ({ key }: TestRecord) => key.startsWith("/people/joe/")],
    ["/people/jo", ({ key }: TestRecord) => key.startsWith("/people/jo/")],
  ])("lists all lists with %s, last changed first, then by key", async (self, holds) => {
    const all = expected(holds);
    expect(all.length).toBeGreaterThan(3);
    const answer = await page(`${self}/lists.json?limit=100`);
    expect(answer).toMatchObject({ links: { self }, size: all.length });
    expect(answer.entries.map(({ url }) => url)).toEqual(all);
  });

  it("pages through all lists, each once", async () => {
    const all = expected(({ key }) => key.startsWith("/people/joe/"));
    const seen: string[] = [];
    let next: string | undefined = "/people/joe/lists.json?limit=7";
    while (next !== undefined) {
      const answer: Answer = await page(next);
      expect(answer.size).toBe(all.length);
      seen.push(...answer.entries.map(({ url }) => url));
      next = answer.links.next;
    }
    expect(seen).toEqual(all);
    expect((await page("/people/joe/lists.json?limit=7&offset=7&x=1")).links).toEqual({
      self: "/people/joe",
      next: "/people/joe/lists.json?limit=7&offset=14",
      prev: "/people/joe/lists.json?limit=7&offset=0",
    });
  });

  it("is empty beyond the end and for limit=0", async () => {
    const { size } = await page("/people/joe/lists.json");
    expect(await page("/people/joe/lists.json?offset=500")).toMatchObject({ size, entries: [] });
    // Q242
    expect(await page("/people/joe/lists.json?limit=0")).toEqual({
      links: { self: "/people/joe" },
      size,
      entries: [],
    });
    expect(await page("/people/nobody/lists.json")).toEqual({
      links: { self: "/people/nobody" },
      size: 0,
      entries: [],
    });
    expect(await page("/subjects/never_heard_of/lists.json")).toMatchObject({ size: 0 });
  });

  // Q248
  it("normalizes subject names by both rules", async () => {
    const all = expected(withSeed("subject:science_fiction"));
    expect(await urls("/subjects/Science_Fiction/lists.json")).toEqual(all);
    expect(await urls("/subjects/science,_fiction/lists.json")).toEqual(all);
    expect(await page("/subjects/a/b/lists.json")).toMatchObject({
      links: { self: "/subjects/a/b" },
      size: 0,
    });
  });

  // Q247
  it("answers 404 for missing records and follows redirects", async () => {
    for (const path of [
      "/works/OL3W",
      "/works/OL404W",
      "/works/OL-1W",
      "/people/who",
      "/books/OL0M",
      "/works/OL5W",
    ]) {
      const response = await service.fetch(`${path}/lists.json`);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toEqual({ detail: "Not Found" });
    }
    expect(await page("/works/OL4W/lists.json")).toMatchObject({ links: { self: "/works/OL1W" } });
    expect(await urls("/works/OL4W/lists.json?limit=100")).toEqual(expected(withSeed("/works/OL1W")));
  });

  it.each([
    ["limit=101", "less_than_equal", "Input should be less than or equal to 100"],
    ["limit=-1", "greater_than_equal", "Input should be greater than or equal to 0"],
    ["offset=x", "int_parsing", "Input should be a valid integer, unable to parse string as an integer"],
  ])("answers 422 for %s", async (query, type, msg) => {
    const response = await service.fetch(`/works/OL1W/lists.json?${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ type, loc: ["query", query.split("=")[0]], msg }],
    });
  });

  it("takes one round trip and uses the indexes", async () => {
    catalog.statements.length = 0;
    catalog.batches.length = 0;
    await page("/works/OL1W/lists.json?limit=100");
    expect(roundTrips(catalog)).toBe(1);
    await page("/people/joe/lists.json?limit=100");
    expect(roundTrips(catalog)).toBe(2);
    // The query plan is SQLite's.
    if (isPostgres) return;
    const [holding = "", owned = ""] = catalog.statements.filter((text) => text.includes("WITH found"));
    const byRecord = await stepsOf(holding);
    expect(byRecord).toMatch(/SEARCH p USING PRIMARY KEY \(name=\? AND value=\?\)/);
    expect(byRecord).not.toMatch(/SCAN (record|p|l|m)\b/);
    const byOwner = await stepsOf(owned);
    expect(byOwner.match(/SEARCH record USING (COVERING )?INDEX list_by_owner/g)).toHaveLength(2);
    expect(byOwner).not.toMatch(/SCAN (record|l|m)\b/);
  });
});

/** Returns the query plan of a statement. */
async function stepsOf(sql: string): Promise<string> {
  const plan = await env.CATALOG.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind("[]", 1, 0)
    .all<{ detail: string }>();
  return plan.results.map(({ detail }) => detail).join("\n");
}

describe("entries of lists.json", () => {
  it("have name, size and the newest change of a member record", async () => {
    await service.load(
      user("ann"),
      list(
        "/people/ann/lists/OL201L",
        [{ key: "/works/OL1W" }, { thing: { key: "/works/OL2W" } }, "subject:x"],
        {
          name: "Time / Travel",
        },
      ),
      list("/people/ann/lists/OL202L", ["subject:x"], { modified: atMinute(1) }),
    );
    expect(await page("/people/ann/lists.json")).toEqual({
      links: { self: "/people/ann" },
      size: 2,
      entries: [
        {
          url: "/people/ann/lists/OL202L",
          full_url: "/people/ann/lists/OL202L/unnamed",
          name: "",
          seed_count: 1,
        },
        {
          url: "/people/ann/lists/OL201L",
          full_url: "/people/ann/lists/OL201L/Time_Travel",
          name: "Time / Travel",
          seed_count: 3,
          last_update: "2026-11-02T00:05:00",
        },
      ],
    });
  });

  it("follow every change of the list", async () => {
    const path = "/authors/OL2A/lists.json";
    expect(await urls(path)).toEqual([]);
    const key = "/lists/OL210L";
    await service.load(list(key, [{ key: "/authors/OL2A" }, "place:rome"], { modified: atMinute(1) }));
    expect(await urls(path)).toEqual([key]);
    expect(await urls("/subjects/place:rome/lists.json")).toEqual([key]);
    await service.load(
      list(key, [{ thing: { key: "/authors/OL2A" } }], { revision: 2, modified: atMinute(2) }),
    );
    expect(await urls(path)).toEqual([key]);
    expect(await urls("/subjects/place:rome/lists.json")).toEqual([]);
    await service.load(list("/lists/OL211L", [{ key: "/authors/OL2A" }], { modified: atMinute(3) }));
    expect(await urls(path)).toEqual(["/lists/OL211L", key]);
    await service.load(list(key, [{ key: "/authors/OL2A" }], { revision: 3, modified: atMinute(4) }));
    expect(await urls(path)).toEqual([key, "/lists/OL211L"]);
    await service.load(deleted(key, 4));
    expect(await urls(path)).toEqual(["/lists/OL211L"]);
  });

  // Q244
  it("rank a long list by its first 1,000 members", async () => {
    const seeds = Array.from({ length: 1000 }, (_, index) => ({ key: `/works/OL${index + 90_000}W` }));
    await service.load(
      user("cy"),
      list("/people/cy/lists/OL220L", [...seeds, { key: "/works/OL2W" }]),
      list("/people/cy/lists/OL221L", [...seeds.slice(1), { key: "/works/OL2W" }], { modified: atMinute(0) }),
    );
    const [long, short] = (await page("/people/cy/lists.json")).entries.toReversed();
    expect(long).not.toHaveProperty("last_update");
    expect(short).toHaveProperty("last_update", "2026-11-02T00:05:00");
  });
});
