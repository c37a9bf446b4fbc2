import { describe, expect, it } from "vitest";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";
import { IMPORT_AUTHORS_MAX } from "../../../../src/import/records/normalize.ts";
import { prepareRecord } from "../../../../src/import/records/prepare.ts";
import type { ImportWarning } from "../../../../src/import/warning.ts";

const YEAR = 2026;
const prepared = (record: CatalogRecord) => prepareRecord(record, { year: YEAR });
const of = (source: string, members: CatalogRecord = {}) =>
  prepared({ title: "T", source_records: [source], isbn_10: ["0140328726"], ...members });
const failure = (code: string, message: string) => expect.objectContaining({ code, message });

const TOO_OLD = "publication year is too old (i.e. earlier than 1400): 1399";

describe("checks", () => {
  it.each<[string, CatalogRecord, string, string]>([
    ["amazon:1", { publish_date: "1399" }, "publication-year-too-old", TOO_OLD],
    ["bwb:1", { publish_date: 1399 }, "publication-year-too-old", TOO_OLD],
    ["amazon:1", { publish_date: "3000" }, "published-in-future-year", "published in future year: 3000"],
    ["x:1", { publish_date: "May 5, 2027" }, "published-in-future-year", "published in future year: 2027"],
    [
      "amazon:1",
      { publishers: ["P", "Independently Published"] },
      "independently-published",
      "book is independently published",
    ],
    [
      "x:1",
      { publishers: ["CreateSpace Independent Publishing Platform"] },
      "independently-published",
      "book is independently published",
    ],
    ["amazon:123", { isbn_10: [] }, "source-needs-isbn", "this source needs an ISBN"],
    ["bwb:123", { isbn_10: null }, "source-needs-isbn", "this source needs an ISBN"],
    [
      "amazon:1",
      { publish_date: "1399", publishers: ["independent publisher"], isbn_10: null },
      "publication-year-too-old",
      TOO_OLD,
    ],
  ])("%s with %j: %s", (source, members, code, message) => {
    expect(() => of(source, members)).toThrow(failure(code, message));
  });

  it.each<[string, CatalogRecord]>([
    ["amazon:1", { publish_date: "1400" }],
    ["x:1", { publish_date: "1399" }],
    ["ia:1", { publish_date: "1399" }],
    ["ia:1", { isbn_10: [], publishers: ["Independently Published"] }],
    ["promise:1", { publishers: ["Independently Published"] }],
    ["amazon:B0123", { isbn_10: [] }],
    ["amazon:1", { isbn_10: [], isbn_13: ["9780140328721"] }],
    ["x:1", { isbn_10: [] }],
    ["amazon:1", { publish_date: "2026" }],
    ["amazon:1", { publishers: ["Independently Published Books"] }],
  ])("%s with %j passes", (source, members) => {
    expect(of(source, members)).toMatchObject({ title: "T" });
  });

  it("passes when any source is an item's", () => {
    expect(
      prepared({ title: "T", source_records: ["amazon:1", "ia:x"], publish_date: "1399" }),
    ).toMatchObject({ publish_date: "1399" });
  });
});

describe("required members", () => {
  it.each<[CatalogRecord, string]>([
    [{}, "title, source_records"],
    [{ title: "T" }, "source_records"],
    [{ source_records: ["x:1"] }, "title"],
    [{ title: null, source_records: [] }, "title, source_records"],
    [{ title: " ", source_records: ["x:1"] }, "title"],
  ])("%j lacks %s", (record, missing) => {
    const message = `missing required field(s): ${missing}`;
    expect(() => prepared(record)).toThrow(failure("missing-required-field", message));
  });
});

describe("types", () => {
  it.each<[string, Json, string]>([
    ["title", 7, "title is not a text"],
    ["source_records", { a: 1 }, "source_records is not a list of texts"],
  ])("%s may not be %j", (name, value, message) => {
    expect(() => of("x:1", { [name]: value })).toThrow(failure("type-error", message));
  });

  it.each<[string, Json, Json | undefined, string[]]>([
    ["publishers", "P", ["P"], ["publishers converted-type"]],
    ["publishers", ["P", { name: "Q" }], ["P"], ["publishers.1 wrong-type"]],
    ["isbn_13", [9780140328721], ["9780140328721"], ["isbn_13 converted-type"]],
    ["isbn_10", ["4.95", "0140328726"], ["0140328726"], ["isbn_10 invalid-isbn"]],
    ["lccn", ["x"], undefined, ["lccn invalid-lccn"]],
    ["languages", [{ code: "eng" }, "fre"], ["fre"], ["languages.0 wrong-type"]],
    ["languages", "eng", ["eng"], ["languages converted-type"]],
    ["authors", { name: "A" }, [{ name: "A" }], ["authors converted-type"]],
    [
      "authors",
      ["A", { name: "B", bio: 1, role: [] }],
      [{ name: "B", bio: 1 }],
      ["authors.0 invalid-author", "authors.1.bio invalid-value", "authors.1.role wrong-type"],
    ],
    ["identifiers", ["x"], undefined, ["identifiers wrong-type"]],
    ["identifiers", { goodreads: [7, null] }, { goodreads: ["7"] }, ["identifiers.goodreads.1 wrong-type"]],
    ["publish_date", ["2001"], "2001", ["publish_date converted-type"]],
    ["publish_date", { year: 2001 }, undefined, ["publish_date wrong-type"]],
    ["ocaid", ["x", "y"], undefined, ["ocaid wrong-type"]],
    ["number_of_pages", "many", undefined, ["number_of_pages wrong-type"]],
    ["number_of_pages", 1.5, undefined, ["number_of_pages wrong-type"]],
    ["number_of_pages", " 320 ", 320, []],
  ])("%s of %j becomes %j", (name, value, expected, codes) => {
    const warnings: ImportWarning[] = [];
    const record = { title: "T", source_records: ["x:1"], [name]: value };
    expect(prepareRecord(record, { year: YEAR }, warnings)[name]).toEqual(expected);
    expect(warnings.map(({ field, code }) => `${field} ${code}`)).toEqual(codes);
  });

  it("warns about dates that are placeholders or in the future", () => {
    const warningsOf = (source: string, date: string): string[] => {
      const warnings: ImportWarning[] = [];
      const record = { title: "T", source_records: [source], isbn_10: ["0140328726"], publish_date: date };
      expect(prepareRecord(record, { year: YEAR }, warnings)).not.toHaveProperty("publish_date");
      return warnings.map(({ code, value }) => `${code} ${value}`);
    };
    expect(warningsOf("amazon:1", "1900-01-01")).toEqual(["invalid-date 1900-01-01"]);
    expect(warningsOf("promise:1", "2999")).toEqual(["invalid-date 2999"]);
    expect(warningsOf("bwb:1", "????")).toEqual([]);
  });

  it("one source may be a text, and one identifier", () => {
    expect(
      prepared({
        title: "T",
        source_records: "ia:x",
        identifiers: { goodreads: "7", doi: ["a", "b"], viaf: null },
      }),
    ).toEqual({
      title: "T",
      source_records: ["ia:x"],
      identifiers: { goodreads: ["7"], doi: ["a", "b"] },
      authors: [],
    });
  });

  it("leaves out nulls and members of the store", () => {
    const own = { key: "/books/OL1M", type: { key: "/type/work" }, revision: 7, created: "x" };
    expect(of("x:1", { ...own, subtitle: null, notes: "n" })).toEqual({
      title: "T",
      source_records: ["x:1"],
      isbn_10: ["0140328726"],
      authors: [],
      notes: "n",
    });
  });
});

describe("dates", () => {
  it.each(["2027", "9999-01-01", "Jan 2027"])("%s is removed where it is let in", (publish_date) => {
    expect(of("ia:1", { publish_date })).not.toHaveProperty("publish_date");
    expect(of("promise:1:2", { publish_date })).not.toHaveProperty("publish_date");
  });

  it("this year stays", () => {
    expect(of("ia:1", { publish_date: "2026" })).toHaveProperty("publish_date", "2026");
  });

  it.each(["amazon:1", "bwb:1", "promise:1:2"])("of %s that mean nothing are removed", (source) => {
    for (const publish_date of ["1900", "January 1, 1900", "1900-01-01", "01-01-1900", "????"]) {
      expect(of(source, { publish_date })).not.toHaveProperty("publish_date");
      expect(of("ia:1", { publish_date })).toHaveProperty("publish_date", publish_date);
    }
    expect(of(source, { publish_date: "January 2, 1900" })).toHaveProperty("publish_date", "January 2, 1900");
  });
});

describe("publishers", () => {
  it("are removed if they say that the publisher is unknown", () => {
    expect(of("x:1", { publishers: ["????"] })).not.toHaveProperty("publishers");
    expect(of("x:1", { publishers: ["a publisher"] })["publishers"]).toEqual(["a publisher"]);
    expect(of("x:1", { publishers: ["????", "P"] })["publishers"]).toEqual(["????", "P"]);
  });
});

describe("titles", () => {
  it.each<[string, string, string | undefined]>([
    ["Work with a subtitle: not yet split", "Work with a subtitle", "not yet split"],
    ["A: B: C", "A : B", "C"],
    ["A (one (two) three): B (four)", "A", "B"],
    ["Ends with a dot.", "Ends with a dot.", undefined],
    ["No colon (German Edition)", "No colon (German Edition)", undefined],
    ["Colon inside (Vol: 1)", "Colon inside (Vol: 1)", undefined],
    ["Nothing after:", "Nothing after:", undefined],
    ["Nothing after: (ed.)", "Nothing after: (ed.)", undefined],
    [": nothing before", ": nothing before", undefined],
  ])("%s", (given, title, subtitle) => {
    expect(of("x:1", { title: given })).toMatchObject({
      title,
      ...(subtitle === undefined ? {} : { subtitle }),
    });
  });

  it("stay if there is a subtitle", () => {
    expect(of("x:1", { title: "A: B", subtitle: "C" })).toMatchObject({ title: "A: B", subtitle: "C" });
    expect(of("x:1", { title: "A: B", subtitle: "" })).toMatchObject({ title: "A", subtitle: "B" });
  });
});

describe("identifiers", () => {
  it("are normalised in place, each once", () => {
    expect(
      of("x:1", {
        isbn_10: ["0-14-118250-4", "9780141182506", "nothing", ""],
        isbn_13: ["0141182504"],
        isbn: ["01411825 0x"],
        lccn: ["   85-2 ", "AGR25-3", "123"],
        oclc_numbers: [" 0123", "ocm00000123", "(OCoLC)456", "OCLC 456", "none"],
        identifiers: {
          doi: ["https://doi.org/10.1000/x", "doi:10.1000/x"],
          issn: ["1234567x", "1234-567X"],
          goodreads: [" 1 ", "1"],
        },
      }),
    ).toMatchObject({
      isbn_10: ["0141182504", "9780141182506"],
      isbn_13: ["0141182504"],
      isbn: ["014118250X"],
      lccn: ["85000002", "agr25000003"],
      oclc_numbers: ["123", "456", "none"],
      identifiers: { doi: ["10.1000/x"], issn: ["1234-567X"], goodreads: ["1"] },
    });
  });

  it("are removed if none is valid", () => {
    const record = of("x:1", { isbn_10: ["nothing"], lccn: [] });
    expect(record).not.toHaveProperty("isbn_10");
    expect(record).not.toHaveProperty("lccn");
  });
});

describe("authors", () => {
  // Q653
  it.each<[CatalogRecord, CatalogRecord]>([
    [
      { name: "Austen, Jane, 1775-1817.", personal_name: "Austen, Jane, 1775-1817." },
      { name: "Austen, Jane", personal_name: "Austen, Jane", birth_date: "1775", death_date: "1817" },
    ],
    [{ name: "Jane Austen (1775-)" }, { name: "Jane Austen", birth_date: "1775" }],
    [
      { name: "Austen, Jane, 1775-1817", birth_date: "1776" },
      { name: "Austen, Jane, 1775-1817", birth_date: "1776" },
    ],
    [
      { name: "Fair (1984-1985)", entity_type: "event" },
      { name: "Fair (1984-1985)", entity_type: "event" },
    ],
    [{ name: "Austen, Jane" }, { name: "Austen, Jane" }],
  ])("have the years of a heading as dates: %j", (author, expected) => {
    expect(of("x:1", { authors: [author] })["authors"]).toEqual([expected]);
  });

  it("are listed once each, with a name each", () => {
    const authors = [
      { name: "A", birth_date: "1900" },
      { birth_date: "1900", name: "A" },
      { name: "A" },
      { name: " " },
      { personal_name: "B" },
      "C",
      null,
    ];
    expect(of("x:1", { authors })["authors"]).toEqual([{ name: "A", birth_date: "1900" }, { name: "A" }]);
    expect(of("x:1")["authors"]).toEqual([]);
  });

  it("are 250 at most", () => {
    const authors = Array.from({ length: IMPORT_AUTHORS_MAX + 1 }, (_, index) => ({ name: `A ${index}` }));
    expect(of("x:1", { authors: authors.slice(1) })["authors"]).toHaveLength(IMPORT_AUTHORS_MAX);
    const repeated = [...authors.slice(1), ...authors.slice(1)];
    expect(of("x:1", { authors: repeated })["authors"]).toHaveLength(IMPORT_AUTHORS_MAX);
    const warnings: ImportWarning[] = [];
    const record = { title: "T", source_records: ["x:1"], authors };
    expect(prepareRecord(record, { year: YEAR }, warnings)["authors"]).toHaveLength(IMPORT_AUTHORS_MAX);
    expect(warnings).toMatchObject([{ field: "authors", code: "too-long" }]);
  });

  it("keep the members that rules can read", () => {
    const author = {
      name: "A",
      birth_date: 1900,
      death_date: null,
      role: ["ed."],
      alternate_names: ["B", 7, null],
      remote_ids: { viaf: "1", isni: 2 },
      custom: { a: [1] },
    };
    expect(of("x:1", { authors: [author] })["authors"]).toEqual([
      {
        name: "A",
        birth_date: "1900",
        alternate_names: ["B"],
        remote_ids: { viaf: "1", isni: "2" },
        custom: { a: [1] },
      },
    ]);
    expect(of("x:1", { authors: [{ name: "A", alternate_names: "B", remote_ids: "x" }] })["authors"]).toEqual(
      [{ name: "A" }],
    );
  });
});

describe("references of HTML", () => {
  it("are decoded in texts with a numeric reference", () => {
    expect(
      of("x:1", {
        title: "M&#252;ller &amp; Söhne &copy;",
        subtitle: "Foo &amp; Bar",
        notes: { type: "/type/text", value: "&#x41;&hellip;" },
        description: { type: "/type/text", value: 7 },
        physical_format: "&#65;",
        authors: [{ name: "D&#246;e", title: "&#65;", role: "&#65;", bio: { value: "&#65;" } }],
      }),
    ).toEqual({
      title: "Müller & Söhne ©",
      subtitle: "Foo &amp; Bar",
      notes: { type: "/type/text", value: "A…" },
      description: { type: "/type/text", value: 7 },
      physical_format: "&#65;",
      source_records: ["x:1"],
      isbn_10: ["0140328726"],
      authors: [{ name: "Döe", title: "A", role: "&#65;", bio: { value: "A" } }],
    });
  });
});

describe("the record that was given", () => {
  it("stays unchanged, and the result can be prepared again", () => {
    const record = {
      title: "A&#66;: C",
      source_records: "ia:x",
      isbn_10: ["0-14-118250-4"],
      authors: [{ name: "A" }, { name: "A" }],
      publishers: ["????"],
      publish_date: "9999",
      identifiers: { amazon: "B01" },
    };
    const before = structuredClone(record);
    const result = prepared(record);
    expect(record).toEqual(before);
    expect(prepared(result)).toEqual(result);
  });

  it("may have members named like those of objects", () => {
    const record = JSON.parse(
      '{"title": "T", "source_records": ["x:1"], "__proto__": {"a": 1}, "identifiers": {"__proto__": "7"}, "authors": [{"name": "A", "__proto__": 1}]}',
    );
    const result = prepared(record);
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      ...record,
      identifiers: JSON.parse('{"__proto__": ["7"]}'),
    });
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

describe("hostile texts", () => {
  const SIZE = 1_000_000;
  it.each([
    ["(", ":"],
    ["((", "):"],
    ["()", ":"],
    ["(()", ":"],
    [")(", ":"],
    ["&#", "&#1;"],
    ["&amp", "&#1;"],
    ["1", "-"],
    ["1-", "x"],
    ["-", "1"],
    [": ", "x"],
  ])("of %j come to an end", (piece, end) => {
    const text = piece.repeat(SIZE / piece.length) + end;
    const members = {
      title: text,
      lccn: [text],
      isbn_10: [text],
      publish_date: text,
      authors: [{ name: text }],
    };
    expect(of("ia:1", members)["source_records"]).toEqual(["ia:1"]);
  });
});
