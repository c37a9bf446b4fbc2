import { describe, expect, it } from "vitest";
import { type CatalogRecord, stringsOf } from "../../../src/catalog/record.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { expectSecondImportUnchanged } from "../../support/worker/import-twice.ts";
import { HAS_LIBRARY_FILES, libraryFiles, libraryRecords } from "../../support/worker/library-files.ts";
import { language } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

async function allRecords(): Promise<ImportRecord[]> {
  const files = libraryFiles("marc/bin", "marc/xml", "external/marc");
  return (await Promise.all(files.map(libraryRecords))).flat();
}

function languagesOf(records: readonly CatalogRecord[]) {
  const codes = records.flatMap((record) =>
    [record["languages"], record["translated_from"]].flatMap(stringsOf),
  );
  const known = [...new Set(codes)].filter((code) => /^[a-z]{3}$/.test(code));
  return known.map((code) => language(code, code));
}

describe.skipIf(!HAS_LIBRARY_FILES)("importing all library records again", () => {
  it("changes nothing", async () => {
    await emptyCatalog();
    const records = await allRecords();
    expect(records.length).toBeGreaterThan(500);
    await service.loadUnindexed(...languagesOf(records));
    await expectSecondImportUnchanged(records);
  }, 180_000);
});
