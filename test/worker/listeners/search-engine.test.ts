import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";

const call = (path: string, init?: RequestInit): Promise<Response> =>
  exports.SearchEngine.fetch(`http://search.test${path}`, init);
afterEach(() => vi.restoreAllMocks());

describe("the search engine's listener", () => {
  it.each(["/", "/solr/admin/ping", "/solr/openlibrary/admin/ping"])(
    "%s reports that the index is up",
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

  it.each(["/solr", "/solr/openlibrary/nothing?q=x", "/nothing", "/solr/a/b/admin/ping"])(
    "answers 404 for %s",
    async (path) => {
      const response = await call(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Content-Type")).toBe("application/json");
    },
  );

  it("answers 405 in the error format of Solr", async () => {
    const response = await call("/solr/openlibrary/select", { method: "DELETE" });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, POST"]);
    expect(await response.json()).toMatchObject({ error: { msg: "Method Not Allowed", code: 405 } });
  });

  it.each(["constructor", "toString", "__proto__", "title"])("refuses to facet by %s", async (field) => {
    const asked = `q=*:*&fq=type:work&facet=true&facet.field=${field}`;
    expect((await call(`/solr/x/select?${asked}`)).status).toBe(400);
    const facet = `{"query":"*:*","filter":"type:work","facet":{"f":{"type":"terms","field":"${field}"}}}`;
    expect((await call("/solr/x/query", { method: "POST", body: facet })).status).toBe(400);
  });

  it("rejects a document whose key is not text", async () => {
    const body = '[{"key":{"toString":1,"valueOf":1},"type":"work"}]';
    const path = "/solr/openlibrary/update?update.chain=tolerant-chain";
    const response = await call(path, { method: "POST", body });
    expect(await response.json()).toMatchObject({
      responseHeader: { status: 0, errors: [{ type: "ADD", id: '{"toString":1,"valueOf":1}' }] },
    });
  });

  it("names the documents of a deletion that it refuses", async () => {
    const path = "/solr/openlibrary/update?update.chain=tolerant-chain";
    const response = await call(path, { method: "POST", body: '{"delete":["/books/OL1M","/subjects/x"]}' });
    expect(await response.json()).toMatchObject({
      responseHeader: { status: 0, errors: [{ type: "DELID", id: "/books/OL1M,/subjects/x" }] },
    });
  });

  it("answers 500 without details when the index is missing", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await env.SEARCH.prepare("ALTER TABLE shard RENAME TO elsewhere").run();
    const response = await call("/solr/admin/ping");
    await env.SEARCH.prepare("ALTER TABLE elsewhere RENAME TO shard").run();
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      responseHeader: { status: 500, QTime: 0 },
      error: {
        metadata: ["error-class", "org.apache.solr.common.SolrException"],
        msg: "internal_error",
        code: 500,
      },
    });
    expect(log).toHaveBeenCalledOnce();
  });
});
