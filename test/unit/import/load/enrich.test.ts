import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { author, authors, edition, redirect, roles, work } from "../../../support/import/records.ts";
import { SmallCatalog } from "../../../support/import/small-catalog.ts";

const ISBN = "0140328726";
const COVER = "https://m.media-amazon.com/images/I/1.jpg";
const RECORD = { title: "Test item", source_records: ["x:1"], isbn_10: [ISBN] };
const EDITION = edition(1, { title: "Test item", isbn_10: [ISBN], source_records: ["x:1"] });
const WORK = work(1, { title: "Test item" });

/** Returns the statuses and both records after importing a record into an edition and its work. */
function enriched(record: CatalogRecord, stored: CatalogRecord = {}, ofWork: CatalogRecord = {}) {
  const catalog = new SmallCatalog({ ...EDITION, ...stored }, { ...WORK, ...ofWork });
  const reply = catalog.load({ ...RECORD, ...record });
  return {
    statuses: [reply.edition.status, reply.work.status],
    reply,
    edition: catalog.get("/books/OL1M"),
    work: catalog.get("/works/OL1W"),
    again: catalog.decide({ ...RECORD, ...record }),
  };
}

describe("a book that is there", () => {
  it("is matched if the record has nothing new", () => {
    const decision = new SmallCatalog(EDITION, WORK).decide(RECORD);
    expect(decision).toEqual({
      created: [],
      edits: [],
      kind: "edit-book",
      comment: "import existing book",
      reply: {
        success: true,
        edition: { key: "/books/OL1M", status: "matched" },
        work: { key: "/works/OL1W", status: "matched" },
      },
    });
  });

  it("keeps all its members", () => {
    const stored = {
      subtitle: "s",
      publishers: ["P"],
      publish_date: "1999",
      number_of_pages: 3,
      ocaid: "o",
      subjects: ["S"],
      description: "d",
      languages: [{ key: "/languages/eng" }],
    };
    const { statuses, edition: after } = enriched(
      {
        title: "Other title",
        subtitle: "t",
        publishers: ["Q"],
        publish_date: "2000",
        number_of_pages: 4,
        ocaid: "p",
        description: "e",
        languages: ["English"],
        notes: "n",
        series: ["S"],
        isbn_13: ["9780241734872"],
        authors: [{ name: "New One" }],
      },
      stored,
    );
    expect(statuses).toEqual(["matched", "modified"]);
    expect(after).toEqual({ ...EDITION, ...stored });
  });

  it.each<[string, CatalogRecord, CatalogRecord, CatalogRecord]>([
    [
      "languages",
      { languages: ["fre", "eng"] },
      { languages: [{ key: "/languages/eng" }] },
      { languages: [{ key: "/languages/eng" }, { key: "/languages/fre" }] },
    ],
    ["the first languages", { languages: ["eng"] }, {}, { languages: [{ key: "/languages/eng" }] }],
    ["a scan", { ocaid: "o" }, {}, { ocaid: "o" }],
    [
      "sources",
      { source_records: ["NON-MARC:TEST", "ia:someid", "IA:SomeID"] },
      { source_records: ["non-marc:test"] },
      { source_records: ["non-marc:test", "ia:someid"] },
    ],
    ["sources where there are none", {}, { source_records: null }, { source_records: ["x:1"] }],
    [
      "classes",
      { lc_classifications: ["PQ2671.A58", "pq2671.a58"] },
      {},
      { lc_classifications: ["PQ2671.A58"] },
    ],
    [
      "numbers",
      { oclc_numbers: ["1", "2"], local_id: ["urn:a:1"] },
      { oclc_numbers: ["2"] },
      { oclc_numbers: ["2", "1"], local_id: ["urn:a:1"] },
    ],
    [
      "identifiers",
      { identifiers: { goodreads: ["2", "1"], librarything: ["3"] } },
      { identifiers: { goodreads: ["1"], other: "x" } },
      { identifiers: { goodreads: ["1", "2"], librarything: ["3"], other: "x" } },
    ],
    [
      "pages, date and publishers",
      { number_of_pages: "12", publish_date: 1999, publishers: ["P"] },
      { publishers: [] },
      { number_of_pages: 12, publish_date: "1999", publishers: ["P"] },
    ],
  ])("gets %s", (_, record, stored, expected) => {
    const { statuses, edition: after, again } = enriched(record, stored);
    expect(statuses).toEqual(["modified", "matched"]);
    expect(after).toMatchObject(expected);
    // The next import sees the members that an import has added.
    expect(again.edits).toEqual([]);
  });

  it("compares LCCNs in their normal form", () => {
    const { statuses, edition: after } = enriched(
      { lccn: ["AGR25000003", "AGR25-3"] },
      { lccn: ["agr25000003"] },
    );
    expect(statuses).toEqual(["matched", "matched"]);
    expect(after["lccn"]).toEqual(["agr25000003"]);
  });

  it("skips an unknown language", () => {
    expect(enriched({ languages: ["wtf"] }).statuses).toEqual(["matched", "matched"]);
  });

  it("gives a description to edition and work", () => {
    const { statuses, edition: after, work: itsWork, again } = enriched({ description: "d" });
    expect(statuses).toEqual(["modified", "modified"]);
    expect([after["description"], itsWork["description"]]).toEqual([
      { type: "/type/text", value: "d" },
      { type: "/type/text", value: "d" },
    ]);
    expect(again.edits).toEqual([]);
  });

  it("gives the description of the edition to its work", () => {
    const { statuses, work: itsWork } = enriched({}, { description: "d" });
    expect(statuses).toEqual(["matched", "modified"]);
    expect(itsWork["description"]).toEqual({ type: "/type/text", value: "d" });
  });
});

describe("the work of a book that is there", () => {
  it("gets subjects once each, in their first spelling", () => {
    const {
      statuses,
      work: itsWork,
      edition: after,
      again,
    } = enriched(
      {
        subjects: ["granite", "Granite", "SANDSTONE", "sandstone", "strasse", "παράδεισος"],
        subject_places: ["P"],
      },
      {},
      { subjects: ["granite", "GRANITE", "Straße", "ΠΑΡΆΔΕΙΣΟΣ"] },
    );
    expect(statuses).toEqual(["matched", "modified"]);
    expect(itsWork["subjects"]).toEqual(["granite", "Straße", "ΠΑΡΆΔΕΙΣΟΣ", "SANDSTONE"]);
    expect(itsWork["subject_places"]).toBeUndefined();
    expect(after["subjects"]).toBeUndefined();
    expect(again.edits).toEqual([]);
  });

  it("keeps its own repeats if the record has no subjects", () => {
    expect(enriched({}, {}, { subjects: ["a", "A"] }).statuses).toEqual(["matched", "matched"]);
  });

  it("gets the record's known authors if it has none", () => {
    const catalog = new SmallCatalog(EDITION, WORK, author(3, "John Smith"));
    const record = { ...RECORD, authors: [{ name: "Smith, John", role: "Editor" }, { name: "New One" }] };
    expect(catalog.load(record)).toEqual({
      success: true,
      edition: { key: "/books/OL1M", status: "matched" },
      work: { key: "/works/OL1W", status: "modified" },
    });
    expect(catalog.get("/works/OL1W")["authors"]).toEqual([{ ...roles(3)[0], role: "Editor" }]);
    expect(catalog.all("author")).toHaveLength(1);
    expect(enriched({ authors: [{ name: "New One" }] }).statuses).toEqual(["matched", "matched"]);
  });

  it("is the one behind a redirect", () => {
    const catalog = new SmallCatalog(
      { ...EDITION, works: [{ key: "/works/OL8W" }] },
      redirect("/works/OL8W", "/works/OL1W"),
      WORK,
    );
    expect(catalog.load({ ...RECORD, subjects: ["a"] }).work).toEqual({
      key: "/works/OL1W",
      status: "modified",
    });
  });
});

describe("covers of a book that is there", () => {
  it("are added to edition and work without covers", () => {
    const { statuses, edition: after, work: itsWork, again } = enriched({ cover: COVER }, { covers: [-1] });
    expect(statuses).toEqual(["modified", "modified"]);
    expect([after["covers"], itsWork["covers"]]).toEqual([[5000], [5000]]);
    expect(again).toMatchObject({ edits: [] });
    expect(again.cover).toBeUndefined();
  });

  it("stay on the edition, and go to a work without covers", () => {
    const { statuses, edition: after, work: itsWork } = enriched({ cover: COVER }, { covers: [-1, 7] });
    expect(statuses).toEqual(["matched", "modified"]);
    expect([after["covers"], itsWork["covers"]]).toEqual([[-1, 7], [7]]);
  });
});

describe("an edition without work", () => {
  const ORPHAN = { ...EDITION, works: [] };

  it("gets a work even if nothing else is new", () => {
    const catalog = new SmallCatalog(ORPHAN);
    const decision = catalog.decide(RECORD);
    expect(decision.created).toEqual([{ type: { key: "/type/work" }, title: "Test item" }]);
    expect(decision.edits).toMatchObject([{ key: "/books/OL1M", works: [{ key: "/__new__/0" }] }]);
    expect(decision.reply).toEqual({
      success: true,
      edition: { key: "/books/OL1M", status: "modified" },
      work: { key: "/__new__/0", status: "created" },
    });
    const { work: made } = catalog.load(RECORD);
    expect(catalog.get("/books/OL1M")["works"]).toEqual([{ key: made.key }]);
    expect(catalog.decide(RECORD).edits).toEqual([]);
  });

  it("gives its authors to the new work, with the roles of the record", () => {
    const records = [
      author(1, "A"),
      author(2, "B"),
      { ...ORPHAN, authors: authors(1, 2), covers: [5], description: "d" },
    ];
    const told = [{ name: "A", role: "Editor" }, { name: "B" }];
    const decision = new SmallCatalog(...records).decide({
      ...RECORD,
      authors: told,
      subjects: ["s", "S"],
      subject_times: ["t"],
    });
    expect(decision.created).toEqual([
      {
        type: { key: "/type/work" },
        title: "Test item",
        authors: [{ ...roles(1)[0], role: "Editor" }, ...roles(2)],
        subjects: ["s"],
        subject_times: ["t"],
        covers: [5],
        description: { type: "/type/text", value: "d" },
      },
    ]);
    const fewer = new SmallCatalog(...records).decide({ ...RECORD, authors: told.slice(0, 1) });
    expect(fewer.created[0]?.["authors"]).toEqual(roles(1, 2));
  });

  it("follows redirected authors", () => {
    const catalog = new SmallCatalog(
      edition(1, {
        title: "Test item HATS",
        publishers: ["TestPub"],
        publish_date: "1994",
        works: null,
        authors: authors(9),
      }),
      redirect("/authors/OL9A", "/authors/OL10A"),
      author(10, "John Smith"),
    );
    const reply = catalog.load({
      title: "Test item HATS",
      publishers: ["TestPub"],
      publish_date: "1994",
      authors: [{ name: "John Smith" }],
      source_records: ["ia:test_item"],
    });
    expect([reply.edition.status, reply.work.status]).toEqual(["modified", "created"]);
    expect(catalog.get("/books/OL1M")["authors"]).toEqual(authors(10));
    expect(catalog.get(reply.work.key)["authors"]).toEqual(roles(10));
  });

  it("leaves out deleted authors", () => {
    const gone = { key: "/authors/OL1A", type: { key: "/type/delete" } };
    const catalog = new SmallCatalog({ ...ORPHAN, authors: authors(1, 2) }, gone, author(2, "B"));
    const told = [{ name: "B", role: "Editor" }];
    const { work: made } = catalog.load({ ...RECORD, authors: told });
    expect(catalog.get(made.key)["authors"]).toEqual([{ ...roles(2)[0], role: "Editor" }]);
    expect(catalog.get("/books/OL1M")["authors"]).toEqual(authors(1, 2));
  });

  it("keeps another work besides a deleted one", () => {
    const gone = { key: "/works/OL9W", type: { key: "/type/delete" } };
    const works = [{ key: "/works/OL9W" }, { key: "/works/OL1W" }];
    expect(new SmallCatalog({ ...EDITION, works }, gone, WORK).load(RECORD)).toMatchObject({
      edition: { status: "matched" },
      work: { key: "/works/OL1W", status: "matched" },
    });
  });

  it.each([
    ["missing", []],
    ["deleted", [{ key: "/works/OL1W", type: { key: "/type/delete" } }]],
  ])("includes an edition with a %s work", (_, records) => {
    expect(new SmallCatalog(EDITION, ...records).decide(RECORD).reply.work.status).toBe("created");
  });
});

describe("authors of an edition", () => {
  it("are merged after a redirect", () => {
    const catalog = new SmallCatalog(
      { ...EDITION, authors: authors(1, 2, 3) },
      WORK,
      author(1, "A"),
      author(3, "C"),
      redirect("/authors/OL2A", "/authors/OL1A"),
    );
    expect(catalog.load(RECORD).edition.status).toBe("modified");
    expect(catalog.get("/books/OL1M")["authors"]).toEqual(authors(1, 3));
    expect(catalog.load(RECORD).edition.status).toBe("matched");
  });

  it("are removed if deleted only when another author is replaced", () => {
    const gone = { key: "/authors/OL1A", type: { key: "/type/delete" } };
    const records = [{ ...EDITION, authors: authors(1, 2) }, WORK, gone, author(3, "C")];
    const moved = new SmallCatalog(...records, redirect("/authors/OL2A", "/authors/OL3A"));
    expect(moved.load(RECORD).edition.status).toBe("modified");
    expect(moved.get("/books/OL1M")["authors"]).toEqual(authors(3));
    const still = new SmallCatalog(...records, author(2, "B"));
    expect(still.load({ ...RECORD, source_records: ["y:1"] }).edition.status).toBe("modified");
    expect(still.get("/books/OL1M")["authors"]).toEqual(authors(1, 2));
  });
});
