import { describe, expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

describe("GET /health", () => {
  const service = testService();

  it("says that the service answers", async () => {
    const response = await service.fetch("/health");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({ status: "ok" });
  });
});
