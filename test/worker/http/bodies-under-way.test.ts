import { expect, it, vi } from "vitest";
import { OPERATOR } from "../../support/worker/import-queue.ts";
import { testService } from "../../support/worker/service.ts";

const LARGE = 8 * 1024 * 1024;

const service = testService();

/** Sends a body of a size in a way that the returned function ends. */
function post(path: string, { client, bytes }: { client: string; bytes: number }) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const headers = {
    "CF-Connecting-IP": client,
    ...OPERATOR,
    "Content-Length": String(bytes),
    "Content-Type": "application/json",
  };
  const status = service
    .fetch(path, { method: "POST", headers, body: readable })
    .then((answer) => answer.status);
  return { status, end: () => writable.close() };
}

it("large bodies wait for room, then get 503; small ones and other networks do not", async () => {
  const first = post("/system/load", { client: "192.0.2.1", bytes: LARGE });
  await scheduler.wait(50);
  const wait = vi.spyOn(scheduler, "wait").mockResolvedValue();
  const same = await post("/system/changes", { client: "192.0.2.1", bytes: LARGE / 4 }).status;
  const whole = await post("/system/changes", { client: "192.0.2.2", bytes: LARGE }).status;
  wait.mockRestore();
  expect([same, whole]).toEqual([503, 503]);
  const others = [
    post("/system/load", { client: "192.0.2.1", bytes: 1000 }),
    post("/system/load", { client: "192.0.2.2", bytes: LARGE / 4 }),
  ];
  const waiting = post("/system/load", { client: "192.0.2.1", bytes: LARGE });
  for (const { end, status } of [...others, first, waiting]) {
    await end();
    expect(await status).not.toBe(503);
  }
});
