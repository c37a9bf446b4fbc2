import { expect, it } from "vitest";
import type { Throttle } from "../../../src/durable/throttle.ts";
import { WrittenBytes } from "../../../src/durable/written-bytes.ts";

const MIB = 1024 * 1024;

/** Saves changes of 50 kB and returns the bytes of each call to the object of the account. */
async function charge({ changes, limit }: { changes: number; limit: number }): Promise<number[]> {
  const calls: number[] = [];
  const throttle = { spend: async (_now: number, bytes: number) => (calls.push(bytes), 0) };
  // Only `spend` is called.
  const throttles = { getByName: () => throttle } as unknown as DurableObjectNamespace<Throttle>;
  const written = new WrittenBytes(throttles);
  const writer = { author: "/people/joe", budgets: [{ limit, seconds: 3600 }] };
  for (let n = 0; n < changes; n += 1) {
    expect(await written.chargeFor(writer, 0)(50_000)).toBeUndefined();
  }
  return calls;
}

it("WrittenBytes sums small changes before it calls an object", async () => {
  expect(await charge({ changes: 4, limit: 20 * MIB })).toEqual([100_000, 100_000]);
});

it("WrittenBytes sums more of a larger budget", async () => {
  expect(await charge({ changes: 67, limit: 1024 * MIB })).toEqual([]);
  expect(await charge({ changes: 68, limit: 1024 * MIB })).toEqual([3_400_000]);
});
