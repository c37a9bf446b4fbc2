import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type CatalogRecord, stringsOf } from "../../../../src/catalog/record.ts";
import { SmallCatalog } from "../../../support/import/small-catalog.ts";
import { HAS_FIXTURES, fixtureLines } from "../shared-fixtures.ts";

interface Line {
  readonly n: number;
  readonly expected?: CatalogRecord;
}

/** Records of libraries, as their files give them. */
function libraryRecords(): CatalogRecord[] {
  const folder = path.join(import.meta.dirname, "../../../../../shared/fixtures/external/marc");
  const files = HAS_FIXTURES ? readdirSync(folder).filter((name) => name.endsWith(".expect.jsonl")) : [];
  return files
    .toSorted()
    .flatMap((file) =>
      fixtureLines<Line>(`external/marc/${file}`).flatMap(({ n, expected }) =>
        expected === undefined ? [] : [{ ...expected, source_records: [`marc:${file}:${n}:1`] }],
      ),
    );
}

function languagesOf(records: readonly CatalogRecord[]): CatalogRecord[] {
  const codes = records.flatMap((one) => [
    ...stringsOf(one["languages"]),
    ...stringsOf(one["translated_from"]),
  ]);
  const known = [...new Set(codes)].filter((code) => /^[a-z]{3}$/.test(code));
  return known.map((code) => ({ key: `/languages/${code}`, type: { key: "/type/language" }, name: code }));
}

describe.skipIf(!HAS_FIXTURES)("records of libraries", () => {
  it("are imported, and change nothing when they come again", () => {
    const records = libraryRecords();
    const catalog = new SmallCatalog(...languagesOf(records));
    const first = records.map((record) => catalog.load(record));
    expect(first.length).toBeGreaterThan(400);
    const again = records.map((record) => catalog.load(record));
    for (const [index, { edition, work }] of again.entries()) {
      expect({ index, edition, work }).toEqual({
        index,
        edition: { key: first[index]?.edition.key, status: "matched" },
        work: { key: first[index]?.work.key, status: "matched" },
      });
    }
  }, 60_000);
});
