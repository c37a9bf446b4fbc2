import { beforeAll, describe, expect, it } from "vitest";
import { callHook } from "../../support/worker/hooks.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const things = (query: unknown, more = {}) => callHook(service, "things", { query, ...more });
const E = "/type/edition";

beforeAll(async () => {
  await service.load(
    author(1, { name: "Ann" }),
    work(1, { authors: [1], title: "The work" }),
    ...[1, 2, 3].map((id) => edition(id, { work: 1, title: "Rivers", number_of_pages: id })),
  );
});

describe("GET /api/things", () => {
  it.each([
    [{ type: E, title: "Rivers" }, ["/books/OL1M", "/books/OL2M", "/books/OL3M"]],
    [{ type: E, works: "/works/OL1W", limit: 1, offset: 1 }, ["/books/OL2M"]],
    [{ type: E, "number_of_pages>": 1, sort: "-key" }, ["/books/OL3M", "/books/OL2M"]],
    [{ type: "/type/work", authors: { author: { key: "/authors/OL1A" } } }, ["/works/OL1W"]],
    [{ type: E, title: "Nothing" }, []],
    [{ type: E, title: "Rivers", limit: 0 }, []],
  ])("finds the keys of %j", async (query, result) => {
    expect(await things(query)).toEqual({ status: "ok", result });
  });

  it("returns selected members with details=true only", async () => {
    const query = { type: E, number_of_pages: 2, title: null, works: { title: null } };
    const row = {
      key: "/books/OL2M",
      title: "Rivers",
      works: [{ key: "/works/OL1W", title: "The work" }],
    };
    expect(await things(query, { details: "true" })).toEqual({ status: "ok", result: [row] });
    for (const details of ["false", "", "TRUE", "1"]) {
      expect(await things(query, { details })).toEqual({ status: "ok", result: ["/books/OL2M"] });
    }
  });

  it.each([
    ["{", /^Bad JSON/],
    ["[]", /expected a JSON object/],
    ['{"title":"x"}', /missing 'type'/],
    ['{"type":"/type/edition","limit":-1}', /negative/],
    ['{"type":"/type/edition","title~":"*x"}', /pattern/],
    ["", /^Missing argument/],
  ])("fails for %s", async (query, message) => {
    const answer = await things(query);
    expect(answer.status).toBe("fail");
    expect(answer.message).toMatch(message);
  });
});
