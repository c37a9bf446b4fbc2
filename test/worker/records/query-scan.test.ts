import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import type { Json } from "../../../src/catalog/record.ts";
import { runQuery } from "../../../src/db/query/run-query.ts";
import { testService } from "../../support/worker/service.ts";

const WORKS = 30;
/** A bound that the works of this file exceed. */
const SCAN = 10;

beforeAll(async () => {
  const works = Array.from({ length: WORKS }, (_, index) => ({
    key: `/works/OL${index + 1}W`,
    type: "/type/work",
    title: `Work ${index + 1}`,
    first_publish_date: index < SCAN / 2 ? "1900" : "1950",
  }));
  await testService().load(...works);
});

const run = async (query: Json, scan: number) => {
  const rows = await runQuery(env.CATALOG, parseQuery(query), scan);
  return rows === "cut-off" ? rows : rows.map(({ key }) => key);
};
const type = { type: "/type/work" };

describe("Q34: a query without an indexed condition", () => {
  it("is answered below the bound", async () => {
    expect(await run({ ...type, first_publish_date: "1900" }, WORKS)).toHaveLength(SCAN / 2);
  });

  it("is answered when a page fills before the bound", async () => {
    expect(await run({ ...type, first_publish_date: "1900", limit: 3 }, SCAN)).toEqual([
      "/works/OL1W",
      "/works/OL2W",
      "/works/OL3W",
    ]);
  });

  it("is refused when more rows may follow the bound", async () => {
    expect(await run({ ...type, first_publish_date: "1900" }, SCAN)).toBe("cut-off");
    expect(await run({ ...type, first_publish_date: "2000" }, SCAN)).toBe("cut-off");
  });

  it("is refused when it would sort rows behind the bound", async () => {
    expect(await run({ ...type, first_publish_date: "1900", limit: 3, sort: "-title" }, SCAN)).toBe(
      "cut-off",
    );
  });

  it.each(["-created", "key", "-title"])(
    "is refused when it would sort more rows than the bound by %s",
    async (sort) => {
      expect(await run({ ...type, limit: 3, sort }, WORKS)).toHaveLength(3);
      expect(await run({ ...type, limit: 3, sort }, SCAN)).toBe("cut-off");
    },
  );

  it.each(["last_modified", "-last_modified"])("is unbounded in the indexed order %s", async (sort) => {
    expect(await run({ ...type, limit: 3, sort }, SCAN)).toHaveLength(3);
  });

  it("is unbounded with an indexed condition or without a filter", async () => {
    expect(await run({ ...type, title: "Work 30" }, SCAN)).toEqual(["/works/OL30W"]);
    expect(await run({ ...type, limit: WORKS }, SCAN)).toHaveLength(WORKS);
  });
});
