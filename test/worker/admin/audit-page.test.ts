import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteSurplusAudit } from "../../../src/db/service/audit-log.ts";
import { jobsOf } from "../../../src/worker/http/queue.ts";
import { AUDIT_DAYS, pruneAudit } from "../../../src/worker/platform/audit.ts";
import { emptyCatalog } from "../../support/worker/desk.ts";
import { type LoggedIn, loggedIn } from "../../support/worker/logged-in.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
let boss: LoggedIn;
let bob: LoggedIn;

beforeAll(async () => {
  await emptyCatalog();
  boss = await loggedIn(service, "boss", { groups: ["admin"] });
  bob = await loggedIn(service, "bob");
});
beforeEach(async () => void (await env.PATRONS.exec("DELETE FROM audit")));

interface Listed {
  readonly events: readonly Record<string, unknown>[];
  readonly next: string | null;
}

/** Reads the audit log; without `query` all of it. */
async function listed(query: Record<string, string> = {}): Promise<Listed> {
  return (await boss.fetch(`/admin/audit.json?${new URLSearchParams(query)}`)).json<Listed>();
}

/** Events of three people, in pairs of the same time. */
async function fill(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => [
    Date.parse("2026-03-01T00:00:00Z") + Math.floor(index / 2) * 43_200_000,
    index % 2 === 0 ? "login" : "merged",
    `/people/p${index % 3}`,
    index % 5 === 0 ? "/works/OL1W" : null,
  ]);
  await env.PATRONS.prepare(
    `INSERT INTO audit (time, event, actor, subject, network, request, details)
     SELECT value->>0, value->>1, value->>2, value->>3, 'local', 'test', '{}' FROM json_each(?1)`,
  )
    .bind(JSON.stringify(rows))
    .run();
}

describe("GET /admin/audit", () => {
  beforeEach(() => fill(23));

  it.each<[Record<string, string>, number]>([
    [{}, 23],
    [{ event: "", actor: " ", subject: "", from: "", to: "" }, 23],
    [{ event: "merged" }, 11],
    [{ actor: "P1" }, 8],
    [{ actor: "/people/p1", event: "login" }, 4],
    [{ subject: "/works/ol1w" }, 5],
    [{ from: "2026-03-02" }, 19],
    [{ to: "2026-03-02" }, 8],
    [{ from: "2026-03-02", to: "2026-03-02", event: "login" }, 2],
    [{ from: "2026-03-20" }, 0],
  ])("finds by %j", async (query, count) => {
    const { events, next } = await listed(query);
    expect(events).toHaveLength(count);
    expect(next).toBeNull();
    expect(events.map(({ time }) => time)).toEqual(
      events
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    );
  });

  it.each<Record<string, string>>([{}, { event: "login" }, { actor: "p2", from: "2026-03-02" }])(
    "has each of %j on one page, whatever comes meanwhile",
    async (query) => {
      const all = (await listed(query)).events.map(({ id }) => id);
      const seen: unknown[] = [];
      for (let next: string | null = ""; next !== null;) {
        const page: Listed = await listed({ ...query, limit: "2", ...(next === "" ? {} : { before: next }) });
        expect(page.events.length).toBeLessThanOrEqual(2);
        seen.push(...page.events.map(({ id }) => id));
        next = page.next;
        await bob.fetch("/admin");
      }
      expect(seen).toEqual(all);
    },
  );

  it.each(["event=nothing", "from=yesterday", "to=2026-02-30", "before=x"])("refuses %s", async (query) => {
    expect((await boss.fetch(`/admin/audit.json?${query}`)).status).toBe(422);
  });

  it("shows a form with the query", async () => {
    const answer = await boss.fetch("/admin/audit?event=merged&actor=p1&limit=2", {
      headers: { Accept: "text/html" },
    });
    const text = await answer.text();
    expect(text).toContain('<option value="merged" selected lang="en">Records merged</option>');
    expect(text).toContain('<a href="/admin/people/p1">/people/p1</a>');
    const older = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(older).toMatch(/event=merged&actor=p1&.*before=\d+-\d+$/);
    expect((await boss.fetch(older, { headers: { Accept: "text/html" } })).status).toBe(200);
  });
});

describe("audit jobs", () => {
  it("delete old events", async () => {
    await fill(4);
    const sources = {
      ...jobsOf(env).sources,
      now: () => Date.parse("2026-03-01T00:00:01Z") + AUDIT_DAYS * 86_400_000,
    };
    await pruneAudit({ ...jobsOf(env), sources });
    expect((await listed()).events.map(({ time }) => time)).toEqual(
      Array(2).fill("2026-03-01T12:00:00.000000"),
    );
  });

  it("delete surplus attempts only", async () => {
    await fill(10);
    await deleteSurplusAudit(env.PATRONS, "login", 4);
    const { events } = await listed();
    expect(events.filter(({ event }) => event === "login")).toHaveLength(2);
    expect(events.filter(({ event }) => event === "merged")).toHaveLength(5);
  });
});
