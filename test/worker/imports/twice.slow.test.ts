import { describe, expect, it } from "vitest";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { expectSecondImportUnchanged } from "../../support/worker/import-twice.ts";
import { languagesOf } from "../../support/worker/importing.ts";
import { HAS_LIBRARY_FILES, realRecords } from "../../support/worker/library-files.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

describe.skipIf(!HAS_LIBRARY_FILES)("a second import of all library records", () => {
  it("changes nothing", async () => {
    await emptyCatalog();
    const records = await realRecords();
    expect(records.length).toBeGreaterThan(80);
    await service.loadUnindexed(...languagesOf(records));
    await expectSecondImportUnchanged(records);
  }, 180_000);
});
