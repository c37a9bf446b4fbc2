import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { author, authors, edition, redirect, roles, work } from "../../../support/import/records.ts";
import { SmallCatalog } from "../../../support/import/small-catalog.ts";

const SCAN = { ocaid: "test_item", source_records: ["ia:test_item"], title: "Test item", languages: ["eng"] };
const COVER = "https://m.media-amazon.com/images/I/1.jpg";
const failure = (code: string, message?: string) =>
  expect.objectContaining(message === undefined ? { code } : { code, message });

describe("a new book", () => {
  it("is an edition, a work and its authors with references to each other", () => {
    const decision = new SmallCatalog().decide({
      ...SCAN,
      authors: [
        { name: "Smith, John", role: "Editor", birth_date: "1900", numeration: "II", bio: "b" },
        { name: "Jones, Inc.", entity_type: "org", remote_ids: { viaf: "1" }, alternate_names: ["J."] },
      ],
      subjects: ["A"],
      subject_places: ["B"],
      description: "d",
      subtitle: "s",
      publishers: ["P"],
    });
    expect(decision).toMatchObject({ kind: "add-book", comment: "import new book", edits: [] });
    expect(decision.cover).toBeUndefined();
    expect(decision.created).toEqual([
      {
        type: { key: "/type/author" },
        name: "John Smith",
        birth_date: "1900",
        source_records: ["ia:test_item"],
      },
      {
        type: { key: "/type/author" },
        name: "Jones, Inc.",
        remote_ids: { viaf: "1" },
        entity_type: "org",
        alternate_names: ["J."],
        source_records: ["ia:test_item"],
      },
      {
        type: { key: "/type/work" },
        title: "Test item",
        authors: [
          { type: { key: "/type/author_role" }, author: { key: "/__new__/0" }, role: "Editor" },
          { type: { key: "/type/author_role" }, author: { key: "/__new__/1" } },
        ],
        subjects: ["A"],
        subject_places: ["B"],
        description: { type: "/type/text", value: "d" },
      },
      {
        type: { key: "/type/edition" },
        ocaid: "test_item",
        source_records: ["ia:test_item"],
        title: "Test item",
        subtitle: "s",
        languages: [{ key: "/languages/eng" }],
        subjects: ["A"],
        subject_places: ["B"],
        description: { type: "/type/text", value: "d" },
        publishers: ["P"],
        authors: [{ key: "/__new__/0" }, { key: "/__new__/1" }],
        works: [{ key: "/__new__/2" }],
      },
    ]);
    expect(decision.reply).toEqual({
      success: true,
      authors: [
        { key: "/__new__/0", name: "John Smith", status: "created" },
        { key: "/__new__/1", name: "Jones, Inc.", status: "created" },
      ],
      edition: { key: "/__new__/3", status: "created" },
      work: { key: "/__new__/2", status: "created" },
    });
  });

  it("stores members in the forms of the record store, without members of the import alone", () => {
    const catalog = new SmallCatalog(work(7, { title: "Any title" }));
    const record: CatalogRecord = {
      title: "A",
      source_records: "x:1",
      publish_date: 2001,
      number_of_pages: { type: "/type/int", value: 12 },
      description: ["one", { type: "/type/text", value: "two" }, " "],
      notes: { type: "/type/text", value: "n" },
      first_sentence: "f",
      table_of_contents: ["I", { title: "II", type: "/type/toc_item", level: 1, pagenum: 3 }],
      links: [{ url: "http://a.example/", title: "t" }],
      contributors: [{ name: "N", role: "Editor" }],
      identifiers: { goodreads: ["1"], some_library: "2", nobody: [] },
      translated_from: ["German"],
      weight: "1 kg",
      something_else: { of: ["ours"] },
      cover: "https://elsewhere.example/1.jpg",
      openlibrary: "OL7M",
      works: [{ key: "/works/OL7W" }],
      covers: [7],
      key: "/books/OL7M",
      type: "/type/delete",
      revision: 7,
      permission: { key: "/permission/open" },
      created: { type: "/type/datetime", value: "2001-01-01T00:00:00" },
    };
    const { edition: made } = catalog.load(record);
    expect(made.key).not.toBe("/books/OL7M");
    expect(catalog.get(made.key)).toEqual({
      key: made.key,
      type: { key: "/type/edition" },
      title: "A",
      source_records: ["x:1"],
      publish_date: "2001",
      number_of_pages: 12,
      description: { type: "/type/text", value: "one\n\ntwo" },
      notes: { type: "/type/text", value: "n" },
      first_sentence: { type: "/type/text", value: "f" },
      table_of_contents: [
        { type: { key: "/type/toc_item" }, title: "I" },
        { type: { key: "/type/toc_item" }, title: "II", level: 1, pagenum: "3" },
      ],
      links: [{ type: { key: "/type/link" }, url: "http://a.example/", title: "t" }],
      contributors: [{ name: "N", role: "Editor" }],
      identifiers: { goodreads: ["1"], some_library: ["2"] },
      translated_from: [{ key: "/languages/ger" }],
      weight: "1 kg",
      something_else: { of: ["ours"] },
      works: [{ key: "/works/OL7W" }],
      covers: [7],
      revision: 1,
    });
  });

  it("belongs to the work of its record, if that work exists", () => {
    const named = { ...SCAN, works: [{ key: "/works/OL7W" }], subjects: ["A"] };
    const catalog = new SmallCatalog(work(7, { title: "Any title" }));
    expect(catalog.load(named).work).toEqual({ key: "/works/OL7W", status: "modified" });
    expect(catalog.get("/works/OL7W")["subjects"]).toEqual(["A"]);
    expect(catalog.all("work")).toHaveLength(1);
    expect(() => new SmallCatalog().load(named)).toThrow("notfound");
    const gone = { key: "/works/OL7W", type: { key: "/type/delete" } };
    expect(() => new SmallCatalog(gone).load(named)).toThrow('"found":"/type/delete"');
  });

  it("has the covers of its record, unless there is a cover address", () => {
    const covers = (record: CatalogRecord): unknown[] =>
      new SmallCatalog().decide(record).created.map((made) => made["covers"]);
    expect(covers({ ...SCAN, covers: [7] })).toEqual([[7], [7]]);
    expect(covers({ ...SCAN, covers: [7], cover: COVER })).toEqual([[-2], [-2]]);
  });

  it.each<[CatalogRecord, string, string | undefined]>([
    [{ source_records: ["x:1"] }, "missing-required-field", "missing required field(s): title"],
    [{ title: "A" }, "missing-required-field", "missing required field(s): source_records"],
    [{ ...SCAN, title: 7 }, "type-error", "title is not a text"],
  ])("is refused: %j (%s)", (record, code, message) => {
    expect(() => new SmallCatalog().decide(record)).toThrow(failure(code, message));
  });

  it("warns about values that the catalog does not know", () => {
    const record = { ...SCAN, languages: ["WTF", "eng"], cover: "https://elsewhere.example/1.jpg" };
    const { created, reply } = new SmallCatalog().decide(record);
    expect(created.at(-1)).toMatchObject({ languages: [{ key: "/languages/eng" }] });
    expect(reply.warnings?.map(({ field, value, code }) => [field, value, code])).toEqual([
      ["cover", record.cover, "invalid-value"],
      ["languages", "WTF", "invalid-language"],
    ]);
    expect(new SmallCatalog().decide(SCAN).reply).not.toHaveProperty("warnings");
  });

  it("puts an allowed cover on edition and new work", () => {
    const decision = new SmallCatalog().decide({ ...SCAN, cover: COVER });
    expect(decision.cover).toBe(COVER);
    expect(decision.created.map(({ covers }) => covers)).toEqual([[-2], [-2]]);
    const other = new SmallCatalog().decide({ ...SCAN, cover: "https://elsewhere.example/1.jpg" });
    expect(other.cover).toBeUndefined();
    expect(other.created.map(({ covers }) => covers)).toEqual([undefined, undefined]);
  });
});

describe("authors of a new book", () => {
  const by = (...names: CatalogRecord[]): CatalogRecord => ({ ...SCAN, authors: names });

  it("are created once each", () => {
    const decision = new SmallCatalog().decide(
      by({ name: "John Smith" }, { name: "John Smith" }, { name: "John Smith", role: "Illustrator" }),
    );
    expect(decision.reply.authors).toHaveLength(1);
    expect(decision.created[1]?.["authors"]).toEqual([
      { type: { key: "/type/author_role" }, author: { key: "/__new__/0" }, role: "Illustrator" },
    ]);
  });

  it("are found again with their names in another order", () => {
    const catalog = new SmallCatalog();
    const first = catalog.load(by({ name: "John Döe" }));
    const second = catalog.load({
      title: "Other item",
      source_records: ["ia:other"],
      ocaid: "other",
      authors: [{ name: "Döe, John", entity_type: "person" }],
    });
    expect(first.authors?.[0]?.status).toBe("created");
    expect(second.authors).toEqual([{ key: first.authors?.[0]?.key, name: "John Döe", status: "matched" }]);
    expect([second.edition.status, second.work.status]).toEqual(["created", "created"]);
    const third = catalog.load({
      ...by({ name: "James Smith" }),
      ocaid: "third",
      source_records: ["ia:third"],
    });
    expect([third.authors?.[0]?.status, third.edition.status, third.work.status]).toEqual([
      "created",
      "created",
      "created",
    ]);
  });

  it("keep the order of the record and the names of the catalog", () => {
    const catalog = new SmallCatalog(author(7, "JOHN SMITH"));
    const decision = catalog.decide(
      by({ name: "New One" }, { name: "Mr. Smith, John", role: "Editor" }, { name: "Last" }),
    );
    expect(decision.reply.authors).toEqual([
      { key: "/__new__/0", name: "New One", status: "created" },
      { key: "/authors/OL7A", name: "JOHN SMITH", status: "matched" },
      { key: "/__new__/1", name: "Last", status: "created" },
    ]);
    expect(decision.created[2]?.["authors"]).toMatchObject([{}, { role: "Editor" }, {}]);
    expect(decision.edits).toEqual([]);
  });

  it("stop the import if their identifiers contradict the catalog", () => {
    const catalog = new SmallCatalog(author(7, "A", { remote_ids: { viaf: "1" } }));
    expect(() => catalog.decide(by({ name: "A", key: "/authors/OL7A", remote_ids: { viaf: "2" } }))).toThrow(
      failure("author-id-conflict"),
    );
  });
});

describe("the work of a new book", () => {
  const WORK = work(3, {
    title: "Finding existing works",
    authors: roles(1),
    subjects: ["Cats and dogs"],
    covers: [8],
  });
  const NEW = { source_records: ["x:1"], isbn_10: ["1250144051"], authors: [{ name: "John Smith" }] };

  it.each<[CatalogRecord]>([
    [{ title: "Finding Existing Works" }],
    [{ title: "The Finding: Existing Works", subtitle: "sub" }],
    [{ title: "Finding existing works: sub" }],
  ])("is found by author and title: %j", (members) => {
    const catalog = new SmallCatalog(author(1, "John Smith"), WORK);
    const { reply, created, edits } = catalog.decide({ ...NEW, ...members });
    expect(reply).toMatchObject({
      authors: [{ key: "/authors/OL1A", status: "matched" }],
      edition: { status: "created" },
      work: { key: "/works/OL3W", status: "matched" },
    });
    expect(created).toHaveLength(1);
    expect(created[0]?.["works"]).toEqual([{ key: "/works/OL3W" }]);
    expect(edits).toEqual([]);
  });

  it("gets only the subjects and the cover that it lacks", () => {
    const catalog = new SmallCatalog(author(1, "John Smith"), WORK);
    const { reply, edits } = catalog.decide({
      ...NEW,
      title: "Finding existing works",
      subjects: ["CATS DOGS", "Birds (pets)", "birds", "Birds"],
      subject_people: ["Adam"],
      description: "d",
      cover: COVER,
    });
    expect(reply.work).toEqual({ key: "/works/OL3W", status: "modified" });
    expect(edits).toEqual([
      {
        key: "/works/OL3W",
        type: { key: "/type/work" },
        title: "Finding existing works",
        authors: roles(1),
        subjects: ["Cats and dogs", "Birds (pets)", "birds"],
        subject_people: ["Adam"],
        covers: [8, -2],
      },
    ]);
  });

  it("is the first author's work with the lowest number", () => {
    const catalog = new SmallCatalog(
      author(1, "John Smith"),
      author(2, "Ann Jones"),
      work(9, { title: "Both", authors: roles(1) }),
      work(20, { title: "both.", authors: roles(2) }),
      work(100, { title: "Both", authors: roles(2) }),
    );
    const record = {
      title: "Both",
      source_records: ["x:1"],
      authors: [{ name: "Ann Jones" }, { name: "John Smith" }],
    };
    expect(catalog.decide(record).reply.work).toEqual({ key: "/works/OL20W", status: "matched" });
  });

  it("is new for a new author, for no author and for a missing work", () => {
    const gone = [author(1, "John Smith"), redirect("/works/OL3W", "/works/OL4W"), WORK].slice(0, 2);
    for (const [records, names] of [
      [[author(1, "John Smith"), WORK], [{ name: "Jane Smith" }]],
      [[author(1, "John Smith"), WORK], []],
      [gone, [{ name: "John Smith" }]],
    ] as const) {
      const { reply } = new SmallCatalog(...records).decide({
        ...NEW,
        title: "Finding existing works",
        authors: [...names],
      });
      expect(reply.work.status).toBe("created");
    }
  });

  it("is found for an edition that does not match the existing one", () => {
    const catalog = new SmallCatalog(
      author(1, "Jane Austen"),
      work(1, { title: "Sense and Sensibility", authors: roles(1) }),
      edition(1, {
        title: "Sense and Sensibility",
        publishers: ["Penguin"],
        isbn_13: ["9780241734872"],
        authors: authors(1),
      }),
    );
    const { reply } = catalog.decide({
      title: "Sense and Sensibility",
      publishers: ["Penguin"],
      publish_date: "1913",
      authors: [{ name: "Jane Austen" }],
      source_records: ["x:1"],
    });
    expect(reply).toMatchObject({
      edition: { status: "created" },
      work: { status: "matched" },
      authors: [{ status: "matched" }],
    });
  });
});
