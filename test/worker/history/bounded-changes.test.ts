import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CHANGES_LOOKED_AT, readChanges } from "../../../src/db/history/changes.ts";
import { readVersions } from "../../../src/db/history/versions.ts";
import type { Database } from "../../../src/db/statement.ts";
import { measured } from "../../support/worker/measured.ts";
import { isPostgres } from "../../support/worker/postgres.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
/** More than are looked at, all of them by a bot but the first. */
const CHANGES = 3 * CHANGES_LOOKED_AT;
const page = { limit: 5, offset: 0, descending: true };
const byOthers = { keys: [], byBot: false };

// Q565
beforeAll(async () => {
  await service.loadUnindexed(work(1));
  await env.CATALOG.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?1 AS BIGINT))
     INSERT INTO change (id, kind, bot, created)
     SELECT 1000 + i, CASE WHEN i = 1 THEN 'odd' ELSE 'usual' END, CASE WHEN i > 1 THEN 1 ELSE 0 END, '2040-01-01T00:00:00.' || substr(CAST(1000000 + i AS TEXT), 2) FROM n`,
  )
    .bind(CHANGES)
    .run();
});

describe("changes by conditions without an index", () => {
  it.each<[string, (database: Database) => Promise<readonly unknown[]>]>([
    ["changes by people", (database) => readChanges(database, { bots: byOthers }, page)],
    ["several kinds", (database) => readChanges(database, { kinds: ["odd", "other"] }, page)],
    ["all kinds but some", (database) => readChanges(database, { notKinds: ["usual"] }, page)],
    ["a kind by people", (database) => readChanges(database, { kinds: ["usual"], bots: byOthers }, page)],
    ["revisions of a type", (database) => readVersions(database, { type: "/type/work" }, page)],
    ["revisions with a comment", (database) => readVersions(database, { comment: "none" }, page)],
  ])("look at a bounded number of changes: %s", async (_what, read) => {
    const [sums, database] = measured(env.CATALOG);
    expect(await read(database)).toEqual([]);
    // Each, and what its kind is compared with; PostgreSQL does not say.
    if (!isPostgres) expect(sums.rowsRead).toBeLessThan(2.1 * CHANGES_LOOKED_AT);
  });

  it("look at the newest changes before the end of a period", async () => {
    const first = `2040-01-01T00:00:00.${String(CHANGES_LOOKED_AT / 2).padStart(6, "0")}`;
    const found = await readChanges(env.CATALOG, { bots: byOthers, end: first }, page);
    expect(found.map(({ kind }) => kind)).toContain("odd");
  });

  it("look at the oldest changes in ascending order", async () => {
    const oldest = { ...page, descending: false };
    expect(await readVersions(env.CATALOG, { type: "/type/work" }, oldest)).toHaveLength(1);
  });

  it("are found by an index where there is one", async () => {
    expect(await readChanges(env.CATALOG, { kinds: ["odd"] }, page)).toHaveLength(1);
  });
});
