import { describe, expect, it } from "vitest";
import { isBlankMember, isSameValue } from "../../../../src/catalog/editing/members.ts";
import { type CatalogRecord, type Json, memberOf } from "../../../../src/catalog/record.ts";
import { typeOfValue, toPrimitive } from "../../../../src/catalog/editing/values.ts";
import { edition, members, prepare, told, work } from "./fixture.ts";

const text = (value: Json): CatalogRecord => ({ type: "/type/text", value });

describe("values of declared properties", () => {
  it.each<[string, CatalogRecord, string, Json]>([
    ["a string", work(), "title", "Tale"],
    ["text in an object", work(), "description", text("x")],
    [
      "embedded roles",
      work(),
      "authors",
      [{ type: { key: "/type/author_role" }, author: { key: "/authors/OL1A" } }],
    ],
    ["numbers", work(), "covers", [1, -1]],
    ["a reference", work(), "cover_edition", { key: "/books/OL1M" }],
    ["a permission", work(), "permission", { key: "/permission/open" }],
    ["free objects", work(), "identifiers", { goodreads: ["1"], empty: [], blank: "", none: null }],
    ["free arrays", work(), "excerpts", [{ excerpt: "", comment: null }, null, "", []]],
    ["a free text object", work(), "odd", text("x")],
    ["free numbers and truths", edition(), "odd", [0, false, 1.5, {}]],
    ["objects with a key that is no path", work(), "music", { key: "C major" }],
    ["objects with a key and more", work(), "music", { key: "/works/OL404W", note: "x" }],
    ["an edition's links, which are free", edition(), "links", [{ url: "u", title: "" }]],
    ["a reference to what was deleted, where any goes", work(), "see", { key: "/authors/OL4A" }],
    [
      "seeds",
      { key: "/lists/OL1L", type: "/type/list" },
      "seeds",
      ["subject:cheese", { thing: { key: "/works/OL1W" } }],
    ],
    ["blank elements of arrays", work(), "subjects", ["", " "]],
    ["false", { key: "/authors/OL9A", type: "/type/author" }, "eastern_order", false],
    [
      "a rows's level and its authors",
      edition(),
      "table_of_contents",
      [{ level: 0, title: "A", authors: [{ name: "N", author: null }], type: { key: "/type/toc_item" } }],
    ],
  ])("stay unchanged: %s", (_what, document, name, value) => {
    const batch = [{ ...document, [name]: value }, edition({ key: "/books/OL1M" })];
    const { writes, failures } = prepare(batch);
    expect(failures).toEqual([]);
    expect(memberOf(writes[0]!.members, name)).toEqual(value);
  });

  it.each<[string, CatalogRecord, string, Json, Json]>([
    ["a bare text", work(), "description", "x", text("x")],
    [
      "a text typed by an object",
      work(),
      "description",
      { type: { key: "/type/text" }, value: "x" },
      text("x"),
    ],
    ["a text with more members", work(), "notes", { ...text("x"), id: 3 }, text("x")],
    ["a numeric string", edition(), "number_of_pages", " 150 ", 150],
    ["a number with its type", edition(), "number_of_pages", { type: "/type/int", value: "7" }, 7],
    ["numeric strings of an array", work(), "covers", ["1", 2], [1, 2]],
    ["a true word", edition(), "scan_on_demand", "TRUE", true],
    ["a one", edition(), "scan_on_demand", "1", true],
    ["any other word", edition(), "scan_on_demand", "yes", false],
    ["a truth with its type", edition(), "scan_on_demand", { type: "/type/boolean", value: "true" }, true],
    ["a bare key", work(), "genres", ["/tags/OL1T"], [{ key: "/tags/OL1T" }]],
    ["a key of the early years", edition(), "authors", [{ key: "/a/OL1A" }], [{ key: "/authors/OL1A" }]],
    [
      "a role without type",
      work(),
      "authors",
      [{ author: "/authors/OL1A" }],
      [{ author: { key: "/authors/OL1A" }, type: { key: "/type/author_role" } }],
    ],
    [
      "a role typed by a string",
      work(),
      "authors",
      [{ type: "/type/author_role", author: { key: "/authors/OL1A" } }],
      [{ type: { key: "/type/author_role" }, author: { key: "/authors/OL1A" } }],
    ],
    [
      "blank members of embedded objects",
      work(),
      "links",
      [{ url: "u", title: "", note: null, tags: [], n: 0 }],
      [{ url: "u", n: 0, type: { key: "/type/link" } }],
    ],
    ["a string with its type", work(), "title", { type: "/type/string", value: "Tale" }, "Tale"],
  ])("are normalized: %s", (_what, document, name, value, expected) => {
    expect(memberOf(members({ ...document, [name]: value }), name)).toEqual(expected);
  });

  it("may be floats and datetimes", () => {
    expect(members({ key: "/p", type: "/type/place", latitude: "1.5e1", longitude: 3 })).toEqual({
      latitude: 15,
      longitude: 3,
    });
    const time = { type: "/type/datetime", value: "2026-08-25T09:15:03.120000" };
    expect(toPrimitive("/type/datetime", "2026-08-25T09:15:03.12")).toEqual(time);
    expect(toPrimitive("/type/datetime", time)).toEqual(time);
    expect(toPrimitive("/type/datetime", "soon")).toBeUndefined();
    expect(toPrimitive("/type/nothing", "x")).toBeUndefined();
  });
});

describe("invalid values", () => {
  it.each<[CatalogRecord, string]>([
    [work({ title: text("x") }), "400 expected /type/string, found /type/text @title"],
    [work({ title: {} }), "400 expected /type/string, found /type/dict @title"],
    [work({ title: ["x"] }), "400 expected atom, found list @title"],
    [work({ title: { key: "/works/OL1W" } }), "400 expected /type/string, found /type/work @title"],
    [work({ title: { key: "/works/OL404W" } }), "404 Not in the catalog: /works/OL404W @title"],
    [work({ subjects: "x" }), "400 expected list, found atom @subjects"],
    [work({ subjects: [["x"]] }), "400 expected atom, found list @subjects"],
    [work({ subjects: [null] }), "400 expected /type/string, found /type/null @subjects"],
    [work({ description: 5 }), "400 expected /type/text, found /type/int @description"],
    [work({ description: text(5) }), "400 expected /type/text, found /type/int @description"],
    [work({ covers: [1.5] }), "400 expected /type/int, found /type/float @covers"],
    [work({ covers: [1e300] }), "400 expected /type/int, found /type/float @covers"],
    [edition({ number_of_pages: "ten" }), "400 expected /type/int, found /type/string @number_of_pages"],
    [
      edition({ number_of_pages: "99999999999999999" }),
      "400 expected /type/int, found /type/string @number_of_pages",
    ],
    [edition({ scan_on_demand: 1 }), "400 expected /type/boolean, found /type/int @scan_on_demand"],
    [
      { key: "/p", type: "/type/place", latitude: "1e999" },
      "400 expected /type/float, found /type/string @latitude",
    ],
    [work({ links: ["http://x"] }), "400 expected /type/link, found /type/string @links"],
    [work({ links: [{ url: 5 }] }), "400 expected /type/string, found /type/int @links.url"],
    [
      edition({ table_of_contents: ["A"] }),
      "400 expected /type/toc_item, found /type/string @table_of_contents",
    ],
    [edition({ works: [{ key: "/works/OL404W" }] }), "404 Not in the catalog: /works/OL404W @works"],
    [edition({ works: [{ key: "/works/OL2W" }] }), "400 expected /type/work, found /type/redirect @works"],
    [
      edition({ works: [{ key: "/works/OL1W", title: "x" }] }),
      "400 expected /type/work, found /type/dict @works",
    ],
    [edition({ works: [7] }), "400 expected /type/work, found /type/int @works"],
    [
      work({ authors: [{ author: { key: "/authors/OL4A" } }] }),
      "400 expected /type/author, found /type/delete @authors.author",
    ],
    [work({ genres: ["Fiction"] }), "404 Not in the catalog: Fiction @genres"],
    [work({ permission: { key: "/about" } }), "400 expected /type/permission, found /type/page @permission"],
    [
      { key: "/lists/OL1L", type: "/type/list", seeds: [{ key: "/works/OL404W" }] },
      "404 Not in the catalog: /works/OL404W @seeds",
    ],
  ])("%j: %s", (document, expected) => {
    const failures = prepare([document]).failures;
    expect(told(failures)).toEqual([expected]);
    expect(failures[0]!.at!.key).toBe(document["key"]);
  });

  it("are reported with the value", () => {
    expect(prepare([work({ covers: [1, "x"] })]).failures).toEqual([
      {
        status: 400,
        error: "bad_data",
        text: {
          key: "bad_data.type_expected",
          values: { expected: "/type/int", found: "/type/string" },
        },
        at: { key: "/works/OL9W", property: "covers" },
        value: "x",
      },
    ]);
    expect(prepare([edition({ works: ["/works/OL404W"] })]).failures).toEqual([
      {
        status: 404,
        error: "notfound",
        text: { key: "bad_data.no_record", values: { key: "/works/OL404W" } },
        key: "/works/OL404W",
        at: { key: "/books/OL9M", property: "works" },
      },
    ]);
  });
});

describe("isBlankMember", () => {
  it.each<[Json, boolean]>([
    [null, true],
    ["", true],
    [" \n\t", true],
    [[], true],
    [text(" "), true],
    [[""], false],
    [[null], false],
    [{}, false],
    [0, false],
    [false, false],
    [text("x"), false],
    [text(5), false],
    [{ type: "/type/other", value: "" }, false],
    [{ value: "" }, false],
  ])("%j: %s", (value, blank) => {
    expect(isBlankMember(value)).toBe(blank);
    expect(members(work({ odd: value }))).toEqual(blank ? {} : { odd: value });
  });
});

describe("isSameValue", () => {
  it.each<[Json, Json, boolean]>([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{}, { constructor: 1 }, false],
    [{ constructor: 1 }, {}, false],
    [[], {}, false],
    [{}, [], false],
    [null, {}, false],
    ["1", 1, false],
  ])("%j and %j: %s", (a, b, same) => {
    expect(isSameValue(a, b)).toBe(same);
    expect(isSameValue(b, a)).toBe(same);
  });

  it("typeOfValue names types", () => {
    expect(typeOfValue({ type: "/type/datetime", value: "x" })).toBe("/type/datetime");
    expect(typeOfValue({ type: "/type/work", value: "x" })).toBe("/type/dict");
    expect(typeOfValue({ key: "/x" })).toBe("/type/object");
  });
});
