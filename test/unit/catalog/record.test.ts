import { describe, expect, it } from "vitest";
import { toWellFormedJson } from "../../../src/catalog/bytes.ts";
import {
  type CatalogRecord,
  type Json,
  REDIRECT_HOPS_MAX,
  authorsOf,
  isObject,
  keyOf,
  resolveRecord,
  stringsOf,
  textOf,
  typeKeyOf,
} from "../../../src/catalog/record.ts";
import { findHalfSurrogate } from "../../../src/catalog/storable-text.ts";

describe("findHalfSurrogate", () => {
  it.each<[Json, (string | number)[] | undefined]>([
    ["a \u{1f600} b", undefined],
    ["\ud83d", []],
    ["\ude00\ud83d", []],
    [{ a: [1, null, { b: "x\udc00" }] }, ["a", 2, "b"]],
    [{ "\ud83d": 1 }, ["\ufffd"]],
    [{ a: ["b"] }, undefined],
  ])("%j: %j", (value, path) => expect(findHalfSurrogate(value)).toEqual(path));
});

describe("toWellFormedJson", () => {
  it.each([
    ["plain", "plain"],
    ["\u{1f600}", "\u{1f600}"],
    ["\ud83d", "\ufffd"],
    ["a\ude00\ud83dz", "a\ufffd\ufffdz"],
    ["\\ud83d", "\\ud83d"],
    ["\\\ud83d", "\\\ufffd"],
  ])("replaces halves of pairs in %j", (text, replaced) => {
    expect(JSON.parse(toWellFormedJson(JSON.stringify([text])))).toEqual([replaced]);
  });

  it("keeps escaped pairs", () => {
    const pair = String.raw`["\uD83D\uDE00 \ud83d\ude00"]`;
    expect(toWellFormedJson(pair)).toBe(pair);
    expect(toWellFormedJson(String.raw`"\ud83d\ud83d\ude00"`)).toBe(String.raw`"\ufffd\ud83d\ude00"`);
  });
});

describe("isObject", () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ["a", false],
    [1, false],
  ])("%j: %s", (value, expected) => expect(isObject(value)).toBe(expected));
});

describe("keyOf", () => {
  it.each<[Json | undefined, string | undefined]>([
    [{ key: "/works/OL1W" }, "/works/OL1W"],
    [{ key: "/works/OL1W", title: "x" }, "/works/OL1W"],
    ["/works/OL1W", "/works/OL1W"],
    ["Gulliver", undefined],
    ["", undefined],
    [{ key: 1 }, undefined],
    [{}, undefined],
    [["/works/OL1W"], undefined],
    [null, undefined],
    [undefined, undefined],
  ])("%j: %s", (value, expected) => expect(keyOf(value)).toBe(expected));
});

describe("textOf", () => {
  it.each<[Json | undefined, string | undefined]>([
    ["plain", "plain"],
    ["", ""],
    [{ type: "/type/text", value: "object" }, "object"],
    [{ type: "/type/text" }, undefined],
    [{ value: 3 }, undefined],
    [3, undefined],
    [["a"], undefined],
    [null, undefined],
    [undefined, undefined],
  ])("%j: %s", (value, expected) => expect(textOf(value)).toBe(expected));
});

describe("stringsOf", () => {
  it.each<[Json | undefined, string[]]>([
    ["one", ["one"]],
    [
      [" a ", "", "b"],
      [" a ", "", "b"],
    ],
    [["a", 1, null, { value: "x" }, ["y"]], ["a"]],
    [{ a: "b" }, []],
    [undefined, []],
    [null, []],
    [7, []],
  ])("%j: %j", (value, expected) => expect(stringsOf(value)).toEqual(expected));
});

describe("typeKeyOf", () => {
  it("reads references and bare strings", () => {
    expect(typeKeyOf({ type: { key: "/type/work" } })).toBe("/type/work");
    expect(typeKeyOf({ type: "/type/work" })).toBe("/type/work");
    expect(typeKeyOf({})).toBeUndefined();
  });
});

const redirect = (location: Json): CatalogRecord => ({ type: { key: "/type/redirect" }, location });
const author: CatalogRecord = { key: "/authors/OL2A", type: { key: "/type/author" }, name: "Two" };

describe("resolveRecord", () => {
  it("follows redirects and stops at gaps and loops", () => {
    const records = new Map<string, CatalogRecord>([
      ["/authors/OL1A", redirect("/authors/OL2A")],
      ["/authors/OL2A", author],
      ["/authors/OL3A", redirect("/authors/OL9A")],
      ["/authors/OL4A", redirect("/authors/OL4A")],
      ["/authors/OL5A", redirect(7)],
    ]);
    expect(resolveRecord(records, "/authors/OL1A")).toBe(author);
    expect(resolveRecord(records, "/authors/OL2A")).toBe(author);
    for (const key of ["/authors/OL3A", "/authors/OL4A", "/authors/OL5A", "/authors/OL6A"]) {
      expect(resolveRecord(records, key), key).toBeUndefined();
    }
  });

  it("follows the maximum number of hops", () => {
    const chain = (hops: number): ReadonlyMap<string, CatalogRecord> =>
      new Map([
        ...Array.from({ length: hops }, (_, hop) => [`/a${hop}`, redirect(`/a${hop + 1}`)] as const),
        [`/a${hops}`, author] as const,
      ]);
    expect(resolveRecord(chain(REDIRECT_HOPS_MAX), "/a0")).toBe(author);
    expect(resolveRecord(chain(REDIRECT_HOPS_MAX + 1), "/a0")).toBeUndefined();
  });
});

describe("authorsOf", () => {
  const authors = new Map<string, CatalogRecord>([
    ["/authors/OL1A", redirect("/authors/OL2A")],
    ["/authors/OL2A", author],
    ["/authors/OL3A", { key: "/authors/OL3A", type: { key: "/type/delete" } }],
  ]);

  it.each<[string, Json | undefined, CatalogRecord[]]>([
    ["references", [{ key: "/authors/OL2A" }], [author]],
    ["roles", [{ author: { key: "/authors/OL2A" }, role: "editor" }], [author]],
    ["redirected ones", [{ author: { key: "/authors/OL1A" } }], [author]],
    ["deleted ones", [{ key: "/authors/OL3A" }], []],
    ["missing ones", [{ key: "/authors/OL9A" }, { author: null }, {}, "Anon", null], []],
    ["no array", { key: "/authors/OL2A" }, []],
    ["nothing", undefined, []],
  ])("%s", (_what, references, expected) => expect(authorsOf(references, authors)).toEqual(expected));
});
