import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readCatalogWaiting } from "../../../src/db/service/totals.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

/** Items that failed long ago, on a service that has imported for years. */
const OLD_FAILURES = 3000;
const HOUR = "2026-11-21T11:00:00.000000";

it("failed imports of the last hour are counted without reading older failures", async () => {
  await env.CATALOG.prepare(
    "INSERT INTO import_batch (name, submit_time, updated) VALUES ('old', '', '')",
  ).run();
  await env.CATALOG.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO import_item (batch_id, added_time, ia_id, status, error, import_time)
     SELECT (SELECT id FROM import_batch WHERE name = 'old'), '', 'old:' || i, 'failed', 'invalid-marc-record',
            iif(i = 1, ?2, '2025-01-01T00:00:00.000000')
     FROM n`,
  )
    .bind(OLD_FAILURES, HOUR)
    .run();
  const { database, statements } = countedDatabase(env.CATALOG);
  expect(await readCatalogWaiting(database, HOUR)).toMatchObject({ failed_imports: 1, import_items: 0 });
  const { meta } = await env.CATALOG.prepare(statements[0] ?? "")
    .bind(HOUR)
    .all();
  expect(meta.rows_read).toBeGreaterThan(0);
  expect(meta.rows_read).toBeLessThan(OLD_FAILURES / 10);
});
