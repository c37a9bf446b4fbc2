import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { batchQueue, doublingDelay, jobsOf, queue } from "../../../src/worker/http/queue.ts";
import { UNSPENT } from "../../support/worker/budget.ts";

// The loop over messages that all queues share.

const jobs = { ...jobsOf(env), budget: UNSPENT };
const logged: unknown[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.spyOn(console, "error").mockImplementation((line: string) => void logged.push(JSON.parse(line)));
});
afterEach(() => vi.restoreAllMocks());

/** Messages, and what becomes of each. */
function messagesOf(bodies: readonly unknown[], attempts = 1) {
  const ends: string[] = [];
  const messages = bodies.map((body, index): Message => {
    const id = `m${index}`;
    return {
      id,
      body,
      attempts,
      timestamp: new Date(index),
      ack: () => void ends.push(`${id} done`),
      retry: (options) => void ends.push(`${id} again ${JSON.stringify(options)}`),
    };
  });
  return { messages, ends };
}

const declared = {
  name: "carrel-dumps",
  event: "dump",
  misfit: "not a number",
  message: z.number(),
} as const;
const failing = (n: number): Promise<void> =>
  n < 0 ? Promise.reject(new Error("too small")) : Promise.resolve();

describe("queue", () => {
  it("retries messages of another version, and drops invalid ones", async () => {
    const bodies = [{ kind: "new" }, ["new"], "new", null, 1];
    for (const [attempts, delaySeconds] of [
      [1, 60],
      [2, 120],
      [5, 960],
    ] as const) {
      const again = `again {"delaySeconds":${delaySeconds}}`;
      const expected = [`m0 ${again}`, `m1 ${again}`, "m2 done", "m3 done"];
      const single = messagesOf(bodies, attempts);
      await queue({ ...declared, work: failing }).work(single.messages, jobs);
      expect(single.ends).toEqual([...expected, "m4 done"]);
      const batch = messagesOf(bodies, attempts);
      await batchQueue({ ...declared, work: () => Promise.resolve() }).work(batch.messages, jobs);
      expect(batch.ends).toEqual(expected);
    }
    expect(logged[0]).toEqual({ level: "error", event: "dump", message: "m0", problem: "not a number" });
  });

  it("drops malformed messages, and continues after a failed one", async () => {
    const { messages, ends } = messagesOf(["x", -1, 1], 3);
    await queue({ ...declared, work: failing, retry: doublingDelay(30) }).work(messages, jobs);
    expect(ends).toEqual(["m0 done", 'm1 again {"delaySeconds":120}', "m2 done"]);
    expect(logged).toEqual([
      { level: "error", event: "dump", message: "m0", problem: "not a number" },
      { level: "error", event: "dump", message: "m1", error: "Error: too small" },
    ]);
  });

  it("leaves the delay to the platform, and logs the message's own fields", async () => {
    const { messages, ends } = messagesOf([-1]);
    await queue({ ...declared, work: failing, logged: (n) => ({ n }) }).work(messages, jobs);
    expect(ends).toEqual(["m0 again {}"]);
    expect(logged).toEqual([{ level: "error", event: "dump", n: -1, error: "Error: too small" }]);
  });

  it("sends messages again when its budget is over, without a failed attempt", async () => {
    const { messages, ends } = messagesOf([1, "x", 3]);
    const sent: unknown[] = [];
    const dumpJobs = { send: async (body: unknown) => void sent.push(body) };
    // Only this member is called.
    const stores = Object.assign({}, jobs.stores, { dumpJobs }) as unknown as typeof jobs.stores;
    const work = vi.fn(() => Promise.resolve());
    const budget = { used: 0, isOver: () => work.mock.calls.length > 0 };
    await queue({ ...declared, work }).work(messages, { ...jobs, stores, budget });
    expect([work.mock.calls.length, sent, ends]).toEqual([1, [3], ["m0 done", "m1 done", "m2 done"]]);
  });

  it("works on some messages concurrently", async () => {
    const { messages, ends } = messagesOf([1, 2, 3]);
    const gates = messages.map(() => Promise.withResolvers<void>());
    const work = vi.fn((n: number) => gates[n - 1]?.promise ?? Promise.resolve());
    const all = queue({ ...declared, atOnce: 2, work }).work(messages, jobs);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
    gates[1]?.resolve();
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(3));
    expect(ends).toEqual(["m1 done"]);
    for (const { resolve } of gates) resolve();
    await all;
    expect(ends.toSorted()).toEqual(["m0 done", "m1 done", "m2 done"]);
  });

  it("works on the valid messages of a batch together, and fails as a whole", async () => {
    const { messages, ends } = messagesOf([1, "x", 2]);
    const work = vi.fn(() => Promise.resolve());
    await batchQueue({ ...declared, work }).work(messages, jobs);
    expect(work.mock.calls).toMatchObject([
      [
        [
          { id: "m0", body: 1 },
          { id: "m2", body: 2 },
        ],
        jobs,
      ],
    ]);
    expect(logged).toMatchObject([{ message: "m1", problem: "not a number" }]);
    await batchQueue({ ...declared, work }).work(messages.slice(1, 2), jobs);
    expect(work).toHaveBeenCalledTimes(1);
    const gone = batchQueue({ ...declared, work: () => Promise.reject(new Error("gone")) });
    await expect(gone.work(messages, jobs)).rejects.toThrow("gone");
    expect(ends).toEqual(["m1 done", "m1 done", "m1 done"]);
  });
});
