import { beforeAll, expect, it } from "vitest";
import { OPERATOR } from "../../../support/worker/import-queue.ts";
import { loadBooks } from "../../../support/worker/books.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService();
/** No server listens there. */
const away = testService({ SOLR_URL: "http://127.0.0.1:9/solr" });

beforeAll(() => loadBooks(service));

it("searches answer 503 while Solr is down, and records stay readable", async () => {
  for (const path of ["/search.json?q=hobbit", "/search/authors.json?q=tolkien", "/subjects/love.json"]) {
    const response = await away.fetch(path);
    expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
  }
  expect((await service.fetch("/search.json?q=hobbit")).status).toBe(200);
  expect((await away.fetch("/works/OL1W.json")).status).toBe(200);
});

it("rebuild and check answer 503 while Solr is down", async () => {
  for (const path of ["/system/reindex", "/system/index-check"]) {
    const body = path === "/system/reindex" ? '{"start":true}' : "{}";
    const response = await away.fetch(path, { method: "POST", headers: OPERATOR, body });
    expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
  }
});

it("/status is degraded while Solr is down", async () => {
  const dependencies = async (one: typeof service) => Object(await one.json("/status.json"));
  expect(await dependencies(service)).toMatchObject({ status: "ok", dependencies: { solr: { ok: true } } });
  expect(await dependencies(away)).toMatchObject({
    status: "degraded",
    dependencies: { solr: { ok: false, problem: "failed" } },
  });
});
