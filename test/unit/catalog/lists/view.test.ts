import { describe, expect, it } from "vitest";
import { type ListHead, toListView, toListsPage } from "../../../../src/catalog/lists/list-view.ts";

const head: ListHead = {
  key: "/people/joe/lists/OL1L",
  type: "/type/list",
  revision: 3,
  created: "2026-01-02T03:04:05.678901",
  lastModified: "2026-02-02T03:04:05.000000",
  members: { name: "foo", description: { type: "/type/text", value: "foo bar" } },
  seedCount: 3,
};

describe("toListView", () => {
  it("has links, texts and times", () => {
    expect(toListView(head)).toEqual({
      links: {
        self: "/people/joe/lists/OL1L",
        seeds: "/people/joe/lists/OL1L/seeds",
        subjects: "/people/joe/lists/OL1L/subjects",
        editions: "/people/joe/lists/OL1L/editions",
      },
      name: "foo",
      // Q241
      type: { key: "/type/list" },
      description: "foo bar",
      seed_count: 3,
      meta: {
        revision: 3,
        created: "2026-01-02T03:04:05.678901",
        last_modified: "2026-02-02T03:04:05",
      },
    });
  });

  it("has null for empty texts, and fewer links for series", () => {
    const series = { ...head, key: "/series/OL1L", type: "/type/series", members: { name: "" } } as const;
    expect(toListView(series)).toMatchObject({
      links: { self: "/series/OL1L", seeds: "/series/OL1L/seeds" },
      name: null,
      description: null,
      type: { key: "/type/series" },
    });
    expect(Object.keys(toListView(series)["links"] ?? {})).toEqual(["self", "seeds"]);
  });
});

describe("toListsPage", () => {
  const entry = (number: number) => ({
    key: `/lists/OL${number}L`,
    revision: 1,
    name: number === 1 ? "" : "Name",
    seedCount: 2,
    lastUpdate: number === 1 ? null : "2026-01-02T03:04:05.678901",
  });
  const pageOf = (limit: number, offset: number, size: number, ...numbers: number[]) =>
    toListsPage({
      self: "/works/OL42W",
      path: "/works/OL42W/lists.json",
      size,
      limit,
      offset,
      entries: numbers.map(entry),
    });

  it("omits members without a value", () => {
    expect(pageOf(50, 0, 2, 1, 2)).toEqual({
      links: { self: "/works/OL42W" },
      size: 2,
      entries: [
        { url: "/lists/OL1L", full_url: "/lists/OL1L/unnamed", name: "", seed_count: 2 },
        {
          url: "/lists/OL2L",
          full_url: "/lists/OL2L/Name",
          name: "Name",
          seed_count: 2,
          last_update: "2026-01-02T03:04:05.678901",
        },
      ],
    });
  });

  it("links to neighbours", () => {
    expect(pageOf(1, 1, 3, 2)).toMatchObject({
      links: {
        self: "/works/OL42W",
        next: "/works/OL42W/lists.json?limit=1&offset=2",
        prev: "/works/OL42W/lists.json?limit=1&offset=0",
      },
    });
    expect(pageOf(5, 2, 3, 3)).toMatchObject({
      links: { prev: "/works/OL42W/lists.json?limit=5&offset=0" },
    });
  });

  // Q242
  it("has no links for a limit of 0", () => {
    expect(pageOf(0, 0, 3)).toEqual({ links: { self: "/works/OL42W" }, size: 3, entries: [] });
    expect(pageOf(0, 2, 3)).toEqual({ links: { self: "/works/OL42W" }, size: 3, entries: [] });
  });
});
