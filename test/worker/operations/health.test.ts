import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

describe("GET /health", () => {
  it.each(["default", "MainSite"] as const)("is answered by the entry point %s", async (entry) => {
    const response = await exports[entry].fetch("http://carrel.test/health");
    expect(await response.json()).toEqual({ status: "ok" });
    expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{13}-\w+$/);
  });

  const service = testService();

  it("says that the service answers", async () => {
    const response = await service.fetch("/health");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({ status: "ok" });
  });
});
