import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadBooks } from "../../support/worker/books.ts";
import { testService } from "../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../support/worker/statements.ts";

/** Maximum round trips of one search with wildcards, misspelt words, editions and records. */
const ROUND_TRIPS_MAX = 6;

const index = countedDatabase(env.SEARCH);
const catalog = countedDatabase(env.CATALOG);
const patrons = countedDatabase(env.PATRONS);
const service = testService({
  SEARCH: index.database,
  CATALOG: catalog.database,
  PATRONS: patrons.database,
});

beforeAll(async () => {
  await loadBooks(testService());
  await service.json("/search.json?q=*:*&limit=0");
});

beforeEach(() => {
  for (const { statements, batches } of [index, catalog, patrons]) {
    statements.length = 0;
    batches.length = 0;
  }
});

describe("GET /search.json: round trips to the databases", () => {
  it.each([
    ["q=hobbit", 1],
    ["q=hobbit&fields=key,editions", 2],
    ["q=the+hobbit&language=eng&has_fulltext=true", 1],
    ["q=tolkien&sort=new", 1],
    ["q=subject:dwarves", 1],
    ["q=*:*&limit=5", 1],
    ["q=subject:dwarves+AND+author:tolkien", 1],
    ["q=*:*&limit=0", 1],
    ["", 0],
  ])("takes few round trips for %s", async (query, most) => {
    await service.json(`/search.json?${query}`);
    expect(roundTrips(index)).toBeLessThanOrEqual(most);
    expect(catalog.statements).toEqual([]);
    expect(patrons.statements).toEqual([]);
  });

  it.each([
    ["q=hobbit&fields=key,availability", 1],
    ["q=tolkien&sort=new&fields=key,editions,availability", 1],
    ['q=key:"/works/OL4W"&fields=key,availability', 0],
  ])("reads lending only for lendable results of %s", async (query, lending) => {
    await service.json(`/search.json?${query}`);
    expect(roundTrips(index)).toBeLessThanOrEqual(2);
    expect(roundTrips(patrons)).toBe(lending);
    // Q681: keys may be those of merged records.
    expect(roundTrips(catalog)).toBe(1);
  });

  it("takes 6 round trips at most with wildcards, corrections, editions and descriptions", async () => {
    const query = "q=t*lkien+hobbiit+-zz*zz*&language=eng&fields=key,editions,description,availability";
    const response = await service.fetch(`/search.json?${query}`);
    expect(response.headers.get("X-Corrected-Query")).toContain("hobbit");
    expect(await response.json()).toMatchObject({
      docs: [{ key: "/works/OL1W", description: "A journey." }],
    });
    expect(roundTrips(index)).toBeLessThanOrEqual(ROUND_TRIPS_MAX);
    expect(roundTrips(catalog)).toBeLessThanOrEqual(2);
    expect(roundTrips(patrons)).toBeLessThanOrEqual(1);
  });

  it.each(["hob", "hobbi", "the hob"])("completes %s in one round trip", async (text) => {
    expect(await service.json(`/works/_autocomplete?q=${text}`)).not.toEqual([]);
    expect(roundTrips(index)).toBe(1);
  });

  it("counts facets in two round trips", async () => {
    const asked = "/search/facets.json?q=hobbit&field=language&field=author_facet&field=has_fulltext";
    await service.json(asked);
    expect(roundTrips(index)).toBe(2);
    catalog.statements.length = 0;
    await service.json(asked);
    expect(roundTrips(index)).toBe(3);
    expect(catalog.statements).toEqual([]);
  });
});
