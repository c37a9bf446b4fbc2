import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { fakeNetwork } from "../../support/worker/outbound.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const OPERATOR = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
const network = fakeNetwork();

afterEach(() => vi.restoreAllMocks());

interface Deep {
  status: string;
  dependencies: Record<string, { ok: boolean; problem: string | null; numbers: Record<string, number> }>;
  levels: Record<string, number> | null;
}

const deepStatus = async (settings: Partial<Env> = {}): Promise<[number, Deep]> => {
  const response = await testService(settings).fetch("/system/status.json", { headers: OPERATOR });
  return [response.status, await response.json<Deep>()];
};

describe("GET /system/status.json", () => {
  it("writes and deletes in the buckets, and counts queues and rows", async () => {
    await testService().loadUnindexed(work(1), edition(1, { works: [1] }));
    const before = await Promise.all([env.COVERS.list(), env.ARCHIVE.list()]);
    const [status, { dependencies, levels, ...rest }] = await deepStatus();
    expect([status, rest]).toEqual([200, { status: "ok", problems: [] }]);
    expect(dependencies["covers_write"]).toMatchObject({ ok: true });
    expect(dependencies["archive_write"]).toMatchObject({ ok: true });
    expect(dependencies["queue_imports"]!.numbers).toEqual({ messages: 0, bytes: 0 });
    const after = await Promise.all([env.COVERS.list(), env.ARCHIVE.list()]);
    expect(after.map(({ objects }) => objects.length)).toEqual(before.map(({ objects }) => objects.length));
    expect(levels).toMatchObject({ import_items: 0, covers: 0, removals: 0, behind_counts: 0 });
    expect(levels!["catalog_bytes"]).toBeGreaterThan(100_000);
  });

  it("counts waiting work", async () => {
    await env.CATALOG.prepare(
      "INSERT INTO import_batch (name, submit_time, updated) VALUES ('waiting', '', '')",
    ).run();
    await env.CATALOG.prepare(
      `INSERT INTO import_item (batch_id, added_time, ia_id, status)
       SELECT (SELECT id FROM import_batch WHERE name = 'waiting'), '2026-11-21T11:58:20.000000', e.value, 'pending'
       FROM json_each('["a:1","a:2","a:3"]') e`,
    ).run();
    await env.CATALOG.prepare(
      `UPDATE import_item SET status = 'failed', import_time = CASE WHEN ia_id = 'a:1' THEN ?1 ELSE ?2 END WHERE ia_id <> 'a:3'`,
    )
      // Half an hour and two hours before the clock of the test.
      .bind("2026-11-21T11:30:00.000000", "2026-11-21T10:00:00.000000")
      .run();
    await env.CATALOG.prepare(
      `INSERT INTO dump (kind, date, after_change, change_id, begun, state, stage, updated)
       VALUES ('full', '2026-11-01', 0, 0, '', 'published', 'done', ''), ('full', '2026-11-11', 0, 0, '', 'open', 'read', '')`,
    ).run();
    const [, { levels }] = await deepStatus();
    expect(levels).toMatchObject({
      import_items: 1,
      failed_imports: 1,
      dumps: 1,
      dump_days: 20.5,
      oldest_import_seconds: 100,
    });
    await env.CATALOG.prepare("DELETE FROM dump").run();
    await env.CATALOG.prepare("DELETE FROM import_item").run();
  });

  it("checks configured services", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    network.answer({
      "https://mail.example/send": () => new Response(null, { status: 405 }),
      "https://lending.example/loans": () => new Response(null, { status: 502 }),
      "https://items.example/": () => Response.redirect("https://elsewhere.example/"),
    });
    const [status, { dependencies, ...shown }] = await deepStatus({
      MAIL_URL: "https://mail.example/send",
      LENDING: "http",
      LENDING_URL: "https://lending.example/loans",
      AFFILIATE_URL: "https://affiliate.example/",
      ITEMS: "http",
      ITEMS_URL: "https://items.example/",
    });
    expect([status, shown.status]).toEqual([200, "degraded"]);
    const adapters = ["mail", "lending", "affiliate", "items", "identity"];
    expect(adapters.map((name) => dependencies[name]?.ok)).toEqual([true, false, false, true, undefined]);
  });

  it("answers 503 when a store cannot be written or a database is down", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const unwritable = new Proxy(env.COVERS, {
      get: (of, name) => {
        if (name === "put") return () => Promise.reject(new Error("full"));
        const member: unknown = Reflect.get(of, name);
        return typeof member === "function" ? member.bind(of) : member;
      },
    });
    const [status, shown] = await deepStatus({ COVERS: unwritable });
    expect([status, shown.status, shown.dependencies["covers_write"]!.ok]).toEqual([503, "failing", false]);
    expect(shown.dependencies["covers"]!.ok).toBe(true);
    const away = new Proxy(env.PATRONS, {
      get: () => () => {
        throw new Error("away");
      },
    });
    const [code, { levels }] = await deepStatus({ PATRONS: away });
    expect([code, levels]).toEqual([503, null]);
  });

  it("admits the operator and administrators", async () => {
    const service = testService();
    expect((await service.fetch("/system/status.json")).status).toBe(401);
    const patron = await loggedIn(service, "watcher");
    expect((await patron.fetch("/admin/status.json")).status).toBe(403);
    const admin = await loggedIn(service, "chief", { groups: ["admin"] });
    expect(await admin.json("/admin/status.json")).toMatchObject({ status: "ok" });
    const page = await admin.fetch("/admin/status", { headers: { Accept: "text/html" } });
    expect(await page.text()).toMatch(/<th scope="row">queue_imports<\/th><td[^>]*>yes<\/td>/);
  });
});

describe("a database that is nearly full", () => {
  it("is reported by /status and in the levels", async () => {
    const full = 8_100_000_000;
    const search = new Proxy(env.SEARCH, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name !== "prepare") return typeof member === "function" ? member.bind(target) : member;
        return (sql: string) => (sql === "SELECT 1" ? sized(target.prepare(sql), full) : target.prepare(sql));
      },
    });
    const service = testService({ SEARCH: search });
    const { problems } = (await service.json("/status.json")) as { problems: string[] };
    expect(problems).toEqual([expect.stringContaining("search has 81 % of the 10 GB")]);
    const [, { levels }] = await deepStatus({ SEARCH: search });
    expect(levels).toMatchObject({ search_bytes: full, search_percent: 81 });
    expect(levels!["catalog_percent"]).toBeLessThan(1);
  });
});

/** A statement whose result reports a database size. */
function sized(statement: D1PreparedStatement, bytes: number): D1PreparedStatement {
  return {
    bind: () => ({
      run: async () => {
        const result = await statement.run();
        return { ...result, meta: { ...result.meta, size_after: bytes } };
      },
    }),
  } as unknown as D1PreparedStatement;
}
