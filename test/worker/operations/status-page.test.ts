import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CHECKS_KEPT_MS } from "../../../src/worker/operations/health.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

afterEach(() => vi.restoreAllMocks());

interface Shown {
  status: string;
  changes: number | null;
  projections: Record<string, unknown>;
  dependencies: Record<string, { ok: boolean; problem: string | null; numbers: Record<string, number> }>;
}

const DEPENDENCIES = [
  "catalog",
  "search",
  "patrons",
  "cache",
  "covers",
  "archive",
  "throttle",
  "patron",
  "loan_desk",
  "edit_desk",
  "import_desk",
  "change_feed",
];

const ADDRESSED = ["PATRON", "THROTTLE", "LOAN_DESK", "EDIT_DESK", "IMPORT_DESK", "CHANGE_FEED"] as const;

/** A store that only fails, with a message that no answer may contain. */
function broken<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get: () => () => {
      throw new Error("the secret address of this store");
    },
  });
}

const silence = () => vi.spyOn(console, "error").mockImplementation(() => {});

describe("GET /status", () => {
  it("checks every store", async () => {
    const service = testService();
    const { changes } = await service.load(work(1));
    const response = await service.fetch("/status");
    expect(response.status).toBe(200);
    expect(response.headers.get("Vary")).toBe("Accept");
    const shown = await response.json<Shown>();
    expect(shown).toMatchObject({ status: "ok", changes: changes.at(-1) });
    expect(Object.keys(shown.dependencies)).toEqual(DEPENDENCIES);
    expect(Object.values(shown.dependencies).every(({ ok, problem }) => ok && problem === null)).toBe(true);
    expect(shown.dependencies["edit_desk"]!.numbers).toEqual({ waiting: 0 });
    expect(shown.dependencies["change_feed"]!.numbers).toEqual({ listeners: 0 });
    expect(await service.json("/status.json")).toMatchObject({ status: "ok" });
  });

  it.each([
    ["catalog", { CATALOG: broken(env.CATALOG) }],
    ["search", { SEARCH: broken(env.SEARCH) }],
    ["patrons", { PATRONS: broken(env.PATRONS) }],
    ["cache", { CACHE: broken(env.CACHE) }],
    ["covers", { COVERS: broken(env.COVERS) }],
    ["archive", { ARCHIVE: broken(env.ARCHIVE) }],
    ...ADDRESSED.map((name): [string, Partial<Env>] => [name.toLowerCase(), { [name]: broken(env[name]) }]),
  ] as [string, Partial<Env>][])("answers 503 and names %s", async (name, settings) => {
    const errors = silence();
    const response = await testService(settings).fetch("/status");
    expect(response.status).toBe(503);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const text = await response.text();
    expect(text).not.toContain("secret address");
    const { status, dependencies } = JSON.parse(text) as Shown;
    expect(status).toBe("failing");
    const failed = Object.keys(dependencies).filter((one) => !dependencies[one]!.ok);
    expect(failed).toEqual([name]);
    expect(dependencies[name]!.problem).toBe("failed");
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "dependency", dependency: name, requestId: expect.any(String) }),
    );
  });

  it("reports the version while a database is down", async () => {
    silence();
    const shown = await testService({ SEARCH: broken(env.SEARCH) }).json("/status");
    expect(shown).toMatchObject({ software_version: "1.0.0", changes: null, projections: {}, index: null });
  });

  it("times out", async () => {
    silence();
    const silent = new Proxy(env.CACHE, { get: () => () => new Promise(() => {}) });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const answer = testService({ CACHE: silent }).fetch("/status");
      // The others answer by the real clock; what is late by the one that is turned on here.
      const answered = new AbortController();
      const turning = turnClock(answered.signal);
      const response = await answer;
      answered.abort();
      await turning;
      expect(response.status).toBe(503);
      const { dependencies } = await response.json<Shown>();
      expect(dependencies["cache"]).toMatchObject({ ok: false, problem: "late" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("caches store checks, but not the databases", async () => {
    let asked = 0;
    const counting = new Proxy(env.COVERS, {
      get: (of, name) => {
        asked += 1;
        const member: unknown = Reflect.get(of, name);
        return typeof member === "function" ? member.bind(of) : member;
      },
    });
    const service = testService({ COVERS: counting });
    await service.json("/status");
    const once = asked;
    expect(once).toBeGreaterThan(0);
    const { changes } = await service.load(work(2));
    expect(await service.json("/status")).toMatchObject({ changes: changes.at(-1) });
    expect(asked).toBe(once);
    service.now += CHECKS_KEPT_MS;
    await service.json("/status");
    expect(asked).toBe(2 * once);
  });

  it("is an HTML page for browsers, 503 as well", async () => {
    const headers = { Accept: "text/html" };
    const fine = await testService().fetch("/status", { headers });
    expect(fine.status).toBe(200);
    expect(fine.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(await fine.text()).toContain("<p>All systems operational</p>");
    silence();
    const bad = await testService({ CACHE: broken(env.CACHE) }).fetch("/status", { headers });
    expect(bad.status).toBe(503);
    expect(await bad.text()).toMatch(/<th scope="row">cache<\/th><td[^>]*>no<\/td>/);
  });
});

/** Runs fake timers until they end or the signal aborts. */
async function turnClock(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await vi.advanceTimersByTimeAsync(1000);
    await scheduler.wait(5);
  }
}
