import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { deleted, edition, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
const list = (key: string, name: string | undefined, seeds: unknown[], members = {}): TestRecord => ({
  key,
  type: key.startsWith("/series/") ? "/type/series" : "/type/list",
  ...(name === undefined ? {} : { name }),
  seeds,
  ...members,
});
const works = (...ids: number[]) => ids.map((id) => ({ key: workKey(id) }));

beforeAll(async () => {
  await service.load(
    work(1, { subjects: ["Whales"] }),
    work(2),
    work(3),
    edition(5, { work: 3 }),
    list("/people/ann/lists/OL1L", "Sea books", works(1, 2), { modified: "2026-01-02T00:00:00.000000" }),
    list("/people/bob/lists/OL2L", "Sea and land", [...works(1, 2, 3), "subject:sea"], {
      modified: "2026-01-03T10:11:12.123456",
      description: { type: "/type/text", value: "About the sea." },
    }),
    list("/people/bob/lists/OL3L", "Sea alone", works(2)),
    list("/series/OL4L", "Sea trilogy", [], { modified: "2026-01-01T00:00:00.000000", description: "" }),
    list("/lists/OL5L", "Sea gone", works(1, 2)),
    list("/lists/OL6L", undefined, [{ key: "/books/OL5M" }, ...works(2)]),
  );
  await service.load(deleted("/lists/OL5L", 2));
  await indexAll();
});

const next = (query: string) => service.json(`/search/lists.json?api=next&${query}`);
const keys = async (query: string) => {
  const answer = (await next(query)) as { docs: { key: string }[] };
  return answer.docs.map(({ key }) => key);
};

describe("GET /search/lists.json", () => {
  it("returns rows without a count", async () => {
    expect(await service.json("/search/lists.json?q=land")).toEqual({
      start: 0,
      docs: [
        {
          url: "/people/bob/lists/OL2L",
          full_url: "/people/bob/lists/OL2L/Sea_and_land",
          name: "Sea and land",
          seed_count: 4,
          last_update: "2026-01-03T10:11:12.123456",
        },
      ],
    });
    expect(await service.json('/search/lists.json?q=seed:("/books/OL5M")&limit=0')).toMatchObject({
      docs: [{ url: "/lists/OL6L", full_url: "/lists/OL6L/unnamed", name: "" }],
    });
  });

  it("returns indexed documents for api=next", async () => {
    expect(await next("q=land")).toEqual({
      numFound: 1,
      num_found: 1,
      start: 0,
      q: "land",
      docs: [{ key: "/people/bob/lists/OL2L", name: "Sea and land" }],
    });
    expect(await next("q=land&fields=*")).toMatchObject({
      docs: [
        {
          key: "/people/bob/lists/OL2L",
          type: "list",
          list_type: "user_list",
          seed_count: 4,
          last_modified: "2026-01-03T10:11:12.123456Z",
          subject: ["Whales"],
          subject_key: ["whales"],
        },
      ],
    });
    expect(await next("q=sea&sort=name+asc&fields=key,description")).toMatchObject({
      docs: [
        { key: "/people/bob/lists/OL2L", description: "About the sea." },
        { key: "/people/ann/lists/OL1L" },
        // Without its empty description.
        expect.not.objectContaining({ description: "" }),
      ],
    });
  });

  it.each([
    ["q=sea&sort=name+asc", ["/people/bob/lists/OL2L", "/people/ann/lists/OL1L", "/series/OL4L"]],
    ["q=sea&sort=last_modified", ["/people/bob/lists/OL2L", "/people/ann/lists/OL1L", "/series/OL4L"]],
    ["q=sea&sort=last_modified+asc&limit=1", ["/series/OL4L"]],
    ["q=sea&sort=seed_count&offset=1&limit=1", ["/people/ann/lists/OL1L"]],
    ["q=sea+AND+seed_count:1", ["/people/bob/lists/OL3L"]],
    ["q=list_type:series", ["/series/OL4L"]],
    ["q=whales&sort=name+asc", ["/people/bob/lists/OL2L", "/people/ann/lists/OL1L"]],
    ["q=land+AND+subject_key:whales", ["/people/bob/lists/OL2L"]],
    [
      'q=seed_count:[2+TO+*]+seed:("/works/OL1W"+OR+"/books/OL5M")&sort=last_modified',
      ["/lists/OL6L", "/people/bob/lists/OL2L", "/people/ann/lists/OL1L"],
    ],
    ["q=gone", []],
    ["q=", []],
  ])("%s", async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });

  it.each([
    ["q=a&sort=name", "Value error, sort not supported in the old API", "name"],
    ["q=a&sort=seed_count", "Value error, sort not supported in the old API", "seed_count"],
  ])("refuses %s", async (query, msg, input) => {
    const response = await service.fetch(`/search/lists.json?${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [{ type: "value_error", loc: ["query", "sort"], msg, input, ctx: { error: {} } }],
    });
  });
});
