import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { COVER_QUERY_LIMIT, COVER_QUERY_OLIDS } from "../../../src/worker/covers/query.ts";
import { storedCover, toStore } from "../../support/worker/cover-store.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const start = service.now;
/** Numbers of covers of books in the order in which they were stored: of OL1M, OL2M, OL1M, none. */
const books: number[] = [];
let author = 0;

const query = async (parameters: string, path = "/b/query"): Promise<unknown> => {
  const response = await service.fetch(`${path}?${parameters}`);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
  ]);
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  return response.json();
};

beforeAll(async () => {
  for (const olid of ["OL1M", "OL2M", "OL1M", ""]) {
    service.now += 1000;
    books.push(await storedCover(service, { olid }));
  }
  author = await storedCover(service, { category: "a", olid: "OL1A" });
});

describe("GET /b/query", () => {
  it("lists ids, newest first", async () => {
    expect(await query("")).toEqual(books.toReversed());
    expect(await query("olid=OL1M")).toEqual([books[2], books[0]]);
    expect(await query("olid=OL2M,OL1M,OL2M,OL404M")).toEqual([books[2], books[1], books[0]]);
    expect(await query("olid=OL404M")).toEqual([]);
    expect(await query("", "/a/query")).toEqual([author]);
    expect(await query("", "/w/query")).toEqual([]);
    expect(await query("olid=OL1M", "/covers/b/query")).toEqual([books[2], books[0]]);
  });

  it("is paged without gaps", async () => {
    const pages: unknown[] = [];
    for (let offset = 0; offset < 5; offset += 1) pages.push(await query(`limit=1&offset=${offset}`));
    expect(pages).toEqual([...books.toReversed().map((id) => [id]), []]);
    expect(await query("limit=0")).toEqual([]);
    expect(await query("limit=x&offset=-3")).toEqual(books.toReversed());
  });

  it("lists details", async () => {
    expect(await query("olid=OL2M&details=True")).toEqual([
      {
        id: books[1],
        olid: "OL2M",
        created: "2026-11-21T12:00:02.000000",
        last_modified: "2026-11-21T12:00:02.000000",
        source_url: "",
        width: 3,
        height: 2,
      },
    ]);
    expect(await query("limit=1&details=true")).toMatchObject([{ olid: null }]);
  });

  it("lists the oldest id of each record", async () => {
    expect(await query("olid=OL1M,OL2M&cmd=ids")).toEqual({ OL1M: books[0], OL2M: books[1] });
    expect(await query("olid=OL404M&cmd=ids&details=true")).toEqual({});
  });

  it("supports JSONP", async () => {
    const response = await service.fetch("/b/query?olid=OL2M&callback=a.b");
    expect(await response.text()).toBe(`a.b([${books[1]}]);`);
    expect((await service.fetch("/b/query?callback=alert(1)")).status).toBe(422);
  });

  it("has bounds", async () => {
    const olids = (count: number): string => Array.from({ length: count }, () => "OL1M").join(",");
    expect(await query(`olid=${olids(COVER_QUERY_OLIDS.count)}`)).toEqual([books[2], books[0]]);
    const many = await service.fetch(`/b/query?olid=${olids(COVER_QUERY_OLIDS.count + 1)}`);
    expect(many.status).toBe(422);
    const long = await service.fetch(`/b/query?olid=${"x".repeat(COVER_QUERY_OLIDS.length + 1)}`);
    expect(long.status).toBe(422);
    const stored = COVER_QUERY_LIMIT.max + 1;
    await env.CATALOG.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?1 AS BIGINT))
       INSERT INTO cover (id, category, state, content_type, bytes, width, height, created, updated)
       SELECT 1000000 + i, 'w', 'stored', 'image/png', 9, 3, 2, '2026-11-01', '2026-11-01' FROM n`,
    )
      .bind(stored)
      .run();
    expect(await query("limit=1000", "/w/query")).toHaveLength(COVER_QUERY_LIMIT.max);
    expect(await query("", "/w/query")).toHaveLength(COVER_QUERY_LIMIT.usual);
  });

  it("Q411: is empty for an unknown category on the cover store's listener", async () => {
    const listened = async (path: string): Promise<unknown> =>
      (await exports.CoverStore.fetch(`http://covers.test${path}`)).json();
    expect(await listened("/x/query?olid=OL1M")).toEqual([]);
    expect(await listened("/x/query?cmd=ids")).toEqual({});
    expect(await listened("/b/query?olid=OL1M")).toEqual([books[2], books[0]]);
    expect((await service.fetch("/x/query")).status).toBe(404);
  });
});

describe("POST /b/touch", () => {
  it("makes a cover the newest one", async () => {
    service.now = start + 3_600_000;
    const touched = await toStore(service, "/b/touch", { id: String(books[0]) });
    expect([touched.status, await touched.json()]).toEqual([200, { ok: "true" }]);
    expect(await query("olid=OL1M")).toEqual([books[0], books[2]]);
    expect(await query("olid=OL1M&limit=1&details=true")).toMatchObject([
      { created: "2026-11-21T12:00:01.000000", last_modified: "2026-11-21T13:00:00.000000" },
    ]);
  });
});
