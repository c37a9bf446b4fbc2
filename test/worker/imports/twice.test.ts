import { describe, expect, it } from "vitest";
import { type CatalogRecord, stringsOf } from "../../../src/catalog/record.ts";
import type { LoadReply } from "../../../src/import/load/decision.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { loadRecord } from "../../../src/worker/imports/load-record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, query } from "../../support/worker/desk.ts";
import { IMPORTER, importing } from "../../support/worker/importing.ts";
import { HAS_LIBRARY_FILES, ownLibraryRecords, realRecords } from "../../support/worker/library-files.ts";
import { losing } from "../../support/worker/queues.ts";
import { language } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

function languagesOf(records: readonly CatalogRecord[]) {
  const codes = records.flatMap((one) => [one["languages"], one["translated_from"]].flatMap(stringsOf));
  const known = [...new Set(codes)].filter((code) => /^[a-z]{3}$/.test(code));
  return known.map((code) => language(code, code));
}

/** Everything that an import could have changed. */
async function catalogNow() {
  return {
    records: await query("SELECT key, revision, change_id FROM record ORDER BY key"),
    changes: await query("SELECT count(*) AS count, max(id) AS last FROM change"),
    covers: await query("SELECT count(*) AS count FROM cover"),
    sequences: await query("SELECT * FROM sequence ORDER BY name"),
  };
}

/** Imports records, some of them at once. */
async function importAll(records: readonly ImportRecord[], atOnce: number): Promise<LoadReply[]> {
  const replies: LoadReply[] = [];
  await losing(async () => {
    const context = importing();
    const load = (record: ImportRecord): Promise<LoadReply> =>
      loadRecord(context, record, { author: IMPORTER, bot: true, ip: null });
    for (let at = 0; at < records.length; at += atOnce) {
      replies.push(...(await Promise.all(records.slice(at, at + atOnce).map(load))));
    }
    await context.settled();
  });
  return replies;
}

async function expectNoChange(records: readonly ImportRecord[]): Promise<void> {
  await emptyCatalog();
  await service.loadUnindexed(...languagesOf(records));
  const first = await importAll(records, 1);
  const before = await catalogNow();
  const again = await importAll(records, 8);
  for (const [index, { edition, work }] of again.entries()) {
    expect({ index, edition, work }).toEqual({
      index,
      edition: { key: first[index]?.edition.key, status: "matched" },
      work: { key: first[index]?.work.key, status: "matched" },
    });
  }
  expect(await catalogNow()).toEqual(before);
  expect(await catalogFaults()).toEqual([]);
}

describe("importing records of libraries twice", () => {
  it("changes nothing the second time", async () => {
    await expectNoChange(await ownLibraryRecords());
  });

  it.skipIf(!HAS_LIBRARY_FILES)(
    "changes nothing the second time for real records",
    async () => {
      const records = await realRecords();
      expect(records.length).toBeGreaterThan(80);
      await expectNoChange(records);
    },
    180_000,
  );
});
