import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { indexAll, indexedDocuments, indexedWorks, matching } from "../../support/worker/indexing.ts";
import {
  author,
  authorKey,
  deleted,
  edition,
  redirected,
  work,
  workKey,
} from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const service = testService();

beforeEach(emptyStores);

/** Loads without a message to the queue, then follows the log. */
async function write(...records: TestRecord[]): Promise<void> {
  await service.loadUnindexed(...records);
  await indexAll();
}

const titles = async (): Promise<Record<number, unknown>> =>
  Object.fromEntries([...(await indexedWorks())].map(([id, { document }]) => [id, document["title"]]));

describe("indexNow", () => {
  it("indexes works with editions and authors", async () => {
    await write(work(1, { title: "Emma", authors: [1] }), edition(2, { work: 1 }), edition(1, { work: 1 }));
    await write(author(1, { name: "Jane Austen" }));
    const works = await indexedWorks();
    expect(works.get(1)?.document).toMatchObject({
      key: "/works/OL1W",
      title: "Emma",
      author_name: ["Jane Austen"],
      edition_key: ["OL1M", "OL2M"],
    });
    expect(works.get(1)?.editions.map(({ key }) => key)).toEqual(["/books/OL1M", "/books/OL2M"]);
    expect(await matching("title:emma")).toEqual([1]);
    expect((await indexedDocuments("author")).get("/authors/OL1A")).toMatchObject({ work_count: 1 });
  });

  it("moves an edition whose revision is corrected in place", async () => {
    await write(work(1), work(2), edition(1, { work: 1 }));
    await write(edition(1, { work: 2, modified: "2026-11-02T00:00:00.000000" }));
    const works = await indexedWorks();
    expect(works.get(1)?.editions).toEqual([]);
    expect(works.get(2)?.editions).toHaveLength(1);
  });

  it("indexes an edition without a work as a pseudo-work", async () => {
    await write(edition(5, { title: "Alone" }));
    expect(await titles()).toEqual({ [-5]: "Alone" });
    await write(work(1, { title: "Home" }), edition(5, { title: "Alone", work: 1, revision: 2 }));
    expect(await titles()).toEqual({ 1: "Home" });
    await write(edition(5, { title: "Alone again", revision: 3 }));
    expect(await titles()).toEqual({ 1: "Home", [-5]: "Alone again" });
    await write(deleted("/books/OL5M", 4));
    expect(await titles()).toEqual({ 1: "Home" });
  });

  it("deletes and restores works", async () => {
    await write(work(1, { title: "One" }), edition(1, { work: 1 }));
    await write(deleted(workKey(1), 2));
    expect(await titles()).toEqual({});
    expect(await matching("title:one")).toEqual([]);
    await write(work(1, { title: "One again", revision: 3 }));
    expect(await titles()).toEqual({ 1: "One again" });
  });

  it("deletes an edition from its work", async () => {
    await write(work(1), edition(1, { work: 1 }), edition(2, { work: 1 }));
    await write(deleted("/books/OL1M", 2));
    expect((await indexedWorks()).get(1)?.document["edition_key"]).toEqual(["OL2M"]);
  });

  it("deletes the target of a redirect that is deleted", async () => {
    await write(edition(23), edition(24));
    await write(deleted("/books/OL24M", 2), redirected("/books/OL23M", "/books/OL24M"));
    expect(await titles()).toEqual({});
  });

  it("renames an author in all works, and in editions without a work", async () => {
    await write(author(1, { name: "Before" }), work(1, { authors: [1] }), work(2, { authors: [1] }), work(3));
    await write(edition(9, { authors: [{ key: authorKey(1) }] }));
    await write(author(1, { name: "After", revision: 2 }));
    const works = await indexedWorks();
    expect([1, 2, -9].map((id) => works.get(id)?.document["author_name"])).toEqual([
      ["After"],
      ["After"],
      ["After"],
    ]);
    expect(await matching("author_name:before")).toEqual([]);
    expect(await matching("author_name:after")).toEqual([-9, 1, 2]);
  });

  // Some works are read with the change, others by themselves.
  it.each([20, 21, 30])("renames an author of %i works, and moves one of their editions", async (count) => {
    const numbers = Array.from({ length: count }, (_empty, at) => at + 1);
    await write(author(1), ...numbers.map((n) => work(n, { authors: [1] })), edition(1, { work: 1 }));
    await write(author(1, { name: "After", revision: 2 }), edition(1, { work: count, revision: 2 }));
    expect(await matching("author_name:after")).toEqual(numbers);
    const works = await indexedWorks();
    expect([1, count].map((id) => works.get(id)?.editions.length)).toEqual([0, 1]);
  });

  it("renames an author whose revision is corrected in place", async () => {
    await write(author(1, { name: "Befor" }), work(1, { authors: [1] }));
    await write(author(1, { name: "Before", revision: 2 }));
    await write(author(1, { name: "Befor", revision: 2, modified: "2026-11-02T00:00:00.000000" }));
    expect((await indexedWorks()).get(1)?.document["author_name"]).toEqual(["Befor"]);
  });

  it("follows authors that are merged, renamed, deleted and restored", async () => {
    await write(author(1, { name: "One" }), author(2, { name: "Two" }), work(1, { authors: [1] }));
    await write(redirected(authorKey(1), authorKey(2)));
    const names = async () => (await indexedWorks()).get(1)?.document["author_name"];
    expect(await names()).toEqual(["Two"]);
    expect([...(await indexedDocuments("author")).keys()]).toEqual(["/authors/OL2A"]);
    await write(author(2, { name: "Two and a half", revision: 2 }));
    expect(await names()).toEqual(["Two and a half"]);
    await write(deleted(authorKey(2), 3));
    expect(await names()).toBeUndefined();
    expect((await indexedDocuments("author")).size).toBe(0);
    await write(author(1, { name: "One again", revision: 3 }));
    expect(await names()).toEqual(["One again"]);
  });

  it("follows names and works of series", async () => {
    const series = (name: string, revision = 1): TestRecord => ({
      key: "/series/OL7L",
      type: "/type/series",
      name,
      revision,
    });
    const inSeries = { series: [{ series: { key: "/series/OL7L" }, position: "1" }] };
    await write(series("Saga"), work(1, inSeries), work(2));
    const seeds = async () => (await indexedDocuments("list")).get("/series/OL7L")?.["seed"];
    expect(await seeds()).toEqual(["/works/OL1W"]);
    await write(series("Saga, renamed", 2));
    expect((await indexedWorks()).get(1)?.document["series_name"]).toEqual(["Saga, renamed"]);
    await write(work(2, { ...inSeries, revision: 2 }));
    expect(await seeds()).toEqual(["/works/OL1W", "/works/OL2W"]);
    await write(work(1, { revision: 2 }));
    expect(await seeds()).toEqual(["/works/OL2W"]);
    await write(deleted("/series/OL7L", 3));
    expect((await indexedDocuments("list")).size).toBe(0);
    expect((await indexedWorks()).get(2)?.document["series_name"]).toEqual(["/series/OL7L"]);
  });

  it("skips other records", async () => {
    await write({ key: "/people/jane", type: "/type/user", displayname: "Jane" });
    expect(await titles()).toEqual({});
    const { results } = await env.CATALOG.prepare(
      "SELECT change_id AS cursor, (SELECT max(id) FROM change) AS end FROM projection WHERE name = 'search'",
    ).all();
    expect(results).toEqual([{ cursor: 1, end: 1 }]);
  });
});
