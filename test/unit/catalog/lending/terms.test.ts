import { describe, expect, it } from "vitest";
import { parseHoldingLine, termsFromSubjects, termsOf } from "../../../../src/catalog/lending/holdings.ts";
import { chooseLoanKind } from "../../../../src/catalog/lending/loan.ts";
import { unionCatalogUrlOf } from "../../../../src/catalog/lending/union-catalog.ts";

describe("termsOf", () => {
  const holding = { accessRestricted: false, copies: 3, browse: true };

  it.each([
    [
      ["inlibrary", "printdisabled"],
      false,
      { isReadable: false, isLendable: true, isPrintDisabled: true, copies: 3 },
    ],
    [["inlibrary"], true, { isReadable: false, isLendable: true, isPrintDisabled: true, copies: 3 }],
    [["printdisabled"], false, { isReadable: false, isLendable: false, isPrintDisabled: true, copies: 0 }],
    [["texts"], false, { isReadable: true, isLendable: false, isPrintDisabled: false, copies: 0 }],
    [["texts"], true, { isReadable: false, isLendable: false, isPrintDisabled: false, copies: 0 }],
    [[], false, { isReadable: false, isLendable: false, isPrintDisabled: false, copies: 0 }],
  ])("of %j, restricted %s", (collections, accessRestricted, expected) => {
    const terms = termsOf({ ...holding, collections, accessRestricted });
    expect(terms).toEqual({ ...expected, browse: expected.isLendable });
  });

  it("from subjects gives one copy, not by the hour", () => {
    expect(termsFromSubjects(["In library"])).toMatchObject({ isLendable: true, copies: 1, browse: false });
    expect(termsFromSubjects(["Protected DAISY"])).toMatchObject({
      isLendable: false,
      isPrintDisabled: true,
    });
    expect(termsFromSubjects(["Accessible book"])).toMatchObject({ isReadable: true });
    expect(termsFromSubjects(["Whales"])).toBeUndefined();
  });
});

it.each([
  ["borrow", { free: 1, browse: true, isClaim: false }, "borrow"],
  ["browse", { free: 1, browse: true, isClaim: false }, "browse"],
  ["browse", { free: 1, browse: false, isClaim: false }, "borrow"],
  ["browse", { free: 0, browse: true, isClaim: true }, "borrow"],
  ["borrow", { free: 0, browse: true, isClaim: false }, undefined],
] as const)("a request to %s with %s gets %s", (wish, counter, expected) => {
  expect(chooseLoanKind(wish, counter)).toBe(expected);
});

describe("parseHoldingLine", () => {
  const line = (members: object): unknown =>
    parseHoldingLine(JSON.stringify({ ocaid: "foo", collections: [], ...members }));

  it("has defaults", () => {
    expect(line({})).toEqual({
      ocaid: "foo",
      collections: [],
      accessRestricted: false,
      copies: 1,
      browse: false,
      mediatype: "texts",
      imagecount: null,
    });
  });

  it.each([
    [{ ocaid: "" }, "holding.value", "ocaid"],
    [{ ocaid: "a/b" }, "holding.value", "ocaid"],
    [{ collections: "inlibrary" }, "holding.value", "collections"],
    [{ collections: [1] }, "holding.value", "collections"],
    [{ collections: ["x".repeat(201)] }, "holding.value", "collections"],
    [{ copies: 1.5 }, "holding.value", "copies"],
    [{ copies: "2" }, "holding.value", "copies"],
    [{ copies: 10_001 }, "holding.value", "copies"],
    [{ browse: 1 }, "holding.value", "browse"],
    [{ access_restricted: "no" }, "holding.value", "access_restricted"],
    [{ imagecount: -1 }, "holding.value", "imagecount"],
    [{ mediatype: "<b>" }, "holding.value", "mediatype"],
    [{ title: "Foo" }, "holding.member", "title"],
  ] as const)("refuses %j: %s %s", (members, key, name) => {
    expect(line(members)).toEqual({ reason: { key, values: { name } } });
  });

  it.each(["", "null", "[]", "{", '"foo"'])("refuses %j", (text) => {
    expect(parseHoldingLine(text)).toEqual({ reason: { key: "holding.object" } });
  });
});

it.each([
  [{ oclc_numbers: ["ocm00012345"], isbn_13: ["9780140328721"] }, "no:12345"],
  [{ isbn_10: ["0-14-032872-6"] }, "bn:0140328726"],
  [{ isbn_13: ["9780140328721"], isbn_10: ["0140328726"] }, "bn:9780140328721"],
  [{ title: "A & B" }, "ti:A & B"],
])("unionCatalogUrl of %j is %s", (members, q) => {
  const url = new URL(unionCatalogUrlOf({ key: "/books/OL1M", type: { key: "/type/edition" }, ...members }));
  expect([...url.searchParams]).toEqual([["q", q]]);
});
