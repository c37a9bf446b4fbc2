import { beforeAll, describe, expect, it } from "vitest";
import { foundKeys, loadBooks, searchBooks } from "../../support/worker/books.ts";
import { ORIGIN, testService } from "../../support/worker/service.ts";

const service = testService();
const search = (query: string, init?: RequestInit) => searchBooks(service, query, init);
const keys = (query: string, init?: RequestInit) => foundKeys(service, query, init);

beforeAll(() => loadBooks(service));

describe("GET /search.json: the response", () => {
  it("has its members in the established order", async () => {
    const response = await service.fetch("/search.json?q=hobbit&fields=key,title");
    expect(await response.text()).toBe(
      `{"numFound":1,"start":0,"numFoundExact":true,"num_found":1,"documentation_url":"${ORIGIN}/dev/docs/api/search",` +
        `"q":"hobbit","offset":null,"docs":[{"key":"/works/OL1W","title":"The Hobbit"}]}`,
    );
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("has the default fields that are set, by name", async () => {
    const { docs } = await search("q=hobbit");
    expect(docs[0]).toEqual({
      author_key: ["OL1A"],
      author_name: ["J. R. R. Tolkien"],
      cover_edition_key: "OL12M",
      cover_i: 5,
      ebook_access: "borrowable",
      edition_count: 2,
      first_publish_year: 1937,
      has_fulltext: true,
      ia: ["hobbitscan"],
      ia_collection: ["inlibrary", "printdisabled"],
      key: "/works/OL1W",
      language: ["eng", "ger"],
      lending_edition_s: "OL11M",
      lending_identifier_s: "hobbitscan",
      public_scan_b: false,
      title: "The Hobbit",
    });
    expect(Object.keys(docs[0] ?? {})).toEqual(Object.keys(docs[0] ?? {}).toSorted());
  });

  it("is empty without a query", async () => {
    for (const query of ["", "q=", "q=%20%20%20", "title=", "limit=5&sort=new", "fields=*"]) {
      expect(await search(query)).toMatchObject({ numFound: 0, num_found: 0, docs: [] });
    }
  });

  it("counts with limit=0, and prefers offset over page", async () => {
    expect(await search("q=*:*&limit=0")).toMatchObject({ numFound: 5, docs: [] });
    expect(await search("q=*:*&limit=2&page=2&sort=key")).toMatchObject({ start: 2, offset: null });
    expect(await search("q=*:*&limit=2&page=2&offset=1&sort=key")).toMatchObject({ start: 1, offset: 1 });
    const pages = [1, 2, 3].map((page) => keys(`q=*:*&limit=2&sort=key&page=${page}`));
    expect((await Promise.all(pages)).flat()).toEqual([
      "/works/OL1W",
      "/works/OL2W",
      "/works/OL3W",
      "/works/OL4W",
      "/works/OL91M",
    ]);
  });

  it("clips the limit", async () => {
    expect(await search("q=*:*&limit=100000&page=2")).toMatchObject({ numFound: 5, start: 1000, docs: [] });
    expect(await search("q=*:*&limit=1000&page=11")).toMatchObject({ numFound: 5, docs: [] });
  });

  it.each([
    ["q=hobbit", "a=b", "public, max-age=60"],
    ["q=hobbit&fields=key,availability", "a=b", "no-store"],
    ["q=hobbit&sort=random", "a=b", "no-store"],
    ["q=hobbit", "pd=1", "no-store"],
    ["q=hobbit", "session=x", "no-store"],
  ])("of %s with the cookie %s may be cached as %s", async (query, Cookie, control) => {
    const { headers } = await service.fetch(`/search.json?${query}`, { headers: { Cookie } });
    expect(headers.get("Cache-Control")).toBe(control);
  });
});

describe("GET /search.json: results", () => {
  it.each([
    ["q=tolkien&sort=key", ["/works/OL1W", "/works/OL2W"]],
    ["author=tolkien&title=hobbit", ["/works/OL1W"]],
    ["author=OL2A", ["/works/OL3W"]],
    ["isbn=978-0-06-093546-7", ["/works/OL3W"]],
    ["subject=dwarves&sort=key", ["/works/OL1W", "/works/OL3W"]],
    ["author_facet=OL1A&sort=key", ["/works/OL1W", "/works/OL2W"]],
    ["author_key=OL1A&author_key=OL2A", []],
    ["subject_facet=Dwarves&subject_facet=Knights", ["/works/OL3W"]],
    ["language=ger&language=spa&sort=key", ["/works/OL1W", "/works/OL3W"]],
    ["first_publish_year=1937&first_publish_year=1605", []],
    ["has_fulltext=true&sort=key", ["/works/OL1W", "/works/OL3W"]],
    ["q=*:*&has_fulltext=false&sort=key", ["/works/OL2W", "/works/OL4W", "/works/OL91M"]],
    ["public_scan=true", ["/works/OL3W"]],
    ["has_fulltext=true&public_scan=false", ["/works/OL1W"]],
    ["print_disabled=true", ["/works/OL4W"]],
    ["q=ia:(hobbitscan OR quixotescan)&sort=key", ["/works/OL1W", "/works/OL3W"]],
    ["q=first&q=hobbit", ["/works/OL1W"]],
  ])("%s", async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });

  // Q525
  it.each([
    "language=",
    "author_key=&author_facet=&subject_facet=&person_facet=&place_facet=&time_facet=&publisher_facet=",
    "first_publish_year=",
    "has_fulltext=&public_scan=&print_disabled=&public_scan_b=",
    "language=&language=+&limit=&offset=&page=&sort=&fields=",
  ])("ignore empty filters: %s", async (empty) => {
    expect(await keys(`q=hobbit&${empty}`)).toEqual(["/works/OL1W"]);
    expect(await keys(`q=hobbit&language=ger&${empty.replace("language=&", "")}`)).toEqual(["/works/OL1W"]);
    expect(await keys(`q=hobbit&${empty}&language=fre`)).toEqual([]);
    expect(await keys('query={"q":"hobbit","language":"","author_key":[""]}')).toEqual(["/works/OL1W"]);
  });

  it("include more full texts for print-disabled readers", async () => {
    const headers = { Cookie: "a=b; pd=1" };
    expect(await keys("has_fulltext=true&sort=key", { headers })).toEqual([
      "/works/OL1W",
      "/works/OL3W",
      "/works/OL4W",
    ]);
    expect(await keys("has_fulltext=true&sort=key", { headers: { Cookie: "pd=" } })).toHaveLength(2);
  });

  it.each([
    ['{"q":"hobbit"}', ["/works/OL1W"]],
    ['{"title":"quixote"}', ["/works/OL3W"]],
    ['{"author_key":["OL1A"]}', ["/works/OL1W", "/works/OL2W"]],
    ['{"author_facet":["OL1A"]}', ["/works/OL1W", "/works/OL2W"]],
    ['{"has_fulltext":true}', ["/works/OL1W", "/works/OL3W"]],
    ['{"first_publish_year":1937,"wt":"json","nonsense":{}}', ["/works/OL1W"]],
    ['{"q":"ab"}', []],
    ["{}", []],
  ])("accept query=%s in place of all parameters", async (json, expected) => {
    expect(await keys(`title=silmarillion&sort=key&query=${encodeURIComponent(json)}`)).toEqual(expected);
  });

  it("echo q of the URL, not of query=", async () => {
    expect(await search(`query=${encodeURIComponent('{"q":"hobbit"}')}`)).toMatchObject({
      q: "",
      numFound: 1,
    });
  });

  it.each([
    ["/people/me/lists/OL1L", "sort=key", { numFound: 2 }, ["/works/OL2W", "/works/OL3W"]],
    ["/people/me/lists/OL1L cervantes", "", { numFound: 1 }, ["/works/OL3W"]],
    ["/people/me/lists/OL1L", "limit=1&page=2", { numFound: 1, start: 0 }, ["/works/OL3W"]],
    ["/people/me/lists/OL2L", "", { numFound: 0 }, []],
    ["/people/me/lists/OL9L", "", { numFound: 0 }, []],
    ["/series/OL5L", "", { numFound: 1 }, ["/works/OL2W"]],
    ["/series/OL5L", "limit=1&page=2", { numFound: 1, start: 1 }, []],
  ])("are limited to the works of %s with %s", async (q, more, head, expected) => {
    const docs = expected.map((key) => ({ key }));
    const result = await search(`q=${encodeURIComponent(q)}&fields=key&${more}`);
    expect(result).toMatchObject({ ...head, docs });
  });

  it.each(["the hobbit by J. R. R. Tolkien", "Hobbit von Tolkien", "hobit by tolkien"])(
    "split title and author of %s",
    async (q) => {
      expect(await keys(`q=${encodeURIComponent(q)}`)).toEqual(["/works/OL1W"]);
    },
  );

  it("correct misspelt words and report it", async () => {
    const response = await service.fetch("/search.json?q=silmarilion&fields=key");
    expect(response.headers.get("X-Corrected-Query")).toBe("silmarillion");
    expect(await response.json()).toMatchObject({
      q: "silmarilion",
      numFound: 1,
      docs: [{ key: "/works/OL2W" }],
    });
    const titled = await service.fetch("/search.json?title=silmarilion&fields=key");
    expect(titled.headers.get("X-Corrected-Query")).toBe("silmarillion");
    const found = await service.fetch("/search.json?q=hobbit");
    expect(found.headers.get("X-Corrected-Query")).toBeNull();
  });
});
