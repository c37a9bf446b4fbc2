// A dump comes out the same whatever breaks off while it is made, or it is not published.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type DumpMessage, beginFull } from "../../../src/worker/dumps/begin.ts";
import { DUMP_IDLE_MS, sweepDumps } from "../../../src/worker/dumps/sweep.ts";
import { DUMP_FAILURES_MAX, DUMP_LEASE_MS, workDump } from "../../../src/worker/dumps/work.ts";
import type { Jobs } from "../../../src/worker/http/queue.ts";
import { breakingDatabase } from "../../support/worker/breaking.ts";
import { type Dumping, checksums, dumpAll, dumpOf, dumping } from "../../support/worker/dumps.ts";
import { author, edition, redirected, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const DATE = "2026-11-21";
let service: TestService;

beforeEach(async () => {
  await emptyStores();
  service = testService();
  await service.loadUnindexed(author(1), work(1, { authors: [1] }), edition(1, { work: 1 }));
  await service.loadUnindexed(work(1, { revision: 2 }), redirected("/works/OL2W", "/works/OL1W", 1));
});

/** Checksums of a dump that nothing has disturbed; nothing is left of it. */
async function undisturbed(): Promise<Record<string, string>> {
  const start = service.now;
  await dumpAll(service);
  const found = await checksums(service);
  await env.CATALOG.batch(
    ["dump_member", "dump_file", "dump"].map((table) => env.CATALOG.prepare(`DELETE FROM ${table}`)),
  );
  service.now = start;
  return found;
}

/** Counts calls, and fails at one of them. */
interface Breaking {
  calls: number;
  failsAt: number;
}

/**
 * Delivers messages until there are none. Each is delivered so often that every call which its step makes has failed once;
 * answers how often that was.
 */
async function runThrough({ sent }: Dumping, jobs: Jobs, breaking: Breaking): Promise<number> {
  let failures = 0;
  for (let message = sent.shift(); message !== undefined; message = sent.shift()) {
    for (let failsAt = 1; await breaksOff(message, jobs, Object.assign(breaking, { calls: 0, failsAt }));) {
      failures += 1;
      failsAt += 1;
    }
  }
  return failures;
}

async function breaksOff(message: DumpMessage, jobs: Jobs, breaking: Breaking): Promise<boolean> {
  try {
    await workDump(message, jobs);
    return breaking.calls >= breaking.failsAt;
  } catch {
    // Whoever had it counts as lost.
    service.now += DUMP_LEASE_MS;
    return true;
  }
}

async function expectPublished(expected: Record<string, string>): Promise<void> {
  expect(await dumpOf("full", DATE)).toMatchObject({ state: "published", stage: "done", problem: null });
  expect(await checksums(service)).toEqual(expected);
  const left = await env.CATALOG.prepare("SELECT count(*) AS n FROM dump_member").first<{ n: number }>();
  expect(left?.n).toBe(0);
}

/** A bucket that breaks with one of its calls, before the call is made or after it. */
function breakingBucket(target: R2Bucket, when: "before" | "after") {
  const state: Breaking = { calls: 0, failsAt: 0 };
  const wrap = <Target extends object>(of: Target): Target =>
    new Proxy(of, {
      get: (one, name) => {
        const member: unknown = Reflect.get(one, name, one);
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => {
          if (name === "resumeMultipartUpload") return wrap(Reflect.apply(member, one, values) as object);
          state.calls += 1;
          const isBroken = state.calls === state.failsAt;
          return (async () => {
            if (isBroken && when === "before") throw new Error("R2 is away");
            const result: unknown = await Reflect.apply(member, one, values);
            if (isBroken) throw new Error("the answer of R2 was lost");
            return result;
          })();
        };
      },
    });
  return { bucket: wrap(target), state };
}

describe("a dump", () => {
  it("is the same when the database fails at every call", async () => {
    const expected = await undisturbed();
    const making = dumping(service);
    const breaking = breakingDatabase(env.CATALOG);
    await beginFull(making.jobs);
    const broken = { ...making.jobs, stores: { ...making.jobs.stores, catalog: breaking.database } };
    expect(await runThrough(making, broken, breaking)).toBeGreaterThan(140);
    await expectPublished(expected);
  });

  it.each(["before", "after"] as const)("is the same when R2 fails %s every call", async (when) => {
    const expected = await undisturbed();
    const making = dumping(service);
    const { bucket, state } = breakingBucket(env.ARCHIVE, when);
    await beginFull(making.jobs);
    const broken = { ...making.jobs, stores: { ...making.jobs.stores, archive: bucket } };
    expect(await runThrough(making, broken, state)).toBeGreaterThan(50);
    await expectPublished(expected);
  });

  it("is the same when messages are doubled, old, or worked on side by side", async () => {
    const expected = await undisturbed();
    const making = dumping(service);
    const { jobs, sent } = making;
    await beginFull(jobs);
    const old: DumpMessage[] = [];
    for (let message = sent.shift(); message !== undefined; message = sent.shift()) {
      const same = message;
      old.push(same);
      await Promise.all([workDump(same, jobs), workDump(same, jobs)]);
      for (const one of old) await workDump(one, jobs);
      expect(sent.length).toBeLessThanOrEqual(1);
    }
    await expectPublished(expected);
  });

  it("is gone on with by the sweep when its message was lost, or who had it", async () => {
    const expected = await undisturbed();
    const { jobs, sent } = dumping(service);
    await beginFull(jobs);
    const [first] = sent.splice(0);
    // It breaks off in the middle, and not even that can be noted.
    const gone = {
      ...jobs.stores,
      archive: { put: () => new Promise(() => undefined) } as unknown as R2Bucket,
    };
    void workDump(first ?? { dump: 0, step: 0 }, { ...jobs, stores: gone });
    await vi.waitFor(async () => {
      const row = await env.CATALOG.prepare("SELECT lease FROM dump").first<{ lease: string | null }>();
      expect(row?.lease).toBeTypeOf("string");
    });
    await sweepDumps(jobs);
    expect(sent).toEqual([]);
    service.now += DUMP_IDLE_MS;
    for (let sweeps = 0; sweeps < 100; sweeps += 1) {
      await sweepDumps(jobs);
      const [message] = sent.splice(0);
      if (message === undefined) break;
      await workDump(message, jobs);
      // The next message is lost too.
      sent.splice(0);
      service.now += DUMP_IDLE_MS;
    }
    await expectPublished(expected);
  });

  it("is not published when what lies in R2 is something else, and the newest one stays", async () => {
    const before = await undisturbed();
    await dumpAll(service);
    service.now += 86_400_000;
    const { jobs, run, step } = dumping(service);
    await beginFull(jobs);
    for (let stage = ""; stage !== "verify"; { stage } = await dumpOf("full", "2026-11-22")) await step();
    const name = "ol_dump_2026-11-22/ol_dump_works_2026-11-22.txt.gz";
    const stored = await (await env.ARCHIVE.get(name))?.arrayBuffer();
    const bytes = new Uint8Array(stored ?? new ArrayBuffer(0));
    bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
    await env.ARCHIVE.put(name, bytes);
    await expect(run()).rejects.toThrow(/ol_dump_works_2026-11-22.*something else/);
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await run();
    errors.mockRestore();
    expect(await dumpOf("full", "2026-11-22")).toMatchObject({
      state: "failed",
      stage: "done",
      problem: expect.stringContaining("something else"),
    });
    expect((await env.ARCHIVE.list({ prefix: "ol_dump_2026-11-22/" })).objects).toEqual([]);
    expect((await env.ARCHIVE.list({ prefix: "dumps/" })).objects).toEqual([]);
    expect(await checksums(service)).toEqual(before);
    const latest = await service.fetch("/data/ol_dump_latest.txt.gz");
    expect(latest.headers.get("Location")).toBe(`/data/ol_dump_${DATE}.txt.gz`);
    // It can be begun again on the same day.
    const again = dumping(service);
    expect(await beginFull(again.jobs)).toMatchObject({ isNew: true, dump: { attempts: 2, problem: null } });
    await again.run();
    expect(await dumpOf("full", "2026-11-22")).toMatchObject({ state: "published" });
  });

  it("gives up the upload that it was at when it fails", async () => {
    const { jobs, run, step } = dumping(service);
    await beginFull(jobs);
    let upload: { id: string } | undefined;
    while (upload === undefined) {
      await step();
      const { stage, position } = await dumpOf("full", DATE);
      upload = stage === "compose" ? (JSON.parse(position).upload ?? undefined) : undefined;
    }
    const object = `ol_dump_${DATE}/ol_dump_${DATE}.txt.gz`;
    const begun = env.ARCHIVE.resumeMultipartUpload(object, upload.id);
    await begun.uploadPart(1, "of this upload");
    // Pieces of it are gone.
    await env.CATALOG.prepare("DELETE FROM dump_member").run();
    await expect(run()).rejects.toThrow("bytes of a file are missing");
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await run();
    errors.mockRestore();
    expect(await dumpOf("full", DATE)).toMatchObject({ state: "failed", stage: "done" });
    await expect(begun.uploadPart(2, "of this upload")).rejects.toThrow(/does not exist|10024/);
  });

  it("is given up when one of its steps never succeeds", async () => {
    const { jobs, sent } = dumping(service);
    await beginFull(jobs);
    const away = () => Promise.reject(new Error("R2 is away"));
    const stores = { ...jobs.stores, archive: { put: away } as unknown as R2Bucket };
    const [message = { dump: 0, step: 0 }] = sent.splice(0);
    for (let times = 1; times <= DUMP_FAILURES_MAX; times += 1) {
      expect(await dumpOf("full", DATE)).toMatchObject({ state: "open", failures: times - 1 });
      await expect(workDump(message, { ...jobs, stores })).rejects.toThrow("R2 is away");
    }
    expect(await dumpOf("full", DATE)).toMatchObject({ state: "failed", stage: "clean" });
    expect(sent).toEqual([{ dump: message.dump, step: message.step + 1 }]);
  });
});
