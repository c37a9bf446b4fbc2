import { describe, expect, it } from "vitest";
import { childElements, parseXml, elementText } from "../../../src/import/xml/document.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

describe("errors (Q673)", () => {
  const hurried = testService({ RATE_LIMIT_PER_MINUTE: "1" });
  const READERS: readonly Record<string, string>[] = [
    {},
    { Accept: "application/atom+xml" },
    { Accept: "text/html" },
    { Accept: "*/*" },
  ];

  it.each([
    ["/opds/books?page=0", 422, "page: Input should be greater than or equal to 1"],
    ["/opds/books/OL99M", 404, "Not Found"],
    ["/opds/nothing", 404, "The page /opds/nothing doesn’t exist."],
    ["/opds/shelves", 401, "Log in to see your loans and your shelves."],
  ])("are a feed: %s", async (path, status, title) => {
    for (const headers of READERS) {
      const response = await service.fetch(path, { headers });
      expect([response.status, response.headers.get("Content-Type")]).toEqual([
        status,
        "application/atom+xml;profile=opds-catalog;kind=navigation;charset=utf-8",
      ]);
      const root = parseXml(await response.text());
      const titles = childElements(root).filter(({ name }) => name === "title");
      expect(titles.map(elementText)).toEqual([title]);
    }
  });

  it.each([
    ["/opds/books.json?page=0", 422, /^page: /],
    ["/opds/books/OL99M.json", 404, /^Not Found$/],
  ])("are problem details in OPDS 2.0: %s", async (path, status, title) => {
    const response = await service.fetch(path);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      status,
      "application/problem+json",
    ]);
    expect(await response.json()).toMatchObject({ status, title: expect.stringMatching(title) });
  });

  it("are feeds from the middleware, too", async () => {
    await (await hurried.fetch("/opds")).text();
    const response = await hurried.fetch("/opds/books");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(response.headers.get("Content-Type")).toContain("application/atom+xml");
    const method = await service.fetch("/opds/books", { method: "DELETE" });
    expect([method.status, await method.text()]).toEqual([405, expect.stringContaining("<feed ")]);
  });
});
