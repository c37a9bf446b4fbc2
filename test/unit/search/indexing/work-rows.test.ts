import { describe, expect, it } from "vitest";
import { NO_COUNTS } from "../../../../src/search/documents/types.ts";
import { buildWork } from "../../../../src/search/documents/work.ts";
import { WORK_TEXT_COLUMNS, cutTokens, fitJson } from "../../../../src/search/indexing/columns.ts";
import { WORK_COLUMNS, lexileValueOf, toWorkRows } from "../../../../src/search/indexing/work-rows.ts";

const WORK = buildWork({
  work: {
    key: "/works/OL5W",
    title: "The C++ book",
    subtitle: "For O'Brien",
    subjects: ["Romance / Love"],
    subject_people: ["Anna, Princess"],
  },
  editions: [
    {
      key: "/books/OL1M",
      title: "One",
      languages: [{ key: "/languages/ger" }],
      publish_date: "1987",
      identifiers: { "Hathi Trust": ["x-1"] },
      oclc_numbers: ["123"],
      isbn_10: ["0-306-40615-2"],
      lexile: ["90"],
    },
    {
      key: "/books/OL2M",
      languages: [{ key: "/languages/eng" }],
      identifiers: { librivox: ["7"] },
      publish_date: "2001",
    },
  ],
  authors: [{ key: "/authors/OL3A", name: "Łódź" }],
  series: new Map(),
  items: new Map(),
  counts: NO_COUNTS,
  prefix: "OL",
  deriveItems: false,
});

function rows() {
  if (WORK === undefined) throw new Error("no work");
  return toWorkRows(WORK, { id: 5, version: 9, prefix: "OL" });
}

function tokens(): string[] {
  return (rows().texts.at(-1) ?? "").split(" ");
}

describe("toWorkRows", () => {
  it.each([
    "k=_2fworks_2f_4f_4c5_57",
    "ek=_4f_4c1_4d",
    "ak=_4f_4c3_41",
    "af=_4f_4c3_41_20Łódź",
    "sf=_52omance_20_2f_20_4cove",
    "sk=romance_5f_5flove",
    "pk=anna_5fprincess",
    "l=ger",
    "y=1987",
    "yd=200",
    "fy=1987",
    "fyc=19",
    "o=123",
    "i=0306406152",
    "ep=librivox",
    "x.librivox=7",
    "hf=true",
    "ps=true",
    "ea=0",
    "ea=4",
    "le=ger.0",
    "le=eng.4",
    "t=the_c++_book",
    "t=the_c++_book_for_o_brien",
    "t=one",
    "h=subject",
    "h=lexile",
    "h=id_5flibrivox",
  ])("has the token %s", (token) => {
    expect(tokens()).toContain(token);
  });

  it.each(["ea=5", "le=ger.1", "fy=2001", "h=place", "h=lcc"])("lacks the token %s", (token) => {
    expect(tokens()).not.toContain(token);
  });

  it("has texts in the order of the columns, with each token once", () => {
    const { texts, columns } = rows();
    expect(texts).toHaveLength(WORK_TEXT_COLUMNS.length + 1);
    expect(columns).toHaveLength(WORK_COLUMNS.length);
    expect(texts[0]).toBe("the c++ book");
    expect(texts[4]).toBe("lodz");
    expect(new Set(tokens()).size).toBe(tokens().length);
  });

  it("ranks the open edition first and keeps positions by number", () => {
    expect(rows().editions.map(({ rank, position, id }) => ({ rank, position, id }))).toEqual([
      { rank: 0, position: 1, id: 2 },
      { rank: 1, position: 0, id: 1 },
    ]);
  });

  it("stores the values for ranking and sorting", () => {
    expect(JSON.parse(rows().ranking)).toEqual([expect.stringContaining("c++ book"), "lodz", ""]);
    expect(rows().values).toEqual([["lexile", "000090"]]);
    expect([lexileValueOf(1200), lexileValueOf(-5)]).toEqual(["001200", "000000"]);
  });

  it("stores no hidden fields and no editions", () => {
    // JSON omits undefined members.
    const stored: unknown = JSON.parse(JSON.stringify(rows().document));
    for (const name of ["alternative_title", "title_sort", "editions", "counts", "type"]) {
      expect(stored).not.toHaveProperty(name);
    }
  });
});

describe("limits", () => {
  it("cuts texts between tokens", () => {
    expect(cutTokens("one two three", 8)).toBe("one two");
    expect(cutTokens("one two three", 7)).toBe("one two");
    expect(cutTokens("one", 7)).toBe("one");
    expect(cutTokens("onetwothree", 7)).toBe("");
  });

  it("shortens the longest members of large documents", () => {
    const document = { key: "k", chapter: Array.from({ length: 1000 }, () => "chapter"), isbn: ["1", "2"] };
    const fitted: unknown = JSON.parse(fitJson(document, 500));
    expect(fitted).toMatchObject({ key: "k", isbn: ["1", "2"] });
    expect(fitJson(document, 500).length).toBeLessThanOrEqual(500);
    expect(fitJson({ key: "k", title: "😀".repeat(1000) }, 100).length).toBeLessThanOrEqual(100);
    expect(fitJson({ a: 1 })).toBe('{"a":1}');
  });
});
