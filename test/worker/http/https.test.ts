import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/worker/app.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const HTTPS = { BASE_URL: "https://carrel.test" };
const HSTS = "Strict-Transport-Security";
const service = testService(HTTPS);
const production = testService({ ...HTTPS, ENVIRONMENT: "production" });
beforeAll(() => service.load(work(1)));

describe("a service over HTTPS", () => {
  it.each(["/health", "/works/OL1W.json", "/works/OL1W.json", "/nothing", "/static/docs.js"])(
    "sends HSTS with %s",
    async (path) => {
      expect((await service.fetch(path)).headers.get(HSTS)).toBe("max-age=31536000; includeSubDomains");
      // Static files say it by `public/_headers`; browsers pass it over where they have asked in the open.
      if (path.startsWith("/static/")) return;
      expect((await testService().fetch(path)).headers.get(HSTS)).toBeNull();
      expect(
        (await testService({ BASE_URL: "http://carrel.test" }).fetch(path)).headers.get(HSTS),
      ).toBeNull();
    },
  );

  it("sets Secure cookies, also behind a proxy over HTTP", async () => {
    const ann = await loggedIn(service, "Ann");
    const response = await ann.fetch("/account/logout", { method: "POST" });
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual(
      expect.arrayContaining(["session", "pd", "sfw"]),
    );
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/;.*; Secure$/);
  });
});

describe("a service in production", () => {
  it("redirects reads over HTTP to HTTPS, also cached ones", async () => {
    const app = createApp("OL");
    const bindings = { ...env, ...HTTPS, ENVIRONMENT: "production" as const, EDGE_CACHE: "off" as const };
    const ask = (url: string, init: RequestInit = {}) =>
      app.fetch(new Request(url, { redirect: "manual", ...init }), bindings, createExecutionContext());
    const path = "//carrel.test/works/OL1W.json?x=%20y";
    expect((await ask(`https:${path}`)).status).toBe(200);
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(`http:${path}`, { method });
      expect([response.status, response.headers.get("Location")]).toEqual([308, `https:${path}`]);
      expect(response.headers.get(HSTS)).not.toBeNull();
    }
    expect((await ask("http://other.test:8080/")).headers.get("Location")).toBe("https://other.test/");
  });

  it("refuses writes over HTTP", async () => {
    const response = await production.fetch("/account/login.json", { method: "POST", body: "{}" });
    expect([response.status, await response.json()]).toEqual([403, { detail: "Use HTTPS." }]);
  });

  it("accepts HTTP without an HTTPS BASE_URL", async () => {
    const plain = testService({ ENVIRONMENT: "production" });
    expect((await plain.fetch("/health")).status).toBe(200);
  });
});
