import { describe, expect, it } from "vitest";
import {
  alternatesOf,
  citationMetasOf,
  formatContextObject,
  openGraphBookOf,
  formatSignposts,
} from "../../../src/export/heads.ts";
import { FORMAT_NAMES } from "../../../src/export/formats.ts";
import { toSchemaAuthor, toSchemaBook } from "../../../src/export/schema-org.ts";
import { FULL, SITE, author, workBook } from "./books.ts";

describe("schema.org", () => {
  it("has the known data of an edition", () => {
    expect(toSchemaBook(FULL)).toEqual({
      "@type": "Book",
      "@id": "http://books.example/books/OL1M",
      url: "http://books.example/books/OL1M",
      name: "The Pride & Prejudice",
      alternativeHeadline: "a novel",
      author: [
        {
          "@type": "Person",
          "@id": "http://books.example/authors/OL1A",
          url: "http://books.example/authors/OL1A",
          name: "Jane Austen",
          birthDate: "1775-12-16",
          deathDate: "1817",
        },
      ],
      editor: [
        {
          "@type": "Person",
          "@id": "http://books.example/authors/OL2A",
          url: "http://books.example/authors/OL2A",
          name: "Vivien Jones",
        },
      ],
      translator: [{ "@type": "Person", name: "Tilda Doe" }],
      publisher: [
        { "@type": "Organization", name: "Penguin" },
        { "@type": "Organization", name: "Other" },
      ],
      locationCreated: [{ "@type": "Place", name: "London" }],
      datePublished: "2003-03-01",
      inLanguage: ["en"],
      isbn: "9780141439518",
      bookEdition: "2nd ed.",
      bookFormat: "https://schema.org/Paperback",
      numberOfPages: 480,
      image: "http://covers.example/b/id/7-L.jpg",
      description: "Five <sisters>.\n\nOne mother.",
      about: [
        { "@type": "Thing", name: "Sisters" },
        { "@type": "Thing", name: "Courtship" },
        { "@type": "Person", name: "Darcy (1790-1820)" },
      ],
      spatialCoverage: ["England"],
      isPartOf: [{ "@type": "BookSeries", name: "Penguin classics", position: "12" }],
      sameAs: [
        "https://www.goodreads.com/book/show/1885",
        "http://www.wikidata.org/entity/Q170583",
        "https://lccn.loc.gov/2002028562",
        "https://www.worldcat.org/oclc/50503123",
      ],
      exampleOfWork: { "@type": "Book", "@id": "http://books.example/works/OL1W", name: "The work" },
    });
  });

  it("lists the editions of a work", () => {
    const edition = {
      key: "/books/OL5M",
      type: { key: "/type/edition" },
      title: "One",
      isbn_10: ["0141439513"],
    };
    expect(toSchemaBook(workBook({}, { editions: [edition] }))["workExample"]).toEqual([
      { "@type": "Book", "@id": "http://books.example/books/OL5M", name: "One", isbn: "0141439513" },
    ]);
  });

  it("distinguishes persons and organisations", () => {
    const jane = author(1, {
      name: "Jane",
      alternate_names: ["J."],
      bio: { type: "/type/text", value: "She wrote." },
      photos: [3],
      remote_ids: { viaf: "1" },
      wikipedia: "http://en.wikipedia.org/wiki/Jane",
    });
    expect(toSchemaAuthor(jane, SITE)).toEqual({
      "@type": "Person",
      "@id": "http://books.example/authors/OL1A",
      url: "http://books.example/authors/OL1A",
      name: "Jane",
      alternateName: ["J."],
      description: "She wrote.",
      image: "http://covers.example/a/id/3-L.jpg",
      sameAs: ["https://viaf.org/viaf/1", "http://en.wikipedia.org/wiki/Jane"],
    });
    expect(toSchemaAuthor(author(1, { entity_type: "org" }), SITE)["@type"]).toBe("Organization");
  });
});

describe("heads of pages", () => {
  it("have a context object of OpenURL", () => {
    const parameters = new URLSearchParams(formatContextObject(FULL));
    expect(Object.fromEntries(parameters)).toEqual({
      ctx_ver: "Z39.88-2004",
      rft_val_fmt: "info:ofi/fmt:kev:mtx:book",
      rfr_id: "info:sid/books.example:catalog",
      rft_id: "http://books.example/books/OL1M",
      "rft.genre": "book",
      "rft.btitle": "The Pride & Prejudice: a novel",
      "rft.aulast": "Austen",
      "rft.aufirst": "Jane",
      "rft.pub": "Penguin",
      "rft.place": "London",
      "rft.date": "2003-03-01",
      "rft.edition": "2nd ed.",
      "rft.series": "Penguin classics",
      "rft.tpages": "480",
      "rft.language": "en",
      "rft.isbn": "9780141439518",
    });
  });

  it("have citation metadata", () => {
    expect(citationMetasOf(FULL)).toEqual([
      ["citation_title", "The Pride & Prejudice: a novel"],
      ["citation_author", "Austen, Jane"],
      ["citation_publication_date", "2003/03/01"],
      ["citation_publisher", "Penguin"],
      ["citation_isbn", "9780141439518"],
      ["citation_isbn", "0141439513"],
      ["citation_series_title", "Penguin classics"],
      ["citation_language", "en"],
      ["citation_keywords", "Sisters"],
      ["citation_keywords", "Courtship"],
      ["citation_public_url", "http://books.example/books/OL1M"],
    ]);
  });

  it("link the formats of a record", () => {
    const forms = alternatesOf("http://books.example/books/OL1M");
    expect(forms.map(({ href }) => href.slice(href.lastIndexOf(".")))).toEqual([
      ".json",
      ".rdf",
      ...FORMAT_NAMES.map((name) => `.${name}`),
    ]);
    expect(forms).toContainEqual({
      href: "http://books.example/books/OL1M.ris",
      type: "application/x-research-info-systems",
      title: "RIS",
    });
    expect(formatSignposts("http://books.example/authors/OL1A")).toBe(
      [
        '<http://books.example/authors/OL1A>; rel="cite-as"',
        '<https://schema.org/Person>; rel="type"',
        '<http://books.example/authors/OL1A.json>; rel="describedby"; type="application/json"',
        '<http://books.example/authors/OL1A.rdf>; rel="describedby"; type="application/rdf+xml"',
        '<http://books.example/authors/OL1A.jsonld>; rel="describedby"; type="application/ld+json"',
      ].join(", "),
    );
  });

  it("names the authors of a book for link previews", () => {
    expect(openGraphBookOf(FULL)).toContainEqual(["book:author", "http://books.example/authors/OL1A"]);
  });
});
