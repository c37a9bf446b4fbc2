import { describe, expect, it } from "vitest";
import { formatBibtex, formatRis, toCslItem } from "../../../src/export/citation-formats.ts";
import { FULL, author, editionBook, workBook } from "./books.ts";

describe("BibTeX", () => {
  it("has the known data, escaped for TeX", () => {
    expect(formatBibtex(FULL)).toBe(
      [
        "@book{OL1M,",
        "  author = {Austen, Jane},",
        "  editor = {Jones, Vivien},",
        "  translator = {Doe, Tilda},",
        "  title = {The Pride \\& Prejudice: a novel},",
        "  publisher = {Penguin, Other},",
        "  address = {London},",
        "  year = {2003},",
        "  edition = {2nd ed.},",
        "  series = {Penguin classics},",
        "  number = {12},",
        "  isbn = {9780141439518},",
        "  language = {en},",
        "  url = {http://books.example/books/OL1M}",
        "}",
        "",
      ].join("\n"),
    );
  });

  it("leaves out missing data, and cannot be broken by a title", () => {
    expect(formatBibtex(workBook({ title: "100% {of} $5 C#_~^\\\n" }))).toBe(
      "@book{OL1W,\n  title = {100\\% \\{of\\} \\$5 C\\#\\_\\textasciitilde{}\\textasciicircum{}\\textbackslash{}},\n" +
        "  url = {http://books.example/works/OL1W}\n}\n",
    );
  });

  it("keeps names with an own word in one piece", () => {
    const authors = [
      author(1, { name: "Johnson and Sons", entity_type: "org" }),
      author(2, { name: "Simone de Beauvoir" }),
      author(3, { name: "Martin Luther King Jr." }),
    ];
    expect(formatBibtex(editionBook({}, { authors }))).toContain(
      "author = {{Johnson and Sons} and de Beauvoir, Simone and King, Jr., Martin Luther}",
    );
  });
});

describe("RIS", () => {
  it("has a line for each known value", () => {
    expect(formatRis(FULL).split("\r\n")).toEqual([
      "TY  - BOOK",
      "ID  - OL1M",
      "TI  - The Pride & Prejudice: a novel",
      "AU  - Austen, Jane",
      "ED  - Jones, Vivien",
      "A4  - Doe, Tilda",
      "PY  - 2003",
      "DA  - 2003/03/01/",
      "PB  - Penguin",
      "CY  - London",
      "ET  - 2nd ed.",
      "T2  - Penguin classics",
      "VL  - 12",
      "SP  - 480",
      "SN  - 9780141439518",
      "CN  - PR4034 .P7 2003",
      "LA  - en",
      "AB  - Five <sisters>. One mother.",
      "KW  - Sisters",
      "KW  - Courtship",
      "UR  - http://books.example/books/OL1M",
      "ER  - ",
      "",
    ]);
  });
});

describe("CSL-JSON", () => {
  it("has the known data", () => {
    expect(toCslItem(FULL)).toEqual({
      id: "OL1M",
      type: "book",
      title: "The Pride & Prejudice: a novel",
      "title-short": "The Pride & Prejudice",
      author: [{ family: "Austen", given: "Jane" }],
      editor: [{ family: "Jones", given: "Vivien" }],
      translator: [{ family: "Doe", given: "Tilda" }],
      issued: { "date-parts": [[2003, 3, 1]] },
      publisher: "Penguin",
      "publisher-place": "London",
      edition: "2nd ed.",
      "collection-title": "Penguin classics",
      "collection-number": "12",
      "number-of-pages": "480",
      ISBN: "9780141439518",
      "call-number": "PR4034 .P7 2003",
      language: "en",
      abstract: "Five <sisters>.\n\nOne mother.",
      keyword: "Sisters, Courtship",
      URL: "http://books.example/books/OL1M",
    });
  });

  it.each([
    ["1999-2001", { "date-parts": [[1999], [2001]] }],
    ["ca. 1850", { "date-parts": [[1850]], circa: true }],
    ["400 B.C.", { "date-parts": [[-400]] }],
    ["9999", undefined],
  ])("has the date %j", (date, issued) => {
    expect(toCslItem(editionBook({ publish_date: date }))["issued"]).toEqual(issued);
  });

  it("has the first publication date of a work", () => {
    const editions = ["1999", "c1937", "soon"].map((date, index) => ({
      key: `/books/OL${index}M`,
      type: { key: "/type/edition" },
      title: "T",
      publish_date: date,
    }));
    const issued = (members: object, more = {}) => toCslItem(workBook({ ...members }, more))["issued"];
    expect(issued({ first_publish_date: "September 21, 1936" }, { editions })).toEqual({
      "date-parts": [[1936, 9, 21]],
    });
    expect(issued({}, { editions })).toEqual({ "date-parts": [[1937]] });
    expect(issued({}, { editions, firstDate: { year: 1935 } })).toEqual({ "date-parts": [[1935]] });
    expect(issued({})).toBeUndefined();
  });
});
