import { beforeAll, describe, expect, it } from "vitest";
import { type CatalogRecord, stringsOf } from "../../../src/catalog/record.ts";
import type { LoadReply } from "../../../src/import/load/decision.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { loadRecord } from "../../../src/worker/imports/load-record.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { emptyCatalog, query } from "../../support/worker/desk.ts";
import { IMPORTER, importing } from "../../support/worker/importing.ts";
import { HAS_LIBRARY_FILES, libraryFiles, libraryRecords } from "../../support/worker/library-files.ts";
import { losing } from "../../support/worker/queues.ts";
import { language } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

async function allRecords(): Promise<ImportRecord[]> {
  const files = libraryFiles("marc/bin", "marc/xml", "external/marc");
  return (await Promise.all(files.map(libraryRecords))).flat();
}

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

describe.skipIf(!HAS_LIBRARY_FILES)("all records of libraries", () => {
  const records: ImportRecord[] = [];

  beforeAll(async () => {
    await emptyCatalog();
    records.push(...(await allRecords()));
    await service.loadUnindexed(...languagesOf(records));
  });

  const loadAll = async (atOnce: number): Promise<LoadReply[]> => {
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
  };

  it("change nothing when they are imported again", async () => {
    expect(records.length).toBeGreaterThan(500);
    const first = await loadAll(1);
    const before = await catalogNow();
    const again = await loadAll(8);
    for (const [index, { edition, work }] of again.entries()) {
      expect({ index, edition, work }).toEqual({
        index,
        edition: { key: first[index]?.edition.key, status: "matched" },
        work: { key: first[index]?.work.key, status: "matched" },
      });
    }
    expect(await catalogNow()).toEqual(before);
    expect(await catalogFaults()).toEqual([]);
  }, 180_000);
});
