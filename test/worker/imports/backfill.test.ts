import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { idRangeOf } from "../../../src/catalog/key-numbers.ts";
import { BACKFILL_RECORDS, runBackfillPage } from "../../../src/db/imports/backfill.ts";
import worker from "../../../src/worker/index.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { done, emptyCatalog, query, save } from "../../support/worker/desk.ts";
import { author, authorKey, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { indexRows } from "../../support/worker/stored.ts";

const service = testService();
const NEW_ROWS = "name IN ('alternate_names', 'name_years', 'author_title', 'long_title')";
const AUTHORS = BACKFILL_RECORDS + 20;

/** Restores a catalog of the previous release. */
async function asBefore(): Promise<void> {
  await env.CATALOG.batch([
    env.CATALOG.prepare(`DELETE FROM property WHERE ${NEW_ROWS}`),
    env.CATALOG.prepare("DELETE FROM identifier WHERE kind = 'local_id'"),
    env.CATALOG.prepare("INSERT INTO index_backfill (name, position) VALUES ('imports', 0)"),
  ]);
}

beforeEach(async () => {
  await emptyCatalog();
  await env.CATALOG.prepare("DELETE FROM index_backfill").run();
  const authors = Array.from({ length: AUTHORS }, (_one, n) =>
    author(n + 1, {
      name: `Name ${n}`,
      birth_date: "1850",
      death_date: "1910",
      alternate_names: [`Other ${n}`],
    }),
  );
  await service.loadUnindexed(
    ...authors,
    work(1, { authors: [1] }),
    work(2),
    edition(1, { work: 1, title: "Annual report of the board of health", local_id: ["urn:x:1", "urn:x:2"] }),
    edition(2, { work: 1, title: "Short", isbn_13: ["9780141439662"] }),
  );
});

describe("runBackfillPage", () => {
  it("adds missing import rows page by page", async () => {
    const rows = await indexRows();
    await asBefore();
    let pages = 0;
    while (await runBackfillPage(env.CATALOG, "OL")) pages += 1;
    expect(pages).toBe(2);
    expect(JSON.stringify(rows)).toContain("annualreportoftheboardofhealth");
    expect(JSON.stringify(rows)).toContain("urn:x:2");
    expect(await indexRows()).toEqual(rows);
    expect(await query("SELECT * FROM index_backfill")).toEqual([]);
    expect(await runBackfillPage(env.CATALOG, "OL")).toBe(false);
  });

  it("is resumed by the scheduled task", async () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const rows = await indexRows();
    await asBefore();
    await runBackfillPage(env.CATALOG, "OL");
    await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
    expect(await indexRows()).toEqual(rows);
    vi.restoreAllMocks();
  });

  it("keeps the rows of records that change meanwhile", async () => {
    await asBefore();
    let changes = 0;
    const edited = { key: authorKey(2), type: { key: "/type/author" }, name: "Name 1" };
    const changing = new Proxy(env.CATALOG, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name, of);
        if (typeof member !== "function") return member;
        if (name !== "batch") return member.bind(of);
        return async (statements: D1PreparedStatement[]) => {
          // Between the reading of a page and the writing of its rows.
          if ((changes += 1) === 1) {
            await service.loadUnindexed(
              author(1, { name: "Another", alternate_names: ["New"], revision: 2 }),
            );
            done(await save([{ ...edited, alternate_names: ["Other 1", "One more"] }]));
          }
          return of.batch(statements);
        };
      },
    });
    while (await runBackfillPage(changing, "OL"));
    expect(changes).toBeGreaterThan(1);
    const { from } = idRangeOf("A");
    expect(await query(`SELECT value FROM property WHERE record_id = ${from + 1} AND ${NEW_ROWS}`)).toEqual([
      { value: "new" },
    ]);
    const others = await query(
      `SELECT value FROM property WHERE record_id = ${from + 2} AND name = 'alternate_names' ORDER BY value`,
    );
    expect(others).toEqual([{ value: "onemore" }, { value: "other1" }]);
    expect(await catalogFaults()).toEqual([]);
  });
});
