import { describe, expect, it } from "vitest";
import { buildAuthor, buildList } from "../../../../src/search/documents/named-documents.ts";
import { author } from "./sources.ts";

describe("buildAuthor", () => {
  it("has names and dates", () => {
    const record = author(1, {
      alternate_names: ["A", "", "A"],
      birth_date: "1547",
      death_date: "",
      date: "x",
    });
    expect(buildAuthor(record)).toStrictEqual({
      key: "/authors/OL1A",
      type: "author",
      name: "Author 1",
      alternate_names: ["A"],
      birth_date: "1547",
      date: "x",
    });
    expect(buildAuthor({ key: "/authors/OL2A" })).toStrictEqual({
      key: "/authors/OL2A",
      type: "author",
      name: "",
    });
  });
});

describe("buildList", () => {
  it("names the seeds of a list in every form", () => {
    const record = {
      key: "/people/a/lists/OL1L",
      name: "Mine",
      seeds: [
        { key: "/works/OL1W" },
        "subject:love",
        { thing: { key: "/books/OL1M" }, notes: "n" },
        { key: "/works/OL1W" },
        { key: "/b/OL1M" },
        "",
        null,
      ],
      last_modified: { type: "/type/datetime", value: "2025-01-03T20:50:27.524685" },
    };
    expect(buildList(record)).toStrictEqual({
      key: "/people/a/lists/OL1L",
      type: "list",
      list_type: "user_list",
      name: "Mine",
      seed: ["/works/OL1W", "subject:love", "/books/OL1M"],
      seed_count: 3,
      last_modified: "2025-01-03T20:50:27.524685Z",
    });
  });

  it("takes the works of a series from its members", () => {
    const members = ["/works/OL1W", "/works/OL2W"];
    expect(buildList({ key: "/series/OL2L", name: "S" }, members)).toStrictEqual({
      key: "/series/OL2L",
      type: "series",
      list_type: "series",
      name: "S",
      seed: members,
      seed_count: 2,
      last_modified: "1970-01-01T00:00:00.000000Z",
    });
    expect(buildList({ key: "/lists/OL3L" })).toMatchObject({
      type: "list",
      list_type: "community_list",
      name: "",
      seed: [],
    });
  });
});
