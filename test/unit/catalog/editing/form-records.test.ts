import { describe, expect, it } from "vitest";
import {
  hasSameTitle,
  isSameEdition,
  readAddBook,
  lookupTitlesOf,
} from "../../../../src/catalog/editing/add-book.ts";
import {
  parseAuthorForm,
  parseEditionForm,
  NewRecords,
  parseWorkForm,
} from "../../../../src/catalog/editing/record-forms.ts";
import type { EditedRecord } from "../../../../src/catalog/editing/conflicts.ts";
import { applyBookForm } from "../../../../src/catalog/editing/edit-book.ts";
import { fieldTextOf, parseMembers } from "../../../../src/catalog/editing/form-members.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";

const EDITION: CatalogRecord = {
  key: "/books/OL1M",
  type: { key: "/type/edition" },
  title: "T",
  publishers: ["A; B", "C"],
  isbn_10: ["1", "2"],
  number_of_pages: 7,
  languages: [{ key: "/languages/eng" }],
  notes: { type: "/type/text", value: "one\r\ntwo" },
  identifiers: { goodreads: ["1", "2"], "a,b": ["3"] },
  ocaid: "scan",
  works: [{ key: "/works/OL1W" }],
};

describe("fieldTextOf and parseMembers", () => {
  it.each([
    ["publishers", "A; B; C"],
    ["isbn_10", "1\n2"],
    ["number_of_pages", "7"],
    ["languages", "eng"],
    ["notes", "one\ntwo"],
    ["missing", ""],
  ])("%s", (name, text) => {
    expect(fieldTextOf("/type/edition", name, EDITION[name])).toBe(text);
  });

  it("detect an unchanged form, although text loses structure", () => {
    const sent = Object.fromEntries(
      Object.keys(EDITION).map((name) => [name, fieldTextOf("/type/edition", name, EDITION[name])]),
    );
    const { identifiers: _objects, works: _works, ...texts } = sent;
    expect(parseMembers({ type: "/type/edition", rows: new Map() }, texts, EDITION)).toEqual({});
    expect(parseEditionForm({ identifiers: "goodreads: 1\ngoodreads: 2\na,b: 3" }, EDITION)).toEqual({});
  });

  it("ignore the key, type and permission in a form", () => {
    const sent = {
      key: "/x",
      type: "/type/user",
      permission: "/permission/open",
      revision: "1",
      created: "x",
    };
    expect(parseMembers({ type: "/type/edition", rows: new Map() }, sent, EDITION)).toEqual({});
  });
});

describe("parseEditionForm", () => {
  const members = (sent: CatalogRecord) => parseEditionForm(sent, EDITION);
  it.each<[string, CatalogRecord, CatalogRecord]>([
    ["title and subtitle", { title: "A: b" }, { title: "A", subtitle: "b" }],
    ["a subtitle of its own", { title: "A: b", subtitle: "c" }, { title: "A: b", subtitle: "c" }],
    ["semicolons", { publishers: "X;Y" }, { publishers: ["X", "Y"] }],
    ["blank lists", { publishers: " ", isbn_10: "" }, { publishers: [], isbn_10: [] }],
    ["lists by number", { isbn_10: ["a", "", "b"] }, { isbn_10: ["a", "b"] }],
    [
      "codes",
      { languages: "ENG\n/languages/fre" },
      { languages: [{ key: "/languages/eng" }, { key: "/languages/fre" }] },
    ],
    ["blank text", { notes: "", by_statement: "" }, { notes: null }],
    [
      "no translation",
      { translation: "no", translation_of: "X" },
      { translation_of: null, translated_from: null },
    ],
    ["a translation", { translation: "yes", translation_of: "X" }, { translation_of: "X" }],
    [
      "a size in part",
      { physical_dimensions: { height: "9", width: "", units: "cm" } },
      { physical_dimensions: "9 cm" },
    ],
    [
      "no size",
      { physical_dimensions: { units: "cm" }, weight: { units: "g" } },
      { physical_dimensions: null, weight: null },
    ],
    [
      "all identifiers",
      {
        identifiers: [
          { name: "isbn_13", value: "978-0" },
          { name: "isbn_13", value: "9780" },
          { name: "isbn_13", value: "ISBN-13: 978‑0-14–032872-1." },
          { name: "x", value: " " },
        ],
      },
      {
        isbn_10: null,
        isbn_13: ["978-0", "9780", "9780140328721"],
        lccn: null,
        oclc_numbers: null,
        identifiers: null,
      },
    ],
    [
      "lines of identifiers",
      { identifiers: "x: 1\nnonsense\nlccn: 2" },
      { identifiers: { x: ["1"] }, lccn: ["2"] },
    ],
    [
      "classifications",
      { classifications: [{ name: "udc", value: "8" }] },
      {
        lc_classifications: null,
        dewey_decimal_class: null,
        classifications: { udc: ["8"] },
      },
    ],
  ])("%s", (_name, sent, expected) => {
    expect(members(sent)).toEqual(expected);
  });
});

describe("parseWorkForm", () => {
  const shown: CatalogRecord = {
    authors: [{ author: { key: "/authors/OL1A" }, role: "Editor" }, { author: { key: "/authors/OL2A" } }],
    series: [{ series: { key: "/series/OL1L" }, position: "1" }],
    identifiers: { wikidata: ["Q1"] },
  };
  const members = (sent: CatalogRecord, newRecords = new NewRecords()) =>
    parseWorkForm(sent, shown, newRecords);
  const author = (key: string, more = {}) => ({ author: { key }, ...more });

  it("keeps unchanged rows and unknown members", () => {
    expect(
      members({ authors: [author("/authors/OL1A"), author("/authors/OL2A"), author("", { name: "" })] }),
    ).toEqual({});
    expect(members({ series: [{ series: { key: "/series/OL1L" }, position: "1" }] })).toEqual({});
    expect(members({ authors: [author("ol2a"), author("/authors/OL1A")] })).toEqual({
      authors: [author("/authors/OL2A"), author("/authors/OL1A", { role: "Editor" })],
    });
    expect(members({ series: [{ series: { key: "/series/OL1L" }, position: "" }] })).toEqual({
      series: [{ series: { key: "/series/OL1L" } }],
    });
  });

  it("creates authors from names", () => {
    const newRecords = new NewRecords();
    expect(
      members(
        { authors: [author("__new__", { name: "N" }), author("", { name: "M" }), author("")] },
        newRecords,
      ),
    ).toEqual({
      authors: [author("/__new__/0"), author("/__new__/1")],
    });
    expect(newRecords.documents).toEqual([
      { name: "N", type: { key: "/type/author" } },
      { name: "M", type: { key: "/type/author" } },
    ]);
  });

  it.each<[CatalogRecord, CatalogRecord]>([
    [{ subjects: "a, A, b" }, { subjects: ["a", "b"] }],
    [{ subjects: ["a", " ", "A"] }, { subjects: ["a"] }],
    [{ identifiers: "" }, { identifiers: null }],
    [{ identifiers: "wikidata: Q1" }, {}],
    [{ excerpts: [{ excerpt: "x" }, { comment: "y" }] }, { excerpts: [{ excerpt: "x" }] }],
  ])("%j", (sent, expected) => {
    expect(members(sent)).toEqual(expected);
  });
});

it("parseAuthorForm takes one identifier a line", () => {
  const shown = { remote_ids: { viaf: "1" }, name: "N" };
  expect(parseAuthorForm({ remote_ids: "viaf: 1", name: "N" }, shown)).toEqual({});
  expect(parseAuthorForm({ remote_ids: "viaf: 2\nisni: 0000 0001 2162 2683" }, shown)).toEqual({
    remote_ids: { viaf: "2", isni: "0000000121622683" },
  });
  expect(parseAuthorForm({ remote_ids: "", name: "" }, shown)).toEqual({ remote_ids: null, name: null });
});

describe("applyBookForm", () => {
  const edited = (document: CatalogRecord): EditedRecord => ({
    key: String(document["key"]),
    document,
    shown: document,
  });
  const WORK: CatalogRecord = { key: "/works/OL1W", type: { key: "/type/work" }, title: "W" };
  const apply = (form: CatalogRecord, more: Partial<Parameters<typeof applyBookForm>[1]> = {}) =>
    applyBookForm(form, { edition: edited(EDITION), work: edited(WORK), mayChangeScan: false, ...more });

  it("changes nothing without fields", () => {
    for (const form of [{}, { edition: {}, work: {} }, { edition: { title: "T" }, work: { title: "W" } }]) {
      expect(apply(form)).toEqual({ documents: [], edits: [], failures: [] });
    }
    const orphan = edited({ ...EDITION, works: [] });
    expect(apply({ _comment: "x" }, { edition: orphan, work: undefined }).documents).toEqual([]);
  });

  it("drops an old prefix only with the title that contains it", () => {
    const document = { ...EDITION, title: "Hobbit", title_prefix: "The" };
    const edition = { key: "/books/OL1M", document, shown: { ...EDITION, title: "The Hobbit" } };
    const [kept] = apply({ edition: { by_statement: "x" } }, { edition }).edits;
    expect(kept).toMatchObject({ title: "Hobbit", title_prefix: "The", by_statement: "x" });
    const [changed] = apply({ edition: { title: "The Hobbits" } }, { edition }).edits;
    expect(changed).toMatchObject({ title: "The Hobbits" });
    expect(changed).not.toHaveProperty("title_prefix");
  });

  it("numbers new records in the order of their references", () => {
    const form = {
      edition: { works: [{ key: "__new__" }] },
      work: { title: "N", authors: [{ author: { key: "__new__" }, name: "A" }] },
    };
    const { documents, edits } = apply(form);
    expect(documents).toEqual([
      { name: "A", type: { key: "/type/author" } },
      { title: "N", authors: [{ author: { key: "/__new__/0" } }], type: { key: "/type/work" } },
    ]);
    expect(edits).toMatchObject([{ key: "/books/OL1M", works: [{ key: "/__new__/1" }] }]);
  });

  it("reports all failures", () => {
    const form = {
      edition: { title: "", ocaid: "" },
      work: {
        title: "",
        authors: [{ author: { key: "__new__" } }],
        series: [{ series: { key: "__new__" } }],
      },
    };
    expect(apply(form).failures.map(({ at }) => at)).toEqual([
      { key: "/works/OL1W", property: "title" },
      { key: "/books/OL1M", property: "title" },
      { key: "/works/OL1W", property: "authors" },
      { key: "/works/OL1W", property: "series" },
      { key: "/books/OL1M", property: "ocaid" },
    ]);
    expect(apply(form, { mayChangeScan: true }).failures).toHaveLength(4);
  });
});

describe("a book to add", () => {
  const book = (form: CatalogRecord) => readAddBook({ book_title: "T", ...form }).book;

  it.each<[string, CatalogRecord, CatalogRecord, boolean]>([
    ["nothing to compare", {}, { publishers: ["P"] }, false],
    ["the publisher", { publisher: "penguin books" }, { publishers: ["X", "Penguin Books"] }, true],
    ["words of publishers", { publisher: "Penguin Publishers, Ltd." }, { publishers: ["Penguin"] }, true],
    ["another publisher", { publisher: "Penguin" }, { publishers: ["Pelican"] }, false],
    ["the year", { publish_date: "May 1999" }, { publish_date: "c1999" }, true],
    ["another year", { publish_date: "1999" }, { publish_date: "2000" }, false],
    ["no year known", { publish_date: "1999" }, {}, false],
    [
      "an ISBN in another spelling",
      { id_name: "isbn_10", id_value: "0-14-143951-3" },
      { isbn_10: ["0141439513"] },
      true,
    ],
    [
      "another ISBN",
      { id_name: "isbn_13", id_value: "9780141439518" },
      { isbn_13: ["9780141439519"] },
      false,
    ],
    ["a scan", { id_name: "ocaid", id_value: "scan" }, { ocaid: "scan" }, true],
    [
      "a number elsewhere",
      { id_name: "goodreads", id_value: "1" },
      { identifiers: { goodreads: ["1"] } },
      true,
    ],
    [
      "all but one",
      { publisher: "P", publish_date: "1999" },
      { publishers: ["P"], publish_date: "1998" },
      false,
    ],
  ])("compares an edition by %s", (_name, form, edition, isSame) => {
    expect(isSameEdition(book(form), edition)).toBe(isSame);
  });

  it.each([
    ["Emma", { title: "EMMA" }, true],
    ["Emma: a novel", { title: "Emma", subtitle: "A Novel" }, true],
    ["Émile", { title: "Emile" }, true],
    ["Emma", { title: "Emmas" }, false],
    ["戦争と平和", { title: "戦争と平和" }, true],
    ["???", { title: "!!!" }, false],
  ])("compares the title %s", (title, work, isSame) => {
    expect(hasSameTitle(book({ book_title: title }), work)).toBe(isSame);
  });

  it("is looked up with and without its subtitle", () => {
    expect(lookupTitlesOf(book({ book_title: "The Book: a story" }))).toEqual(["book:astory", "book"]);
  });
});
