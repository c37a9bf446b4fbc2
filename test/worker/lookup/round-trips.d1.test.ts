import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { author, edition, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const catalog = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: catalog.database });

beforeAll(async () => {
  await service.load(
    author(1, { name: "Of a work" }),
    author(2, { name: "Of an edition" }),
    author(3, { name: "Of a merged work" }),
    work(1, { authors: [1], subjects: ["Rivers"] }),
    edition(1, { work: 1, isbn_10: ["0140328726"] }),
    edition(2, { title: "Without a work", authors: [{ key: "/a/OL2A" }] }),
    edition(3, { work: 9, title: "Of no work" }),
    redirected("/works/OL4W", "/works/OL5W", 1),
    work(5, { authors: [3] }),
    edition(4, { work: 4 }),
    redirected("/books/OL6M", "/books/OL1M", 1),
  );
});

beforeEach(() => {
  catalog.statements.length = 0;
});

async function entriesOf(keys: string, jscmd = "data"): Promise<unknown[]> {
  const response = await service.fetch(`/api/books.json?jscmd=${jscmd}&bibkeys=${keys}`);
  const entries: Record<string, unknown> = await response.json();
  return Object.values(entries);
}

describe("statements of /api/books", () => {
  it("reads editions with their works and authors in one statement", async () => {
    const entries = await entriesOf("0140328726,OL2M");
    expect(entries).toMatchObject([
      { title: "Edition 1", authors: [{ name: "Of a work" }], subjects: [{ name: "Rivers" }] },
      { title: "Without a work", authors: [{ name: "Of an edition" }] },
    ]);
    expect(catalog.statements).toHaveLength(1);
  });

  it("reads more than a few editions in one statement, too", async () => {
    const keys = Array.from({ length: 12 }, (_, place) => `OLID:${" ".repeat(place)}OL1M`);
    expect(await entriesOf(`${keys.join(",")},OL2M`, "viewapi")).toHaveLength(13);
    expect(catalog.statements).toHaveLength(1);
  });

  it("reads again for a work that is missing", async () => {
    expect(await entriesOf("OL3M")).toMatchObject([{ title: "Of no work" }]);
    expect(catalog.statements).toHaveLength(2);
  });

  it("follows merged works and editions", async () => {
    expect(await entriesOf("OL4M")).toMatchObject([{ authors: [{ name: "Of a merged work" }] }]);
    expect(catalog.statements).toHaveLength(2);
    expect(await entriesOf("OL6M")).toMatchObject([{ title: "Edition 1", authors: [{ name: "Of a work" }] }]);
  });
});
