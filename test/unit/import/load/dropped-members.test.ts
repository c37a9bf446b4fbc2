import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/catalog/record.ts";
import { prepareRecord } from "../../../../src/import/records/prepare.ts";
import type { ImportWarning } from "../../../../src/import/warning.ts";

const RECORD = { title: "T", source_records: ["x:1"] };

describe("a member of a record that is dropped or changed has a warning", () => {
  it.each<[string, Json, Json | undefined, string[]]>([
    ["remote_ids", { viaf: 12345678 }, { viaf: "12345678" }, [" converted-type"]],
    ["remote_ids", { viaf: ["1"], isni: "2" }, { viaf: "1", isni: "2" }, [" converted-type"]],
    ["remote_ids", { viaf: ["1", "2"], isni: "2" }, { isni: "2" }, [".viaf wrong-type"]],
    [
      "remote_ids",
      { viaf: { id: 1 }, isni: [], gnd: true },
      {},
      [".viaf wrong-type", ".isni wrong-type", ".gnd wrong-type"],
    ],
    ["remote_ids", { viaf: "1" }, { viaf: "1" }, []],
    ["remote_ids", ["viaf:1"], undefined, [" wrong-type"]],
    ["remote_ids", "viaf:1", undefined, [" wrong-type"]],
    ["alternate_names", ["B", 7], ["B"], [".1 wrong-type"]],
    ["death_date", 1900, "1900", [" converted-type"]],
    ["role", ["editor"], undefined, [" wrong-type"]],
    ["bio", "a life", "a life", [" invalid-value"]],
  ])("%s of an author: %j", (name, value, read, codes) => {
    const warnings: ImportWarning[] = [];
    const record = prepareRecord(
      { ...RECORD, authors: [{ name: "A", [name]: value }] },
      { year: 2026 },
      warnings,
    );
    expect(record["authors"]).toEqual([{ name: "A", ...(read !== undefined && { [name]: read }) }]);
    expect(warnings.map(({ field, code }) => `${field} ${code}`)).toEqual(
      codes.map((code) => `authors.0.${name}${code}`),
    );
  });

  it.each<[string, Json]>([
    ["key", "/books/OL1M"],
    ["type", { key: "/type/work" }],
    ["weight", Infinity],
  ])("%s", (name, value) => {
    const warnings: ImportWarning[] = [];
    expect(prepareRecord({ ...RECORD, [name]: value }, { year: 2026 }, warnings)).not.toHaveProperty(name);
    expect(warnings).toEqual([expect.objectContaining({ field: name, code: "invalid-value" })]);
  });
});
