import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/worker/app.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
beforeAll(() => service.load(work(1)));
afterEach(() => vi.restoreAllMocks());

describe("headers of every response", () => {
  it.each([
    ["/health", 200],
    ["/works/OL1W.json", 200],
    ["/works/OL1W.json", 200],
    ["/works/OL1W", 301],
    ["/works/OL99W.json", 404],
    ["/works/OL1W.yml?m=diff", 406],
    ["/works/OL1W.json?callback=(", 422],
    ["/health/", 307],
    ["//health", 308],
    ["/static/docs.js", 200],
    ["/nothing", 404],
    ["/account", 303],
  ])("%s (%i) has a request id, nosniff and a closed policy", async (path, status) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(status);
    expect(response.headers.get("X-Request-Id")).toMatch(/^test-\d+$/);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it("the request id differs for every request, also for cached responses", async () => {
    const ids = [];
    for (let turn = 0; turn < 3; turn += 1) {
      ids.push((await service.fetch("/works/OL1W.json")).headers.get("X-Request-Id"));
    }
    expect(new Set(ids).size).toBe(3);
  });

  it("request ids are unique across isolates", async () => {
    const apps = [createApp("OL"), createApp("OL")];
    const ids = [];
    for (const app of [...apps, ...apps]) {
      const response = await app.fetch(new Request(`${ORIGIN}/health`), env, createExecutionContext());
      ids.push(response.headers.get("X-Request-Id"));
    }
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{13}-\w+$/);
  });
});

describe("pages", () => {
  it("send Referrer-Policy", async () => {
    const patron = await loggedIn(service, "lister");
    const list = { name: "A list", description: "", tags: [], seeds: ["/works/OL1W"] };
    const made = await patron.fetch(`${patron.key}/lists.json`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(list),
    });
    const { key } = await made.json<{ key: string }>();
    const headers = { Accept: "text/html" };
    const answers = [
      await service.fetch("/lists", { headers }),
      await service.fetch(`${key}/export`),
      await service.fetch(`${key}/export?format=html`, { headers }),
      await exports.CoverStore.fetch("http://covers.test/", { headers }),
    ];
    for (const answer of answers) {
      expect([answer.headers.get("Content-Type"), answer.headers.get("Referrer-Policy")]).toEqual([
        "text/html; charset=utf-8",
        "same-origin",
      ]);
    }
  });
});

describe("the access log", () => {
  it("has a line for responses from the in-memory cache", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const logged = testService({ LOG_REQUESTS: "all" });
    for (const method of ["GET", "GET", "HEAD"]) await logged.fetch("/works/OL1W.json", { method });
    expect(lines(log).slice(1)).toMatchObject([
      { requestId: "test-2", method: "GET", source: "isolate", status: 200 },
      { requestId: "test-3", method: "HEAD", source: "isolate", status: 200 },
    ]);
  });

  const lines = (log: { mock: { calls: unknown[][] } }): Record<string, unknown>[] =>
    log.mock.calls.map(([line]) => JSON.parse(String(line)));

  it("has a line for every request if configured, without queries", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await testService({ LOG_REQUESTS: "all" }).fetch("/works/OL1W.json?callback=secret");
    expect(lines(log)).toEqual([
      {
        level: "info",
        event: "request",
        requestId: "test-1",
        method: "GET",
        path: "/works/OL1W.json",
        operation: "readWork",
        source: "made",
        status: 200,
        duration: 0,
      },
    ]);
  });

  it("has no line for successful requests by default", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await testService({ LOG_REQUESTS: "problems" }).fetch("/works/OL1W.json");
    await testService({ LOG_REQUESTS: "problems" }).fetch("/works/OL99W.json");
    expect(lines(log)).toEqual([]);
  });

  it("an overloaded database is a 503", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const busy = new Proxy(env.CATALOG, {
      get: () => () => {
        throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
      },
    });
    expect((await testService({ CATALOG: busy }).fetch("/works/OL1W.json")).status).toBe(503);
  });

  it.each([
    ["D1_ERROR: database or disk is full: SQLITE_FULL", /disk of the service is full/],
    ["disk I/O error: SQLITE_IOERR (extended: SQLITE_IOERR_SHMSIZE)", /storage of the service failed/],
    ["internal error; reference = 2ejgca37pfhvkgubb7dakhkf", /storage of the service failed/],
  ])("storage that fails with %s is a 503 with the reason, and is logged", async (problem, told) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = new Proxy(env.CATALOG, {
      get: () => () => {
        throw new Error(problem);
      },
    });
    const response = await testService({ CATALOG: failing }).fetch("/works/OL1W.json");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect(await response.text()).toMatch(told);
    expect(lines(log).map(({ event }) => event)).toEqual(["failure", "request"]);
  });
});
