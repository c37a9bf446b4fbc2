import { describe, expect, it } from "vitest";
import { selectFields } from "../../../../src/search/present/selected-fields.ts";
import { providersOf } from "../../../../src/search/present/providers.ts";
import { toFoundWorks, presentWork } from "../../../../src/search/present/works.ts";

const work = {
  author_key: ["OL1A"],
  ebook_access: "borrowable",
  ia: ["scan1"],
  key: "/works/OL1W",
  title: "T",
  type: "work",
};
const edition = {
  ebook_access: "public",
  ia: ["scan2"],
  key: "/books/OL9M",
  title: "E",
  type: "edition",
  work_key: ["OL1W"],
};
const hits = { numFound: 1, numFoundExact: true, documents: [work], scores: [12.5], editions: [[edition]] };
const wish = { clauses: [], language: "eng", words: [], sort: [] };
const shown = (fields: string[], withEditions: boolean, members = new Map()) => {
  const [found] = toFoundWorks(hits, withEditions ? wish : undefined);
  return found === undefined
    ? undefined
    : presentWork(found, selectFields(fields), { members, states: new Map() });
};

describe("presentWork", () => {
  it("shows the requested fields in the order of their names", () => {
    expect(JSON.stringify(shown(["title", "key"], false))).toBe('{"key":"/works/OL1W","title":"T"}');
    expect(JSON.stringify(shown(["title", "score", "key"], false))).toBe(
      '{"key":"/works/OL1W","score":12.5,"title":"T"}',
    );
  });

  it("appends the edition, with the availability on it", () => {
    const document = shown(["key", "editions", "availability"], true);
    expect(Object.keys(document ?? {})).toEqual(["key", "editions"]);
    expect(document?.["editions"]).toMatchObject({
      numFound: 1,
      start: 0,
      numFoundExact: true,
      docs: [
        {
          key: "/books/OL9M",
          availability: { status: "open", identifier: "scan2", openlibrary_edition: "OL9M" },
        },
      ],
    });
  });

  it("puts the availability on the work without an edition", () => {
    const document = shown(["key", "availability"], false);
    expect(document).toMatchObject({
      availability: { status: "borrow_available", openlibrary_work: "OL1W" },
    });
    const [found] = toFoundWorks({ ...hits, editions: [[]] }, wish);
    const empty =
      found &&
      presentWork(found, selectFields(["key", "editions", "availability"]), {
        members: new Map(),
        states: new Map(),
      });
    expect(Object.keys(empty ?? {})).toEqual(["key", "editions", "availability"]);
    expect(empty?.["editions"]).toEqual({ numFound: 0, start: 0, numFoundExact: true, docs: [] });
  });

  it("adds members from the records", () => {
    const members = new Map([
      ["/works/OL1W", { description: "W" }],
      ["/books/OL9M", { description: "E" }],
    ]);
    expect(shown(["key", "editions"], true, members)).toMatchObject({
      description: "W",
      editions: { docs: [{ description: "E" }] },
    });
  });
});

describe("providersOf", () => {
  const archiveUrl = "https://archive.test";
  it("lists the record's offers, open sources and the scan, in this order", () => {
    const record = {
      providers: [
        { url: "https://a.test", access: "buy", format: "pdf", price: "1 USD", provider_name: "Shop" },
        {},
      ],
      identifiers: { project_gutenberg: ["1342"] },
      ocaid: "scan1",
    };
    expect(providersOf(record, { access: "borrowable", archiveUrl })).toEqual([
      { access: "buy", format: "pdf", price: "1 USD", url: "https://a.test", provider_name: "Shop" },
      {
        access: "open-access",
        format: "web",
        price: null,
        url: "https://www.gutenberg.org/ebooks/1342",
        provider_name: "project_gutenberg",
      },
      {
        access: "borrow",
        format: "web",
        price: null,
        url: "https://archive.test/details/scan1",
        provider_name: "ia",
      },
    ]);
  });

  it("is empty without offers", () => {
    expect(providersOf({}, { access: "no_ebook", archiveUrl })).toEqual([]);
    expect(providersOf({ ocaid: "scan1" }, { access: "unclassified", archiveUrl })).toEqual([]);
  });
});
