import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { passKeySecond } from "../../../src/db/edge-limits.ts";
import { LANGUAGE_COUNTS } from "../../../src/worker/http/derived-answers.ts";
import { INVALIDATE_BODY_BYTES, INVALIDATE_RECORDS } from "../../../src/worker/operations/repairs.ts";
import { work } from "../../support/worker/records.ts";
import { type TestService, documentOf, testService } from "../../support/worker/service.ts";

const OPERATOR = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
const send = (service: TestService, body: string): Promise<Response> =>
  service.fetch("/system/invalidate", { method: "POST", headers: OPERATOR, body });

/** Changes a record behind the back of the service's caches. */
const change = (key: string, title: string): Promise<unknown> =>
  env.CATALOG.prepare("UPDATE record SET document = ?2 WHERE key = ?1")
    .bind(key, JSON.stringify(documentOf({ key, type: "/type/work", title })))
    .run();

describe("POST /system/invalidate", () => {
  it.each(["off", "on"])("evicts responses of a record with the edge cache %s", async (edge) => {
    const service = testService({ EDGE_CACHE: edge });
    const number = edge === "on" ? 21 : 11;
    const key = `/works/OL${number}W`;
    await service.load(work(number, { title: "before" }));
    service.now += 1000;
    const title = async (): Promise<unknown> => Object(await service.json(`${key}.json`))["title"];
    expect(await title()).toBe("before");
    await change(key, "after");
    service.now += 1000;
    expect(await title()).toBe("before");
    const response = await send(service, JSON.stringify({ key, title: "whatever" }));
    expect([response.status, await response.text()]).toEqual([200, "ok"]);
    expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    if (edge === "on") {
      const other = testService({ EDGE_CACHE: edge });
      other.now = service.now;
      expect(Object(await other.json(`${key}.json`))["title"]).toBe("after");
    }
    expect(await title()).toBe("after");
  });

  it("accepts a list and drops derived data", async () => {
    passKeySecond();
    await env.CACHE.put(LANGUAGE_COUNTS, "[]");
    expect((await send(testService(), '[{"key":"/works/OL1W"},{"key":"/books/OL1M"}]')).status).toBe(200);
    expect(await env.CACHE.get(LANGUAGE_COUNTS)).toBeNull();
  });

  it("refuses other bodies", async () => {
    const service = testService();
    for (const body of [
      "",
      "x",
      "7",
      "{}",
      '{"key":7}',
      '{"key":"works"}',
      '[{"key":"/a"},{}]',
      '["/works/OL1W"]',
    ])
      expect((await send(service, body)).status, body).toBe(400);
  });

  it("limits records, body size, and calls of the edge cache", async () => {
    const many = Array.from({ length: INVALIDATE_RECORDS + 1 }, (_, index) => ({
      key: `/works/OL${index}W`,
    }));
    const service = testService({ EDGE_CACHE: "on" });
    expect((await send(service, JSON.stringify(many))).status).toBe(400);
    expect((await send(service, JSON.stringify(many.slice(1)))).status).toBe(200);
    expect((await send(service, " ".repeat(INVALIDATE_BODY_BYTES + 1))).status).toBe(413);
  });
});
