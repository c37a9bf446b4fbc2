import { describe, expect, it } from "vitest";
import {
  joinSubjects,
  TocLineError,
  parseToc,
  splitLines,
  splitSemicolons,
  splitSubjects,
  splitTitle,
  formatToc,
} from "../../../../src/catalog/editing/form-texts.ts";

describe("splitSubjects", () => {
  it.each([
    ["A,B,C,B", ["A", "B", "C"]],
    ['A, "B, C", D', ["A", "B, C", "D"]],
    ['"say ""so""", x', ['say "so"', "x"]],
    ["whales, Whales, WHALES", ["whales"]],
    [" , ,a,, ", ["a"]],
    ["a\r\nb\nc, d", ["a", "b", "c", "d"]],
    ['"never closed, b', ['"never closed', "b"]],
    ['"a" b, c', ["a b", "c"]],
    ['5" disks, c', ['5" disks', "c"]],
    ["", []],
  ])("%j", (text, subjects) => {
    expect(splitSubjects(text)).toEqual(subjects);
  });

  it("reverses joinSubjects", () => {
    const subjects = ["plain", "with, comma", 'with "quotes"', "été", "a;b"];
    expect(splitSubjects(joinSubjects(subjects))).toEqual(subjects);
  });

  it("takes linear time", () => {
    expect(splitSubjects('"'.repeat(100_000))).toHaveLength(1);
    expect(splitSubjects(`"a${" ".repeat(100_000)}`)).toEqual(['"a']);
  });
});

describe("splitTitle", () => {
  it.each([
    ["Warlight: a novel", { title: "Warlight", subtitle: "a novel" }],
    ["a: b: c", { title: "a", subtitle: "b: c" }],
    ["12:30", undefined],
    ["Plain", undefined],
    [": x", undefined],
    ["x: ", undefined],
  ])("%s", (text, parts) => {
    expect(splitTitle(text)).toEqual(parts);
  });
});

it("splitSemicolons and splitLines split and trim", () => {
  expect(splitSemicolons(" One ; Two;; ")).toEqual(["One", "Two"]);
  expect(splitLines("a\n\n b \n")).toEqual(["a", "b"]);
});

describe("parseToc", () => {
  const row = (level: number, label: string, title: string, pagenum: string, more = {}) => ({
    level,
    label,
    title,
    pagenum,
    ...more,
  });

  it.each([
    ["* chapter 1 | Welcome | 2", row(1, "chapter 1", "Welcome", "2")],
    ["Welcome", row(0, "", "Welcome", "")],
    ["** | Welcome | 2", row(2, "", "Welcome", "2")],
    ["|Preface | 1", row(0, "", "Preface", "1")],
    ["1.1 | Apple", row(0, "1.1", "Apple", "")],
    ['1 | T | 2 | {"subtitle": "S | s", "x": 1}', row(0, "1", "T", "2", { subtitle: "S | s" })],
    ["1 | T | 2 |", row(0, "1", "T", "2")],
  ])("%s", (line, parsed) => {
    expect(parseToc(line)).toEqual([parsed]);
  });

  it.each(["no json", "[1]", "null", '"text"', '{"x": 1} | y'])("refuses a fourth part %s", (part) => {
    expect(() => parseToc(`Fine\n1 | T | 2 | ${part}`)).toThrow(TocLineError);
  });

  it("reverses formatToc", () => {
    const rows = [
      row(0, "", "Plain", ""),
      row(1, "I", "One", "5", { subtitle: "S", authors: [{ name: "A", author: null }] }),
    ];
    expect(parseToc(formatToc(rows))).toEqual(rows);
    expect(formatToc(["Bare", { type: "/type/text", value: "Text" }])).toBe("Bare\nText");
    expect(formatToc(undefined)).toBe("");
  });
});
