import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { callHook } from "../../support/worker/hooks.ts";
import { author, deleted, redirected, work, workKey } from "../../support/worker/records.ts";
import { documentOf, testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const { database, statements } = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: database });
const getMany = (keys: unknown) => callHook(service, "get_many", { keys });

const WORKS = Array.from({ length: 150 }, (_, index) => work(index + 1));

beforeAll(async () => {
  await service.load(...WORKS, author(1), redirected(workKey(501), workKey(1), 1), deleted(workKey(502), 1));
});

describe("GET /api/get_many", () => {
  it("returns existing records by key, in request order", async () => {
    const keys = [
      workKey(9),
      "/authors/OL1A",
      workKey(999),
      workKey(2),
      workKey(501),
      workKey(502),
      workKey(9),
    ];
    const { status, result } = await getMany(keys);
    expect(status).toBe("ok");
    const found = [workKey(9), "/authors/OL1A", workKey(2), workKey(501), workKey(502)];
    expect(Object.keys(Object(result))).toEqual(found);
    expect(Object(result)[workKey(9)]).toEqual(documentOf(work(9)));
    expect(Object(result)[workKey(501)]).toMatchObject({ location: workKey(1) });
  });

  it("reads hundreds of keys in one statement", async () => {
    const keys = WORKS.map(({ key }) => key);
    statements.length = 0;
    const { result } = await getMany(keys);
    expect(statements).toHaveLength(1);
    expect(Object.keys(Object(result))).toEqual(keys);
  });

  it("is limited to 1,000 keys", async () => {
    const keys = Array.from({ length: 1000 }, (_, index) => workKey(index + 10_000));
    expect(await getMany(keys)).toEqual({ status: "ok", result: {} });
    expect(await getMany([...keys, workKey(1)])).toMatchObject({ status: "fail" });
  });

  it.each(["[]", '["/nothing"]', '["__proto__","constructor",""]', '["\\u0000"]', '["\\ud800"]'])(
    "finds nothing for %s",
    async (keys) => {
      expect(await getMany(keys)).toEqual({ status: "ok", result: {} });
    },
  );

  it.each(["x", "{}", '"/works/OL1W"', "[1]", '[["/works/OL1W"]]', "null", "[null]"])(
    "fails for %s",
    async (keys) => {
      const answer = await getMany(keys);
      expect(answer.status).toBe("fail");
      expect(answer.message).toMatch(/^Bad /);
    },
  );
});
