import { describe, expect, it, vi } from "vitest";
import { RECORD_VALUES_MAX } from "../../../../src/catalog/editing/members.ts";
import type { CatalogRecord, Json } from "../../../../src/catalog/record.ts";
import { RecordBuilder } from "../../../../src/import/builder.ts";
import { IMPORT_AUTHORS_MAX } from "../../../../src/import/records/normalize.ts";
import { prepareRecord } from "../../../../src/import/records/prepare.ts";
import type { ImportWarning } from "../../../../src/import/warning.ts";

const COUNT = 40_000;
const list = (valueOf: (index: number) => Json): Json[] =>
  Array.from({ length: COUNT }, (_, n) => valueOf(n));
const object = (valueOf: (index: number) => Json): CatalogRecord =>
  Object.fromEntries(list(valueOf).map((value, index) => [`name${index}`, value]));

/** Returns the most entries that any list or object inside a value has. */
function widestOf(value: Json | undefined): number {
  if (typeof value !== "object" || value === null) return 0;
  return Math.max(Object.keys(value).length, ...Object.values(value).map(widestOf));
}

describe("a record with 40,000 values", () => {
  it.each<[string, Json, number]>([
    ["isbn_13", list((n) => `978${n}`), 0],
    ["isbn", list((n) => String(1_000_000_000 + n)), RECORD_VALUES_MAX],
    ["oclc_numbers", list(String), RECORD_VALUES_MAX],
    ["languages", list((n) => `l${n}`), RECORD_VALUES_MAX],
    ["table_of_contents", list((n) => ({ title: `Part ${n}` })), RECORD_VALUES_MAX],
    ["identifiers", { goodreads: list(String) }, RECORD_VALUES_MAX],
    ["identifiers", object(String), RECORD_VALUES_MAX],
    ["description", list(String), RECORD_VALUES_MAX],
    ["other", [[object((n) => n)]], RECORD_VALUES_MAX],
    ["authors", list((n) => ({ name: `A ${n}` })), IMPORT_AUTHORS_MAX],
    ["authors", [{ name: "A", remote_ids: object(String) }], RECORD_VALUES_MAX],
    ["authors", [{ name: "A", alternate_names: list(String) }], RECORD_VALUES_MAX],
  ])("keeps the first ones of %s, with a warning", (name, value, kept) => {
    const warnings: ImportWarning[] = [];
    const record = { title: "T", source_records: ["x:1"], [name]: value };
    expect(widestOf(prepareRecord(record, { year: 2026 }, warnings)[name])).toBe(kept);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "too-long" }));
  });

  it("is built without a search in the list for each value", () => {
    const includes = vi.spyOn(Array.prototype, "includes");
    const builder = new RecordBuilder();
    for (let n = 0; n < COUNT; n += 1) builder.add("subject", `A subject with the number ${n % 30_000}`);
    const searches = includes.mock.calls.length;
    includes.mockRestore();
    expect(builder.record()["subjects"]).toHaveLength(30_000);
    expect(searches).toBe(0);
  });
});
