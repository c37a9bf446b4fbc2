import { describe, expect, it } from "vitest";
import { FIRST_CALLS, SIGN_IN_CALLS } from "../../../src/worker/reference/first-calls.ts";
import { TAGS } from "../../../src/worker/reference/openapi-parts.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();

/** Addresses that a page loads from or leads to. */
const addressesOf = (text: string): string[] =>
  [...text.matchAll(/(?:src|href|action)="([^"]+)"/g)].map(([, address = ""]) => address);

describe("GET /docs", () => {
  it("links the operations of every tag", async () => {
    const response = await service.fetch("/docs");
    const addresses = addressesOf(await response.text());
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(addresses).toEqual(expect.arrayContaining(Object.keys(TAGS).map((tag) => `/docs/${tag}`)));
    expect(addresses).toContain("/openapi.json");
    // The canonical address.
    expect(addresses.filter((address) => /^(?:https?:)?\/\//.test(address))).toEqual([`${ORIGIN}/docs`]);
  });

  it("finds operations by words of path, name or summary", async () => {
    const found = await (await service.fetch("/docs?q=search+AUTHORS")).text();
    expect(found).toContain('href="/docs/search#searchAuthors"');
    expect(found).not.toContain('href="/docs/lists#');
    const nothing = await (await service.fetch("/docs?q=%3Cnothing%3E")).text();
    expect(nothing).toContain("0 endpoints");
    expect(nothing).toContain('value="&lt;nothing&gt;"');
  });
});

describe("searching the reference", () => {
  it.each([
    ["isbn", ["/docs/lookup#isbnRedirect", "/docs/lookup#booksScript"]],
    ["bibkeys", ["/docs/lookup#booksScript", "/docs/lookup#booksJson"]],
    ["rate limit", ["/docs#limits"]],
    ["pagination", ["/docs#paging"]],
    ["token", ["/docs#sign-in"]],
    ["cors", ["/docs#cors"]],
    ["etag", ["/docs#freshness"]],
    ["429", ["/docs#limits", "/docs#errors"]],
    ["/api/books", ["/docs/lookup#booksScript", "/docs/lookup#booksJson"]],
  ])("%s finds %j first", async (q, first) => {
    const text = await (await service.fetch(`/docs?${new URLSearchParams({ q })}`)).text();
    const found = [...text.matchAll(/<li><p><a href="([^"]+)"/g)].map(([, href]) => href);
    expect(found.slice(0, first.length).toSorted()).toEqual(first.toSorted());
  });
});

describe("the first page of the reference", () => {
  it("has the twelve calls with requests in three languages and answers of this catalog", async () => {
    const text = await (await service.fetch("/docs")).text();
    const calls = [...text.matchAll(/<section class="call" id="(\w+)">(.*?)<\/section>/gs)];
    expect(calls.map(([, id]) => id)).toEqual(
      [...SIGN_IN_CALLS, ...FIRST_CALLS].map(({ operation }) => operation),
    );
    for (const [, , call = ""] of calls) {
      expect(call).toContain("curl -L");
      expect(call).toContain("await fetch(");
      expect(call).toMatch(/import requests|session\.(?:get|post)\(/);
    }
    expect(text).toContain("&quot;numFound&quot;: ");
    expect(text).not.toMatch(/&quot;detail&quot;: /);
  });
});

describe("GET /docs/<tag>", () => {
  it("has every operation of the OpenAPI document", async () => {
    const description = await (
      await service.fetch("/openapi.json")
    ).json<{
      paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
    }>();
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
    const missing = [];
    for (const tag of Object.keys(TAGS)) {
      const text = await (await service.fetch(`/docs/${tag}`)).text();
      const ids = operations.filter(({ tags }) => tags.includes(tag)).map(({ operationId }) => operationId);
      expect(ids.length).toBeGreaterThan(0);
      missing.push(...ids.filter((id) => !text.includes(`<section class="operation" id="${id}"`)));
    }
    expect(missing).toEqual([]);
  });

  it("shows parameters, bodies and responses as types", async () => {
    const text = await (await service.fetch("/docs/operation")).text();
    expect(text).toContain("POST</b> /system/dead-letters");
    expect(text).toContain("action: &quot;send&quot; | &quot;drop&quot;");
    expect(text).toContain("Requires the operator&#39;s token.");
    const dropped = "{&quot;action&quot;:&quot;drop&quot;,&quot;queue&quot;:&quot;carrel-index&quot;}";
    expect(text).toContain(`-d &#39;${dropped}&#39;`);
  });

  it("has the section that search responses link to", async () => {
    const response = await service.fetch("/dev/docs/api/search", { redirect: "manual" });
    const [page = "", anchor] = response.headers.get("Location")?.split("#") ?? [];
    expect(await (await service.fetch(page)).text()).toContain(`id="${anchor}"`);
  });
});

describe("GET /docs/run", () => {
  it.each([
    ["operation=search&_q=a+b&_limit=2&_fields=", "/search.json?q=a+b&limit=2"],
    ["operation=readWorkEditions&_work_id=1", "/works/OL1W/editions.json"],
    ["operation=readRecord&_key=/evil.example", "/%2Fevil.example"],
  ])("%s", async (query, location) => {
    const response = await service.fetch(`/docs/run?${query}`, { redirect: "manual" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, location]);
  });

  it("refuses operations that write, and missing path parameters", async () => {
    expect((await service.fetch("/docs/run?operation=load")).status).toBe(404);
    expect((await service.fetch("/docs/run?operation=readWorkEditions")).status).toBe(400);
  });
});

describe("static files", () => {
  it("have type, security headers and entity tag", async () => {
    const response = await service.fetch("/static/docs.js");
    expect(response.headers.get("Content-Type")).toMatch(/javascript/);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("X-Request-Id")).toMatch(/^test-\d+$/);
    const again = await service.fetch("/static/docs.js", {
      headers: { "If-None-Match": response.headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
    const head = await service.fetch("/static/docs.js", { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });

  it.each(["/static/nothing.js", "/static"])("answer 404 for %s", async (path) => {
    expect((await service.fetch(path)).status).toBe(404);
  });
});
