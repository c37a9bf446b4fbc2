import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { noteImport } from "../../../../src/db/patrons/patron-jobs.ts";
import { STEPS } from "../../../../src/durable/patron/schema.ts";
import { upgrade } from "../../../../src/durable/storage.ts";
import { systemSources } from "../../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../../src/worker/http/queue.ts";
import { continueImports } from "../../../../src/worker/patrons/data/own-import-job.ts";
import { edition, work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService();

describe("an import that began before rows had details", () => {
  it("keeps its rows, and imports the remaining ones with their dates", async () => {
    await service.load(
      work(1),
      work(2),
      edition(11, { work: 1, isbn_13: ["9780451526533"] }),
      edition(12, { work: 2, isbn_13: ["9780140328721"] }),
    );
    const own = env.PATRON.getByName("upgraded");
    await runInDurableObject(own, async (_object, { storage }) => {
      await storage.deleteAll();
      const added = STEPS.findIndex((step) => step.includes("import_list"));
      upgrade(storage, STEPS.slice(0, added));
      const { sql } = storage;
      sql.exec("INSERT INTO import (id, created, updated) VALUES ('old', 1, 2)");
      const row = `INSERT INTO import_row
        (position, title, author, isbn, shelf, stars, finished, note, problem, is_done)
        VALUES (?, ?, 'A. Writer', ?, 3, 5, ?, 'Good', ?, ?)`;
      sql.exec(row, 1, "Done", "0306406152", "2023-01-02", null, 1);
      sql.exec(row, 2, "Missing", null, null, "no-isbn", 0);
      sql.exec(row, 3, "Rivers", "0451526538", "2024-03-07", null, 0);
      sql.exec(row, 4, "Hills", "9780140328721", null, null, 0);
      upgrade(storage, STEPS);
    });
    expect(await own.imports.state()).toMatchObject({ id: "old", status: "running", total: 4, done: 2 });
    expect(await own.imports.missing(10)).toMatchObject([
      { position: 2, title: "Missing", problem: "no-isbn", candidates: [] },
    ]);
    expect(await own.imports.waiting("old", 10)).toMatchObject([
      { position: 3, isbn: "0451526538", details: { events: [{ type: 3, date: "2024-03-07" }] } },
      { position: 4, isbn: "9780140328721", details: {} },
    ]);

    await noteImport(env.PATRONS, { patron: "upgraded", id: "old" }, service.now);
    const sources = { ...systemSources, now: () => service.now + 3_600_000 };
    await continueImports({ ...jobsOf(env), sources });
    expect(await own.imports.state()).toMatchObject({ status: "done", imported: 3 });
    expect(await own.diary.checkIns(1)).toMatchObject([{ type: 3, date: "2024-03-07", edition: 11 }]);
    expect(await own.diary.checkIns(2)).toEqual([]);
    expect(await own.shelves.entries([1, 2])).toHaveLength(2);
    expect(await own.imports.lists()).toEqual([]);
  });
});
