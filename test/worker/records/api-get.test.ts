import { beforeAll, describe, expect, it } from "vitest";
import { callHook } from "../../support/worker/hooks.ts";
import { deleted, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const get = (parameters: Record<string, unknown>) => callHook(service, "get", parameters);

beforeAll(async () => {
  await service.load(
    work(1, { title: "First" }),
    work(1, { revision: 2, title: "Second" }),
    redirected("/works/OL2W", "/works/OL1W", 1),
    deleted("/works/OL3W", 1),
  );
});

describe("GET /api/get", () => {
  it.each([
    [{}, "Second"],
    [{ revision: "1" }, "First"],
    [{ revision: "2" }, "Second"],
    [{ revision: "" }, "Second"],
    [{ revision: "0" }, "Second"],
    [{ revision: "x" }, "Second"],
  ])("reads revision %j", async (more, title) => {
    expect(await get({ key: "/works/OL1W", ...more })).toMatchObject({ status: "ok", result: { title } });
  });

  it("returns the record of the key's own address", async () => {
    const { result } = await get({ key: "/works/OL1W" });
    expect(result).toEqual(await service.json("/works/OL1W.json"));
  });

  it.each(["/works/OL2W", "/works/OL3W"])("returns the stub %s unresolved", async (key) => {
    expect((await get({ key })).result).toEqual(await service.json(`${key}.json`));
  });

  it.each([
    [{ key: "/works/OL99W" }, "notfound"],
    [{ key: "/works/OL1W", revision: "3" }, "notfound"],
    [{ key: "/works/OL1W", revision: "-1" }, "notfound"],
    [{ key: "" }, "Missing argument: 'key'"],
    [{ key: "works/OL1W" }, "notfound"],
    [{ key: "/works/OL1W\u0000" }, "notfound"],
    [{}, "Missing argument: 'key'"],
  ])("fails for %j", async (parameters, message) => {
    expect(await get(parameters)).toEqual({ status: "fail", message });
  });
});
