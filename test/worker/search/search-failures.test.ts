import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { loadBooks } from "../../support/worker/books.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

beforeAll(() => loadBooks(service));

describe("GET /search.json: failures", () => {
  const value = (msg: unknown, input: unknown, name = "q") => ({
    type: "value_error",
    loc: ["query", name],
    msg,
    input,
    ctx: { error: {} },
  });
  const literal = "'true' or 'false'";
  const integer = "Input should be a valid integer, unable to parse string as an integer";

  it.each([
    ["q=ab", value("Value error, Query too short, must be at least 3 characters", "ab")],
    ["q=the", value("Value error, ('Invalid query; the following queries are not allowed: the',)", "the")],
    ["q=THE", value("Value error, ('Invalid query; the following queries are not allowed: the',)", "THE")],
    [
      "limit=-1",
      {
        type: "greater_than_equal",
        loc: ["query", "limit"],
        msg: "Input should be greater than or equal to 0",
        input: "-1",
        ctx: { ge: 0 },
      },
    ],
    ["limit=abc", { type: "int_parsing", loc: ["query", "limit"], msg: integer, input: "abc" }],
    [
      "page=0",
      {
        type: "greater_than_equal",
        loc: ["query", "page"],
        msg: "Input should be greater than or equal to 1",
        input: "0",
        ctx: { ge: 1 },
      },
    ],
    [
      "has_fulltext=maybe",
      {
        type: "literal_error",
        loc: ["query", "has_fulltext"],
        msg: `Input should be ${literal}`,
        input: "maybe",
        ctx: { expected: literal },
      },
    ],
    [
      "public_scan_b=x",
      {
        type: "literal_error",
        loc: ["query", "public_scan_b", 0],
        msg: `Input should be ${literal}`,
        input: "x",
        ctx: { expected: literal },
      },
    ],
    [
      "query=[1]",
      { type: "dict_type", loc: ["query", "query"], msg: "Input should be a valid dictionary", input: [1] },
    ],
    [
      "spellcheck_count=x",
      { type: "int_parsing", loc: ["query", "spellcheck_count"], msg: integer, input: "x" },
    ],
  ])("%s: 422", async (query, failure) => {
    const response = await service.fetch(`/search.json?${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ detail: [failure] });
  });

  it("explains failures of query= and sort=", async () => {
    const json = await service.fetch("/search.json?query={bad");
    expect(json.status).toBe(422);
    expect(await json.json()).toMatchObject({
      detail: [
        {
          type: "value_error",
          msg: expect.stringMatching(/^Value error, Invalid JSON in 'query' parameter: ./),
          input: "{bad",
          ctx: { error: {} },
        },
      ],
    });
    const sort = await service.fetch("/search.json?q=hobbit&sort=nonsense");
    expect(sort.status).toBe(422);
    expect(await sort.json()).toMatchObject({
      detail: [
        {
          loc: ["query", "sort"],
          msg: expect.stringMatching(
            /^Value error, Invalid sort option: 'nonsense'\. Valid options are: editions, /,
          ),
        },
      ],
    });
  });

  it("refuses complex queries and survives any text", async () => {
    const deep = `${"(a OR (b AND ".repeat(20)}c${"))".repeat(20)}`;
    const many = Array.from({ length: 300 }, (_, index) => `w${index}`).join(" OR ");
    for (const q of [deep, many]) {
      const response = await service.fetch(`/search.json?q=${encodeURIComponent(q)}`);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ type: "value_error", loc: ["query", "q"] }] });
    }
    for (const q of [
      '"',
      "((((",
      "a:b:c",
      "*a*b*",
      "[1 TO",
      "\u0000\ud800x",
      "''''",
      "NOT",
      "-",
      "foo AND",
      "{!x}y",
    ]) {
      const response = await service.fetch(`/search.json?q=${encodeURIComponent(`xyz ${q}`.toWellFormed())}`);
      expect([q, response.status]).toEqual([q, 200]);
    }
  });

  const manyWildcards = [..."abcdefgh"].map((letter) => `${letter}*`).join(" OR ");
  const manyWords = `"${"a ".repeat(600)}"`;
  it.each([
    ["/search.json", manyWildcards],
    ["/search.json", manyWords],
    ["/search.json", "a-".repeat(8000)],
    ["/search/authors.json", manyWildcards],
    ["/search/authors.json", manyWords],
    ["/search/subjects.json", manyWords],
    ["/search/lists.json", manyWords],
    ["/search/facets.json", manyWildcards],
    ["/search/facets.json", manyWords],
  ])("%s refuses a query that reads too much", async (path, q) => {
    const response = await service.fetch(`${path}?q=${encodeURIComponent(q)}&field=language`);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [value(expect.stringMatching(/^Value error, The query has too many w/), q.slice(0, 200))],
    });
  });

  it("does not correct a word of thousands of letters", async () => {
    const response = await service.fetch(`/search.json?q=${"x".repeat(16_000)}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ numFound: 0 });
  });

  it("answers 403 for Solr tuning parameters", async () => {
    const response = await service.fetch("/search.json?q=hobbit&solr_qf=title");
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      detail: "Solr internals parameters are not allowed in this environment.",
    });
  });

  it.skipIf(env.SEARCH_ENGINE === "solr")("answers 503 when the index is down", async () => {
    await env.SEARCH.prepare("ALTER TABLE work_text_a RENAME TO elsewhere").run();
    const response = await service.fetch("/search.json?q=hobbit");
    await env.SEARCH.prepare("ALTER TABLE elsewhere RENAME TO work_text_a").run();
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect(await response.json()).toEqual({ detail: "Search is temporarily unavailable" });
  });
});
