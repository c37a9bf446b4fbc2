import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { storeActivity } from "../../../src/db/patrons/activity.ts";
import { addAccounts, workItem } from "../../support/worker/activity.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { countedWaves } from "../../support/worker/statements.ts";

const HTML = { headers: { Accept: "text/html" } };
const service = testService();

beforeAll(async () => {
  await service.load(
    author(1, { name: "Ann <b>Author</b>" }),
    work(1, { title: "Read by two", authors: [1], covers: [-1, 12], first_publish_date: "1999" }),
    work(2, { title: "Read by one", authors: [1] }),
    work(3, { title: "Read long ago", authors: [1] }),
    work(4, { title: "Read by nobody" }),
  );
  await indexAll();
  await addAccounts("ann", "bo");
  const lately = { shelf: 1 as const, logged: service.now - 86_400_000, moved: service.now - 86_400_000 };
  const before = {
    shelf: 1 as const,
    logged: service.now - 40 * 86_400_000,
    moved: service.now - 40 * 86_400_000,
  };
  await storeActivity(env.PATRONS, [
    { patron: "ann", items: [workItem(1, 1, lately), workItem(3, 2, before)] },
    { patron: "bo", items: [workItem(1, 1, lately), workItem(2, 2, lately)] },
  ]);
});

it("GET / shows search, links and trending works", async () => {
  const response = await service.fetch("/", HTML);
  expect(response.status).toBe(200);
  expect(response.headers.get("Vary")).toBe("Accept, Accept-Language, Cookie");
  const body = await response.text();
  expect(body.match(/<h1>/g)).toHaveLength(1);
  expect(body).toContain('<label class="unseen" for="site-search">');
  for (const path of ["/subjects", "/authors", "/languages", "/publishers", "/lists", "/trending", "/data"]) {
    expect(body).toContain(`<a href="${path}">`);
  }
  const [, trending = ""] = body.split(/Trending this week|Most editions/);
  expect([...trending.matchAll(/<cite>([^<]*)/g)].map(([, title]) => title)).toEqual([
    "Read by two",
    "Read by one",
  ]);
  expect(trending).toContain('<i dir="auto">Ann &lt;b&gt;Author&lt;/b&gt;</i>');
  expect(trending).toContain('<img src="/b/id/12-M.jpg"');
});

it("GET / is JSON for clients, separately cached", async () => {
  for (const init of [{}, { headers: { Accept: "*/*" } }, { headers: { Accept: "application/json" } }]) {
    expect(await service.json("/", init)).toMatchObject({ name: "Carrel" });
  }
  expect((await service.fetch("/", HTML)).headers.get("Content-Type")).toBe("text/html; charset=utf-8");
});

it("GET / takes two waves of queries, then none", async () => {
  const waves = countedWaves();
  const cold = testService({ SEARCH: waves.of(env.SEARCH), PATRONS: waves.of(env.PATRONS) });
  const first = await (await cold.fetch("/", HTML)).text();
  expect(waves.count).toBe(2);
  expect(await (await cold.fetch("/", HTML)).text()).toBe(first);
  expect(waves.count).toBe(2);
});

/** Returns the links of each door of the first page. */
function doorsOf(html: string): Record<string, string[]> {
  const doors = [...html.matchAll(/<section class="card"><h2>([^<]*).*?<\/section>/gs)];
  return Object.fromEntries(
    doors.map(([door, heading = ""]) => [
      heading.trim(),
      [...door.matchAll(/href="([^"]+)"/g)].map(([, to]) => to),
    ]),
  ) as Record<string, string[]>;
}

it("GET / has three doors, the second one for visitors or readers", async () => {
  const ann = await loggedIn(service, "home_ann");
  const find = ["/explore", "/advancedsearch", "/barcodescanner"];
  const data = ["/docs", "/data", "/opds"];
  expect(doorsOf(await (await service.fetch("/", HTML)).text())).toEqual({
    "Find a book": find,
    "Keep your reading": ["/account/create", "/account/login"],
    "Use the data": data,
  });
  expect(doorsOf(await (await ann.fetch("/", HTML)).text())).toEqual({
    "Find a book": find,
    "Your reading": ["/account/books", "/account/loans", "/account/lists", "/account/import", "/books/add"],
    "Use the data": data,
  });
});

it("GET / has dated numbers", async () => {
  const html = await (await service.fetch("/", HTML)).text();
  expect(html).toMatch(
    /<bdi>Carrel<\/bdi> has 4 works, 0 editions, 1 author\. Updated <time[^>]*>21 November 2026<\/time>\./,
  );
});

describe("GET / of an empty catalog", () => {
  beforeAll(async () => {
    await env.CATALOG.exec("DELETE FROM record");
    const { keys } = await env.CACHE.list();
    await Promise.all(keys.map(({ name }) => env.CACHE.delete(name)));
  });

  it.each([
    ["visitors", undefined, false],
    ["readers", [], false],
    ["administrators", ["admin"], true],
  ])("tells %s how books come in", async (who, groups, canImport) => {
    const empty = testService();
    const { fetch } = groups === undefined ? empty : await loggedIn(empty, `empty_${who}`, { groups });
    const response = await fetch("/", HTML);
    const html = await response.text();
    expect(html).toContain("There are no books here yet.");
    expect(html).not.toContain("0 works");
    expect(html.includes('href="/import/batch/new"')).toBe(canImport);
    expect(response.headers.get("Cache-Control")).toBe(
      groups === undefined ? "public, max-age=60" : "private, no-store",
    );
  });

  it("is counted again after a minute", async () => {
    const seconds: Record<string, number | undefined> = {};
    const CACHE = {
      get: async () => null,
      put: async (name: string, _value: string, options: KVNamespacePutOptions) => {
        seconds[name] = options.expirationTtl;
      },
    };
    await testService({ CACHE: CACHE as unknown as KVNamespace }).fetch("/", HTML);
    expect(seconds).toMatchObject({ "totals:v1": 60, "subjects:v2": 60, "shelf:v1:new": 300 });
  });
});
