import { beforeAll, describe, expect, it } from "vitest";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
beforeAll(() => service.load(work(1)));

const BODIES: Record<string, string | undefined> = { POST: "{}", PUT: "{}", PATCH: "{}" };
const call = (path: string, method: string, headers: Record<string, string> = {}): Promise<Response> =>
  service.fetch(path, { method, headers, ...(BODIES[method] === undefined ? {} : { body: BODIES[method] }) });

describe("unsupported methods", () => {
  it.each([
    ["/works/OL1W.json", "POST", "GET, HEAD, PUT, OPTIONS"],
    ["/works/OL1W", "DELETE", "GET, HEAD, PUT, POST, OPTIONS"],
    ["/query.json", "POST", "GET, HEAD, OPTIONS"],
    ["/health", "PATCH", "GET, HEAD, OPTIONS"],
    ["/search.json", "PUT", "GET, HEAD, OPTIONS"],
    ["/people/joe/lists.json", "PUT", "GET, HEAD, POST, OPTIONS"],
    ["/anything/at/all", "POST", "GET, HEAD, PUT, OPTIONS"],
    ["/system/load", "PUT", "POST, OPTIONS"],
    ["/works/OL1W.json", "PROPFIND", "GET, HEAD, PUT, POST, OPTIONS"],
  ])("answer %s %s with 405", async (path, method, allowed) => {
    const response = await call(path, method);
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe(allowed);
    expect(await response.json()).toEqual({ detail: "Method Not Allowed" });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it.each(["/works/OL1W.json", "/works/OL99W.json", "/lists/OL1L/any", "/people/joe", "/languages/eng"])(
    "PUT %s is refused without a session",
    async (path) => {
      const response = await call(path, "PUT");
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({ error: "permission_denied", message: "Permission Denied." });
    },
  );

  it.each(["/nothing", "/nothing.json", "/system/load", "/system/development-accounts", "/system"])(
    "answer GET %s with the 404 of records",
    async (path) => {
      const response = await call(path, "GET");
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "notfound", key: path.replace(".json", "") });
    },
  );

  it("HEAD is GET without its body, also for errors", async () => {
    for (const path of ["/health", "/nothing", "/works/OL1W.json?callback=(", "/docs", "/languages.json"]) {
      const [head, get] = [await call(path, "HEAD"), await call(path, "GET")];
      expect(head.status).toBe(get.status);
      expect(head.headers.get("Content-Type")).toBe(get.headers.get("Content-Type"));
      expect(await head.text()).toBe("");
    }
  });
});

describe("CORS", () => {
  const ORIGIN = { Origin: "https://reader.example" };

  it.each([
    ["/works/OL1W.json", 200],
    ["/works/OL99W.json", 404],
    ["/works/OL1W.json?callback=(", 422],
    ["/works/OL1W", 301],
    ["/works/OL1W.json/", 307],
    ["/works/OL1W.json?m=diff", 200],
    ["/works/OL1W.yml?m=diff", 406],
    ["/api/books.json?bibkeys=", 200],
    ["/languages/_autocomplete", 200],
    ["/docs", 200],
    ["/static/docs.js", 200],
  ])("lets other origins read %s (%i) without cookies", async (path, status) => {
    const response = await call(path, "GET", ORIGIN);
    expect(response.status).toBe(status);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  it("lets scripts of other origins read its headers", async () => {
    const response = await call("/works/OL1W.json", "GET", ORIGIN);
    const names = response.headers.get("Access-Control-Expose-Headers")?.split(", ");
    for (const name of ["ETag", "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After"])
      expect(names).toContain(name);
    for (const name of ["X-Corrected-Query", "X-Carrel-Bookmark", "X-Carrel-Expanded"])
      expect(names).toContain(name);
  });

  it("lets other origins read a 304 and a 405", async () => {
    const notModified = await call("/works/OL1W.json", "GET", { "If-None-Match": '"1"' });
    expect([notModified.status, notModified.headers.get("Access-Control-Allow-Origin")]).toEqual([304, "*"]);
    expect((await call("/health", "POST")).headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it.each(["GET", "HEAD", "OPTIONS"])("accepts preflights of %s", async (method) => {
    const response = await call("/works/OL1W.json", "OPTIONS", {
      ...ORIGIN,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "x-carrel-bookmark, if-none-match",
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD, OPTIONS");
    expect(response.headers.get("Access-Control-Max-Age")).toBe("86400");
    const allowed = (response.headers.get("Access-Control-Allow-Headers") ?? "").toLowerCase();
    expect(allowed).toContain("x-carrel-bookmark");
    expect(response.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  it.each(["POST", "PUT", "DELETE", "PATCH"])("refuses preflights of %s", async (method) => {
    const headers = { ...ORIGIN, "Access-Control-Request-Method": method };
    const response = await call("/works/OL1W.json", "OPTIONS", headers);
    expect(response.status).toBe(400);
    expect(await response.text()).toBe("Disallowed CORS method");
    expect(response.headers.get("Access-Control-Allow-Methods")).toBeNull();
  });

  it.each(["/", "/health", "/works/OL1W", "/nothing/here", "/system/load", "/works/OL1W.json/"])(
    "answers OPTIONS %s with an empty 200",
    async (path) => {
      const response = await call(path, "OPTIONS");
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
    },
  );
});
