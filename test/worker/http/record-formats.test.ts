import { beforeAll, describe, expect, it } from "vitest";
import { FORMAT_WRITERS } from "../../../src/export/format-writers.ts";
import { FORMATS, FORMAT_NAMES } from "../../../src/export/formats.ts";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { childElements, parseXml } from "../../../src/import/xml/document.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { list } from "../../support/worker/lists.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "http://books.example" });

beforeAll(async () => {
  await service.load(
    edition(1, { work: 1, title: "Rivers & <Ink>", isbn_13: ["9780451526533"], publish_date: "1999" }),
    edition(2, { work: 1, title: "Second", publish_date: "1950" }),
    work(1, { authors: [1], title: "Rivers", subjects: ["Rivers"] }),
    author(1, { name: "Jane Doe", birth_date: "1900" }),
    language("eng", "English"),
    redirected("/works/OL7W", "/works/OL1W", 1),
    deleted("/books/OL8M", 1),
  );
});

const get = (path: string, accept?: string) =>
  service.fetch(path, accept === undefined ? {} : { headers: { Accept: accept } });
const typeOf = async (path: string, accept?: string) => {
  const response = await get(path, accept);
  return response.status === 200 ? response.headers.get("Content-Type") : response.status;
};

describe("GET /{record}.{format}", () => {
  it.each(FORMAT_NAMES)("returns editions and works as %s", async (name) => {
    for (const path of ["/books/OL1M", "/works/OL1W"]) {
      const response = await get(`${path}.${name}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe(FORMATS[name].contentType);
      expect(response.headers.get("Vary")).toBe("Accept");
      const body = await response.text();
      expect(body).toMatch(/Rivers/);
      expect(body).toMatch(/Doe/);
      const again = await service.fetch(`${path}.${name}`, {
        headers: { "If-None-Match": response.headers.get("ETag") ?? "" },
      });
      expect(again.status).toBe(304);
    }
  });

  it("negotiates by Accept before the suffix (Q1)", async () => {
    const { bib, csljson, jsonld } = FORMATS;
    expect(await typeOf("/books/OL1M", "application/x-bibtex")).toBe(bib.contentType);
    expect(await typeOf("/books/OL1M/Some_end", "application/ld+json")).toBe(jsonld.contentType);
    expect(await typeOf("/works/OL1W", "text/html;q=0.2, application/vnd.citationstyles.csl+json")).toBe(
      csljson.contentType,
    );
    expect(await typeOf("/books/OL1M.bib", "application/json")).toBe("application/json");
    expect(await typeOf("/books/OL1M.bib", "application/ld+json")).toBe(jsonld.contentType);
    expect(await typeOf("/books/OL1M.json", "application/x-bibtex")).toBe(bib.contentType);
    expect(await typeOf("/languages/eng", "application/ld+json")).toBe("application/json");
  });

  it("dates a work by its earliest edition", async () => {
    expect(await service.json("/works/OL1W.csljson")).toMatchObject([{ issued: { "date-parts": [[1950]] } }]);
  });

  it("returns authors as JSON-LD only", async () => {
    expect(await service.json("/authors/OL1A.jsonld")).toMatchObject({
      "@context": "https://schema.org",
      "@type": "Person",
      birthDate: "1900",
    });
    expect((await get("/authors/OL1A.bib")).status).toBe(404);
  });

  it("answers 404 for missing records, and redirects merged ones and aliases (Q12, Q680)", async () => {
    expect((await get("/works/OL7W.bib")).headers.get("Location")).toBe("/works/OL1W.bib");
    expect((await get("/books/OL8M.bib")).status).toBe(404);
    expect((await get("/books/OL9M.bib")).status).toBe(404);
    expect((await get("/works/OL1M.ris")).headers.get("Location")).toBe("/books/OL1M.ris");
    expect((await get("/isbn/9780451526533.ris")).headers.get("Location")).toBe("/books/OL1M.ris");
    expect((await get("/books/OL1M.ris?m=history")).status).toBe(406);
    expect((await get("/books/OL1M.opds")).status).toBe(404);
  });

  it("is linked from the page of a record (Signposting)", async () => {
    const links = async (path: string) => (await get(path, "text/html")).headers.get("Link") ?? "";
    const ofEdition = await links("/books/OL1M/Rivers_Ink");
    expect(ofEdition).toContain('<http://books.example/books/OL1M>; rel="cite-as"');
    expect(ofEdition.match(/rel="describedby"/g)).toHaveLength(FORMAT_NAMES.length + 2);
    expect(await links("/authors/OL1A/Jane_Doe")).toContain(
      '<http://books.example/authors/OL1A.jsonld>; rel="describedby"; type="application/ld+json"',
    );
    expect(await links("/languages/eng")).toBe("");
    const licensed = testService({ RECORDS_LICENSE_URL: "https://licence.example/0" });
    const response = await licensed.fetch("/works/OL1W/Rivers", { headers: { Accept: "text/html" } });
    expect(response.headers.get("Link")).toContain('<https://licence.example/0>; rel="license"');
  });

  it("ignores a suffix after a title (Q566)", async () => {
    const response = await get("/books/OL1M/notes.bib", "text/html");
    expect([response.status, response.headers.get("Location")]).toEqual([301, "/books/OL1M/Rivers_Ink"]);
    expect((await get("/ia/notes.bib")).status).toBe(404);
  });

  it("changes with the records it shows", async () => {
    const before = (await get("/books/OL2M.bib")).headers.get("ETag");
    await service.load(author(1, { name: "Joan Doe", birth_date: "1900", revision: 2 }));
    const after = await testService().fetch("/books/OL2M.bib");
    expect(after.headers.get("ETag")).not.toBe(before);
    expect(await after.text()).toContain("author = {Doe, Joan}");
  });
});

describe("metadata in the page of a record", () => {
  const ofPage = async (path: string) => (await get(path, "text/html")).text();
  const dataIn = (text: string): unknown => {
    const [, data = ""] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text) ?? [];
    return JSON.parse(data);
  };

  it("has JSON-LD, citation tags, COinS and unAPI", async () => {
    const text = await ofPage("/books/OL1M/Rivers_Ink");
    for (const part of [
      '<link rel="canonical" href="http://books.example/books/OL1M/Rivers_Ink">',
      '<link rel="alternate" type="application/mods+xml" href="http://books.example/books/OL1M.mods" title="MODS">',
      '<meta name="citation_title" content="Rivers &amp; &lt;Ink&gt;">',
      '<meta name="citation_isbn" content="9780451526533">',
      '<meta property="og:type" content="book">',
      '<abbr class="unapi-id" title="http://books.example/books/OL1M">',
    ]) {
      expect(text).toContain(part);
    }
    expect(dataIn(text)).toMatchObject({
      "@context": "https://schema.org",
      "@type": "Book",
      name: "Rivers & <Ink>",
      datePublished: "1999",
    });
    const [, coins = ""] = /<span class="Z3988" title="([^"]*)">/.exec(text) ?? [];
    const object = new URLSearchParams(coins.replaceAll("&amp;", "&"));
    expect([object.get("rft.btitle"), object.get("rft.isbn")]).toEqual(["Rivers & <Ink>", "9780451526533"]);
  });
  it("is bounded, and cannot be broken out of", async () => {
    await service.load(
      work(5, {
        title: "</script><script>alert(1)</script>",
        description: "d".repeat(100_000),
        subjects: Array.from({ length: 5000 }, (_, index) => `Subject ${index}`),
      }),
    );
    const { headers } = await get("/works/OL5W", "text/html");
    const text = await ofPage(headers.get("Location") ?? "");
    const head = text.slice(0, text.indexOf("<body"));
    expect(head.length).toBeLessThan(20_000);
    expect(dataIn(text)).toMatchObject({ name: "</script><script>alert(1)</script>" });
  });
});

describe("GET /{record}/cite.json", () => {
  it("cites editions and works in a language", async () => {
    const answer = await service.json("/books/OL1M/cite.json?lang=de");
    expect(answer).toMatchObject({
      key: "/books/OL1M",
      styles: {
        apa: { text: expect.stringMatching(/^Doe, J. \(1999\). Rivers & <Ink>\.$/) },
        mla: { html: "Doe, Joan. <i>Rivers &amp; &lt;Ink&gt;</i>. 1999." },
        chicago: { text: "Doe, Joan. 1999. Rivers & <Ink>." },
        wikipedia: {
          text: expect.stringMatching(/^{{cite book \|last=Doe \|first=Joan \|title=Rivers & &#60;Ink&#62; /),
        },
      },
    });
    expect(Object(answer).formats).toContainEqual({
      name: "bib",
      label: "BibTeX",
      url: "http://books.example/books/OL1M.bib",
    });
    expect(await (await get("/works/OL1W/cite.txt")).text()).toMatch(
      /^APA: Doe, J. \(1950\). Rivers.\nMLA: .+\nChicago: .+\nWikipedia: {{cite book .+}}\n$/,
    );
    const response = await get("/works/OL1W/cite.json");
    expect(await response.json()).toMatchObject({ styles: { apa: { text: "Doe, J. (1950). Rivers." } } });
    const again = { headers: { "If-None-Match": response.headers.get("ETag") ?? "" } };
    expect((await service.fetch("/works/OL1W/cite.json", again)).status).toBe(304);
  });

  it("refuses other records and languages", async () => {
    for (const path of ["/books/OL8M/cite.json", "/books/OL9M/cite.json"]) {
      expect((await get(path)).status).toBe(404);
    }
    expect((await get("/works/OL1W/cite.json?lang=xx")).status).toBe(422);
  });
});

describe("GET /unapi", () => {
  it("lists the formats, and redirects to them", async () => {
    const all = await get("/unapi");
    expect([all.status, all.headers.get("Content-Type")]).toEqual([200, "application/xml"]);
    expect(await all.text()).toContain('<format name="mods" type="application/mods+xml"/>');
    const id = encodeURIComponent("http://books.example/books/OL1M/Rivers");
    const ofBook = await get(`/unapi?id=${id}`);
    expect(ofBook.status).toBe(300);
    expect(await ofBook.text()).toContain('<formats id="http://books.example/books/OL1M/Rivers">');
    for (const [name, path] of [
      ["bibtex", "/books/OL1M.bib"],
      ["marcxml", "/books/OL1M.marcxml"],
      ["oai_dc", "/books/OL1M.dc"],
    ]) {
      const response = await get(`/unapi?id=${id}&format=${name}`);
      expect([response.status, response.headers.get("Location")]).toEqual([302, path]);
    }
  });

  it("refuses other ids and formats", async () => {
    expect((await get("/unapi?id=/authors/OL1A")).status).toBe(404);
    expect((await get("/unapi?id=http://elsewhere.example/books/OL1M&format=bibtex")).status).toBe(404);
    expect((await get("/unapi?id=/works/OL1W&format=constructor")).status).toBe(406);
  });
});

describe("lists and searches as one file", () => {
  beforeAll(async () => {
    await service.load(
      list("/lists/OL1L", [{ key: "/books/OL2M" }, { key: "/works/OL1W" }, { key: "/authors/OL1A" }]),
      work(2, { title: "Rivers of light", first_publish_date: "1920" }),
    );
    await indexAll();
  });

  it.each(FORMAT_NAMES)("are exported as %s", async (name) => {
    for (const path of [`/lists/OL1L/export?format=${name}`, `/search.${name}?q=rivers`]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("Content-Type")).toBe(FORMATS[name].contentType);
      const body = await response.text();
      expect(body).toContain("Rivers");
      if (/json/.test(response.headers.get("Content-Type") ?? "")) JSON.parse(body);
      if (body.startsWith("<?xml")) expect(childElements(parseXml(body)).length).toBeGreaterThan(1);
    }
    const { open, close } = FORMAT_WRITERS[name].many;
    expect(await (await get(`/search.${name}?q=nothingatall`)).text()).toBe(open + close);
  });

  it("have as many works as requested, with the index's year", async () => {
    const response = await get("/search.csljson?q=title:rivers&limit=5&sort=key");
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="search.csljson"');
    expect(await response.json()).toMatchObject([
      { id: "OL1W", issued: { "date-parts": [[1950]] } },
      { id: "OL2W", title: "Rivers of light", issued: { "date-parts": [[1920]] } },
    ]);
    expect(await service.json("/search.csljson?q=title:rivers&limit=1&sort=key")).toHaveLength(1);
  });

  it("have all records, on further pages if they are large (Q726)", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => 101 + index);
    const vast = ids.map((id) => work(id, { title: `Vast ${id}`, description: "d".repeat(1_000_000) }));
    for (const one of vast) await service.load(one);
    await service.load(
      ...ids.map((id) => edition(id, { work: id })),
      list(
        "/lists/OL2L",
        ids.map((id) => ({ key: `/books/OL${id}M` })),
      ),
    );
    await indexAll();
    // The records are too large for one page, although BibTeX leaves out their descriptions.
    const first = ["/search.csljson?q=title:vast", "/search.bib?q=title:vast"];
    const exports = ["csljson", "bib"].map((format) => `/lists/OL2L/export?format=${format}`);
    for (const path of [...first, ...exports]) {
      const pages: number[] = [];
      for (let next: string | undefined = path; next !== undefined;) {
        const response: Response = await get(next);
        pages.push((await response.text()).match(/"id":|^@book/gm)?.length ?? 0);
        next = /<(.+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
      }
      expect(pages.length, path).toBeGreaterThan(1);
      expect(pages.reduce((sum, count) => sum + count)).toBe(ids.length);
    }
    expect((await get("/lists/OL2L/export?format=csljson&after=/books/OL1M")).status).toBe(422);
  });

  it("fail as the search does", async () => {
    expect((await get("/search.ris?q=ab")).status).toBe(422);
    expect((await get("/search.ris?q=abc&solr_qf=title")).status).toBe(403);
    expect((await get("/search.xyz?q=abc")).status).toBe(404);
  });
});
