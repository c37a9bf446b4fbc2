import { expect } from "vitest";
import type { ImportResponse } from "../../../src/import/records/decision.ts";
import type { ImportRecord } from "../../../src/import/record.ts";
import { importRecord } from "../../../src/worker/imports/import-record.ts";
import { catalogFaults } from "./catalog-audit.ts";
import { query } from "./desk.ts";
import { IMPORTER, importing } from "./importing.ts";
import { losing } from "./queues.ts";

/** Records imported in parallel the second time. */
const PARALLEL = 8;

/** Imports records one by one, then again in parallel: the second time all are matched, and nothing is written. */
export async function expectSecondImportUnchanged(records: readonly ImportRecord[]): Promise<void> {
  const first = await importAll(records, 1);
  const before = await catalogState();
  const second = await importAll(records, PARALLEL);
  for (const [index, { edition, work }] of second.entries()) {
    expect({ index, edition, work }).toEqual({
      index,
      edition: { key: first[index]?.edition.key, status: "matched" },
      work: { key: first[index]?.work.key, status: "matched" },
    });
  }
  expect(await catalogState()).toEqual(before);
  expect(await catalogFaults()).toEqual([]);
}

async function importAll(records: readonly ImportRecord[], parallel: number): Promise<ImportResponse[]> {
  const replies: ImportResponse[] = [];
  await losing(async () => {
    const context = importing();
    const load = (record: ImportRecord): Promise<ImportResponse> =>
      importRecord(context, record, { author: IMPORTER, bot: true, ip: null });
    for (let at = 0; at < records.length; at += parallel) {
      replies.push(...(await Promise.all(records.slice(at, at + parallel).map(load))));
    }
    await context.settled();
  });
  return replies;
}

/** Everything that an import could have changed. */
async function catalogState() {
  return {
    records: await query("SELECT key, revision, change_id FROM record ORDER BY key"),
    changes: await query("SELECT count(*) AS count, max(id) AS last FROM change"),
    covers: await query("SELECT count(*) AS count FROM cover"),
    sequences: await query("SELECT * FROM sequence ORDER BY name"),
  };
}
