import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";

const call = (path: string, init?: RequestInit): Promise<Response> =>
  exports.SearchEngine.fetch(`http://search.test${path}`, init);
afterEach(() => vi.restoreAllMocks());

describe("the search engine's listener", () => {
  it.each(["/", "/solr/admin/ping", "/solr/openlibrary/admin/ping"])(
    "%s says that the index is there",
    async (path) => {
      const response = await call(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect(await response.json()).toMatchObject({
        responseHeader: { status: 0 },
        status: "OK",
        shard: 0,
        shards: 1,
      });
    },
  );

  it("answers HEAD without a body", async () => {
    const response = await call("/solr/admin/ping", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it.each(["/solr", "/solr/openlibrary/nothing?q=x", "/nothing", "/solr/a/b/admin/ping"])(
    "%s: 404",
    async (path) => {
      const response = await call(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Content-Type")).toBe("application/json");
    },
  );

  it("fails when the index is not there, and says no more than that", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await env.SEARCH.prepare("ALTER TABLE shard RENAME TO elsewhere").run();
    const response = await call("/solr/admin/ping");
    await env.SEARCH.prepare("ALTER TABLE elsewhere RENAME TO shard").run();
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: "internal_error" });
    expect(log).toHaveBeenCalledOnce();
  });
});
