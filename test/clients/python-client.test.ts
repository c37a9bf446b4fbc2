// Reads of openlibrary-client, the official Python package, path by path as its code builds them
// (olclient/openlibrary.py, entity_helpers/work.py), and the members that it uses. Beside it the queries of
// openlibrary/api.py, the client that Open Library's own scripts use.
import { describe, expect, inject, it } from "vitest";

const { main } = inject("carrel");

interface Page {
  readonly links: Record<string, string>;
  readonly size: number;
  readonly entries: readonly Record<string, unknown>[];
}

/** `get_ol_response`: follows redirects, fails on every status that is not a success. */
async function get<T = Record<string, unknown>>(path: string): Promise<T> {
  const response = await fetch(main + path);
  if (!response.ok) throw new Error(`${response.status} for ${path}`);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  return (await response.json()) as T;
}

const keys = ({ entries }: Page): unknown[] => entries.map(({ key }) => key);

describe("Work", () => {
  it("get: the members become its attributes", async () => {
    const work = await get("/works/OL1W.json");
    expect(work).toMatchObject({ key: "/works/OL1W", title: "Pride and Prejudice", covers: [11] });
    expect(work["description"]).toHaveProperty("value", "Elizabeth Bennet meets Mr Darcy.");
  });

  it("get: fails for a missing one", async () => {
    await expect(get("/works/OL999W.json")).rejects.toThrow("404");
  });

  it("editions: follows links.next, by prefixing the base URL, until there is none", async () => {
    const pages: Page[] = [await get<Page>("/works/OL1W/editions.json?limit=1")];
    for (let next = pages[0]?.links["next"]; next !== undefined; next = pages.at(-1)?.links["next"]) {
      expect(pages.length).toBeLessThan(10);
      pages.push(await get<Page>(next));
    }
    expect(pages.map(keys)).toEqual([["/books/OL1M"], ["/books/OL2M"]]);
    expect(pages.map(({ size }) => size)).toEqual([2, 2]);
  });

  it("editions: gives what an Edition is made of", async () => {
    const { links, entries } = await get<Page>("/works/OL1W/editions.json");
    expect(links).toEqual({ self: "/works/OL1W/editions.json", work: "/works/OL1W" });
    expect(entries[0]).toMatchObject({
      key: "/books/OL1M",
      works: [{ key: "/works/OL1W" }],
      authors: [{ key: "/authors/OL1A" }],
      title: "Pride and Prejudice",
      number_of_pages: 435,
      identifiers: { goodreads: ["1885"] },
    });
  });
});

describe("Author", () => {
  it("get: the id is cut out of the key", async () => {
    const author = await get("/authors/OL1A.json");
    expect(/[/]authors[/]([0-9a-zA-Z]+)/.exec(String(author["key"]))?.[1]).toBe("OL1A");
    expect(author).toMatchObject({
      name: "Jane Austen",
      bio: { value: "English novelist of the landed gentry." },
    });
  });

  it("works: asks with a slash before the query", async () => {
    const page = await get<Page>("/authors/OL1A/works.json/?limit=50&offset=0");
    expect(page.size).toBe(5);
    expect(page.links).not.toHaveProperty("next");
    expect(page.entries.map(({ title }) => title)).toEqual([
      "Pride and Prejudice",
      "Sense and Sensibility",
      "Mansfield Park",
      "Emma",
      "Northanger Abbey",
    ]);
  });

  it("works: pages by limit and offset until links.next is missing", async () => {
    const seen: unknown[] = [];
    let next: string | undefined = "/authors/OL1A/works.json/?limit=2&offset=0";
    for (let pages = 0; next !== undefined && pages < 10; pages += 1) {
      const page: Page = await get<Page>(next);
      expect(page.links["prev"] === undefined).toBe(pages === 0);
      seen.push(keys(page));
      next = page.links["next"];
    }
    expect(seen).toEqual([["/works/OL1W", "/works/OL2W"], ["/works/OL3W", "/works/OL4W"], ["/works/OL5W"]]);
  });

  it("works: a missing author is an error, a merged one is the target", async () => {
    expect(await get<Page>("/authors/OL999A/works.json/?limit=50&offset=0").catch(String)).toContain("404");
    const [merged, target] = await Promise.all([8, 2].map((n) => get<Page>(`/authors/OL${n}A/works.json/`)));
    expect(keys(merged!)).toEqual(keys(target!));
  });
});

describe("Edition", () => {
  it.each([
    ["ISBN", "9780141439518", "OL1M"],
    ["ISBN", "0141439513", "OL1M"],
    ["OCLC", "51053994", "OL5M"],
    ["LCCN", "2003055604", "OL1M"],
    ["OCAID", "mobydickorwhale00melv", "OL6M"],
  ])("get_olid: cuts the id out of info_url for %s:%s", async (kind, value, olid) => {
    const answer = await get<Record<string, { info_url: string }>>(
      `/api/books.json?bibkeys=${kind}:${value}`,
    );
    expect(Object.keys(answer)).toEqual([`${kind}:${value}`]);
    const { info_url: url } = answer[`${kind}:${value}`] ?? { info_url: "" };
    expect(/[/]books[/]([0-9a-zA-Z]+)/.exec(url)?.[1]).toBe(olid);
  });

  it.each([
    ["prideprejudice00aust", "borrow"],
    ["mobydickorwhale00melv", "full"],
  ])("get_metadata: says how %s can be read: %s", async (ocaid, preview) => {
    const answer = await get(`/api/books.json?bibkeys=OCAID:${ocaid}`);
    const preview_url = `https://archive.org/details/${ocaid}`;
    expect(answer[`OCAID:${ocaid}`]).toMatchObject({ bib_key: `OCAID:${ocaid}`, preview, preview_url });
  });

  it("get_olid: finds nothing for an unknown ISBN", async () => {
    expect(await get("/api/books.json?bibkeys=ISBN:9780000000002")).toEqual({});
  });

  it("get: gives the edition, whose authors are then read one by one", async () => {
    const edition = await get("/books/OL6M.json");
    expect(edition).toMatchObject({
      title: "Moby-Dick",
      works: [{ key: "/works/OL7W" }],
      isbn_10: ["0142437247"],
    });
    const [{ key }] = edition["authors"] as [{ key: string }];
    expect(await get(`${key}.json`)).toMatchObject({ name: "Herman Melville" });
  });

  it("an ISBN in a path leads to its edition", async () => {
    const { status, headers } = await fetch(`${main}/isbn/9780141439518.json`, { redirect: "manual" });
    expect([status, headers.get("Location")]).toEqual([302, "/books/OL1M.json"]);
    expect(await get("/isbn/9780141439518.json")).toMatchObject({ key: "/books/OL1M" });
    await expect(get("/isbn/9780000000002.json")).rejects.toThrow("404");
  });
});

describe("query", () => {
  it("gives the members that are asked for", async () => {
    expect(await get("/query.json?type=/type/edition&works=/works/OL1W&title=&isbn_13=")).toEqual([
      { key: "/books/OL1M", title: "Pride and Prejudice", isbn_13: ["9780141439518"] },
      { key: "/books/OL2M", title: "Pride and prejudice", isbn_13: null },
    ]);
  });

  it("takes a JSON query, sorted and page by page until a page is short", async () => {
    const seen: unknown[] = [];
    let rows: { key: string }[];
    do {
      const query = {
        type: "/type/work",
        authors: { author: { key: "/authors/OL1A" } },
        sort: "key",
        limit: 2,
      };
      const text = encodeURIComponent(JSON.stringify({ ...query, offset: seen.length }));
      rows = await get<{ key: string }[]>(`/query.json?query=${text}`);
      seen.push(...rows.map(({ key }) => key));
    } while (rows.length === 2 && seen.length < 20);
    expect(seen).toEqual(["/works/OL1W", "/works/OL2W", "/works/OL3W", "/works/OL4W", "/works/OL5W"]);
  });

  it("gives whole records for the star", async () => {
    const [row] = await get<Record<string, unknown>[]>("/query.json?type=/type/author&name=Bram+Stoker&*=");
    expect(row).toMatchObject({ key: "/authors/OL4A", name: "Bram Stoker", revision: 1 });
  });

  it("explains a query that lacks its type", async () => {
    const response = await fetch(`${main}/query.json?title=Emma`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "bad_data", message: "missing 'type' in query" });
  });
});
