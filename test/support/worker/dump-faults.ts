import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { type DumpMessage, beginDelta, beginFull } from "../../../src/worker/dumps/schedule.ts";
import { DUMP_LEASE_MS, runDump } from "../../../src/worker/dumps/jobs.ts";
import type { BudgetedJobs } from "../../../src/worker/http/queue.ts";
import { breakingDatabase } from "./breaking.ts";
import { type Dumping, checksums, dumpOf, dumping } from "./dumps.ts";
import { author, edition, redirected, work } from "./records.ts";
import { type TestService, testService } from "./service.ts";
import { emptyStores } from "./stored.ts";

/** A kind of dump that tests disturb while it is made. */
export interface DisturbedDump {
  readonly kind: "full" | "delta";
  readonly date: string;
  begin(jobs: BudgetedJobs): ReturnType<typeof beginFull>;
}

/** Has every stage of records, and 15 files. */
export const FULL: DisturbedDump = { kind: "full", date: "2026-11-21", begin: beginFull };
/** Has one file. */
export const DELTA: DisturbedDump = {
  kind: "delta",
  date: "2026-11-20",
  begin: (jobs) => beginDelta("2026-11-20", jobs),
};

/** Starts a service whose few records were loaded the day before. */
export async function serviceToDump(): Promise<TestService> {
  await emptyStores();
  const service = testService();
  service.now -= 86_400_000;
  await service.loadUnindexed(author(1), work(1, { authors: [1] }), edition(1, { work: 1 }));
  await service.loadUnindexed(work(1, { revision: 2 }), redirected("/works/OL2W", "/works/OL1W", 1));
  service.now += 86_400_000;
  return service;
}

/** Makes a dump that nothing disturbs and forgets it, but for the checksums of its files. */
export async function undisturbed(
  service: TestService,
  { kind, begin }: DisturbedDump,
): Promise<Record<string, string>> {
  const start = service.now;
  const making = dumping(service);
  await begin(making.jobs);
  await making.run();
  const found = await checksums(service, kind);
  await env.CATALOG.batch(
    ["dump_member", "dump_file", "dump"].map((table) => env.CATALOG.prepare(`DELETE FROM ${table}`)),
  );
  service.now = start;
  return found;
}

/** Expects the files to be published as they are without disturbance, and nothing else to be left. */
export async function expectPublished(
  service: TestService,
  { kind, date }: DisturbedDump,
  expected: Record<string, string>,
): Promise<void> {
  expect(await dumpOf(kind, date)).toMatchObject({ state: "published", stage: "done", problem: null });
  expect(await checksums(service, kind)).toEqual(expected);
  const left = await env.CATALOG.prepare("SELECT count(*) AS n FROM dump_member").first<{ n: number }>();
  expect(left?.n).toBe(0);
}

/** Counts calls, and fails at one of them. */
interface Breaking {
  calls: number;
  failsAt: number;
}

/** Makes a dump while every call of the database fails once; returns how many did. */
export async function dumpWithBrokenDatabase(service: TestService, dump: DisturbedDump): Promise<number> {
  const making = dumping(service);
  const breaking = breakingDatabase(env.CATALOG);
  await dump.begin(making.jobs);
  const broken = { ...making.jobs, stores: { ...making.jobs.stores, catalog: breaking.database } };
  return runThrough(service, making, { jobs: broken, breaking });
}

/** Makes a dump while every call of R2 fails once, before or after it is made; returns how many did. */
export async function dumpWithBrokenBucket(
  service: TestService,
  dump: DisturbedDump,
  when: "before" | "after",
): Promise<number> {
  const making = dumping(service);
  const { bucket, state } = breakingBucket(env.ARCHIVE, when);
  await dump.begin(making.jobs);
  const broken = { ...making.jobs, stores: { ...making.jobs.stores, archive: bucket } };
  return runThrough(service, making, { jobs: broken, breaking: state });
}

/** Makes a dump of which every message comes twice at a time, and the first one and the last three come again. */
export async function dumpWithRepeatedMessages(service: TestService, dump: DisturbedDump): Promise<void> {
  const { jobs, sent } = dumping(service);
  await dump.begin(jobs);
  const old: DumpMessage[] = [];
  for (let message = sent.shift(); message !== undefined; message = sent.shift()) {
    const same = message;
    old.push(same);
    await Promise.all([runDump(same, jobs), runDump(same, jobs)]);
    for (const one of [...old.slice(0, 1), ...old.slice(-3)]) await runDump(one, jobs);
    expect(sent.length).toBeLessThanOrEqual(1);
  }
}

/**
 * Delivers messages until there are none. Each is delivered so often that every call which its step makes has failed once;
 * returns how often that was.
 */
async function runThrough(
  service: TestService,
  { sent }: Dumping,
  { jobs, breaking }: { jobs: BudgetedJobs; breaking: Breaking },
): Promise<number> {
  const breaksOff = async (message: DumpMessage): Promise<boolean> => {
    try {
      await runDump(message, jobs);
      return breaking.calls >= breaking.failsAt;
    } catch {
      // The worker that had it counts as lost.
      service.now += DUMP_LEASE_MS;
      return true;
    }
  };
  let failures = 0;
  for (let message = sent.shift(); message !== undefined; message = sent.shift()) {
    Object.assign(breaking, { calls: 0, failsAt: 1 });
    while (await breaksOff(message)) {
      failures += 1;
      Object.assign(breaking, { calls: 0, failsAt: breaking.failsAt + 1 });
    }
  }
  return failures;
}

/** Wraps a bucket so that one of its calls fails, before the call is made or after it. */
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
