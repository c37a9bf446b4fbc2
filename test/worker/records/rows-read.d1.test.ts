import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readChanges } from "../../../src/db/history/changes.ts";
import { guardUnreferenced } from "../../../src/db/editing/author-references.ts";
import { readScanned, readWorksOfScans } from "../../../src/db/lending/holdings.ts";
import { readDeleted } from "../../../src/db/history/reverts.ts";
import { countEditions } from "../../../src/db/records/members.ts";
import { findTitles } from "../../../src/db/records/titles.ts";
import { readShortVersions, readVersions } from "../../../src/db/history/versions.ts";
import { readScans } from "../../../src/db/records/related.ts";
import { type Database, batchRows } from "../../../src/db/statement.ts";
import { measured } from "../../support/worker/measured.ts";
import { author, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
/** Of other works, each with a change of its own. */
const OTHERS = 1000;

beforeAll(async () => {
  const { CATALOG } = env;
  await service.loadUnindexed(author(1), work(1, { authors: [1] }), edition(1, { work: 1, ocaid: "scan1" }));
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${OTHERS})`;
  await CATALOG.batch([
    CATALOG.prepare(
      `${numbers} INSERT INTO change (id, kind, created) SELECT 1000 + i, 'edit-book', '2025-01-01T00:00:00.000000' FROM n`,
    ),
    CATALOG.prepare(`${numbers} INSERT INTO record
      SELECT id + 1000 + i, '/books/OL' || (1001 + i) || 'M', type, 1, 1000 + i, 0, created, last_modified,
        json_object('key', '/books/OL' || (1001 + i) || 'M', 'ocaid', 'other' || i)
      FROM n, (SELECT * FROM record WHERE key = '${editionKey(1)}')`),
    CATALOG.prepare(`INSERT INTO property
      SELECT n.name, '/works/OL' || id || 'W', id FROM record, (SELECT value AS name FROM json_each('["works","authors.author","title"]')) n
      WHERE key LIKE '/books/%' AND key <> '${editionKey(1)}'`),
    CATALOG.prepare(
      `INSERT OR IGNORE INTO identifier SELECT 'ocaid', document->>'$.ocaid', id FROM record WHERE key > '/books/OL1000M' AND key < '/books/P'`,
    ),
    CATALOG.prepare(`${numbers} INSERT INTO record
      SELECT id + 1000 + i, '/works/OL' || (1001 + i) || 'W', iif(i % 2, '/type/delete', '/type/redirect'), 1, 1, 0, created,
        last_modified, '{}' FROM n, (SELECT * FROM record WHERE key = '${workKey(1)}')`),
  ]);
});

describe("the number of rows read is independent of other records for", () => {
  const BOTH = { works: 5, editions: 5 };
  const page = { limit: 5, offset: 0, descending: true };

  it.each<[string, (database: Database) => Promise<unknown>]>([
    ["changes", (database) => readChanges(database, {}, page)],
    ["revisions of all records", (database) => readVersions(database, {}, page)],
    ["revisions of all records in short", (database) => readShortVersions(database, {}, page)],
    ["the history of a record", (database) => readVersions(database, { key: editionKey(1) }, page)],
    ["scans of a work", (database) => readScans(database, [workKey(1)])],
    ["scans of a work for availability", (database) => readScanned(database, "work", [workKey(1)])],
    ["editions of a work", (database) => countEditions(database, [workKey(1)])],
    ["books by title", (database) => findTitles(database, { titles: ["none"], author: undefined }, BOTH)],
    ["works of scans", (database) => readWorksOfScans(database, ["scan1"])],
    ["deleted records by key", (database) => readDeleted(database, [workKey(1)])],
    ["references to an author", (database) => batchRows(database, guardUnreferenced(["/authors/OL7A"]))],
  ])("%s", async (_what, read) => {
    const [sums, database] = measured(env.CATALOG);
    await read(database);
    expect(sums.rowsRead).toBeGreaterThan(0);
    expect(sums.rowsRead).toBeLessThan(OTHERS / 5);
  });
});
