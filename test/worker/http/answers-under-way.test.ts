import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { NETWORK_CALLS_MAX } from "../../../src/worker/http/rate-limit.ts";
import { saved } from "../../support/worker/desk.ts";
import { work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const LARGE_BYTES = 900_000;
const LARGE = Array.from({ length: 8 }, (_, n) => 101 + n);
const from = (client: string): RequestInit => ({ headers: { "CF-Connecting-IP": client } });

const statements = { running: 0, most: 0, begun: 0 };
const service = testService({ RATE_LIMIT_PER_MINUTE: "1000", CATALOG: counted(env.CATALOG) });
/** Number of the change before the large one. */
let before = 0;
const largeChange = () => `/changes.json?since=${before}&limit=1`;

/** Counts the calls of a database that run at a time. */
function counted<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        const result: unknown = member.apply(of, values);
        if (name === "bind" || name === "prepare" || name === "withSession") return counted(result as object);
        if (!(result instanceof Promise)) return result;
        statements.begun += 1;
        statements.running += 1;
        statements.most = Math.max(statements.most, statements.running);
        return result
          .then((value) => scheduler.wait(5).then(() => value))
          .finally(() => (statements.running -= 1));
      };
    },
  });
}

beforeAll(async () => {
  await service.load(work(1));
  ({ end: before } = (await service.json("/changes.json?limit=0")) as { end: number });
  const type = { key: "/type/work" };
  const texts = new Map([...LARGE.map((n) => [n, `${n} `.repeat(LARGE_BYTES / 4)] as const), [109, "short"]]);
  await saved(
    [...texts].map(([n, text]) => ({ key: `/works/OL${n}W`, type, title: "A work", description: text })),
  );
});

describe("answers under way", () => {
  it("wait for others of their network, then get 503, while small ones and other networks do not", async () => {
    const unread = await service.fetch(largeChange(), from("192.0.2.1"));
    const wait = vi.spyOn(scheduler, "wait").mockResolvedValue();
    const refused = await service.fetch(largeChange(), from("192.0.2.1")).finally(() => wait.mockRestore());
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "10"]);
    expect((await service.fetch("/works/OL1W.json", from("192.0.2.1"))).status).toBe(200);
    const other = await service.fetch(largeChange(), from("192.0.2.2"));
    expect((await other.arrayBuffer()).byteLength).toBeGreaterThan(LARGE.length * LARGE_BYTES * 0.9);
    await unread.body?.cancel();
  });

  it("give their room back when they are taken, refused or aborted", async () => {
    for (const end of ["text", "cancel", "text"] as const) {
      const response = await service.fetch(largeChange(), from("192.0.2.3"));
      expect(response.status).toBe(200);
      await (end === "text" ? response.text() : response.body?.cancel());
    }
    expect((await service.fetch(largeChange(), { ...from("192.0.2.3"), method: "HEAD" })).status).toBe(200);
    await (await service.fetch(largeChange(), from("192.0.2.3"))).text();
  });

  it("read a database in eight calls of one network at a time", async () => {
    statements.most = 0;
    const asked = Array.from({ length: 40 }, async (_, n) => {
      const response = await service.fetch(`/works/OL1W.json?n=${n}`, from(`2001:db8:1:2::${n}`));
      return response.status;
    });
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    expect(statements.most).toBe(NETWORK_CALLS_MAX);
  });

  it("are charged by the bytes that were read", async () => {
    const left = async () => {
      const { headers } = await service.fetch("/works/OL1W.json", from("192.0.2.4"));
      return Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
    };
    const first = await left();
    await (await service.fetch(largeChange(), from("192.0.2.4"))).text();
    expect(first - (await left())).toBeGreaterThan(100);
  });
});

describe("GET /changes/stream", () => {
  it("has large documents by key, and reads on when a part was taken", async () => {
    const { body } = await service.fetch(`/changes/stream?since=${before}`, from("192.0.2.5"));
    const reader = body?.getReader();
    const read = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await read()).toContain("retry:");
    const { begun } = statements;
    await scheduler.wait(50);
    expect(statements.begun).toBe(begun);
    const event = await read();
    const change = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "") as Record<string, { key: string }[]>;
    expect(change["documents"]?.map(({ key }) => key)).toEqual(["/works/OL109W"]);
    expect(change["omitted"]).toEqual(LARGE.map((n) => ({ key: `/works/OL${n}W`, revision: 1 })));
    await reader?.cancel();
  });
});
