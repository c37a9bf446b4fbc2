import { beforeAll, describe, expect, it } from "vitest";
import { queriesOf } from "../../support/worker/queries.ts";
import { edition } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const { keys, problem } = queriesOf(service);
const E = "/type/edition";

beforeAll(async () => {
  await service.load(edition(1, { title: "Rivers", publishers: ["p 7"], isbn_10: ["0451526538"] }));
});

describe("invalid queries", () => {
  it.each(
    [
      [{ title: "x" }, "missing 'type' in query"],
      [{ type: E, title: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } } }, "nested too deeply"],
      [{ type: E, title: [["x"]] }, "a value must be"],
      [{ type: E, "title!=": ["a", "b"] }, "takes one value"],
      [{ type: E, "": "x" }, "name"],
      [{ type: E, "a\u0000b": "x" }, "name"],
      [{ type: E, limit: -1 }, "cannot be negative"],
      [{ type: E, sort: "a b" }, "cannot sort"],
      [{ type: E, sort: "title; DROP TABLE record" }, "cannot sort"],
      [{ type: E, publishers: Array.from({ length: 1001 }, (_, n) => `p ${n}`) }, "more than 1000 values"],
      [{ type: E, ...many(21) }, "too many conditions"],
      [[{ type: E }], "expected a JSON object"],
      [`{"type": "${"x".repeat(20_000)}"}`, "longer than"],
    ].map(([query, message]) => [JSON.stringify(query).slice(0, 60), query, message] as const),
  )("%s", async (_label, query, message) => {
    expect(await problem(query)).toContain(message);
  });

  it("need a type in plain parameters", async () => {
    const response = await service.fetch("/query.json?title=x");
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: "bad_data", message: "missing 'type' in query" });
  });
});

describe("large queries", () => {
  it("accept a thousand values, indexed or not", async () => {
    const values = Array.from({ length: 1000 }, (_, index) => `p ${index}`);
    expect(await keys({ type: E, publishers: values })).toEqual(["/books/OL1M"]);
    expect(await keys({ type: E, key: [...values.slice(1), "/books/OL1M"] })).toEqual(["/books/OL1M"]);
    expect(await keys({ type: E, isbn_: [...values.slice(1), "0451526538"] })).toEqual(["/books/OL1M"]);
    expect(await keys({ type: E, works: values.map((key) => ({ key })) })).toEqual([]);
    expect(await keys({ type: E, number_of_pages: values.map((_, index) => index) })).toEqual([]);
  });

  it.each([20, 19, 10])("of %i deep conditions are answered or refused", async (count) => {
    const deep = Object.fromEntries(
      Array.from({ length: count - 1 }, (_, index) => [`a${index}.b.c.d.e`, { key: `k${index}` }]),
    );
    const search = encodeURIComponent(JSON.stringify({ type: E, ...deep }));
    const response = await service.fetch(`/query.json?query=${search}`);
    expect([200, 400]).toContain(response.status);
  });

  it("select hundreds of members", async () => {
    const names = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, null]));
    const response = await service.json(
      `/query.json?query=${encodeURIComponent(JSON.stringify({ key: "/books/OL1M", ...names }))}`,
    );
    expect(response).toEqual([{ key: "/books/OL1M", ...names }]);
  });
});

describe("hostile text", () => {
  const HOSTILE = [
    "'; DROP TABLE record; --",
    '"',
    "' OR 1=1 --",
    "$.title",
    "?1",
    "\\",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "\u202e",
    "%",
    "_",
    "[",
    "*".repeat(40),
    "\n",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "\u{10ffff}",
    "x".repeat(10_000),
  ];
  const LABELLED = HOSTILE.map((text) => [JSON.stringify(text).slice(0, 40), text] as const);

  it.each(LABELLED)("is harmless as a value: %s", async (_label, text) => {
    for (const name of [
      "title",
      "key",
      "works",
      "number_of_pages",
      "last_modified",
      "isbn_",
      "identifiers.x",
    ]) {
      expect(await keys({ type: E, [name]: text }), name).toEqual([]);
    }
    const search = new URLSearchParams({ type: E, title: text.toWellFormed() });
    expect(await service.json(`/query.json?${search}`)).toEqual([]);
  });

  it.each(LABELLED)("is harmless as type, pattern or page: %s", async (_label, text) => {
    expect(await keys({ type: text, title: "x" })).toEqual([]);
    expect([200, 400]).toContain(await statusOf({ type: E, "title~": text }));
    expect([200, 400]).toContain(await statusOf({ type: E, key: "/books/OL1M", "title~i": `*${text}*` }));
    expect([200, 400]).toContain(await statusOf({ type: E, sort: text, limit: text, offset: text }));
  });

  it.each(LABELLED)("is harmless as a name: %s", async (_label, text) => {
    for (const query of [
      { type: E, [text]: "x" },
      { type: E, [`title.${text}`]: 5 },
      { type: E, links: { [text]: "x" } },
      { type: E, [text]: { title: "x" } },
      { type: E, title: { [text]: null } },
      { type: E, [text]: null },
      { type: E, [`${text}>`]: { key: "x" } },
    ]) {
      expect([200, 400]).toContain(await statusOf(query));
    }
  });

  const statusOf = async (query: unknown): Promise<number> =>
    (await service.fetch(`/query.json?query=${encodeURIComponent(JSON.stringify(query))}`)).status;
});

describe("the response of /query.json", () => {
  it("is uncacheable JSON", async () => {
    const response = await service.fetch("/query.json?key=/books/OL1M");
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual([{ key: "/books/OL1M" }]);
  });

  it("is JSONP on request", async () => {
    const response = await service.fetch("/query.json?key=/books/OL1M&callback=a.b");
    expect(response.headers.get("Content-Type")).toBe("application/javascript");
    expect(await response.text()).toBe('a.b([{"key":"/books/OL1M"}]);');
    expect((await service.fetch("/query.json?key=/books/OL1M&callback=a(b")).status).toBe(422);
  });

  it("has all records for an empty query", async () => {
    expect(await service.json("/query.json")).toEqual([{ key: "/books/OL1M" }]);
    expect(await keys({})).toEqual(["/books/OL1M"]);
  });
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}:title`, "x"]));
}
