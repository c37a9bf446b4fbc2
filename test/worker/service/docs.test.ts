import { describe, expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const service = testService();

describe("GET /docs", () => {
  it("is a page that loads nothing from anywhere else", async () => {
    const response = await service.fetch("/docs");
    const text = await response.text();
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
  });

  it("has every file that it refers to", async () => {
    const text = await (await service.fetch("/docs")).text();
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const path of files) {
      const response = await service.fetch(path);
      expect(response.status, path).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  it.each([
    ["/docs/assets/swagger-ui.css", /^text\/css/],
    ["/docs/assets/swagger-ui-bundle.js", /javascript/],
    ["/static/docs.js", /javascript/],
  ])("%s has its type and the headers of every answer", async (path, type) => {
    const response = await service.fetch(path);
    expect(response.headers.get("Content-Type")).toMatch(type);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("X-Request-Id")).toMatch(/^test-\d+$/);
    const again = await service.fetch(path, {
      headers: { "If-None-Match": response.headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
    const head = await service.fetch(path, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });

  it.each(["/static/nothing.js", "/docs/assets/nothing", "/static", "/docs/assets"])(
    "%s: 404",
    async (path) => {
      expect((await service.fetch(path)).status).toBe(404);
    },
  );

  it.each(["POST", "PUT", "DELETE"])("files cannot be written: %s", async (method) => {
    const response = await service.fetch("/static/docs.js", { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  });
});
