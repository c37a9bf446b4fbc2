import { beforeAll, describe, expect, it } from "vitest";
import { deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

interface Row {
  key: string;
  revision: number;
  id: number;
  action: string;
  comment: string | null;
  bot: boolean;
  created: string;
  author: string | null;
  changes: string;
  data: string;
}
const history = async (path: string): Promise<Row[]> => {
  const response = await service.fetch(path);
  expect(response.status).toBe(200);
  return response.json<Row[]>();
};
const revisions = async (search: string): Promise<number[]> =>
  (await history(`/works/OL1W.json?m=history${search}`)).map(({ revision }) => revision);

const time = (revision: number): string => `2026-11-01T00:00:${String(revision).padStart(2, "0")}.000000`;
const LAST = 25;
let changes: number[] = [];

beforeAll(async () => {
  for (let revision = 1; revision <= LAST; revision += 1) {
    const answer = await service.load(work(1, { revision, modified: time(revision) }));
    changes = [...changes, ...answer.changes];
  }
  await service.load(edition(1), deleted("/books/OL1M", 2));
  await service.load(work(2), redirected("/works/OL2W", "/works/OL1W"));
});

describe("GET <key>.json?m=history", () => {
  it("lists the newest revision first with its change", async () => {
    const rows = await history("/works/OL1W.json?m=history&limit=2");
    expect(rows).toEqual(
      [LAST, LAST - 1].map((revision) => ({
        key: "/works/OL1W",
        revision,
        id: changes[revision - 1],
        action: "bulk_update",
        comment: "Loaded from a dump",
        bot: true,
        created: time(revision),
        author: null,
        changes: expect.any(String),
        data: "{}",
      })),
    );
    for (const { changes: list, data } of rows) {
      expect(() => JSON.parse(list)).not.toThrow();
      expect(JSON.parse(data)).toEqual({});
    }
  });

  it.each([
    ["", 20],
    ["&limit=1000", LAST],
    ["&limit=9999999999999999999999", LAST],
    ["&limit=0", 0],
    ["&limit=3", 3],
    ["&limit=x", 20],
    ["&offset=20", 5],
    ["&offset=25", 0],
    ["&author=/people/jane", 0],
  ])("%s: %i rows", async (search, count) => {
    expect(await revisions(search)).toHaveLength(count);
  });

  it.each([
    ["/books/OL1M", [2, 1]],
    ["/works/OL2W", [2, 1]],
  ])("includes deletion and redirect of %s", async (key, expected) => {
    expect((await history(`${key}.json?m=history`)).map(({ revision }) => revision)).toEqual(expected);
  });

  it("is empty for an unknown key", async () => {
    expect(await history("/works/OL99W.json?m=history")).toEqual([]);
  });

  it("is reachable by page and readable address", async () => {
    expect(await history("/works/OL1W?m=history&limit=1")).toHaveLength(1);
    expect(await history("/works/OL1W/Work_1?m=history&limit=1")).toHaveLength(1);
    expect(await history("/works/OL1W/any.json?m=history&limit=1")).toHaveLength(1);
  });

  it("is uncacheable in every isolate", async () => {
    const isolates = [testService({ EDGE_CACHE: "on" }), testService({ EDGE_CACHE: "on" })];
    const path = "/works/OL3W.json?m=history";
    await isolates[0]!.load(work(3));
    for (const isolate of isolates) expect(await isolate.json(path)).toHaveLength(1);
    await isolates[0]!.load(work(3, { revision: 2 }));
    for (const isolate of isolates) expect(await isolate.json(path)).toHaveLength(2);
    expect((await service.fetch(path)).headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("other values of m", () => {
  it.each(["m=edit", "m=permission"])("%s answers 406 for JSON", async (mode) => {
    const response = await service.fetch(`/works/OL1W.json?${mode}`);
    expect(response.status).toBe(406);
    expect(await response.text()).toBe("");
  });

  it.each([
    ["/works/OL1W?m=edit", "/works/OL1W/edit"],
    ["/books/OL1M/Some_Title?v=2&m=edit", "/books/OL1M/Some_Title/edit?v=2"],
  ])("%s redirects to the form", async (path, form) => {
    const response = await service.fetch(path);
    expect([response.status, response.headers.get("Location")]).toEqual([303, form]);
  });

  it.each([
    "/languages/eng?m=edit",
    "/works/OL1W.yml?m=history",
    "/works/OL1W.rdf?m=history",
    "/works/OL1W.yml?m=diff",
  ])("%s answers 406", async (path) => {
    expect((await service.fetch(path)).status).toBe(406);
  });

  it.each([
    ["/works/OL1W.json?m=nothing", "/works/OL1W.json"],
    ["/works/OL1W.json?a=1&m=nothing&b=2", "/works/OL1W.json?a=1&b=2"],
    ["/works/OL1W.json?m=constructor", "/works/OL1W.json"],
  ])("%s redirects to %s", async (path, target) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(target);
  });

  it.each(["m=view", "m="])("%s returns the record", async (mode) => {
    expect(await service.json(`/works/OL1W.json?${mode}`)).toEqual(await service.json("/works/OL1W.json"));
  });
});

describe("GET <key>.json?m=diff", () => {
  const of = async (search: string) => {
    const response = await service.fetch(`/works/OL1W.json?m=diff${search}`);
    expect(response.status).toBe(200);
    const { a, b } = await response.json<{ a: { revision: number } | null; b: { revision: number } }>();
    return [a === null ? null : a.revision, b.revision];
  };
  it.each([
    ["", [LAST - 1, LAST]],
    ["&a=1", [1, LAST]],
    ["&b=2", [1, 2]],
    ["&b=1", [null, 1]],
    ["&a=0&b=2", [null, 2]],
    ["&a=3&b=1", [3, 1]],
  ])("%s", async (search, expected) => {
    expect(await of(search)).toEqual(expected);
  });

  it("returns the two revisions as served", async () => {
    const { a, b } = Object(await service.json("/works/OL1W.json?m=diff&a=1&b=2"));
    expect(a).toEqual(await service.json("/works/OL1W.json?v=1"));
    expect(b).toEqual(await service.json("/works/OL1W.json?v=2"));
  });

  it.each(["/works/OL99W.json?m=diff", "/works/OL1W.json?m=diff&b=99", "/works/OL1W.json?m=diff&a=99&b=1"])(
    "answers 404 for %s",
    async (path) => {
      expect((await service.fetch(path)).status).toBe(404);
    },
  );

  it("redirects for an invalid revision", async () => {
    const response = await service.fetch("/works/OL1W.json?m=diff&a=-1");
    expect([response.status, response.headers.get("Location")]).toEqual([301, "/works/OL1W.json?m=diff"]);
  });
});
