import { describe, expect, it } from "vitest";
import { keysIn, replaceKeys } from "../../../src/search/merged-keys.ts";
import { type Query, anyOf, equals, not } from "../../../src/search/query/query.ts";

const search = (query: Query, ...filters: Query[]) => ({ query, filters });
const TARGETS = new Map([
  ["/works/OL2W", "/works/OL1W"],
  ["/authors/OL2A", "/authors/OL1A"],
]);

describe("keys of merged records in searches", () => {
  it.each<[Query, string[]]>([
    [equals("key", "/works/OL2W"), ["/works/OL2W"]],
    [equals("author_key", "OL2A"), ["/authors/OL2A"]],
    [equals("edition_key", "ol2m"), ["/books/OL2M"]],
    [equals("seed", "/works/OL2W"), ["/works/OL2W"]],
    [
      anyOf([equals("key", "/works/OL2W"), not(equals("key", "/works/OL3W"))]),
      ["/works/OL2W", "/works/OL3W"],
    ],
    [equals("key", "/subjects/love"), []],
    [equals("seed", "subject:love"), []],
    [equals("title", "OL2W"), []],
    [{ op: "match", field: "key", value: { kind: "exists" }, boost: 1 }, []],
    [{ op: "match", field: "key", value: { kind: "pattern", parts: ["/works/OL2", ""] }, boost: 1 }, []],
  ])("are found in %j", (query, keys) => {
    expect(keysIn(search(query), "OL")).toEqual(keys);
  });

  it("are replaced in the form in which they were named, in queries and filters", () => {
    const before = search(
      equals("key", "/works/OL2W"),
      not(equals("author_key", "OL2A")),
      equals("key", "/works/OL9W"),
    );
    expect(replaceKeys(before, TARGETS, "OL")).toEqual(
      search(equals("key", "/works/OL1W"), not(equals("author_key", "OL1A")), equals("key", "/works/OL9W")),
    );
  });
});
