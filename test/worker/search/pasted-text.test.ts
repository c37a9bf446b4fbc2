// Q48, Q650 to Q655: what people paste, at every door.
import { beforeAll, describe, expect, it } from "vitest";
import { foundKeys } from "../../support/worker/books.ts";
import { addItem } from "../../support/worker/holdings.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const read = async (path: string): Promise<string> => (await service.fetch(path)).text();
const json = async <Answer>(path: string): Promise<Answer> => (await service.fetch(path)).json<Answer>();
const works = (parameters: Record<string, string>) =>
  foundKeys(service, String(new URLSearchParams(parameters)));

beforeAll(async () => {
  await addItem("emmascan", ["inlibrary"]);
  await service.load(
    author(1, {
      name: "Jane Austen",
      alternate_names: ["Ashton Dennis"],
      birth_date: "1775",
      death_date: "1817",
    }),
    author(2, { name: "Jane Austen", birth_date: "1900" }),
    work(1, { title: "Emma", authors: [1] }),
    work(2, { title: "Husky & His Boy", authors: [2] }),
    work(3, { title: "Dune", subtitle: "a story of sand" }),
    edition(11, {
      work: 1,
      title: "Emma",
      ocaid: "emmascan",
      isbn_13: ["9780140328721"],
      lccn: ["2001-627090"],
      oclc_numbers: ["ocm00012345"],
      languages: [{ key: "/languages/ger" }],
    }),
    edition(31, { work: 3, title: "Dune", lccn: ["agr62000298"], oclc_numbers: ["123456789"] }),
  );
  await indexAll();
});

describe("ISBNs in any spelling", () => {
  it.each([
    "978‐0‑14‒032872–1",
    "urn:isbn:9780140328721",
    "ISBN-13: 978-0-14-032872-1.",
    "９７８０１４０３２８７２１",
    "140328726",
  ])("%s", async (isbn) => {
    const q = encodeURIComponent(isbn);
    expect(await works({ q: isbn })).toEqual(["/works/OL1W"]);
    expect(await works({ isbn })).toEqual(["/works/OL1W"]);
    // Addresses have underscores for blanks.
    const page = await service.fetch(`/isbn/${q.replaceAll("%20", "_")}`, { redirect: "manual" });
    expect(page.headers.get("Location")).toBe("/books/OL11M");
    expect(await json(`/api/books?bibkeys=${q}&format=json`)).toMatchObject({ [isbn]: { bib_key: isbn } });
    expect(await json(`/api/volumes/brief/isbn/${q}.json`)).toHaveProperty("records");
    expect(await json(`/opds/books.json?access=&q=${q}`)).toMatchObject({ metadata: { numberOfItems: 1 } });
    expect(await json(`/works/_autocomplete?q=${q}`)).toMatchObject([{ key: "/works/OL1W", name: "Emma" }]);
    expect(await json(`/_autocomplete?q=${q}`)).toMatchObject([{ key: "/works/OL1W", type: "work" }]);
    expect(await read(`/sru?query=${encodeURIComponent(`bath.isbn="${isbn}"`)}`)).toContain(
      "numberOfRecords>1<",
    );
    const queries = JSON.stringify({ q0: { query: "", properties: [{ pid: "isbn", v: isbn }] } });
    const batch = await json<{ q0: { result: object[] } }>(`/reconcile?${new URLSearchParams({ queries })}`);
    expect(batch.q0.result).toMatchObject([{ id: "OL1W", match: true }]);
  });
});

describe("library numbers in any spelling", () => {
  it.each([
    ["q", "2001627090", 1],
    ["q", "2001-627090", 1],
    ["q", "lccn:2001627090", 1],
    ["lccn", "2001627090", 1],
    ["q", "agr 62-298", 3],
    ["q", "lccn:agr62-298", 3],
    ["q", "oclc:12345", 1],
    ["q", "oclc:(OCoLC)12345", 1],
    ["q", "(OCoLC)ocm00012345", 1],
    ["oclc", "12345", 1],
    ["q", "oclc:ocn123456789", 3],
    ["q", "ocn123456789", 3],
    ["q", "123456789", 3],
  ])("%s=%s", async (parameter, text, number) => {
    expect(await works({ [parameter]: text })).toEqual([`/works/OL${number}W`]);
  });

  it("restrict editions", async () => {
    const path = "/search.json?q=emma+edition.oclc:12345&fields=key,editions,editions.key";
    expect(await json(path)).toMatchObject({ docs: [{ editions: { docs: [{ key: "/books/OL11M" }] } }] });
  });

  it.each(["LCCN:2001627090", "LCCN:2001-627090", "OCLC:(OCoLC)12345", "OCLC:ocm00012345"])(
    "%s",
    async (key) => {
      expect(await json(`/api/books?bibkeys=${encodeURIComponent(key)}&format=json`)).toHaveProperty([key]);
    },
  );
});

describe("headings of authors", () => {
  it.each(["Austen, Jane, 1775-1817.", "Jane Austen (1775-1817)", "Austen, Jane"])("%s", async (name) => {
    const q = encodeURIComponent(name);
    expect(await json(`/search/authors.json?q=${q}`)).toMatchObject({ numFound: 2 });
    expect(await json(`/authors/_autocomplete?q=${q}`)).toHaveLength(2);
    expect(await works({ author: name, sort: "key" })).toEqual(["/works/OL1W", "/works/OL2W"]);
    expect(await works({ q: `author:"${name}"`, sort: "key" })).toEqual(["/works/OL1W", "/works/OL2W"]);
    for (const index of ["dc.creator", "bath.author"]) {
      const query = encodeURIComponent(`${index}="${name}"`);
      expect(await read(`/sru?query=${query}`)).toContain("numberOfRecords>2<");
    }
  });

  it("are matched by their years", async () => {
    const queries = JSON.stringify({
      a: { query: "Austen, Jane, 1775-1817.", type: "author" },
      b: { query: "Austen, Jane, 1900-", type: "author" },
      c: { query: "Emma", properties: [{ pid: "author", v: "Austen, Jane, 1775-1817." }] },
    });
    expect(await json(`/reconcile?${new URLSearchParams({ queries })}`)).toMatchObject({
      a: { result: [{ id: "OL1A", match: true }, { id: "OL2A" }] },
      b: { result: [{ id: "OL2A", match: true }, { id: "OL1A" }] },
      c: { result: [{ id: "OL1W", match: true }] },
    });
  });

  it("are found by other names of the author", async () => {
    expect(await works({ q: "author:(ashton dennis)" })).toEqual(["/works/OL1W"]);
    expect(await works({ q: "author_name:dennis" })).toEqual([]);
  });
});

describe("languages", () => {
  it.each(["deu", "de", "de-AT", "German", "Deutsch", "allemand"])("%s", async (language) => {
    expect(await works({ language, q: "emma" })).toEqual(["/works/OL1W"]);
    expect(await works({ q: `language:${language}` })).toEqual(["/works/OL1W"]);
    const query = encodeURIComponent(`dc.language="${language}"`);
    expect(await read(`/sru?query=${query}`)).toContain("numberOfRecords>1<");
    expect(await json(`/search/languages.json?q=${language}`)).toMatchObject({ numFound: 1 });
    expect(await json(`/opds/books.json?language=${language}`)).toMatchObject({
      metadata: { numberOfItems: 1 },
    });
  });
});

describe("titles", () => {
  it.each([
    "husky and his",
    "husky & his boy",
    '"husky and his"',
    "title:(husky and his)",
    "title:“husky” – his",
  ])("%s", async (q) => expect(await works({ q })).toEqual(["/works/OL2W"]));

  it("are found with their subtitle", async () => {
    const response = await service.fetch("/search.json?title=Dune:+a+story+of+sand");
    expect(await response.json()).toMatchObject({ numFound: 1 });
    expect(response.headers.get("X-Corrected-Query")).toBeNull();
  });

  it.each([
    ["title=Emma:+a+novel", "Emma"],
    ["title=Dune+(Dune+Chronicles,+Book+1)", "Dune"],
    ["title=Dune:+a+story+of+sand+(Book+1)", "Dune: a story of sand"],
    ["q=Emma+(Penguin+Classics)", "Emma"],
    ["q=Austen,+Jane,+1775-1817.", "Austen, Jane"],
    ["q=austen&title=Emma:+a+novel", "austen Emma"],
  ])("are found in a shorter form, which is reported: %s", async (parameters, text) => {
    const response = await service.fetch(`/search.json?${parameters}`);
    expect(decodeURIComponent(response.headers.get("X-Corrected-Query") ?? "")).toBe(text);
    expect(await response.json()).not.toMatchObject({ numFound: 0 });
    const facets = await service.fetch(`/search/facets.json?${parameters}&field=has_fulltext`);
    expect(facets.headers.get("X-Corrected-Query")).toBe(response.headers.get("X-Corrected-Query"));
    expect(await facets.json()).not.toEqual({ has_fulltext: [] });
  });
});
