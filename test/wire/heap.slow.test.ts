// No operation needs more memory than an isolate has on Cloudflare: V8's heap has that size, beyond which the runtime crashes.
import { expect, it } from "vitest";
import { measureHeap } from "../../bench/heap.ts";
import { HEAVY } from "../../bench/lib/heavy-operations.ts";

/**
 * A tenth of what `npm run bench -- heap` runs, or less. The photograph and the bodies have their full size: six bodies
 * together are several times as large as the room that an isolate has for them.
 */
const SIZES = { works: 2800, marcRecords: 600, rows: 1000, authorWorks: 1600, seeds: 2500, bodies: 6 };
const TIMEOUT_MS = 180_000;

it("heavy operations fit into the memory of an isolate", { timeout: TIMEOUT_MS }, async () => {
  const uses = await measureHeap(SIZES);
  expect(uses.map(({ name }) => name)).toEqual(HEAVY.map(([name]) => name));
});
