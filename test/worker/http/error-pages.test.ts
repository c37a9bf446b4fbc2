import { describe, expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const PERSON = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe("error pages", () => {
  it.each([
    ["GET", "/works/OL404W", 404, "The page <bdi>/works/OL404W</bdi>"],
    ["GET", "/search.json?limit=x", 422, "<code>limit</code>: Input should be a valid integer"],
    ["PATCH", "/health", 405, "support that kind of request."],
    ["POST", "/authors/merge.json", 401, "You need to log in first."],
  ])("explain %s %s with %i", async (method, path, status, why) => {
    const response = await service.fetch(path, { method, headers: PERSON });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toContain("no-store");
    const text = await response.text();
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).toContain(why);
  });

  it("escape the path", async () => {
    const response = await service.fetch("/no%3Cscript%3Esuch", { headers: PERSON });
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("<script>");
  });

  it.each([undefined, "*/*", "application/json", "application/json, text/html"])(
    "are JSON for %s",
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
      const response = await service.fetch("/works/OL404W", { headers });
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect(await response.json()).toEqual({ error: "notfound", key: "/works/OL404W" });
    },
  );
});
