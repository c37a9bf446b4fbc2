import { describe, expect, it } from "vitest";
import { parseFileName } from "../../../../src/catalog/dumps/dump-files.ts";
import { parseDumpLine } from "../../../../src/catalog/dumps/parse-dump-line.ts";
import {
  formatCoverLine,
  toDumpDocument,
  formatRecordLine,
} from "../../../../src/catalog/dumps/dump-lines.ts";

const TIME = "2026-11-01T00:00:00.000000";

describe("toDumpDocument", () => {
  it.each([
    '{"key":"/works/OL1W","title":"\\"id\\": is no member","n":1e21,"2":1}',
    '{"key":"/about","a":{"key":"/authors/OL1A"},"value":"2008-04-01 is a day"}',
  ])("returns an up-to-date document unchanged: %s", (text) => {
    expect(toDumpDocument(text)).toBe(text);
  });

  it.each([
    ['{"id":12,"key":"/a/OL1A"}', '{"key":"/authors/OL1A"}'],
    ['{"x":{"id":12,"y":[{"key":"/l/eng"}]}}', '{"x":{"id":12,"y":[{"key":"/languages/eng"}]}}'],
    ['{"x":[[{"key":"/b/OL1M"},null,1.5]]}', '{"x":[[{"key":"/books/OL1M"},null,1.5]]}'],
    ['{"key":"/user/ann","name":"/user/ann"}', '{"key":"/people/ann","name":"/user/ann"}'],
    [
      '{"t":{"type":"/type/datetime","value":"2008-04-01 03:28:50.6"}}',
      '{"t":{"type":"/type/datetime","value":"2008-04-01T03:28:50.6"}}',
    ],
    [
      '{"t":{"type":"/type/text","value":"2008-04-01 03"}}',
      '{"t":{"type":"/type/text","value":"2008-04-01 03"}}',
    ],
    ['{"__proto__":{"key":"/a/x"},"id":null}', '{"__proto__":{"key":"/authors/x"}}'],
  ])("drops ids, and updates keys and times: %s", (text, expected) => {
    expect(toDumpDocument(text)).toBe(expected);
    expect(toDumpDocument(expected)).toBe(expected);
  });

  it("survives deep nesting", () => {
    const deep = `${'{"a":'.repeat(1000)}{"key":"/a/x"}${"}".repeat(1000)}`;
    expect(toDumpDocument(deep)).toBe(deep);
  });
});

describe("formatRecordLine and formatCoverLine", () => {
  const stored = (more: Record<string, unknown>) => ({
    key: "/works/OL1W",
    type: "/type/work",
    revision: 1,
    lastModified: TIME,
    document: JSON.stringify({
      key: "/works/OL1W",
      type: { key: "/type/work" },
      title: "tab\t, line\n, \u2028 and \u0001",
      revision: 1,
      latest_revision: 1,
      created: { type: "/type/datetime", value: TIME },
      last_modified: { type: "/type/datetime", value: TIME },
    }),
    ...more,
  });

  it("write one line of five columns that the loader accepts", () => {
    const { line } = formatRecordLine(stored({}));
    expect(line.split("\n")).toHaveLength(2);
    expect(parseDumpLine(line.slice(0, -1))).toMatchObject({
      key: "/works/OL1W",
      document: stored({}).document,
    });
  });

  it("take the type from the document when the row has none", () => {
    expect(formatRecordLine(stored({ type: null })).type).toBe("/type/work");
    expect(formatRecordLine(stored({ type: null, document: "{}" })).type).toBe("/type/object");
  });

  it("write number, size and day of a cover", () => {
    expect(formatCoverLine({ id: 5, width: 30, height: 40, date: "2026-11-01" })).toBe(
      "5\t30\t40\t2026-11-01\n",
    );
  });
});

describe("parseFileName", () => {
  it.each([
    ["ol_dump_latest.txt.gz", "full", "ol_dump", "latest"],
    ["ol_dump_reading-log_2026-11-01.txt.gz", "full", "ol_dump_reading-log", "2026-11-01"],
    ["ol_cdump_2026-11-01.txt.gz", "full", "ol_cdump", "2026-11-01"],
    ["ol_delta_latest.txt.gz", "delta", "ol_delta", "latest"],
    ["ol_dump_works_2026-11-01.parquet", "full", "ol_dump_works", "2026-11-01"],
  ])("%s", (name, kind, stem, date) => {
    expect(parseFileName(name)).toMatchObject({
      kind,
      part: { stem, suffix: /txt\.gz|parquet/.exec(name)?.[0] },
      date,
    });
  });

  it.each([
    "ol_dump_deworks_latest.txt.gz",
    "ol_cdump_works_latest.txt.gz",
    "ol_dump.txt.gz",
    "ol_dump__latest.txt.gz",
    "ol_dump_latest.parquet",
  ])("refuses %s", (name) => {
    expect(parseFileName(name)).toBeUndefined();
  });
});
