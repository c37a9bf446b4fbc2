import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { work } from "../../support/worker/records.ts";
import { dumpLine, testService } from "../../support/worker/service.ts";

// The counting object's alarms run by the real clock: far from it, so that none runs during a test.
const START = Date.parse("2100-01-01T00:00:00Z");
const QUARTER_HOUR = 900_000;
const RIGHT = `Bearer ${env.LOAD_TOKEN}`;

afterEach(() => vi.restoreAllMocks());

let clients = 0;
const configured = testService();
/** A service as seen from an address of its own. */
function seenBy({ service = configured, path = "/system/load" } = {}) {
  const address = `192.0.2.${(clients += 1)}`;
  service.now = START;
  const send = (authorization?: string, from = address): Promise<Response> => {
    const headers = new Headers({ "CF-Connecting-IP": from });
    if (authorization !== undefined) headers.set("Authorization", authorization);
    return service.fetch(path, { method: "POST", body: dumpLine(work(1)), headers });
  };
  return { service, send, status: async (...one: Parameters<typeof send>) => (await send(...one)).status };
}

describe("the operator token", () => {
  it.each([undefined, "", `Basic ${env.LOAD_TOKEN}`, env.LOAD_TOKEN, `Bearer ${env.LOAD_TOKEN} x`])(
    "answers 401 for %j without counting it",
    async (authorization) => {
      const { send } = seenBy();
      for (let turn = 0; turn < 12; turn += 1) {
        const response = await send(authorization);
        expect(response.status).toBe(401);
        expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
        expect(await response.json()).toEqual({ detail: "Authentication required" });
      }
    },
  );

  it.each([`${RIGHT}x`, `Bearer ${env.LOAD_TOKEN.toUpperCase()}`, "Bearer x", `Bearer ${"x".repeat(500)}`])(
    "answers 403 for %s",
    async (authorization) => {
      expect(await seenBy().status(authorization)).toBe(403);
    },
  );

  it("is blocked for 15 minutes after ten failures", async () => {
    const { service, send, status } = seenBy();
    for (let turn = 0; turn < 10; turn += 1) expect(await status("Bearer wrong")).toBe(403);
    service.now += 60_000;
    const refused = await send("Bearer wrong");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("840");
    expect(await refused.json()).toEqual({ status: 429, message: expect.any(String) });
    expect(await status(RIGHT)).toBe(429);
    service.now = START + QUARTER_HOUR - 1;
    expect(await status(RIGHT)).toBe(429);
    service.now = START + QUARTER_HOUR;
    expect(await status(RIGHT)).toBe(200);
    expect(await status("Bearer wrong")).toBe(403);
  });

  it("is counted by address", async () => {
    const { status } = seenBy();
    for (let turn = 0; turn < 11; turn += 1) await status("Bearer wrong");
    expect(await status(RIGHT)).toBe(429);
    expect(await status(RIGHT, "198.51.100.1")).toBe(200);
    expect(await status("Bearer wrong", "198.51.100.1")).toBe(403);
  });

  it("is counted exactly under concurrent failures", async () => {
    const { status } = seenBy();
    const seen = await Promise.all(Array.from({ length: 30 }, () => status("Bearer wrong")));
    expect(seen.every((one) => one === 403 || one === 429)).toBe(true);
    expect(await status(RIGHT)).toBe(429);
  });

  it("is not counted when correct", async () => {
    const { status } = seenBy();
    for (let turn = 0; turn < 9; turn += 1) expect(await status("Bearer wrong")).toBe(403);
    for (let turn = 0; turn < 12; turn += 1) expect(await status(RIGHT)).toBe(200);
    expect(await status("Bearer wrong")).toBe(403);
    expect(await status(RIGHT)).toBe(429);
  });

  it("is required by every operator route", async () => {
    expect(await seenBy({ path: "/system/development-accounts" }).status()).toBe(401);
    expect(await seenBy({ path: "/system/development-accounts" }).status("Bearer wrong")).toBe(403);
    const { service, status } = seenBy();
    await status("Bearer wrong");
    expect((await service.fetch("/works/OL2W.json")).status).toBe(404);
  });

  it("answers 503 when none is configured", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { status } = seenBy({ service: testService({ LOAD_TOKEN: undefined }) });
    expect(await status()).toBe(503);
    expect(await status(RIGHT)).toBe(503);
    expect(await status("Bearer undefined")).toBe(503);
  });
});
