import { beforeAll, describe, expect, it } from "vitest";
import { CALLS_HEADER, COUNT_HEADER } from "../../../src/worker/http/site.ts";
import { formOf, jsonOf } from "../../support/worker/accounts.ts";
import { loadBooks } from "../../support/worker/books.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { onBehalfOf, raw, testStore } from "../../support/worker/record-store.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
const store = testStore(service);
let reader: LoggedIn;
let librarian: LoggedIn;
let list: string;

beforeAll(async () => {
  await loadBooks(service);
  reader = await loggedIn(service, "reader");
  librarian = await loggedIn(service, "librarian", { groups: ["api", "librarians"] });
  await reader.fetch("/works/OL1W/bookshelves.json", formOf({ bookshelf_id: "1" }));
  const made = await reader.json("/people/reader/lists.json", jsonOf({ name: "A list", seeds: [] }));
  ({ key: list } = made as { key: string });
});

interface Requests {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly requests: readonly (readonly [path: string, init?: RequestInit])[];
}

/** Returns a line with the calls of each request; all must succeed. */
async function callsOf({ fetch, requests }: Requests): Promise<string> {
  const lines: string[] = [];
  for (const [path, init = {}] of requests) {
    // The isolate's memory and memos of earlier requests are out of date.
    service.now += 600_000;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), [COUNT_HEADER]: "1" };
    const response = await fetch(path, { ...init, headers });
    const text = await response.text();
    expect(response.status, `${path}: ${text.slice(0, 200)}`).toBeLessThan(400);
    lines.push(`${init.method ?? "GET"} ${path.split("?")[0]}: ${response.headers.get(CALLS_HEADER)}`);
  }
  return lines.join("\n");
}

describe("calls to the stores before the answer", () => {
  it("are few for public reads", async () => {
    const lookup = "/api/books?bibkeys=ISBN:9780060935467&format=json";
    const requests = [
      ["/works/OL1W.json"],
      ["/works/OL1W"],
      ["/isbn/9780060935467.json"],
      ["/works/OL1W/editions.json"],
      ["/authors/OL1A/works.json"],
      [lookup],
      [`${lookup}&jscmd=data`],
      ["/search.json?q=hobbit"],
      ["/search/authors.json?q=tolkien"],
      ["/subjects/dwarves.json"],
      ["/people/me/lists/OL1L/seeds.json"],
      ["/people/me/lists/OL1L/editions.json"],
      ["/recentchanges.json"],
      ["/books/OL11M.json?expand=works,authors,series,languages,cover"],
      ["/books/OL11M.json?expand=works,authors,ratings"],
      ["/books/OL11M.json?expand=availability"],
      ["/works/OL1W/editions.json?expand=works,authors"],
      [`${lookup}&jscmd=details&expand=works,authors`],
    ] as const;
    expect(await callsOf({ fetch: service.fetch, requests })).toMatchInlineSnapshot(`
      "GET /works/OL1W.json: sequence=1 catalog=1
      GET /works/OL1W: sequence=1 catalog=1
      GET /isbn/9780060935467.json: sequence=1 catalog=1
      GET /works/OL1W/editions.json: sequence=1 catalog=1
      GET /authors/OL1A/works.json: sequence=1 catalog=1
      GET /api/books: sequence=2 catalog=3
      GET /api/books: sequence=2 catalog=3 patrons=1
      GET /search.json: sequence=2 search=2
      GET /search/authors.json: sequence=2 search=2
      GET /subjects/dwarves.json: sequence=3 search=2 catalog=1 patrons=1
      GET /people/me/lists/OL1L/seeds.json: sequence=3 catalog=1 search=2
      GET /people/me/lists/OL1L/editions.json: sequence=1 catalog=1
      GET /recentchanges.json: sequence=1 catalog=1
      GET /books/OL11M.json: sequence=1 catalog=1
      GET /books/OL11M.json: sequence=2 catalog=1 patrons=1
      GET /books/OL11M.json: sequence=2 catalog=3 patrons=1
      GET /works/OL1W/editions.json: sequence=1 catalog=1
      GET /api/books: sequence=2 catalog=3"
    `);
  });

  it("are few for patrons", async () => {
    const requests = [
      ["/people/reader/books/want-to-read.json"],
      ["/people/reader/books/want-to-read"],
      ["/works/OL1W/bookshelves.json", formOf({ bookshelf_id: "2" })],
      ["/works/OL1W/ratings.json", formOf({ rating: "4" })],
      ["/works/OL1W/check-ins", jsonOf({ event_type: 3, year: 2026 })],
      ["/people/reader/lists.json", jsonOf({ name: "Another list", seeds: [] })],
      [`${list}/seeds.json`, jsonOf({ add: [{ key: "/works/OL2W" }] })],
    ] as const;
    expect(await callsOf({ fetch: reader.fetch, requests })).toMatchInlineSnapshot(`
      "GET /people/reader/books/want-to-read.json: sequence=2 search=2 patron=1
      GET /people/reader/books/want-to-read: sequence=2 search=2 patron=1
      POST /works/OL1W/bookshelves.json: sequence=3 catalog=3 patron=1
      POST /works/OL1W/ratings.json: sequence=3 catalog=3 patron=1
      POST /works/OL1W/check-ins: sequence=5 catalog=3 patron=2 patrons=1
      POST /people/reader/lists.json: sequence=6 catalog=3 patron=1 patrons=2 editDesk=1 indexQueue=1 changeFeed=1
      POST /people/reader/lists/OL6L/seeds.json: sequence=6 catalog=4 patron=1 patrons=2 editDesk=1 indexQueue=1 changeFeed=1"
    `);
  });

  it("are few for writes to the catalog", async () => {
    const book = { title: "A new book", source_records: ["test:1"], publishers: ["P"], publish_date: "2020" };
    const record = { key: "/works/OL4W", type: { key: "/type/work" }, title: "Nothing" };
    const requests = [
      ["/works/OL4W.json", { ...jsonOf({ ...record, title: "Nothing more" }), method: "PUT" }],
      ["/api/import", jsonOf({ ...book, authors: [{ name: "New Author" }] })],
      ["/api/import", jsonOf({ ...book, authors: [{ name: "New Author" }] })],
    ] as const;
    expect(await callsOf({ fetch: librarian.fetch, requests })).toMatchInlineSnapshot(`
      "PUT /works/OL4W.json: sequence=4 catalog=2 patron=1 patrons=1 editDesk=1 indexQueue=1 changeFeed=1
      POST /api/import: sequence=4 catalog=2 patron=1 patrons=1 importDesk=1 indexQueue=1 changeFeed=1
      POST /api/import: sequence=3 catalog=2 patron=1 patrons=1 importDesk=1"
    `);
  });

  it("are few for the record store", async () => {
    const requests = [
      ["/get?key=/works/OL1W"],
      ["/get_many?keys=%5B%22/works/OL1W%22,%22/works/OL2W%22%5D"],
      ["/save/works/OL4W", raw("POST", { type: { key: "/type/work" }, title: "N" }, onBehalfOf(librarian))],
    ] as const;
    expect(await callsOf({ fetch: store.call, requests })).toMatchInlineSnapshot(`
      "GET /get: sequence=1 catalog=1
      GET /get_many: sequence=1 catalog=1
      POST /save/works/OL4W: sequence=3 patron=1 catalog=1 patrons=1 editDesk=1 indexQueue=1 changeFeed=1"
    `);
  });
});
