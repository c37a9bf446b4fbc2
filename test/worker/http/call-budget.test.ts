import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openMoves } from "../../../src/db/patrons/patron-jobs.ts";
import { batchRows, rows } from "../../../src/db/statement.ts";
import { type Stores, storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { BUDGET_CALLS, withBudget } from "../../../src/worker/http/call-budget.ts";
import { jobsOf } from "../../../src/worker/http/queue.ts";
import { createSearchEngine } from "../../../src/worker/listeners/search-engine/routes.ts";
import { patronJobQueue } from "../../../src/worker/patrons/jobs.ts";
import { delivered } from "../../support/worker/import-queue.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { emptyQueues, losing } from "../../support/worker/queues.ts";
import { redirected, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { uploadLibrary } from "../../support/worker/upload-library.ts";

const service = testService();
const numbers = (count: number): number[] => Array.from({ length: count }, (_number, index) => index + 1);

describe("the budget of calls", () => {
  const one = { sql: "SELECT 1", values: [] };
  const statement = ({ catalog }: Stores) => rows(catalog, one);
  const batch = async ({ search, patrons }: Stores) => {
    await batchRows(
      search,
      numbers(99).map(() => one),
    );
    await rows(patrons.withSession("first-primary"), one);
  };
  const others = ({ patron, cache }: Stores) =>
    Promise.all([patron.getByName("anyone").shelves.sizes(), cache.get("anything")]);

  it.each([
    ["statements", statement, BUDGET_CALLS],
    ["statements of batches", batch, BUDGET_CALLS / 100],
    ["calls of other stores", others, BUDGET_CALLS / 2],
  ])("counts %s", async (_what, step, steps) => {
    const { stores, budget } = withBudget({ stores: storesOf(env), sources: systemSources }, 60_000);
    let taken = 0;
    for (; taken === 0 || !budget.isOver(); taken += 1) await step(stores);
    expect([taken, budget.used]).toEqual([steps, BUDGET_CALLS]);
  });

  it("ends with its time", () => {
    let now = 0;
    const { budget } = withBudget({ stores: storesOf(env), sources: { now: () => now } }, 1000);
    expect(budget.isOver()).toBe(false);
    now = 1000;
    expect(budget.isOver()).toBe(true);
  });
});

/** Milliseconds: only the calls end an invocation here, on a slow machine too. */
const NO_TIME_LIMIT = 3_600_000;

/** Delivers a message, and those that its job sends to continue. Returns the calls of each. */
async function callsOf(message: unknown): Promise<number[]> {
  const sent = [message];
  const queue = { send: async (next: unknown) => void sent.push(next) };
  const calls: number[] = [];
  for (let body = sent.shift(); body !== undefined; body = sent.shift()) {
    // Only this member is called.
    const jobs = jobsOf({ ...env, PATRON_JOBS: queue as unknown as Queue }, NO_TIME_LIMIT);
    expect(await delivered(patronJobQueue.work, jobs, [body])).toEqual(["done"]);
    calls.push(jobs.budget.used);
  }
  return calls;
}

describe("a message of carrel-patron-jobs", () => {
  it("that moves a work leaves the other patrons to further messages", async () => {
    await service.load(work(1), redirected(workKey(2), workKey(1)));
    await emptyQueues();
    const names = numbers(420).map((number) => `reader${number}`);
    const sql = `INSERT INTO patron_work (patron, work_id, sequence, held, shelf, logged, moved)
                 SELECT value, 2, 1, 1, 1, 1, 1 FROM json_each(?)`;
    await env.PATRONS.prepare(sql).bind(JSON.stringify(names)).run();
    await openMoves(env.PATRONS, [{ work: 2, isNew: false }], Date.now());
    // A page of 100 patrons takes 102 calls. What the patrons send would have the log followed, which restarts the move.
    expect(await losing(() => callsOf({ kind: "move-work", work: 2 }))).toEqual([412, 27]);
    expect(await env.PATRONS.prepare("SELECT after FROM work_move").first("after")).toBe("");
  });

  it("that imports a reading log leaves the other rows to further messages", async () => {
    const text = numbers(200).map(
      (number) => `No such book ${number}: a novel,Nobody ${number} Jr,to-read\n`,
    );
    const reader = await loggedIn(service, "Importer");
    await losing(() =>
      uploadLibrary(reader, "/account/import", `Title,Author,Exclusive Shelf\n${text.join("")}`),
    );
    const { imports } = env.PATRON.getByName("importer");
    const { id = "" } = (await imports.state()) ?? {};
    // Three searches a row; ten rows at a time share a call.
    expect(await callsOf({ kind: "import", patron: "importer", id })).toEqual([302, 302, 3]);
    expect(await imports.state()).toMatchObject({ status: "done", done: 200 });
  });
});

describe("an answer that uses up its budget", () => {
  it("/changes/stream ends, and resumes after Last-Event-ID", async () => {
    const sql = `INSERT INTO change (kind, created, changes) SELECT 'edit', '2026', '[]' FROM json_each(?)`;
    await env.CATALOG.prepare(sql)
      .bind(JSON.stringify(numbers(900)))
      .run();
    const log = await service.json("/changes.json?since=0&limit=800");
    const { changes } = log as { changes: { id: number }[] };
    const ids = [0];
    for (const count of [400, 800]) {
      const response = await service.fetch("/changes/stream", {
        headers: { "Last-Event-ID": `${ids.at(-1)}` },
      });
      const events = [...(await response.text()).matchAll(/^id: (\d+)$/gm)];
      ids.push(...events.map(([, id]) => Number(id)));
      // Five statements for four changes.
      expect(ids).toHaveLength(1 + count);
    }
    expect(ids).toEqual([0, ...changes.map(({ id }) => id)]);
  });

  it("/export ends with a cursor for the rest", async () => {
    await service.load(...numbers(1200).map((number) => work(1000 + number, { title: "Exported" })));
    await indexAll();
    // Each look at the clock takes five minutes of the ten.
    let now = 0;
    const site = createSearchEngine("OL", { ...systemSources, now: () => (now += 300_000) });
    const keys: string[] = [];
    const sizes: number[] = [];
    for (let cursor = ""; cursor !== "end";) {
      const address = `http://search.test/solr/x/export?q=title:exported&fl=key&sort=key%20asc${cursor}`;
      const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
      const response = await site.fetch(new Request(address, { headers }), env, createExecutionContext());
      const { response: found, nextCursorMark } = await response.json<{
        response: { docs: { key: string }[] };
        nextCursorMark?: string;
      }>();
      keys.push(...found.docs.map(({ key }) => key));
      sizes.push(found.docs.length);
      cursor = nextCursorMark === undefined ? "end" : `&cursorMark=${encodeURIComponent(nextCursorMark)}`;
    }
    expect(sizes).toEqual([1000, 200]);
    expect(keys).toEqual(numbers(1200).map((number) => workKey(1000 + number)));
  });
});
