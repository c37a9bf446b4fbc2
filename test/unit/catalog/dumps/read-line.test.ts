import { english } from "../../../../src/catalog/texts.ts";
import { describe, expect, it } from "vitest";
import { parseDumpLine } from "../../../../src/catalog/dumps/parse-dump-line.ts";
import { DOCUMENT_BYTES } from "../../../../src/catalog/record.ts";

const TIME = "2020-01-02T03:04:05.678901";
const line = (
  document: unknown,
  columns: Partial<Record<"type" | "key" | "revision" | "time", string>> = {},
): string => {
  const { type = "/type/work", key = "/works/OL1W", revision = "2", time = TIME } = columns;
  return [type, key, revision, time, typeof document === "string" ? document : JSON.stringify(document)].join(
    "\t",
  );
};

describe("parseDumpLine with a valid line", () => {
  it("completes the envelope", () => {
    const parsed = parseDumpLine(line({ title: "x", id: 12 }));
    expect(parsed).toMatchObject({ key: "/works/OL1W", type: "/type/work", revision: 2, lastModified: TIME });
    expect(parsed).toHaveProperty("record", {
      title: "x",
      key: "/works/OL1W",
      type: { key: "/type/work" },
      revision: 2,
      latest_revision: 2,
      created: { type: "/type/datetime", value: TIME },
      last_modified: { type: "/type/datetime", value: TIME },
    });
  });

  it("keeps the order of members and the bytes of compact JSON", () => {
    const document = JSON.stringify({
      title: "Ünïcode",
      last_modified: { type: "/type/datetime", value: TIME },
      key: "/works/OL1W",
      latest_revision: 2,
      revision: 2,
      type: { key: "/type/work" },
      created: { type: "/type/datetime", value: "2019-12-31T23:59:59.000001" },
    });
    expect(parseDumpLine(line(document))).toHaveProperty("document", document);
  });

  it.each([
    ["2020-01-02T03:04:05", "2020-01-02T03:04:05.000000"],
    ["2020-01-02 03:04:05.5", "2020-01-02T03:04:05.500000"],
    ["2020-02-29T03:04:05.123", "2020-02-29T03:04:05.123000"],
  ])("normalizes the time %s", (time, expected) => {
    expect(parseDumpLine(line({}, { time }))).toHaveProperty("lastModified", expected);
  });

  it("accepts a type given as text", () => {
    expect(parseDumpLine(line({ type: "/type/work" }))).toHaveProperty("record.type", { key: "/type/work" });
  });
});

describe("parseDumpLine with an invalid line", () => {
  it.each([
    ["", /Expected 5 tab-separated columns, found 1/],
    ["a\tb", /found 2/],
    [`${line({})}\tmore`, /found 6/],
    [line({}, { type: "work" }), /Not a type: "work"/],
    [line({}, { key: "works/OL1W" }), /Not a key/],
    [line({}, { key: "/works/OL 1W" }), /Not a key/],
    [line({}, { revision: "0" }), /Not a revision number/],
    [line({}, { revision: "1.5" }), /Not a revision number/],
    [line({}, { revision: "99999999999" }), /Not a revision number/],
    [line({}, { time: "yesterday" }), /Not a date and time/],
    [line({}, { time: "2020-13-02T03:04:05" }), /Not a date and time/],
    [line("{"), /Not a JSON object/],
    [line("[]"), /Not a JSON object/],
    [line("null"), /Not a JSON object/],
    [line({ key: "/works/OL2W" }), /The key .* differs from column 2/],
    [line({ type: { key: "/type/edition" } }), /The type .* differs from column 1/],
    [line({ revision: 3 }), /The revision .* differs from column 3/],
    [
      line({ last_modified: { type: "/type/datetime", value: "2021-01-01T00:00:00.000000" } }),
      /The last_modified .* column 4/,
    ],
    // SQLite reads no JSON that is nested deeper than 1000, and one such record would break queries over all.
    [line(`{"title":${"[".repeat(1001)}${"]".repeat(1001)}}`), /Nested deeper than 64 values/],
    [line({ title: "x".repeat(DOCUMENT_BYTES) }), /longer than/],
    [line({ title: "書".repeat(DOCUMENT_BYTES / 2) }), /longer than/],
  ])("reports the reason (%#)", (text, reason) => {
    const parsed = parseDumpLine(text);
    expect("reason" in parsed && english(parsed.reason)).toMatch(reason);
  });
});
