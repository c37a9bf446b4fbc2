import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import {
  CHANGED_KEYS_DEPTH_MAX,
  changedKeysOf,
  isIndexedKey,
  isShownDifferently,
} from "../../../../src/search/indexing/changed-keys.ts";

const key = "/books/OL34239002M";
const edition = (members: CatalogRecord): CatalogRecord => ({
  key,
  type: { key: "/type/edition" },
  ...members,
});
const author = (members: CatalogRecord): CatalogRecord => ({ type: { key: "/type/author" }, ...members });
const redirect = (location: string): CatalogRecord => ({ type: { key: "/type/redirect" }, location });

describe("changedKeysOf", () => {
  it.each<[string, CatalogRecord | undefined, CatalogRecord, string[]]>([
    [
      "an edition's author changes",
      edition({ authors: [{ key: "/authors/OL9352911A" }] }),
      edition({ authors: [{ key: "/authors/OL9388A" }] }),
      [key, "/authors/OL9352911A"],
    ],
    [
      "an edition moves",
      edition({ works: [{ key: "/works/OL362427W" }] }),
      edition({ works: [{ key: "/works/OL42W" }] }),
      [key, "/works/OL362427W"],
    ],
    ["a new edition", undefined, edition({ works: [{ key: "/works/OL1W" }] }), [key]],
    [
      "an author in a role, under a key of the early years",
      edition({ authors: [{ author: { key: "/a/OL1A" } }] }),
      edition({}),
      [key, "/authors/OL1A"],
    ],
    ["nothing", edition({ title: "A" }), edition({ title: "B" }), [key]],
    [
      "a record that becomes a redirect",
      edition({ works: [{ key: "/works/OL1W" }] }),
      redirect("/books/OL2M"),
      [key, "/works/OL1W", "/books/OL2M"],
    ],
    [
      "a redirect that leads elsewhere",
      redirect("/b/OL2M"),
      redirect("/books/OL3M"),
      [key, "/books/OL2M", "/books/OL3M"],
    ],
    [
      "languages and types say nothing",
      edition({ languages: [{ key: "/languages/eng" }] }),
      edition({}),
      [key],
    ],
  ])("%s", (_name, before, after, expected) =>
    expect(changedKeysOf(key, { before, after })).toEqual(expected),
  );

  it("drops the keys of a new account", () => {
    for (const own of ["/people/jane", "/people/jane/usergroup", "/people/jane/permission"]) {
      expect(changedKeysOf(own, { before: undefined, after: { key: own } })).toEqual([]);
    }
  });

  it("stops at a maximum depth", () => {
    let deep: CatalogRecord = { key: "/works/OL1W" };
    for (let level = 0; level < CHANGED_KEYS_DEPTH_MAX + 1; level += 1) deep = { in: deep };
    expect(changedKeysOf(key, { before: edition(deep), after: edition({}) })).toEqual([key]);
  });
});

it.each([
  ["/works/OL1W", true],
  ["/books/ia:foo", true],
  ["/authors/OL1A", true],
  ["/people/jane/lists/OL1L", true],
  ["/lists/OL1L", true],
  ["/series/OL1L", true],
  ["/people/jane/series/OL1L", true],
  ["/languages/eng", false],
  ["/works/OL1W/editions", false],
  ["/type/work", false],
])("isIndexedKey(%s) is %s", (one, expected) => expect(isIndexedKey(one)).toBe(expected));

describe("isShownDifferently", () => {
  it.each<[string, CatalogRecord | undefined, CatalogRecord, boolean]>([
    ["new", undefined, author({ name: "A" }), true],
    ["the same", author({ name: "A", bio: "x" }), author({ name: "A", bio: "y" }), false],
    ["renamed", author({ name: "A" }), author({ name: "B" }), true],
    ["another name", author({ name: "A" }), author({ name: "A", alternate_names: ["B"] }), true],
    ["deleted", author({ name: "A" }), { type: { key: "/type/delete" }, name: "A" }, true],
    ["redirected", author({ name: "A" }), redirect("/authors/OL2A"), true],
    ["redirected elsewhere", redirect("/authors/OL2A"), redirect("/authors/OL3A"), true],
  ])("%s", (_name, before, after, expected) => expect(isShownDifferently(before, after)).toBe(expected));
});
