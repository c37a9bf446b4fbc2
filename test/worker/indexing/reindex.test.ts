import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countRanges } from "../../../src/db/indexing/ranges.ts";
import { readIndexState } from "../../../src/db/indexing/index-state.ts";
import { readProgress } from "../../../src/db/indexing/log.ts";
import worker from "../../../src/worker/index.ts";
import { indexProgress } from "../../../src/worker/indexing/indexing.ts";
import {
  COMMAND_HOLD_MS,
  beginRebuild,
  rebuildStep,
  resumeRebuild,
} from "../../../src/worker/indexing/rebuild.ts";
import { breakingDatabase } from "../../support/worker/breaking.ts";
import { CHANGING_CATALOG } from "../../support/worker/changing-catalog.ts";
import { NOTES, indexAll, indexedWorks, snapshot, testIndexing } from "../../support/worker/indexing.ts";
import { author, deleted, edition, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";
import { settleIndexQueue } from "../../support/worker/queues.ts";
import { emptyStores } from "../../support/worker/stored.ts";

vi.setConfig({ testTimeout: 120_000 });

const service = testService();

beforeEach(emptyStores);
afterEach(() => vi.restoreAllMocks());

const operator = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
const load = (...records: readonly TestRecord[]): Promise<unknown> => service.loadUnindexed(...records);
/** A rebuild whose every call ends as soon as it can. */
async function stepwise(between: () => Promise<void> = async () => {}): Promise<number> {
  let time = Date.now();
  const indexing = testIndexing({ now: () => (time += 1) });
  for (let calls = 1; ; calls += 1) {
    const { phase } = await rebuildStep(indexing, 6);
    if (phase === null) return calls;
    await between();
  }
}

describe("rebuildStep", () => {
  it("makes the same index as following the log", async () => {
    for (const records of CHANGING_CATALOG) {
      await load(...records);
      await indexAll();
    }
    const followed = await snapshot();
    await beginRebuild(testIndexing());
    expect((await rebuildStep(testIndexing(), 60_000)).phase).toBeNull();
    expect((await readIndexState(NOTES)).live).toBe("b");
    expect(await snapshot()).toEqual(followed);
    // And back, into a generation that holds an old index.
    await beginRebuild(testIndexing());
    await stepwise();
    expect((await readIndexState(NOTES)).live).toBe("a");
    expect(await snapshot()).toEqual(followed);
  });

  it("keeps the old generation for a minute, and then empties it", async () => {
    await load(work(1, { subjects: ["Sea"] }), edition(1, { work: 1 }));
    await indexAll();
    await beginRebuild(testIndexing());
    expect((await rebuildStep(testIndexing(), 60_000)).live).toBe("b");
    const before = await snapshot();
    await indexAll();
    expect((await indexedWorks("a")).size).toBe(1);
    await indexAll(testIndexing({ now: () => Date.now() + 61_000 }));
    expect(await snapshot("a")).toEqual({ works: [], tables: [[], [], [], [], []] });
    expect(await snapshot()).toEqual(before);
  });

  it("keeps its generation when that was about to be emptied", async () => {
    await load(work(1));
    await beginRebuild(testIndexing());
    await rebuildStep(testIndexing(), 60_000);
    await beginRebuild(testIndexing());
    const later = testIndexing({ now: () => Date.now() + 61_000 });
    await stepwise(async () => indexAll(later));
    expect((await readIndexState(NOTES)).live).toBe("a");
    expect((await indexedWorks()).size).toBe(1);
  });

  it("writes repeated words and values once", async () => {
    const members = { title: "Remarkable remarkable words", subjects: ["Sea"] };
    await load(...[1, 2, 3].map((number) => work(number, members)), edition(1, { work: 1 }));
    const rows = async (sql: string): Promise<unknown[]> => await env.SEARCH.prepare(sql).raw();
    for (let time = 0; time < 3; time += 1) {
      await beginRebuild(testIndexing());
      await stepwise();
      const { live } = await readIndexState(NOTES);
      expect(await rows(`SELECT term FROM spelling_${live} ORDER BY term`)).toEqual([
        ["edition"],
        ["remarkable"],
        ["words"],
      ]);
      const sea = `SELECT packed FROM facet_value_${live} WHERE value = 'Sea'`;
      expect(await rows(`SELECT id FROM work_facet_${live} WHERE subject = (${sea})`)).toHaveLength(3);
    }
  });

  it("yields after every page", async () => {
    await load(...[1, 2, 3].map((number) => work(number)));
    await beginRebuild(testIndexing());
    const waits = vi.spyOn(scheduler, "wait");
    await rebuildStep(testIndexing(), 60_000);
    // One page of works, and one of editions of which there are none.
    expect(waits.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  it("defers merging until its end", async () => {
    await load(work(1));
    await beginRebuild(testIndexing());
    const merging = new Set<string>();
    await stepwise(async () => {
      const { live, phase } = await readIndexState(NOTES);
      const sql = `SELECT k || ' ' || v FROM work_text_${live === "a" ? "b" : "a"}_config WHERE k <> 'version'`;
      const options = (await env.SEARCH.prepare(sql).raw()).flat();
      if (phase === "works") merging.add(options.join(", "));
    });
    const { live } = await readIndexState(NOTES);
    const options = await env.SEARCH.prepare(`SELECT k, v FROM work_text_${live}_config ORDER BY k`).raw();
    expect([...merging]).toEqual(["automerge 64, crisismerge 128"]);
    expect(options.filter(([name]) => name !== "version")).toEqual([
      ["automerge", 4],
      ["crisismerge", 16],
    ]);
  });

  it("resumes after a failure of any call", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const records of CHANGING_CATALOG) await load(...records);
    await indexAll();
    const before = await snapshot();
    await beginRebuild(testIndexing());
    const breaking = breakingDatabase(env.SEARCH);
    const indexing = testIndexing({ search: breaking.database });
    let failures = 0;
    for (let at = 1; ; at += 1) {
      Object.assign(breaking, { calls: 0, failsAt: at });
      try {
        if ((await rebuildStep(indexing, 60_000)).phase === null) break;
      } catch {
        failures += 1;
      }
    }
    expect(failures).toBeGreaterThan(10);
    expect(await snapshot()).toEqual(before);
  });

  it("does a page with every call", async () => {
    await load(work(1), author(1), edition(2));
    await beginRebuild(testIndexing());
    let calls = 0;
    for (let phase: string | null = "clear"; phase !== null && calls < 100; calls += 1)
      ({ phase } = await rebuildStep(testIndexing(), 0));
    expect(calls).toBeLessThan(100);
    expect((await indexedWorks()).size).toBe(2);
  });

  it("is shared by concurrent workers in ranges", async () => {
    for (const records of CHANGING_CATALOG) await load(...records);
    // On both sides of where a range ends.
    const numbers = [4_999, 5_000, 5_001, 10_000, 10_001];
    await load(
      ...numbers.flatMap((number) => [
        work(number, { title: `Work ${number}` }),
        author(number),
        edition(number, number % 2 === 0 ? {} : { work: number }),
      ]),
    );
    await indexAll();
    const followed = await snapshot();
    await beginRebuild(testIndexing());
    const { done } = await rebuildStep(testIndexing(), 60_000);
    await beginRebuild(testIndexing());
    const taken = await env.SEARCH.prepare(
      "SELECT phase, count(*) AS n FROM index_range GROUP BY phase",
    ).all();
    expect(taken.results).toEqual([
      { phase: "authors", n: 3 },
      { phase: "editions", n: 3 },
      { phase: "works", n: 3 },
    ]);
    for (let state = await readIndexState(NOTES); state.phase !== null; state = await readIndexState(NOTES)) {
      const calls = Math.min(4, Math.max(1, await countRanges(NOTES, state)));
      await Promise.all(Array.from({ length: calls }, () => rebuildStep(testIndexing(), 5)));
    }
    expect((await readIndexState(NOTES)).done).toBe(done);
    expect(await snapshot()).toEqual(followed);
  });

  it("takes over an abandoned range", async () => {
    await load(work(1));
    await beginRebuild(testIndexing());
    const HELD = new Date(Date.now() + 300).toISOString().replace("Z", "000");
    await env.SEARCH.prepare("UPDATE index_range SET held = ?1").bind(HELD).run();
    expect((await rebuildStep(testIndexing(), 50)).phase).toBe("works");
    expect((await rebuildStep(testIndexing(), 60_000)).phase).toBeNull();
    expect((await indexedWorks()).size).toBe(1);
  });

  it("follows writes meanwhile in both generations", async () => {
    const WORKS = 10;
    await load(...Array.from({ length: WORKS }, (_, index) => work(index + 1, { subjects: ["Sea"] })));
    await indexAll();
    await beginRebuild(testIndexing());
    const WRITES = 5;
    let step = 0;
    await stepwise(async () => {
      // A rebuild that does a page a call never ends while every call brings another page.
      if (step === WRITES) return;
      step += 1;
      await load(
        work(100 + step, { title: `New ${step}`, subjects: ["Sea", `Step ${step}`] }),
        edition(step, { work: (step % WORKS) + 1 }),
        work(WORKS, { title: `Revised ${step}`, revision: step + 1 }),
        ...(step === 2 ? [deleted(workKey(1), 2)] : []),
      );
      await indexAll();
      const live = await indexedWorks();
      expect(live.get(100 + step)?.document["title"]).toBe(`New ${step}`);
      expect(live.get(WORKS)?.document["title"]).toBe(`Revised ${step}`);
      expect(live.has(1)).toBe(step < 2);
    });
    expect(step).toBe(WRITES);
    const after = await snapshot();
    expect((await indexedWorks()).get(100 + step)).toBeDefined();
    await beginRebuild(testIndexing());
    await stepwise();
    expect(await snapshot()).toEqual(after);
  });
});

describe("a rebuild whose command was killed", () => {
  const PHASES = ["clear", "works", "editions", "authors", "subjects", "merge", "swap", "finish"];

  it.each(PHASES)("is finished by the sweep from its step %s", async (step) => {
    for (const records of CHANGING_CATALOG) await load(...records);
    await indexAll();
    const before = await snapshot();
    await beginRebuild(testIndexing());
    for (let { phase } = await readIndexState(NOTES); phase !== step;) {
      ({ phase } = await rebuildStep(testIndexing(), 0));
    }
    expect(await indexProgress(testIndexing())).toMatchObject({ rebuild: true });
    await worker.scheduled(createScheduledController(), env);
    await settleIndexQueue();
    expect(await readIndexState(NOTES)).toMatchObject({ live: "b", phase: null });
    expect(await snapshot()).toEqual(before);
    const { cursor, end } = await readProgress(env.CATALOG, "search");
    expect(cursor).toBe(end);
  });

  it("is left to a command that called within ten seconds", async () => {
    await load(work(1));
    await beginRebuild(testIndexing());
    const state = await rebuildStep(testIndexing(), 0, COMMAND_HOLD_MS);
    expect(await resumeRebuild(testIndexing(), state)).toBe(false);
    expect((await readIndexState(NOTES)).phase).toBe(state.phase);
    const later = testIndexing({ now: () => Date.now() + COMMAND_HOLD_MS });
    while (await resumeRebuild(later, state));
    expect((await indexedWorks()).size).toBe(1);
  });
});

interface Place {
  live: string;
  phase: string | null;
  done: number;
  total: number;
  finished: boolean;
}

describe("POST /system/reindex", () => {
  const call = async (body: unknown = {}): Promise<Place> => {
    const answer = await service.fetch("/system/reindex", {
      method: "POST",
      body: JSON.stringify(body),
      headers: operator,
    });
    expect(answer.status).toBe(200);
    return answer.json<Place>();
  };

  it("rebuilds until finished, and does nothing otherwise", async () => {
    await load(work(1), edition(1, { work: 1 }));
    expect(await call()).toMatchObject({ live: "a", phase: null, finished: true });
    let place = await call({ start: true });
    while (!place.finished) place = await call();
    const end = { live: "b", phase: null, done: 2, total: 2, ranges: 0, finished: true };
    expect(place).toMatchObject(end);
    expect(await call()).toMatchObject(end);
    expect((await indexedWorks()).size).toBe(1);
  });

  it("restarts", async () => {
    await load(work(1));
    await beginRebuild(testIndexing());
    await env.SEARCH.prepare("UPDATE index_state SET phase = 'lists', done = 77").run();
    let place = await call({ restart: true });
    while (!place.finished) place = await call();
    expect(place.done).toBe(1);
  });

  it("reports what an interrupted rebuild has done", async () => {
    await load(work(1), work(2), edition(1, { work: 1 }));
    await beginRebuild(testIndexing());
    while ((await rebuildStep(testIndexing(), 0)).phase !== "authors");
    expect(await call({ start: true })).toMatchObject({ before: 3, done: 3 });
  });

  it("refuses invalid bodies", async () => {
    const bad = await service.fetch("/system/reindex", {
      method: "POST",
      body: '{"go":1}',
      headers: operator,
    });
    expect(bad.status).toBe(400);
  });
});
