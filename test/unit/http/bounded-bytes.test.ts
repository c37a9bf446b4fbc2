import { describe, expect, it } from "vitest";
import { boundedBytes } from "../../../src/worker/http/bytes.ts";

/** A body that goes on for ever, in chunks of three bytes; `asked` counts them. */
function endless() {
  const counted = { asked: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        counted.asked += 1;
        controller.enqueue(Uint8Array.of(1, 2, 3));
      },
      cancel() {
        counted.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, counted };
}

const bodyOf = (...bytes: number[]): ReadableStream<Uint8Array> | null =>
  new Response(new Uint8Array(bytes)).body;

describe("boundedBytes", () => {
  it("reads a short body", async () => {
    expect(await boundedBytes(bodyOf(1, 2, 3), { limit: 3 })).toEqual(Uint8Array.of(1, 2, 3));
    expect(await boundedBytes(bodyOf(1, 2, 3), { limit: 9, cut: true })).toEqual(Uint8Array.of(1, 2, 3));
    expect(await boundedBytes(null, { limit: 0 })).toEqual(new Uint8Array());
  });

  it("refuses a long body without reading further", async () => {
    expect(await boundedBytes(bodyOf(1, 2, 3), { limit: 2 })).toBeUndefined();
    const { body, counted } = endless();
    expect(await boundedBytes(body, { limit: 6 })).toBeUndefined();
    expect(counted).toEqual({ asked: 3, isCancelled: true });
  });

  it("truncates a body without waiting for the rest", async () => {
    const { body, counted } = endless();
    expect(await boundedBytes(body, { limit: 5, cut: true })).toEqual(Uint8Array.of(1, 2, 3, 1, 2));
    expect(counted).toEqual({ asked: 2, isCancelled: true });
    const exact = endless();
    expect(await boundedBytes(exact.body, { limit: 6, cut: true })).toHaveLength(6);
    expect(exact.counted.asked).toBe(2);
  });
});
