import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

beforeAll(async () => {
  await service.load(
    author(1, {
      name: "Tolstoy",
      photos: [-1, 12],
      birth_date: "1828",
      death_date: "1910",
      bio: "A <b>count</b> & more",
    }),
    author(2, { name: "Tolkien", date: "20th century", bio: { type: "/type/text", value: "Wrote" } }),
    author(3, { name: "Anna Tolman" }),
    edition(1, { covers: [-1, 34] }),
    work(1),
    edition(2, { work: 1, covers: [56] }),
    redirected("/books/OL3M", "/books/OL1M", 2),
    deleted("/authors/OL4A", 2),
  );
  await indexAll();
});

const entry = (key: string, name: string) => ({
  type: [{ id: key, name: key }],
  name,
  guid: key,
  id: key,
  article: { id: key },
});

describe("GET /suggest/search", () => {
  it("returns authors whose name starts with the prefix, by name", async () => {
    expect(await service.json("/suggest/search?prefix=tol&all=1")).toEqual({
      status: "200 OK",
      query: { prefix: "tol", all: "1", escape: "html" },
      code: "/api/status/ok",
      result: [entry("/authors/OL2A", "Tolkien"), entry("/authors/OL1A", "Tolstoy")],
    });
  });

  it("requires three letters", async () => {
    expect(await service.json("/suggest/search?prefix=to")).toMatchObject({ result: [] });
    expect(await service.json("/suggest/search")).toMatchObject({ query: { escape: "html" }, result: [] });
  });

  it("answers JSONP without a semicolon", async () => {
    const response = await service.fetch("/suggest/search?prefix=tolk&callback=cb");
    expect(response.headers.get("Content-Type")).toBe("application/javascript");
    expect(await response.text()).toMatch(/^cb\(\{"status":"200 OK".*\}\)$/);
    expect((await service.fetch("/suggest/search?prefix=tolk&callback=alert(1)")).status).toBe(422);
  });
});

describe("GET /suggest/blurb", () => {
  it.each([
    ["authors/OL1A", "1828 - 1910<br/>A &lt;b&gt;count&lt;/b&gt; &amp; more"],
    ["authors/OL2A", "20th century<br/>Wrote"],
    ["authors/OL3A", "<br/>"],
  ])("%s", async (path, body) => {
    expect(await service.json(`/suggest/blurb/${path}`)).toEqual({
      status: "200 OK",
      code: "/api/status/ok",
      result: { body, media_type: "text/html", text_encoding: "utf-8" },
    });
  });

  it("answers 404 for missing records", async () => {
    expect((await service.fetch("/suggest/blurb/authors/OL9A")).status).toBe(404);
    expect((await service.fetch("/suggest/blurb/authors/OL4A")).status).toBe(404);
  });
});

describe("GET /suggest/thumbnail", () => {
  it.each([
    ["/authors/OL1A", "/a/id/12-S.jpg"],
    ["/books/OL1M", "/b/id/34-S.jpg"],
    ["/works/OL1W", "/w/id/56-S.jpg"],
    ["/books/OL3M", "/b/id/34-S.jpg"],
  ])("%s", async (id, path) => {
    const response = await service.fetch(`/suggest/thumbnail?id=${id}`);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")?.endsWith(path)).toBe(true);
  });

  it.each(["", "?id=", "?id=/authors/OL2A", "?id=/authors/OL9A", "?id=/people/a", "?id=//h/books/OL1M"])(
    "answers 404 for %j",
    async (query) => {
      expect((await service.fetch(`/suggest/thumbnail${query}`)).status).toBe(404);
    },
  );
});

it.each(["edition", "editions"])("/search/%s redirects to the search for works", async (name) => {
  const response = await service.fetch(`/search/${name}?q=a+b`);
  expect(response.status).toBe(301);
  expect(response.headers.get("Location")).toBe("/search?q=a+b");
});
