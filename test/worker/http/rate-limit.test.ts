import { describe, expect, it } from "vitest";
import { work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";

const from = (client: string): RequestInit => ({ headers: { "CF-Connecting-IP": client } });
const statuses = async (service: TestService, count: number, init: RequestInit): Promise<number[]> => {
  const seen = [];
  for (let turn = 0; turn < count; turn += 1) seen.push((await service.fetch("/health", init)).status);
  return seen;
};
const ok = (count: number): number[] => Array.from({ length: count }, () => 200);

describe("the rate limit", () => {
  it("answers 429 beyond the limit of a client", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "6", BASE_URL: "https://books.example/" });
    expect(await statuses(service, 8, from("192.0.2.1"))).toEqual([...ok(6), 429, 429]);
    const response = await service.fetch("/works/OL1W.json", from("192.0.2.1"));
    expect(response.status).toBe(429);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Retry-After")).toBe("10");
    expect(response.headers.get("RateLimit-Policy")).toBe('"default";q=6;w=60');
    expect(response.headers.get("RateLimit")).toBe('"default";r=0;t=10');
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    // The message links to the data dumps.
    const message = expect.stringContaining("https://books.example/data");
    expect(await response.json()).toEqual({ status: 429, message });
  });

  it("counts an IPv6 network as one client", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "2" });
    const seen = [];
    for (const client of ["2001:db8:1:2::1", "2001:DB8:1:2:ffff::2", "2001:db8:1:2::3", "2001:db8:1:3::1"]) {
      seen.push(...(await statuses(service, 1, from(client))));
    }
    expect(seen).toEqual([200, 200, 429, 200]);
  });

  it("counts every query of a batch", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "6" });
    const batch = (count: number): string =>
      `/reconcile?queries=${encodeURIComponent(
        JSON.stringify(
          Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, { query: "x" }])),
        ),
      )}`;
    const ask = async (count: number) => (await service.fetch(batch(count), from("192.0.2.1"))).status;
    expect([await ask(4), await ask(3), await ask(2), await ask(1)]).toEqual([200, 429, 429, 429]);
    service.now += 60_000;
    // More questions than a full bucket has tokens take all of them.
    expect([await ask(20), await ask(1)]).toEqual([200, 429]);
  });

  it("counts responses from the in-memory cache", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "3" });
    await service.load(work(1));
    const seen = [];
    for (let turn = 0; turn < 5; turn += 1) {
      seen.push((await service.fetch("/works/OL1W.json", from("192.0.2.1"))).status);
    }
    expect(seen).toEqual([...ok(3), 429, 429]);
  });

  it("reports the remaining requests", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "3" });
    const left = [];
    for (let turn = 0; turn < 4; turn += 1) {
      left.push((await service.fetch("/health", from("192.0.2.1"))).headers.get("RateLimit"));
    }
    expect(left).toEqual([
      '"default";r=2;t=20',
      '"default";r=1;t=20',
      '"default";r=0;t=20',
      '"default";r=0;t=20',
    ]);
  });

  it("refills evenly up to the limit", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "6" });
    const client = from("192.0.2.1");
    await statuses(service, 6, client);
    service.now += 9_999;
    expect(await statuses(service, 1, client)).toEqual([429]);
    service.now += 1;
    expect(await statuses(service, 2, client)).toEqual([200, 429]);
    service.now += 25_000;
    expect(await statuses(service, 3, client)).toEqual([200, 200, 429]);
    service.now += 3_600_000;
    expect(await statuses(service, 7, client)).toEqual([...ok(6), 429]);
  });

  it("counts clients apart, and requests without an address together", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "2" });
    expect(await statuses(service, 3, from("192.0.2.1"))).toEqual([200, 200, 429]);
    expect(await statuses(service, 3, from("192.0.2.2"))).toEqual([200, 200, 429]);
    expect(await statuses(service, 3, {})).toEqual([200, 200, 429]);
  });

  it("counts every kind of request except preflights", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "5" });
    const client = from("192.0.2.1");
    for (const path of ["/nothing", "/works/OL1W.json?callback=(", "/health/", "/static/docs.js"]) {
      expect((await service.fetch(path, client)).status).not.toBe(429);
    }
    const preflight = {
      headers: { ...client.headers, "Access-Control-Request-Method": "GET" },
      method: "OPTIONS",
    };
    for (let turn = 0; turn < 9; turn += 1)
      expect((await service.fetch("/health", preflight)).status).toBe(200);
    expect(await statuses(service, 2, client)).toEqual([200, 429]);
  });

  it("is off at 0", async () => {
    const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
    expect(await statuses(service, 50, from("192.0.2.1"))).toEqual(ok(50));
    expect((await service.fetch("/health")).headers.get("RateLimit")).toBeNull();
  });
});
