import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readChanges } from "../../../src/db/history/changes.ts";
import { readAuthorPage, readListPage, readNamed } from "../../../src/db/indexing/named-records.ts";
import { readLogPart } from "../../../src/db/indexing/log.ts";
import { readWorkSources } from "../../../src/db/indexing/works.ts";
import { readVersions } from "../../../src/db/history/versions.ts";
import { DocumentsTooLarge } from "../../../src/db/records/record-rows.ts";
import { READ_DOCUMENT_BYTES } from "../../../src/catalog/bytes.ts";
import { indexAll, indexedWorks } from "../../support/worker/indexing.ts";
import { measured } from "../../support/worker/measured.ts";
import { author, authorKey, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

const service = testService();
const storeCall = (path: string): Promise<Response> => exports.RecordStore.fetch(`http://store.test${path}`);
/** More than one answer has room for. */
const COUNT = 10;
const NUMBERS = Array.from({ length: COUNT }, (_number, index) => index + 1);
const LIST = "/people/jane/lists/OL1L";
const TEXT = "ä".repeat(500_000);

beforeAll(async () => {
  await service.load(author(1), work(100, { authors: [1] }), work(101));
  const large: TestRecord[] = NUMBERS.flatMap((number) => [
    edition(number, { work: 100, ocaid: `scan${number}`, notes: TEXT }),
    work(number, { authors: [1], notes: TEXT }),
    author(number + 1, { bio: TEXT }),
  ]);
  for (const record of large) await service.loadUnindexed(record);
  await service.load({
    key: LIST,
    type: "/type/list",
    name: "Large",
    seeds: NUMBERS.map((number) => ({ key: editionKey(number) })),
  });
});

interface Page {
  readonly entries: readonly { readonly key: string }[];
  readonly links: { readonly next?: string | null };
}

/** Keys on all pages from a first one on, each page no larger than an answer may be. */
async function keysFrom(first: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path: string | null | undefined = first; typeof path === "string";) {
    const text: string = await (await service.fetch(path)).text();
    expect(text.length).toBeLessThan(READ_DOCUMENT_BYTES);
    const { entries, links } = JSON.parse(text) as Page;
    pages.push(entries.map(({ key }) => key));
    path = links.next;
  }
  return pages;
}

describe("pages of large records (Q496)", () => {
  it.each([
    ["editions of a work", "/works/OL100W/editions.json?limit=1000", NUMBERS.map(editionKey)],
    ["works of an author", "/authors/OL1A/works.json", [...NUMBERS, 100].map(workKey)],
    ["editions in a list", `${LIST}/editions.json?limit=9`, NUMBERS.map(editionKey)],
  ])("%s end early and continue on the next page", async (_what, path, keys) => {
    const pages = await keysFrom(path);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual(keys);
  });

  it("show all members on an HTML page", async () => {
    const response = await service.fetch("/works/OL100W/Work_100", { headers: { Accept: "text/html" } });
    const text = await response.text();
    for (const number of NUMBERS) expect(text).toContain(`href="${editionKey(number)}`);
  });

  it("are exported from a list page by page", async () => {
    type Exported = { editions: { key: string }[]; links?: { next: string } };
    const first = (await service.json(`${LIST}/export?format=json`)) as Exported;
    const second = (await service.json(first.links?.next ?? "")) as Exported;
    const keys = [...first.editions, ...second.editions].map(({ key }) => key);
    expect(keys.sort()).toEqual(NUMBERS.map(editionKey).sort());
    expect(second.links).toBeUndefined();
  });
});

describe("large records in one response (Q495)", () => {
  const keys = encodeURIComponent(JSON.stringify(NUMBERS.map(editionKey)));
  const all = encodeURIComponent(JSON.stringify({ type: "/type/edition", works: workKey(100), "*": null }));
  const bibkeys = NUMBERS.map((number) => `OLID:OL${number}M`).join(",");

  it.each([
    `/query.json?type=/type/edition&works=${workKey(100)}&*=&limit=1000`,
    `/query.json?query=${all}`,
    `/api/books?bibkeys=${bibkeys}&format=json`,
    `/api/books?bibkeys=${NUMBERS.map((number) => `OLID:OL${number}M@1`).join(",")}&format=json`,
    "/api/volumes/brief/json/OLID:OL1M",
  ])("%s answers 413", async (path) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      error: "too_large",
      message: expect.stringContaining("Request fewer records"),
    });
  });

  it("get_many fails in its own format, and with 413 in the record store", async () => {
    expect(await service.json(`/api/get_many?keys=${keys}`)).toMatchObject({ status: "fail" });
    expect((await storeCall(`/x/get_many?keys=${keys}`)).status).toBe(413);
    expect((await storeCall(`/x/things?details=true&query=${all}`)).status).toBe(413);
  });

  it("keys only and small selections are answered", async () => {
    const query = `type=/type/edition&works=${workKey(100)}`;
    const found = await service.json(`/query.json?${query}&sort=-key`);
    expect(found).toEqual(NUMBERS.map((number) => ({ key: editionKey(number) })).sort(byKeyDescending));
    const answer = await service.fetch(`/query.json?${query}&notes=&limit=8&offset=2`);
    const some = await answer.json<{ key: string; notes: string }[]>();
    expect(some.map(({ key }) => key)).toEqual(NUMBERS.slice(2, 10).map(editionKey));
    expect(some.every(({ notes }) => notes === TEXT)).toBe(true);
  });
});

function byKeyDescending(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? 1 : -1;
}

describe("the index of large records (Q497)", () => {
  it("has every work, with the lowest-numbered editions of a very large one", async () => {
    await indexAll();
    const works = await indexedWorks();
    expect([...works.keys()].sort((a, b) => a - b)).toEqual([...NUMBERS, 100, 101]);
    const editions = works.get(100)?.editions.map(({ key }) => String(key)) ?? [];
    expect(editions.length).toBeGreaterThan(7);
    expect(editions.length).toBeLessThan(COUNT);
    expect([...editions].sort(byNumber)).toEqual(NUMBERS.slice(0, editions.length).map(editionKey));
  });
});

describe("records that the indexer reads", () => {
  it("are read by key in parts, missing ones included", async () => {
    const keys = ["/works/OL999W", ...NUMBERS.map(workKey)];
    const parts: string[][] = [];
    for await (const { keys: own, page } of readNamed(env.CATALOG, keys)) {
      expect([...page.records.keys()].sort()).toEqual(own.filter((key) => key !== keys[0]).sort());
      parts.push([...own]);
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flat().sort()).toEqual([...keys].sort());
  });

  it("are read with the log and with works in batches of some 8 MiB", async () => {
    const [log, logDatabase] = measured(env.CATALOG);
    const part = await readLogPart(logDatabase, ["none"], 20);
    expect(part.touched.length).toBeGreaterThan(0);
    expect([part.isLast, part.prefetch]).toEqual([false, undefined]);
    expect(log.call).toBeLessThan(1.1 * READ_DOCUMENT_BYTES);
    const [sums, database] = measured(env.CATALOG);
    const found: number[] = [];
    for (let ids: readonly number[] = [...NUMBERS, 100, 101]; ids.length > 0;) {
      const { works, deferred } = await readWorkSources(database, ids);
      found.push(...works.map(({ id }) => id));
      ids = deferred;
    }
    expect(found).toEqual([...NUMBERS, 100, 101]);
    expect(sums.call).toBeLessThan(1.3 * READ_DOCUMENT_BYTES);
  });

  it("are walked in pages that end early", async () => {
    const pages: string[][] = [];
    for (let after = 0, isLast = false; !isLast;) {
      const page = await readAuthorPage(env.CATALOG, { after, limit: 500 });
      pages.push([...page.records.keys()]);
      ({ position: after, isLast } = page);
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual([1, ...NUMBERS.map((number) => number + 1)].map(authorKey));
    const lists = await readListPage(env.CATALOG, { type: "/type/list", after: 0, limit: 500 });
    expect([...lists.records.keys()]).toEqual([LIST]);
    expect(lists.isLast).toBe(true);
  });
});

function byNumber(a: string, b: string): number {
  return Number(/\d+/.exec(a)?.[0]) - Number(/\d+/.exec(b)?.[0]);
}

describe("changes of very many records (Q495)", () => {
  it("are bounded in JSON and abbreviated on pages", async () => {
    const changes = JSON.stringify(
      Array.from({ length: 20_000 }, (_change, index) => ({ key: editionKey(1 + (index % 5)), revision: 1 })),
    );
    await env.CATALOG.prepare(
      "UPDATE change SET changes = ?1, kind = 'bulk_update', author = '/people/jane' WHERE id IN (SELECT id FROM change ORDER BY id DESC LIMIT 15)",
    )
      .bind(changes)
      .run();
    expect((await service.fetch("/recentchanges.json")).status).toBe(413);
    expect(await service.json("/recentchanges.json?limit=5&offset=10")).toHaveLength(5);
    const page = await service.fetch("/recentchanges", { headers: { Accept: "text/html" } });
    const text = await page.text();
    expect(text).toMatch(/OL3M<\/(?:a|span)>, 19,997 more<\/td>/);
    expect(text).not.toContain("/books/OL4M");
    expect((await storeCall(`/x/versions?query=${encodeURIComponent('{"limit":1000}')}`)).status).toBe(413);
    const [sums, database] = measured(env.CATALOG);
    const all = { limit: 1000, offset: 0 };
    await expect(readChanges(database, {}, all)).rejects.toThrow(DocumentsTooLarge);
    await expect(readVersions(database, {}, { ...all, descending: true })).rejects.toThrow(DocumentsTooLarge);
    expect(sums.length).toBeLessThan(1.5 * READ_DOCUMENT_BYTES);
    const few = encodeURIComponent(JSON.stringify({ key: editionKey(5) }));
    expect(await (await storeCall(`/x/versions?query=${few}`)).json()).toHaveLength(1);
  });
});
