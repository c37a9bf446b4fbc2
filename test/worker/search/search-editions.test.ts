import { beforeAll, describe, expect, it } from "vitest";
import { loadBooks, searchBooks } from "../../support/worker/books.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const search = (query: string, init?: RequestInit) => searchBooks(service, query, init);

beforeAll(() => loadBooks(service));

describe("GET /search.json: fields", () => {
  it("projects the requested fields", async () => {
    expect((await search("q=hobbit&fields=key, title,nonsense")).docs).toEqual([
      { key: "/works/OL1W", title: "The Hobbit" },
    ]);
    const all = (await search("q=hobbit&fields=*")).docs[0] ?? {};
    expect(all).toMatchObject({ subject: ["Dwarves"], subject_key: ["dwarves"], type: "work" });
    for (const name of [
      "editions",
      "availability",
      "description",
      "providers",
      "alternative_title",
      "title_sort",
    ]) {
      expect(all).not.toHaveProperty(name);
    }
    expect(Object.keys((await search("q=hobbit&fields=trending_score_daily_*")).docs[0] ?? {})).toHaveLength(
      7,
    );
    expect((await search("q=hobbit&fields=key,score")).docs[0]?.["score"]).toEqual(expect.any(Number));
  });

  it("adds the availability of the best scan", async () => {
    const { docs } = await search("q=*:*&fields=key,availability&sort=key");
    expect(docs.map(({ availability }) => Object(availability).status)).toEqual([
      "borrow_available",
      undefined,
      "open",
      "error",
      undefined,
    ]);
    expect(docs[0]).toMatchObject({ availability: { identifier: "hobbitscan", openlibrary_work: "OL1W" } });
  });

  it("adds descriptions and providers from the records", async () => {
    const { docs } = await search("q=*:*&fields=key,editions,description,providers&sort=key&lang=es");
    expect(docs[0]).toMatchObject({
      description: "A journey.",
      providers: [{ access: "borrow", provider_name: "ia" }],
    });
    expect(docs[1]).not.toHaveProperty("description");
    expect(docs[2]).toMatchObject({
      editions: {
        docs: [{ key: "/books/OL31M", description: "Una novela.", providers: [{ access: "open-access" }] }],
      },
    });
    const one = (await search("q=quixote&fields=key,editions,editions.description&lang=es")).docs[0];
    expect(one).not.toHaveProperty("description");
    expect(one).toMatchObject({ editions: { docs: [{ description: "Una novela." }] } });
  });
});

describe("GET /search.json: editions", () => {
  const editions = async (query: string, init?: RequestInit) =>
    (await search(`${query}&fields=key,editions,editions.key&sort=key`, init)).docs.map(
      ({ editions: found }) => {
        const { numFound, docs } = Object(found);
        return [numFound, ...docs.map((doc: { key: string }) => doc.key)];
      },
    );

  it("adds the best edition of each work", async () => {
    expect(await editions("q=*:*")).toEqual([
      [2, "/books/OL11M"],
      [0],
      [2, "/books/OL32M"],
      [1, "/books/OL41M"],
      [1, "/books/OL91M"],
    ]);
    expect((await search("q=hobbit&fields=key,editions")).docs[0]?.["editions"]).toEqual({
      numFound: 2,
      start: 0,
      numFoundExact: true,
      docs: [{ key: "/books/OL11M" }],
    });
    expect((await search("q=hobbit&fields=editions")).docs[0]).toMatchObject({
      editions: { docs: [{ key: "/books/OL11M", type: "edition", language: ["eng"] }] },
    });
  });

  it("prefers the client's language", async () => {
    expect(await editions("q=hobbit&lang=de")).toEqual([[2, "/books/OL12M"]]);
    expect(await editions("q=hobbit", { headers: { Cookie: "HTTP_LANG=de" } })).toEqual([
      [2, "/books/OL12M"],
    ]);
    expect(await editions("q=hobbit", { headers: { "Accept-Language": "de-AT,en" } })).toEqual([
      [2, "/books/OL12M"],
    ]);
  });

  it("requires one edition to meet all filters, and drops works without one", async () => {
    expect(await editions("language=ger")).toEqual([[1, "/books/OL12M"]]);
    expect(await editions("language=ger&has_fulltext=true")).toEqual([]);
    expect(await editions("language=eng&has_fulltext=true")).toEqual([[1, "/books/OL11M"]]);
    expect((await search("language=ger&has_fulltext=true&fields=key")).numFound).toBe(1);
    expect(await editions("q=publisher:penguin")).toEqual([[1, "/books/OL32M"]]);
    expect(await editions("q=publisher:penguin language:spa")).toEqual([]);
    // A work without editions is not dropped for having none that fits.
    expect(await editions("q=edition.title:quijote")).toEqual([[0], [1, "/books/OL31M"]]);
    expect(await editions("q=silmarillion")).toEqual([[0]]);
    // Nor are works that are found by what none of their editions has, such as a subject.
    expect(await editions("q=dwarves")).toEqual([
      [2, "/books/OL11M"],
      [2, "/books/OL32M"],
    ]);
  });

  it("sort by editions.sort", async () => {
    const order = (name: string) =>
      `query=${encodeURIComponent(JSON.stringify({ q: "quixote", "editions.sort": name }))}`;
    expect(await editions(order("old"))).toEqual([[2, "/books/OL31M"]]);
    expect(await editions(order("new"))).toEqual([[2, "/books/OL32M"]]);
    const response = await service.fetch(`/search.json?${order("nonsense")}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ type: "value_error", loc: ["query", "query", "editions.sort"] }],
    });
  });

  // Q796
  it.each([
    ["old", 31],
    ["new", 32],
    ["lang:es", 31],
    ["lang:eng", 32],
    ["ebook_access", 31],
  ])("sort by editions.sort=%s", async (sort, id) => {
    expect(await editions(`q=quixote&editions.sort=${sort}`)).toEqual([[2, `/books/OL${id}M`]]);
  });

  it("rejects an unknown editions.sort", async () => {
    const response = await service.fetch("/search.json?q=quixote&editions.sort=best");
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ["query", "editions.sort"] }] });
  });

  it("are omitted when turned off", async () => {
    for (const [query, headers] of [
      ["editions=false", {}],
      ["editions=0", {}],
      ["", { Cookie: "SOLR_EDITIONS=false" }],
    ] as const) {
      expect((await search(`q=hobbit&fields=key,editions&${query}`, { headers })).docs).toEqual([
        { key: "/works/OL1W" },
      ]);
    }
    const on = await search("q=hobbit&fields=key,editions&editions=TRUE", {
      headers: { Cookie: "SOLR_EDITIONS=false" },
    });
    expect(on.docs[0]).toHaveProperty("editions");
  });
});
