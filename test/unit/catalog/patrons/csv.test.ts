import { describe, expect, it } from "vitest";
import { formatCsvLine, guardCell, parseCsv, removeGuard } from "../../../../src/catalog/patrons/csv.ts";

const read = (text: string): string[][] => [...parseCsv(text)];

describe("reading CSV", () => {
  it.each([
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a\rb", [["a"], ["b"]]],
    ['"a, ""b""",c\n', [['a, "b"', "c"]]],
    ['"two\r\nlines",x', [["two\r\nlines", "x"]]],
    ["\uFEFFa,b", [["a", "b"]]],
    [
      "a,,\n,\n",
      [
        ["a", "", ""],
        ["", ""],
      ],
    ],
    ["a\n\n\nb", [["a"], ["b"]]],
    ['5" disk,x', [['5" disk', "x"]]],
    ['"closed" and on,x', [["closed and on", "x"]]],
    ['"never closed,\nx', [["never closed,\nx"]]],
    [
      "a\tb\tc, d\ne;f\tg\th",
      [
        ["a", "b", "c, d"],
        ["e;f", "g", "h"],
      ],
    ],
    [
      "a;b\n1,5;2",
      [
        ["a", "b"],
        ["1,5", "2"],
      ],
    ],
    ["", []],
  ])("%j", (text, rows) => expect(read(text)).toEqual(rows));

  it("reads back what it wrote", () => {
    const rows = [
      ['q"uote', "comma, too", "line\r\nbreak", "", " blank "],
      ["ümläut", "🙂", "'", '""', ","],
    ];
    expect(read(rows.map(formatCsvLine).join(""))).toEqual(rows);
  });
});

describe("writing CSV", () => {
  it("quotes where needed, and ends lines with CRLF", () => {
    expect(formatCsvLine(["a", 1.5, null, 'b"c', "d\ne"])).toBe('a,1.5,,"b""c","d\ne"\r\n');
  });

  it("neutralizes spreadsheet formulas (Q234)", () => {
    expect(formatCsvLine(["=1+1", "+1", "-1", "@x", "a=b", -1])).toBe("'=1+1,'+1,'-1,'@x,a=b,-1\r\n");
  });

  const UNSEEN = [
    "",
    " ",
    "\u00A0",
    "\u3000",
    "\uFEFF",
    "\u200B\u2060",
    "\t",
    "\r",
    "\n ",
    "\u00AD",
    "\u115F",
    "\0",
    "'",
  ];
  it.each(UNSEEN)("guards formulas behind %j, and reads them back", (before) => {
    for (const sign of ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "−"]) {
      const text = `${before}${sign}cmd|' /C calc'!A0`;
      expect(guardCell(text)).toBe(`'${text}`);
      expect(removeGuard(guardCell(text))).toBe(text);
    }
  });

  it.each(["O'Brien", "'tis", " a=b", "'", "", "ﬁ=", "1-2", "　題"])("leaves %j as it is", (text) => {
    expect(guardCell(text)).toBe(text);
    expect(removeGuard(text)).toBe(text);
  });
});
