import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../../src/catalog/query/parse-query.ts";
import { QueryError } from "../../../../src/catalog/query/record-query.ts";
import type { Json } from "../../../../src/catalog/record.ts";

const conditions = (query: Json, loose = false) =>
  parseQuery(query, { loose }).conditions.map(({ element, comparisons }) => [
    element.join("."),
    ...comparisons.map(
      ({ path, operator, values }) => `${path.join(".")} ${operator} ${JSON.stringify(values)}`,
    ),
  ]);

const text = (value: string) => JSON.stringify([{ kind: "text", text: value }]);
const loose = (value: string) => JSON.stringify([{ kind: "loose", text: value }]);
const reference = (key: string) => JSON.stringify([{ kind: "reference", key }]);
const type = { type: "/type/edition" };
const typeCondition = ["", `type = ${text("/type/edition")}`];

describe("conditions", () => {
  it.each(["=", "!=", "<", "<=", ">", ">=", "~", "~i"])("operator %s", (operator) => {
    const name = operator === "=" ? "title" : `title${operator}`;
    expect(conditions({ ...type, [name]: "x*" })).toEqual([
      typeCondition,
      ["", `title ${operator} ${text("x*")}`],
    ]);
  });

  it("may repeat a property with labels", () => {
    expect(conditions({ "a:last_modified>": "2026-08-01", "b:last_modified<": "2026-09-01" })).toEqual([
      ["", `last_modified > ${text("2026-08-01")}`],
      ["", `last_modified < ${text("2026-09-01")}`],
    ]);
  });

  it("split dotted names except in identifiers", () => {
    expect(
      parseQuery({ ...type, "identifiers.booklocker.com": "1" }).conditions[1]?.comparisons[0]?.path,
    ).toEqual(["identifiers", "booklocker.com"]);
    expect(parseQuery({ ...type, "links.url": "1" }).conditions[1]?.comparisons[0]?.path).toEqual([
      "links",
      "url",
    ]);
  });

  it("in an object apply to one element", () => {
    expect(conditions({ type: "/type/work", links: { title: "x", url: "y" } })).toEqual([
      ["", `type = ${text("/type/work")}`],
      ["links", `title = ${text("x")}`, `url = ${text("y")}`],
    ]);
  });

  it("convert text for references and integers", () => {
    expect(conditions({ ...type, works: "/works/OL1W" })[1]).toEqual([
      "",
      `works = ${reference("/works/OL1W")}`,
    ]);
    expect(conditions({ ...type, number_of_pages: "100" })[1]).toEqual([
      "",
      'number_of_pages = [{"kind":"number","number":100}]',
    ]);
  });

  it("may be loose references in a URL", () => {
    expect(conditions({ ...type, anything: "/works/OL1W" }, true)[1]).toEqual([
      "",
      `anything = ${loose("/works/OL1W")}`,
    ]);
  });

  it("unwrap typed values", () => {
    const value = { type: "/type/datetime", value: "2020-01-01T00:00:00" };
    expect(conditions({ "last_modified>": value })).toEqual([["", `last_modified > ${text(value.value)}`]]);
  });
});

describe("selection", () => {
  it("uses null, and empty values in a URL", () => {
    expect([...parseQuery({ ...type, title: null, works: { title: null } }).selection.members]).toEqual([
      ["title", null],
      ["works", { all: false, members: new Map([["title", null]]) }],
    ]);
    expect([...parseQuery({ ...type, title: "" }, { loose: true }).selection.members.keys()]).toEqual([
      "title",
    ]);
  });

  it("of * takes all members", () =>
    expect(parseQuery({ key: "/works/OL1W", "*": null }).selection.all).toBe(true));
});

describe("paging and sorting", () => {
  it.each([
    [{}, 20, 0],
    [{ limit: 5, offset: 7 }, 5, 7],
    [{ limit: "5", offset: "7" }, 5, 7],
    [{ limit: 99_999, offset: 99_999 }, 1000, 10_000],
    [{ limit: "many" }, 20, 0],
    [{ limit: 0 }, 0, 0],
  ])("%j", (query, limit, offset) => expect(parseQuery(query)).toMatchObject({ limit, offset }));

  it("sort by one property", () => {
    expect(parseQuery({ sort: "-last_modified" }).sort).toEqual({
      property: "last_modified",
      descending: true,
    });
  });
});

describe("refusals", () => {
  it.each<[Json, RegExp]>([
    [{ title: "x" }, /missing 'type' in query/],
    [{ "authors.author": { key: "/authors/OL1A" } }, /missing 'type'/],
    [[], /expected a JSON object/],
    ["x", /expected a JSON object/],
    [{ limit: -1 }, /cannot be negative/],
    [{ sort: "title; DROP" }, /cannot sort/],
    [{ ...type, title: [{ x: [] }] }, /a value must be/],
    [{ ...type, "title>": ["a", "b"] }, /takes one value/],
    [{ ...type, 'a"b': "x" }, /invalid property name/],
    [{ ...type, "a..b": "x" }, /invalid property name/],
    [{ ...type, ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, "x"])) }, /too many/],
    [{ ...type, a: { b: { c: { d: { e: { f: { g: "x" } } } } } } }, /too deeply/],
  ])("%j", (query, message) => {
    expect(() => parseQuery(query)).toThrow(QueryError);
    expect(() => parseQuery(query)).toThrow(message);
  });
});
