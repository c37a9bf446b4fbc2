import { describe, expect, it } from "vitest";
import {
  WRITE_QUERY_RECORDS_MAX,
  applyQuery,
  keysOfQuery,
} from "../../../../src/catalog/editing/write-query.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";
import { told } from "./fixture.ts";

const TALE: CatalogRecord = {
  key: "/works/OL1W",
  type: { key: "/type/work" },
  title: "Tale",
  subjects: ["a", "b"],
  links: [{ url: "u", title: "t" }],
};
const STORED = new Map([["/works/OL1W", TALE]]);

/** The one changed document without what did not change. */
function changes(members: CatalogRecord): CatalogRecord {
  const { documents, failures, updated } = applyQuery({ key: "/works/OL1W", ...members }, STORED);
  expect(failures).toEqual([]);
  expect(updated).toEqual(documents.length === 0 ? [] : ["/works/OL1W"]);
  return documents[0] ?? {};
}

describe("applyQuery on an existing record", () => {
  it.each<[string, CatalogRecord, CatalogRecord]>([
    ["sets a value", { title: { connect: "update", value: "New" } }, { title: "New" }],
    ["sets a new one", { subtitle: { connect: "update", value: "S" } }, { subtitle: "S" }],
    [
      "sets a reference",
      { cover_edition: { connect: "update", key: "/books/OL1M" } },
      { cover_edition: { key: "/books/OL1M" } },
    ],
    [
      "sets a text",
      { notes: { connect: "update", type: "/type/text", value: "x" } },
      { notes: { type: "/type/text", value: "x" } },
    ],
    ["sets a number", { pages: { connect: "update", type: "/type/int", value: 5 } }, { pages: 5 }],
    ["sets a list", { subjects: { connect: "update_list", value: ["c"] } }, { subjects: ["c"] }],
    ["adds an element", { subjects: { connect: "insert", value: "c" } }, { subjects: ["a", "b", "c"] }],
    [
      "adds to what is missing",
      { genres: { connect: "insert", key: "/tags/OL1T" } },
      { genres: [{ key: "/tags/OL1T" }] },
    ],
    [
      "adds to what every object has",
      { constructor: { connect: "insert", value: "x" } },
      { constructor: ["x"] },
    ],
    ["takes an element out", { subjects: { connect: "delete", value: "a" } }, { subjects: ["b"] }],
    [
      "takes the last element out",
      { links: { connect: "delete", value: { title: "t", url: "u" } } },
      { links: undefined },
    ],
    ["takes a member away", { title: { connect: "update", value: null } }, { title: undefined }],
  ])("%s", (_what, members, expected) => {
    expect(changes(members)).toEqual({ ...TALE, ...expected });
  });

  it.each<[string, CatalogRecord]>([
    ["plain members", { title: "New", subjects: ["x"], type: "/type/edition" }],
    ["an element that is there", { subjects: { connect: "insert", value: "a" } }],
    ["an element that is not there", { subjects: { connect: "delete", value: "z" } }],
    ["an element of nothing", { genres: { connect: "delete", value: "z" } }],
    ["the value it has", { title: { connect: "update", value: "Tale" } }],
    ["creation", { create: "unless_exists", title: "New" }],
  ])("changes nothing for %s", (_what, members) => {
    expect(changes(members)).toEqual({});
  });

  it.each<[CatalogRecord, string]>([
    [{ title: { connect: "update", value: ["x"] } }, "400 expected atom, found list @title"],
    [{ subjects: { connect: "update_list", value: "x" } }, "400 expected list, found atom @subjects"],
    [{ title: { connect: "insert", value: "x" } }, "400 expected list, found atom @title"],
    [{ title: { connect: "delete", value: "x" } }, "400 expected list, found atom @title"],
    [
      { title: { connect: "replace", value: "x" } },
      "400 connect must be update, update_list, insert or delete @title",
    ],
    [
      { title: { connect: null, value: "x" } },
      "400 connect must be update, update_list, insert or delete @title",
    ],
    [{ title: { connect: "update" } }, "400 missing value @title"],
    [{ create: "always" }, "400 create must be unless_exists @create"],
  ])("%j: %s", (members, expected) => {
    const { documents, failures } = applyQuery({ key: "/works/OL1W", ...members }, STORED);
    expect(told(failures)).toEqual([expected]);
    expect(documents).toEqual([]);
  });
});

describe("applyQuery on missing records", () => {
  it("creates them, the inner ones first", () => {
    const query = {
      create: "unless_exists",
      key: "/books/OL9M",
      type: "/type/edition",
      works: {
        connect: "update_list",
        value: [
          { create: "unless_exists", key: "/works/OL9W", type: "/type/work", title: "W" },
          { key: "/works/OL1W" },
        ],
      },
      subjects: { connect: "insert", value: "x" },
      description: { type: "/type/text", value: "d" },
      cover: { connect: "update", create: "unless_exists", key: "/c", type: "/type/page" },
    };
    expect(keysOfQuery(query)).toEqual(["/works/OL9W", "/c", "/books/OL9M"]);
    const applied = applyQuery(query, STORED);
    expect(applied).toEqual({
      documents: [
        { key: "/works/OL9W", type: "/type/work", title: "W" },
        { key: "/c", type: "/type/page" },
        {
          key: "/books/OL9M",
          type: "/type/edition",
          works: [{ key: "/works/OL9W" }, { key: "/works/OL1W" }],
          subjects: ["x"],
          description: { type: "/type/text", value: "d" },
          cover: { key: "/c" },
        },
      ],
      created: ["/works/OL9W", "/c", "/books/OL9M"],
      updated: [],
      failures: [],
    });
  });

  it("continues with its own results, and tells created from updated", () => {
    const applied = applyQuery(
      [
        { create: "unless_exists", key: "/a", type: "/type/page", tags: ["x"] },
        { key: "/a", tags: { connect: "insert", value: "y" } },
        { key: "/works/OL1W", title: { connect: "update", value: "New" } },
      ],
      STORED,
    );
    expect(applied.created).toEqual(["/a"]);
    expect(applied.updated).toEqual(["/works/OL1W"]);
    expect(applied.documents[0]).toEqual({ key: "/a", type: "/type/page", tags: ["x", "y"] });
    expect(applied.documents[1]).toEqual({ ...TALE, title: "New" });
  });

  it.each<[Json, string[]]>([
    [{ key: "/b", title: "x" }, ["404 Not in the catalog: /b"]],
    [
      [{ title: "x" }, "y", { key: 5 }],
      [0, 1, 2].map((index) => `400 The query at index ${index} has no key`),
    ],
    [null, ["400 The query at index 0 has no key"]],
    [
      Array.from({ length: WRITE_QUERY_RECORDS_MAX + 1 }, (_none, index) => ({
        key: `/${index}`,
        create: "unless_exists",
      })),
      [`400 Too many entries: ${WRITE_QUERY_RECORDS_MAX} at most.`],
    ],
    [
      JSON.parse('{"a":'.repeat(9000) + "1" + "}".repeat(9000)) as Json,
      ["400 Values can be nested at most 64 levels deep"],
    ],
  ])("refuses (%#)", (query, expected) => {
    expect(told(applyQuery(query, STORED).failures)).toEqual(expected);
    expect(applyQuery(query, STORED).documents).toEqual([]);
  });
});
