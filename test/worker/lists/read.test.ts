import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { list, user } from "../../support/worker/lists.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

const catalog = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: catalog.database, COVERS_PUBLIC_URL: "http://covers.test" });
const T1 = "2026-11-02T00:00:00.123456";
const edge = (position?: string, notes?: string) => ({
  series: [
    {
      series: { key: "/series/OL5L" },
      ...(position === undefined ? {} : { position }),
      ...(notes === undefined ? {} : { notes }),
    },
  ],
});
const numberedSubjects = (count: number) => Array.from({ length: count }, (_one, n) => `subject:s${n}`);

beforeAll(async () => {
  await service.load(
    user("joe"),
    author(1, { name: "Ann Author", photos: [31] }),
    work(1, { title: "Dune", authors: [1], covers: [11], subjects: ["Sand", "Love"], ...edge("2") }),
    work(2, {
      title: "Emma",
      subjects: ["Love"],
      subject_places: ["High Bury"],
      modified: T1,
      ...edge("1", "first"),
    }),
    work(3, { title: "Bare", ...edge() }),
    work(4, { title: "Long", ...edge("4-5") }),
    edition(11, { work: 1, title: "Dune, illustrated" }),
    edition(12, { title: "Lone", subjects: ["Night"] }),
    redirected("/works/OL9W", "/works/OL1W", 1),
    list(
      "/people/joe/lists/OL1L",
      [
        { key: "/works/OL1W" },
        "subject:love",
        { key: "/authors/OL1A" },
        { thing: { key: "/works/OL2W" }, notes: "why" },
        { key: "/works/OL9W" },
        { key: "/works/OL404W" },
      ],
      {
        name: "Time Travel",
        description: { type: "/type/text", value: "About time." },
        tags: ["t1"],
      },
    ),
    list("/lists/OL2L", [{ key: "/books/OL11M" }, { key: "/works/OL2W" }, { key: "/b/OL12M" }]),
    list("/lists/OL3L", [{ key: "/works/OL1W" }]),
    list("/lists/OL4L", []),
    list("/series/OL5L", [], { name: "The Cycle" }),
    // As in lists of the early years.
    list("/lists/OL7L", [5, null, "", { key: 3 }, {}, { key: "/works/OL1W" }]),
    list("/lists/OL6L", [{ key: "/authors/OL1A" }, "place:high_bury"]),
    list("/lists/OL8L", [...numberedSubjects(99), "subject:love", "subject:sand"]),
  );
  await service.load(deleted("/lists/OL3L", 2));
  await indexAll();
});

describe("GET <list>.json", () => {
  it("returns name, type, description and counts", async () => {
    expect(await service.json("/people/joe/lists/OL1L.json")).toEqual({
      links: {
        self: "/people/joe/lists/OL1L",
        seeds: "/people/joe/lists/OL1L/seeds",
        subjects: "/people/joe/lists/OL1L/subjects",
        editions: "/people/joe/lists/OL1L/editions",
      },
      name: "Time Travel",
      type: { key: "/type/list" },
      description: "About time.",
      seed_count: 6,
      meta: { revision: 1, created: "2026-11-01T00:00:00", last_modified: "2026-11-01T00:00:00" },
    });
    expect(await service.json("/lists/OL4L.json")).toMatchObject({
      name: null,
      description: null,
      seed_count: 0,
    });
  });

  it("counts the works of a series", async () => {
    expect(await service.json("/series/OL5L.json")).toMatchObject({
      links: { self: "/series/OL5L", seeds: "/series/OL5L/seeds" },
      name: "The Cycle",
      type: { key: "/type/series" },
      seed_count: 4,
    });
  });

  it("returns the record with _raw", async () => {
    const raw = await service.json("/people/joe/lists/OL1L.json?_raw=true");
    expect(raw).toMatchObject({
      key: "/people/joe/lists/OL1L",
      type: { key: "/type/list" },
      tags: ["t1"],
      latest_revision: 1,
      seeds: [
        { key: "/works/OL1W" },
        "subject:love",
        {},
        { thing: { key: "/works/OL2W" }, notes: "why" },
        {},
        {},
      ],
    });
  });

  // Q246
  it("returns revisions and history of the record", async () => {
    expect(await service.json("/lists/OL3L.json?v=1")).toMatchObject({ key: "/lists/OL3L", revision: 1 });
    expect(await service.json("/lists/OL3L.json?m=history")).toMatchObject([
      { key: "/lists/OL3L", revision: 2 },
      { key: "/lists/OL3L", revision: 1 },
    ]);
  });

  it.each(["/lists/OL404L", "/lists/OL3L", "/people/joe/lists/OL2L", "/series/OL2L", "/lists/OL5L"])(
    "answers 404 for %s, raw or not",
    async (key) => {
      for (const query of ["", "?_raw=true"]) {
        const response = await service.fetch(`${key}.json${query}`);
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({ detail: "List or Series not found" });
      }
    },
  );

  // Q245
  it.each(["xxOL1Lyy", "abc", "OL1W", "ol1l"])("answers 422 for the number %s", async (id) => {
    const wrong = (name: string) => ({
      detail: [
        {
          type: "string_pattern_mismatch",
          loc: ["path", name],
          msg: "String should match pattern 'OL\\d+L'",
          input: id,
          ctx: { pattern: "OL\\d+L" },
        },
      ],
    });
    for (const folder of ["/people/joe/lists", "/lists", "/series"]) {
      const response = await service.fetch(`${folder}/${id}.json`);
      expect(response.status).toBe(422);
      expect(await response.json()).toEqual(wrong("list_id"));
      expect(await service.json(`${folder}/${id}/seeds.json`)).toEqual(wrong("olid"));
    }
  });
});

describe("GET <list>/seeds.json", () => {
  it("returns all members in order", async () => {
    const time = "2026-11-01T00:00:00";
    const picture = (path: string) => ({ picture: { url: `http://covers.test${path}` } });
    expect(await service.json("/people/joe/lists/OL1L/seeds.json")).toEqual({
      links: { self: "/people/joe/lists/OL1L/seeds", list: "/people/joe/lists/OL1L" },
      // Q683: a merged work is the first one.
      size: 5,
      entries: [
        {
          url: "/works/OL1W",
          full_url: "/works/OL1W/Dune",
          type: "work",
          title: "Dune",
          last_update: time,
          ...picture("/b/id/11-S.jpg"),
        },
        {
          url: "/subjects/love",
          full_url: "/subjects/love",
          type: "subject",
          title: "subject:love",
          last_update: null,
          ...picture("/b/id/11-S.jpg"),
        },
        {
          url: "/authors/OL1A",
          full_url: "/authors/OL1A/Ann_Author",
          type: "author",
          title: "Ann Author",
          last_update: time,
          ...picture("/a/id/31-S.jpg"),
        },
        // Q243
        {
          url: "/works/OL2W",
          full_url: "/works/OL2W/Emma",
          type: "work",
          title: "Emma",
          last_update: T1,
          notes: "why",
        },
        {
          url: "/works/OL404W",
          full_url: "/works/OL404W",
          type: "unknown",
          title: "/works/OL404W",
          last_update: null,
        },
      ],
    });
  });

  it("returns the works of a series by position", async () => {
    const answer = await service.json("/series/OL5L/seeds.json");
    expect(answer).toMatchObject({
      links: { self: "/series/OL5L/seeds", list: "/series/OL5L" },
      size: 4,
      entries: [
        { url: "/works/OL2W", position: "1", notes: "first" },
        { url: "/works/OL1W", position: "2" },
        { url: "/works/OL3W" },
        { url: "/works/OL4W", position: "4-5" },
      ],
    });
  });

  // Q252
  it("pages", async () => {
    expect(await service.json("/people/joe/lists/OL1L/seeds.json?limit=2&offset=1")).toMatchObject({
      size: 6,
      entries: [{ url: "/subjects/love" }, { url: "/authors/OL1A" }],
    });
    expect(await service.json("/series/OL5L/seeds.json?limit=1&offset=1")).toMatchObject({
      size: 4,
      entries: [{ url: "/works/OL1W" }],
    });
    expect(await service.json("/lists/OL2L/seeds.json?limit=0")).toMatchObject({ size: 3, entries: [] });
    expect((await service.fetch("/lists/OL2L/seeds.json?offset=-1")).status).toBe(422);
  });

  it("shows pictures of the first 100 subjects", async () => {
    const { entries } = Object(await service.json("/lists/OL8L/seeds.json"));
    const isShown = entries.map((entry: object) => "picture" in entry);
    expect(isShown).toEqual([...Array.from({ length: 99 }, () => false), true, false]);
  });

  it("resolves old keys", async () => {
    expect(await service.json("/lists/OL2L/seeds.json")).toMatchObject({
      entries: [{ title: "Dune, illustrated" }, { title: "Emma" }, { url: "/books/OL12M", title: "Lone" }],
    });
  });

  it("takes one round trip", async () => {
    catalog.statements.length = 0;
    catalog.batches.length = 0;
    await service.json("/lists/OL2L/seeds.json?fresh=1");
    expect(roundTrips(catalog)).toBe(1);
  });
});

describe("GET <list>/subjects.json", () => {
  it("skips invalid seeds", async () => {
    expect(await service.json("/lists/OL7L/subjects.json")).toMatchObject({
      subjects: [{ name: "Love" }, { name: "Sand" }],
    });
    expect(await service.json("/lists/OL7L/seeds.json")).toMatchObject({ size: 1 });
  });

  // Q250
  it("counts the subjects of the works, each work once", async () => {
    expect(await service.json("/people/joe/lists/OL1L/subjects.json")).toEqual({
      subjects: [
        { name: "Love", count: 2, url: "/subjects/love" },
        { name: "Sand", count: 1, url: "/subjects/sand" },
      ],
      places: [{ name: "High Bury", count: 1, url: "/subjects/place:high_bury" }],
      people: [],
      times: [],
      links: { self: "/people/joe/lists/OL1L/subjects", list: "/people/joe/lists/OL1L" },
    });
  });

  it("includes works of editions, authors, subjects and series, and editions without a work", async () => {
    expect(await service.json("/lists/OL2L/subjects.json")).toMatchObject({
      subjects: [
        { name: "Love", count: 2 },
        { name: "Night", count: 1 },
        { name: "Sand", count: 1 },
      ],
    });
    expect(await service.json("/lists/OL6L/subjects.json")).toMatchObject({
      subjects: [
        { name: "Love", count: 2 },
        { name: "Sand", count: 1 },
      ],
    });
    expect(await service.json("/series/OL5L/subjects.json?limit=1")).toMatchObject({
      subjects: [{ name: "Love", count: 2 }],
      places: [{ name: "High Bury", count: 1 }],
    });
  });

  it("is empty for an empty list, and 404 for a deleted one", async () => {
    expect(await service.json("/lists/OL4L/subjects.json")).toMatchObject({ subjects: [], times: [] });
    const response = await service.fetch("/lists/OL3L/subjects.json");
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: "List or Series not found" });
  });
});
