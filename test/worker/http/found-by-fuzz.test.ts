import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createApp } from "../../../src/worker/app.ts";
import { systemSources } from "../../../src/worker/http/bindings.ts";
import { createCoverStore } from "../../../src/worker/listeners/cover-store.ts";
import { createRecordStore } from "../../../src/worker/listeners/record-store.ts";
import { createSearchEngine } from "../../../src/worker/listeners/search-engine/routes.ts";
import { list } from "../../support/worker/lists.ts";
import { testService } from "../../support/worker/service.ts";

// Requests with which the fuzz (`npm run bench -- fuzz`) found failures.

const service = testService();
const HTML = { Accept: "text/html" };
const location = async (path: string, init: RequestInit): Promise<string> => {
  const response = await service.fetch(path, init);
  return `${response.status} ${response.headers.get("Location") ?? ""}`;
};

it("does not load a document that the database cannot parse", async () => {
  const deep = "[".repeat(1200) + "]".repeat(1200);
  const document = `{"key":"/books/OL1M","type":{"key":"/type/edition"},"ocaid":${deep}}`;
  const answer = await service.loadText(`/type/edition\t/books/OL1M\t1\t2026-11-01T00:00:00\t${document}`);
  expect(await answer.json()).toMatchObject({
    created: 0,
    rejected: [{ line: 1, reason: "Nested deeper than 64 values" }],
  });
  expect(await service.json("/query.json?type=/type/edition&ocaid=&ocaid~=*")).toEqual([]);
});

it("redirects HEAD to the login as GET", async () => {
  const login = "303 /account/login?redirect=%2Fbooks%2Fadd";
  expect(await location("/books/add", { headers: HTML })).toBe(login);
  expect(await location("/books/add", { method: "HEAD", headers: HTML })).toBe(login);
});

it("leaves an address out of the login redirect if it is too long", async () => {
  const short = `/account?q=${"x".repeat(3000)}`;
  expect(await location(short, { headers: HTML })).toBe(
    `303 /account/login?redirect=${encodeURIComponent(short)}`,
  );
  expect(await location(`/account?q=${"%20".repeat(3000)}`, { headers: HTML })).toBe("303 /account/login");
});

it("returns an exact start for the last page of a search", async () => {
  const page = Number.MAX_SAFE_INTEGER;
  const answer = await service.json(`/search/authors.json?q=a&limit=1000&page=${page}`);
  expect(answer).toMatchObject({ start: page, docs: [] });
});

it("refuses stale_seconds before the epoch", async () => {
  const answer = await service.fetch("/system/imports", {
    method: "POST",
    body: JSON.stringify({ stale_seconds: 2 ** 53 }),
    headers: { Authorization: `Bearer ${env.LOAD_TOKEN}`, "Content-Type": "application/json" },
  });
  expect(answer.status).toBe(422);
});

it("refuses a search text too long for the reader's redirect", async () => {
  const borrow = (q: string): Promise<Response> =>
    service.fetch(`/books/OL9M/x/borrow?q=${encodeURIComponent(q)}`);
  expect((await borrow("a".repeat(2000))).status).toBe(404);
  expect((await borrow("書".repeat(400))).status).toBe(404);
  expect((await borrow("書".repeat(500))).status).toBe(422);
});

it("sends no redirect longer than clients can read", async () => {
  expect((await service.fetch(`/account/verify/${"a".repeat(11_000)}`)).status).toBe(303);
  const long = await service.fetch(`/account/verify/${"%".repeat(5000)}`);
  expect([long.status, await long.json()]).toEqual([414, { detail: "This URL is too long." }]);
});

it("returns an exact end for the last page of a list", async () => {
  await service.load(list("/series/OL1L", []));
  const offset = Number.MAX_SAFE_INTEGER - 1;
  const answer = await service.json(`/series/OL1L/editions.json?offset=${offset}`);
  expect(answer).toMatchObject({ start: offset, end: Number.MAX_SAFE_INTEGER, entries: [] });
});

it("describes pages and JSON of one operation", async () => {
  const { paths } = Object(await service.json("/openapi.json"));
  const { content } = paths["/admin/people/{username}/edits"].post.responses["200"];
  expect(Object.keys(content)).toEqual(["application/json", "text/html"]);
});

it.each(["http://a b<>/languages.json", "http://x:99999999/", "http://[::1/", "http://[::1/?callback=f"])(
  "answers 400 for the invalid address %s",
  async (url) => {
    // The runtime takes the host as it was sent; here no request can be made of it.
    const headers = { Cookie: "session=x" };
    const request = Object.defineProperty(new Request("http://x/", { headers }), "url", { value: url });
    const execution = createExecutionContext();
    const answers = await Promise.all([
      createApp("OL").fetch(request, env, execution),
      createCoverStore("OL").fetch(request, env, execution),
      createRecordStore("OL").fetch(request, env, execution),
      createSearchEngine("OL").fetch(request, env, execution),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { detail: "The URL is not valid." },
      { detail: "The URL is not valid." },
      { error: "bad_address", message: "The URL is not valid." },
      expect.objectContaining({ error: expect.objectContaining({ code: 400 }) }),
    ]);
  },
);

it("answers failures before the router as any other", async () => {
  const sources = {
    ...systemSources,
    now: () => {
      throw new Error("the clock stands still");
    },
  };
  for (const site of [createApp("OL", { sources }), createCoverStore("OL", sources)]) {
    const request = new Request("http://x/languages.json");
    const answer = await site.fetch(request, env, createExecutionContext());
    expect([answer.status, await answer.json()]).toEqual([500, { detail: "Internal Server Error" }]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-type": "application/json",
      "x-request-id": expect.stringMatching(/./),
    });
  }
});

it("answers 503 in the record store if the database is overloaded", async () => {
  const busy = new Proxy(env.CATALOG, {
    get() {
      throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
    },
  });
  const request = new Request("http://store.test/site/most_recent");
  const bindings = { ...env, CATALOG: busy };
  const answer = await createRecordStore("OL").fetch(request, bindings, createExecutionContext());
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { error: "unavailable", message: expect.stringContaining("That took too long") },
  ]);
});
