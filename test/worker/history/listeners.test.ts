import { expect, it } from "vitest";
import { testService } from "../../support/worker/service.ts";

const service = testService();
/** `LISTENERS_PER_CLIENT_MAX` */
const LISTENERS = 50;

it("limits waiting readers and event streams per IPv6 /64 network", async () => {
  const ask = (path: string, address: string): Promise<Response> =>
    service.fetch(path, { headers: { "CF-Connecting-IP": address } });
  const waiting = "/changes.json?since=1000000&wait=1";
  const open: Response[] = [];
  for (let index = 1; index <= LISTENERS; index += 1) {
    open.push(await ask("/changes/stream", `2001:db8:1:2::${index.toString(16)}`));
  }
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
  for (const path of ["/changes/stream", waiting]) {
    expect((await ask(path, "2001:db8:1:2:ffff::1")).status).toBe(429);
    const other = await ask(path, "2001:db8:1:3::1");
    expect(other.status).toBe(200);
    await other.body?.cancel();
  }
  for (const { body } of open) await body?.cancel();
});
