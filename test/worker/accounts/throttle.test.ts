import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Throttle } from "../../../src/durable/throttle.ts";
import { attempt } from "../../../src/worker/accounts/budgets.ts";
import { storesOf } from "../../../src/worker/http/bindings.ts";
import type { RequestContext } from "../../../src/worker/http/operation.ts";

// Far from the real clock, by which alarms run.
const START = Date.parse("2100-01-01T00:00:00Z");
const BUDGET = { limit: 3, seconds: 60 };

let subjects = 0;
const subject = () => env.THROTTLE.getByName(`subject ${(subjects += 1)}`);
const countTimes = async (stub: ReturnType<typeof subject>, times: number, now: number): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) await stub.count(now, BUDGET);
};

describe("Throttle: wait and count", () => {
  it("has room until it is used up", async () => {
    const stub = subject();
    for (let used = 0; used < BUDGET.limit; used += 1) {
      expect(await stub.wait(START + used, BUDGET)).toBe(0);
      await stub.count(START + used, BUDGET);
    }
    expect(await stub.wait(START + 3, BUDGET)).toBe(60);
  });

  it("is renewed when its time is over, counted from the first event", async () => {
    const stub = subject();
    await stub.count(START, BUDGET);
    await countTimes(stub, 2, START + 59_000);
    expect(await stub.wait(START + 59_000, BUDGET)).toBe(1);
    expect(await stub.wait(START + 59_999, BUDGET)).toBe(1);
    expect(await stub.wait(START + 60_000, BUDGET)).toBe(0);
    await countTimes(stub, 3, START + 60_000);
    expect(await stub.wait(START + 60_000, BUDGET)).toBe(60);
  });

  it("does not last longer for events beyond it", async () => {
    const stub = subject();
    await countTimes(stub, 3, START);
    await countTimes(stub, 5, START + 30_000);
    expect(await stub.wait(START + 30_000, BUDGET)).toBe(30);
    expect(await stub.wait(START + 60_000, BUDGET)).toBe(0);
  });
});

describe("Throttle: take and settle", () => {
  it("take room until it is used up", async () => {
    const stub = subject();
    const turns = [];
    for (let used = 0; used < BUDGET.limit; used += 1) turns.push(await stub.take(START, BUDGET));
    expect(turns.map(({ wait }) => wait)).toEqual([0, 0, 0]);
    expect(turns.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    for (const turn of turns) await stub.settle(turn, true);
    expect(await stub.take(START + 1000, BUDGET)).toEqual({ wait: 59, opened: START, isLast: false });
    expect((await stub.take(START + 60_000, BUDGET)).wait).toBe(0);
  });

  it("wait for pending attempts, whose room may be released", async () => {
    const stub = subject();
    const done = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const turn = await stub.take(START, BUDGET);
        if (turn.wait === 0) await stub.settle(turn, index % 2 === 0);
        return turn.wait === 0 && index % 2 === 0 ? "counted" : turn.wait;
      }),
    );
    expect(done.filter((one) => one === "counted")).toHaveLength(BUDGET.limit);
    expect(await stub.take(START, BUDGET)).toEqual({ wait: 60, opened: START, isLast: false });
  });

  it("release room of the current period only", async () => {
    const stub = subject();
    const old = await stub.take(START, BUDGET);
    for (let used = 0; used < BUDGET.limit; used += 1) {
      await stub.settle(await stub.take(START + 60_000, BUDGET), true);
    }
    expect((await stub.take(START + 60_000, BUDGET)).wait).toBe(60);
    await stub.settle(old, false);
    expect((await stub.take(START + 60_000, BUDGET)).wait).toBe(60);
  });
});

describe("attempt (Q153)", () => {
  // All that an attempt reads.
  const context = { stores: storesOf(env), now: START } as RequestContext;
  const budget = { limit: 1, seconds: 60 };
  const bucket = () => ({ name: `attempt ${(subjects += 1)}`, budget });
  const waitOf = ({ name }: { name: string }): Promise<number> =>
    Promise.resolve(env.THROTTLE.getByName(name).wait(START, budget));
  const make = (isCounted: boolean) => async () => ({ value: "made", isCounted });

  it.each([
    ["counts", 60, make(true)],
    ["does not count", 0, make(false)],
    ["throws", 60, () => Promise.reject(new Error("made"))],
  ])("that %s leaves budgets of one event to wait %i seconds", async (_name, wait, makeOne) => {
    const buckets = [bucket(), bucket()];
    const made = await attempt(context, buckets, makeOne).catch(({ message }: Error) => message);
    expect([made, ...(await Promise.all(buckets.map(waitOf)))]).toEqual(["made", wait, wait]);
  });

  it("is not made if one budget is used up, and takes no room of the others", async () => {
    const [free, used, next] = [bucket(), bucket(), bucket()];
    await attempt(context, [used], make(true));
    const events: string[] = [];
    const log = (event: string) => async () => void events.push(event);
    const makeOne = () => log("made")().then(make(true));
    await expect(attempt(context, [free, used, next], makeOne, log("refused"))).rejects.toMatchObject({
      status: 429,
      headers: { "Retry-After": "60" },
    });
    expect(events).toEqual(["refused"]);
    expect(await Promise.all([free, used, next].map(waitOf))).toEqual([0, 60, 0]);
  });
});

describe("Throttle: storage", () => {
  const rows = (stub: ReturnType<typeof subject>): Promise<unknown[]> =>
    runInDurableObject(stub, (instance, state) => {
      expect(instance).toBeInstanceOf(Throttle);
      return state.storage.sql.exec("SELECT opened, used FROM budget").toArray();
    });
  const alarmOf = (stub: ReturnType<typeof subject>): Promise<number | null> =>
    runInDurableObject(stub, (_instance, state) => state.storage.getAlarm());

  it("stores nothing when only asked", async () => {
    const stub = subject();
    await stub.wait(START, BUDGET);
    expect(await rows(stub)).toEqual([]);
    expect(await alarmOf(stub)).toBeNull();
  });

  it("deletes its row after the period, and counts again", async () => {
    const stub = subject();
    await countTimes(stub, 3, START);
    expect(await alarmOf(stub)).toBe(START + 60_000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await alarmOf(stub)).toBeNull();
    expect(await stub.wait(START, BUDGET)).toBe(0);
    await countTimes(stub, 3, START);
    expect(await stub.wait(START, BUDGET)).toBe(60);
  });
});
