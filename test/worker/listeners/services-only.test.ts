import { env, exports } from "cloudflare:workers";
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createRecordStore } from "../../../src/worker/listeners/record-store.ts";

const LISTENERS = [
  ["record store", exports.RecordStore, "/_echo", "POST"],
  ["record store", exports.RecordStore, "/site/most_recent", "GET"],
  ["search engine", exports.SearchEngine, "/solr/openlibrary/admin/ping", "GET"],
  ["search engine", exports.SearchEngine, "/solr/openlibrary/update", "POST"],
  ["cover store", exports.CoverStore, "/b/upload2", "POST"],
] as const;

describe.each(LISTENERS)("the %s", (_name, listener, path, method) => {
  const status = async (host: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await listener.fetch(`http://${host}${path}`, { method, headers });
    await response.body?.cancel();
    return response.status;
  };

  it(`${method} ${path} takes no request of a page`, async () => {
    expect(await status("localhost", { Origin: "https://evil.example" })).toBe(403);
    expect(await status("localhost", { Origin: "http://localhost" })).toBe(403);
    expect(await status("localhost", { Origin: "null" })).toBe(403);
    expect(await status("localhost", { "Sec-Fetch-Site": "cross-site" })).toBe(403);
    expect(await status("localhost", { "Sec-Fetch-Site": "same-site" })).toBe(403);
  });

  it(`${method} ${path} takes no host but this machine's and those of SERVICE_HOSTS`, async () => {
    for (const host of [
      "evil.example",
      "evil.example:7000",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
    ]) {
      expect([host, await status(host)]).toEqual([host, 421]);
    }
    const known = ["localhost:7000", "127.0.0.1:8983", "127.1.2.3", "[::1]:7075", "store.test"];
    for (const host of known) expect([host, await status(host)]).not.toEqual([host, 421]);
    // Headers of Node's `fetch`, and of a browser whose user typed the address.
    expect(await status("localhost", { "Sec-Fetch-Mode": "cors" })).not.toBe(403);
    expect(await status("localhost", { "Sec-Fetch-Site": "none" })).not.toBe(403);
  });
});

it("the cover store serves images to pages of every site and under every host", async () => {
  const headers = { "Sec-Fetch-Site": "cross-site", Origin: "https://blog.example" };
  for (const path of ["/robots.txt", "/b/id/999-M.jpg?default=false", "/b/query?limit=1"]) {
    const response = await exports.CoverStore.fetch(`http://covers.example${path}`, { headers });
    await response.body?.cancel();
    expect([200, 404]).toContain(response.status);
  }
});

it("refusals use the listener's format and read no body", async () => {
  const body = new ReadableStream({ pull: () => Promise.reject(new Error("read")) }, { highWaterMark: 0 });
  const send = async (url: string, headers: HeadersInit) => {
    const request = new Request(url, { method: "POST", headers, body });
    const answer = await createRecordStore("OL").fetch(request, env, createExecutionContext());
    return answer.json();
  };
  expect(await send("http://localhost/site/save_many", { Origin: "https://evil.example" })).toEqual({
    error: "cross_site",
    message: "This request came from another site. Open the page here and try again.",
  });
  const search = await exports.SearchEngine.fetch("http://evil.example/solr/x/select?q=*:*");
  expect(await search.json()).toMatchObject({
    error: { code: 421, msg: "This host is not in SERVICE_HOSTS." },
  });
});
