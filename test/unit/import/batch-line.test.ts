import { describe, expect, it } from "vitest";
import { english } from "../../../src/catalog/texts.ts";
import { parseBatchLine } from "../../../src/import/validate.ts";

const RECORD = {
  title: "T",
  source_records: ["amazon:1", "other:2"],
  authors: [{ name: "A" }],
  publishers: ["P"],
  publish_date: "2001",
  isbn_10: ["0140328726"],
};
const readLine = (line: string, number: number) => {
  const parsed = parseBatchLine(line, number, { year: 2026 });
  return "data" in parsed ? parsed : parsed.map((error) => [error.line_number, english(error.text)]);
};
const read = (record: unknown) => readLine(JSON.stringify(record), 3);

describe("parseBatchLine", () => {
  it("returns the item unmodified", () => {
    const data = { ...RECORD, authors: [{ name: "A" }, { name: "unknown" }], publish_date: "1900" };
    expect(read(data)).toEqual({ ia_id: "amazon:1", data });
  });

  it.each([
    [{ publish_date: "1399" }, "publication year is too old (i.e. earlier than 1400): 1399"],
    [{ publish_date: "3000" }, "published in future year: 3000"],
    [{ publishers: ["Independently Published"] }, "book is independently published"],
    [{ isbn_10: [] }, "this source needs an ISBN"],
  ])("refuses %j", (members, message) => {
    expect(read({ ...RECORD, ...members })).toEqual([[3, message]]);
  });

  it("lists every violation", () => {
    expect(read({ ...RECORD, isbn_10: null, authors: [{ name: "" }], publish_date: 7 })).toEqual([
      [3, "authors, 0, name field: String should have at least 1 character. (Type: string_too_short)"],
      [3, "publish_date field: Input should be a valid string. (Type: string_type)"],
    ]);
  });

  it.each(["", " ", "{", "[]", "7", "null"])("refuses %j, which is no record", (line) => {
    expect(readLine(line, 9)).toEqual([[9, expect.stringMatching(/./)]]);
  });

  it("refuses deep nesting", () => {
    const line = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(readLine(line, 9)).toEqual([[9, "Values can be nested at most 64 levels deep"]]);
  });

  it("lists at most a hundred violations of a line", () => {
    expect(read({ source_records: Array.from({ length: 500 }, () => "") })).toHaveLength(100);
  });
});
