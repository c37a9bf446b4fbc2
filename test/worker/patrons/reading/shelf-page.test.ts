import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { loadBooks } from "../../../support/worker/books.ts";
import { indexAll } from "../../../support/worker/indexing.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity, settleIndexQueue } from "../../../support/worker/queues.ts";
import { deleted, edition, redirected, work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";
import { countedDatabase, roundTrips } from "../../../support/worker/statements.ts";

interface Page {
  page: number;
  numFound: number;
  reading_log_entries: {
    work: Record<string, unknown> & { key: string };
    logged_edition: string | null;
    logged_date: string;
  }[];
}

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
let owner: LoggedIn;
let other: LoggedIn;

const shelve = async (who: LoggedIn, number: number, fields: Record<string, string> = {}): Promise<void> => {
  service.now += 1000;
  const form = formOf({ bookshelf_id: "1", ...fields });
  expect((await who.fetch(`/works/OL${number}W/bookshelves.json`, form)).status).toBe(200);
};
const pageOf = async (
  query = "",
  who: Pick<LoggedIn, "json"> = owner,
  shelf = "want-to-read",
): Promise<Page> =>
  // The assertions below check the shape.
  (await who.json(`/people/Shelf_Owner/books/${shelf}.json${query}`)) as Page;
const keysOf = ({ reading_log_entries: entries }: Page): string[] =>
  entries.map(({ work: book }) => book.key);

beforeAll(async () => {
  await loadBooks(service);
  owner = await loggedIn(service, "Shelf_Owner");
  other = await loggedIn(service, "shelf_visitor");
  await owner.fetch("/account/preferences.json", jsonOf({ public_readlog: "yes" }));
});

describe("the visibility of a shelf", () => {
  it("is public while the reading log is shown", async () => {
    for (const who of [owner, other, service]) {
      const response = await who.fetch("/people/shelf_OWNER/books/stopped-reading.json");
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ page: 1, numFound: 0, reading_log_entries: [] });
      expect(response.headers.get("Vary")).toContain("Cookie");
      const kept = who === service ? "public, max-age=0, must-revalidate" : "private, no-store";
      expect(response.headers.get("Cache-Control")).toBe(kept);
    }
  });

  it("is private by default", async () => {
    const hidden = await loggedIn(service, "hidden_reader");
    const admin = await loggedIn(service, "shelf_admin", { groups: ["admin"] });
    for (const query of ["", "?q=hobbit", "?mode=ebooks"]) {
      const path = `/people/hidden_reader/books/want-to-read.json${query}`;
      for (const who of [other, admin, service]) {
        const response = await who.fetch(path);
        expect([response.status, await response.json()]).toEqual([
          403,
          { detail: "This reading log is private" },
        ]);
      }
      expect((await hidden.fetch(path)).status).toBe(200);
    }
    await hidden.fetch("/account/preferences.json", jsonOf({ public_readlog: "yes" }));
    expect((await service.fetch("/people/hidden_reader/books/want-to-read.json")).status).toBe(200);
  });

  it("is checked after the shelf name, without creating an object", async () => {
    const wrong = await service.fetch("/people/nobody_at_all/books/Want-to-read.json?limit=-1&page=0");
    expect(wrong.status).toBe(422);
    const { detail } = await wrong.json<{ detail: { loc: string[]; msg: string }[] }>();
    expect(detail.map(({ loc }) => loc)).toEqual([
      ["path", "key"],
      ["query", "limit"],
      ["query", "page"],
    ]);
    expect(detail[0]?.msg).toBe(
      "Input should be 'want-to-read', 'currently-reading', 'already-read' or 'stopped-reading'",
    );
    const missing = await service.fetch("/people/nobody_at_all/books/want-to-read.json");
    expect([missing.status, await missing.json()]).toEqual([404, { detail: "User not found" }]);
    expect(
      (await owner.fetch(`/people/Shelf_Owner/books/want-to-read.json?q=${"x".repeat(101)}`)).status,
    ).toBe(422);
  });
});

describe("an entry", () => {
  it("has the indexed work and the log date", async () => {
    service.now = Date.parse("2026-11-22T03:04:04Z");
    await shelve(owner, 1, { bookshelf_id: "2", edition_id: "OL11M" });
    expect(await pageOf("", service, "currently-reading")).toEqual({
      page: 1,
      numFound: 1,
      reading_log_entries: [
        {
          work: {
            title: "The Hobbit",
            key: "/works/OL1W",
            author_keys: ["/authors/OL1A"],
            author_names: ["J. R. R. Tolkien"],
            first_publish_year: 1937,
            lending_edition_s: "OL11M",
            edition_key: ["OL11M", "OL12M"],
            cover_id: 5,
            cover_edition_key: "OL12M",
          },
          logged_edition: "/books/OL11M",
          logged_date: "2026/11/22, 03:04:05",
        },
      ],
    });
  });

  it("describes deleted, unknown and merged works", async () => {
    await service.load(deleted("/works/OL501W", 1), redirected("/works/OL502W", "/works/OL1W", 1));
    await settleIndexQueue();
    const entries: [number, Record<string, string>][] = [
      [501, {}],
      [504, { edition_id: "OL5041M" }],
      [505, {}],
    ];
    for (const [number, fields] of entries) await shelve(owner, number, { bookshelf_id: "4", ...fields });
    // An entry from before the merge of the work.
    const { shelves } = env.PATRON.getByName("shelf_owner");
    await shelves.put({ work: 502, shelf: 4, edition: undefined, keep: true, now: service.now + 1 });
    await settleActivity();
    await service.loadUnindexed(work(504, { title: "Not indexed yet" }), edition(5041, { work: 504 }));
    const found = (await pageOf("", owner, "stopped-reading")).reading_log_entries.map(({ work: book }) => [
      book.key,
      book["title"],
      book["cover_id"],
    ]);
    expect(found).toEqual([
      ["/works/OL502W", "The Hobbit", 5],
      ["/works/OL505W", "/works/OL505W", null],
      ["/works/OL504W", "/works/OL504W", null],
      ["/works/OL501W", "[Record deleted]", null],
    ]);
    await indexAll();
    expect((await pageOf("", owner, "stopped-reading")).reading_log_entries[2]?.work["title"]).toBe(
      "Not indexed yet",
    );
  });
});

describe("paging", () => {
  beforeAll(async () => {
    for (const number of [601, 602, 603, 604, 605]) await shelve(owner, number, { bookshelf_id: "3" });
  });
  const shelf = (query: string): Promise<Page> => pageOf(query, service, "already-read");

  it("returns the newest first, with the size of the shelf", async () => {
    const all = await shelf("");
    expect(keysOf(all)).toEqual([605, 604, 603, 602, 601].map((number) => `/works/OL${number}W`));
    expect(all).toMatchObject({ page: 1, numFound: 5 });
    const second = await shelf("?limit=2&page=2");
    expect([second.page, second.numFound, keysOf(second)]).toEqual([
      2,
      5,
      ["/works/OL603W", "/works/OL602W"],
    ]);
    expect(keysOf(await shelf("?limit=2&page=4"))).toEqual([]);
  });

  it("Q293: sort=asc returns the oldest first", async () => {
    const oldest = [601, 602, 603, 604, 605].map((number) => `/works/OL${number}W`);
    expect(keysOf(await shelf("?sort=asc"))).toEqual(oldest);
    expect(keysOf(await shelf("?sort=asc&limit=2&page=2"))).toEqual(oldest.slice(2, 4));
    for (const sort of ["desc", "ASC", "", "rating"]) {
      expect(keysOf(await shelf(`?sort=${sort}`))).toEqual(oldest.toReversed());
    }
    expect(keysOf(await pageOf("?sort=asc&q=hobbit", service, "currently-reading"))).toEqual(["/works/OL1W"]);
  });

  it("Q220: combines offset with pages, and caps the limit", async () => {
    const page = await shelf("?limit=2&offset=3&page=9");
    expect([page.page, page.numFound, keysOf(page)]).toEqual([2, 5, ["/works/OL602W", "/works/OL601W"]]);
    expect(await shelf("?limit=0")).toEqual({ page: 1, numFound: 5, reading_log_entries: [] });
    expect(await shelf("?limit=0&offset=4")).toMatchObject({ page: 1, numFound: 5 });
    expect(await shelf("?limit=5000&offset=1000")).toMatchObject({ page: 2, numFound: 5 });
    expect(await shelf("?offset=&limit=&page=")).toMatchObject({ page: 1, numFound: 5 });
  });
});

describe("filters", () => {
  beforeAll(async () => {
    for (const number of [1, 2, 3, 4, 700]) await shelve(other, number, { edition_id: `OL${number}1M` });
    await other.fetch("/account/preferences.json", jsonOf({ public_readlog: "yes" }));
  });
  const filtered = async (query: string, init: RequestInit = {}): Promise<[number, string[]]> => {
    const page = await service.json(`/people/shelf_visitor/books/want-to-read.json?${query}`, init);
    return [(page as Page).numFound, keysOf(page as Page)];
  };

  it("search the works of the shelf only", async () => {
    expect(await filtered("q=tolkien")).toSatisfy(
      ([found, keys]: [number, string[]]) =>
        found === 2 && [...keys].sort().join() === "/works/OL1W,/works/OL2W",
    );
    const first = await filtered("q=tolkien&limit=1");
    const second = await filtered("q=tolkien&limit=1&page=2");
    expect([first[0], second[0], first[1][0] === second[1][0]]).toEqual([2, 2, false]);
    expect(await filtered("q=quixote")).toEqual([1, ["/works/OL3W"]]);
    expect(await filtered("q=quixote&limit=0")).toEqual([1, []]);
    expect(await filtered("q=title:hobbit")).toEqual([1, ["/works/OL1W"]]);
    expect(await filtered("q=nowhere")).toEqual([0, []]);
    const page = (await service.json("/people/shelf_visitor/books/want-to-read.json?q=quixote")) as Page;
    expect(page.reading_log_entries[0]).toMatchObject({ logged_edition: "/books/OL31M" });
    expect(
      (await other.json("/people/shelf_visitor/books/already-read.json?q=hobbit")) as Page,
    ).toMatchObject({
      numFound: 0,
    });
  });

  it("ignore short texts and unknown modes", async () => {
    expect((await filtered("q=ho"))[0]).toBe(5);
    expect((await filtered("mode=nonsense"))[0]).toBe(5);
  });

  it("mode=ebooks keeps readable and borrowable works, and more for print-disabled patrons", async () => {
    expect((await filtered("mode=ebooks"))[1].toSorted()).toEqual(["/works/OL1W", "/works/OL3W"]);
    const more = await filtered("mode=ebooks", { headers: { Cookie: "pd=1" } });
    expect(more[1].toSorted()).toEqual(["/works/OL1W", "/works/OL3W", "/works/OL4W"]);
    expect(await filtered("mode=ebooks&q=hobbit")).toEqual([1, ["/works/OL1W"]]);
  });
});

describe("a large shelf", () => {
  const BOOKS = 20_000;

  it("takes the round trips of a small one, and is searched completely", async () => {
    const counted = {
      CATALOG: countedDatabase(env.CATALOG),
      SEARCH: countedDatabase(env.SEARCH),
      PATRONS: countedDatabase(env.PATRONS),
    };
    const watched = testService({
      CATALOG: counted.CATALOG.database,
      SEARCH: counted.SEARCH.database,
      PATRONS: counted.PATRONS.database,
    });
    for (const name of ["small_owner", "large_owner"]) {
      const patron = await loggedIn(service, name);
      await patron.fetch("/account/preferences.json", jsonOf({ public_readlog: "yes" }));
      await shelve(patron, 3);
    }
    await fill("large_owner", BOOKS);
    const trips = async (name: string): Promise<number[]> => {
      const before = Object.values(counted).map(roundTrips);
      const page = await watched.json(`/people/${name}/books/want-to-read.json?limit=1`);
      expect(page).toMatchObject({ reading_log_entries: [{ work: { key: "/works/OL3W" } }] });
      return Object.values(counted).map((one, index) => roundTrips(one) - (before[index] ?? 0));
    };
    await trips("small_owner");
    expect(await trips("small_owner")).toEqual([0, 1, 1]);
    expect(await trips("large_owner")).toEqual([0, 1, 1]);
    const shelf = "/people/large_owner/books/want-to-read.json";
    const found = (await service.json(`${shelf}?q=quixote`)) as Page;
    expect([found.numFound, keysOf(found)]).toEqual([1, ["/works/OL3W"]]);
    const last = (await service.json(`${shelf}?limit=10&offset=${BOOKS - 5}`)) as Page;
    expect([last.numFound, last.reading_log_entries.length]).toEqual([BOOKS + 1, 6]);
  });

  /** Puts unknown works behind all others onto the first shelf. */
  async function fill(username: string, books: number): Promise<void> {
    await runInDurableObject(env.PATRON.getByName(username), (_patron, { storage }) => {
      storage.sql.exec(
        `INSERT INTO shelf_entry (work, shelf, created, updated)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 100000 + i, 1, i, i FROM n`,
        books,
      );
      storage.sql.exec("UPDATE shelf_size SET entries = entries + ? WHERE shelf = 1", books);
    });
  }
});
