import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DEAD_LETTERS_MAX, LETTER_TRIED_MS } from "../../../src/db/service/dead-letters.ts";
import { forgetAccount } from "../../../src/db/patrons/forget-patron.ts";
import { type Jobs, QUEUE_NAMES } from "../../../src/worker/http/queue.ts";
import worker from "../../../src/worker/index.ts";
import {
  DEAD_LETTER_BYTES,
  DEAD_LETTER_MS,
  DEAD_LETTER_START,
  LETTERS_SWEPT,
  LETTER_AWAY_MS,
  LETTER_WAIT_MAX_SECONDS,
  LETTER_WAIT_SECONDS,
  SEND_AGAIN_MS,
  retryDeadLetters,
} from "../../../src/worker/operations/dead-letters.ts";
import { bury, deadMessages, die, storedLetters } from "../../support/worker/dead-letters.ts";
import { operate } from "../../support/worker/dumps.ts";
import { OPERATOR, jobsOf } from "../../support/worker/import-queue.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const service = testService();
const jobs: Jobs = jobsOf(service);
beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  await emptyStores();
});
afterEach(() => vi.restoreAllMocks());

interface Shown {
  readonly counts: Record<string, number>;
  readonly letters: { id: number; queue: string; body: string; bytes: number; can_be_sent: boolean }[];
  readonly next: number | null;
}
const ADDRESS = "/system/dead-letters.json";
const show = async (query = ""): Promise<Shown> => (await operate(service, ADDRESS + query)) as Shown;
const act = (body: object): Promise<unknown> => operate(service, "/system/dead-letters", body);

describe("a dead letter", () => {
  it("is stored after the last attempt, and is delivered when sent again", async () => {
    const star = await loggedIn(service, "Star");
    await loggedIn(service, "Fan");
    await star.fetch("/account/preferences.json", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ public_readlog: "yes" }),
    });
    await env.PATRON.getByName("fan").follows.follow({ username: "Star", disabled: false, now: service.now });
    await settleActivity();
    await env.PATRON.getByName("star").setPreferences({ public_readlog: "no" });
    const body = { kind: "follow-privacy", publisher: "star" };
    await env.PATRONS.prepare("ALTER TABLE patron_follow RENAME TO away").run();
    await env.PATRON_JOBS.send(body);
    await vi.waitFor(async () => expect(await storedLetters()).toHaveLength(1), 30_000);
    await env.PATRONS.prepare("ALTER TABLE away RENAME TO patron_follow").run();
    expect(await show()).toMatchObject({
      counts: { "carrel-patron-jobs": 1 },
      letters: [{ queue: "carrel-patron-jobs", body: JSON.stringify(body), can_be_sent: true, times: 1 }],
      next: null,
    });
    expect(await operate(service, "/system/status.json")).toMatchObject({ levels: { dead_letters: 1 } });
    const [letter] = await storedLetters();
    expect(await act({ action: "send", ids: [letter?.id] })).toEqual({ done: 1, failed: 0, counts: {} });
    await settleActivity();
    const following = await env.PATRON.getByName("fan").follows.following();
    expect(following.map(({ username, disabled }) => [username, disabled])).toEqual([["Star", true]]);
    expect(await storedLetters()).toEqual([]);
  });

  it("is stored for every queue", async () => {
    for (const name of QUEUE_NAMES) {
      const { batch } = deadMessages(["message"]);
      await worker.queue(
        {
          queue: `${name}-dead`,
          messages: batch,
          metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
          ackAll: () => undefined,
          retryAll: () => undefined,
        },
        env,
      );
    }
    const letters = (await storedLetters()).map(({ queue, body, times }) => ({ queue, body, times }));
    expect(letters).toEqual(QUEUE_NAMES.map((queue) => ({ queue, body: '"message"', times: 1 })));
  });

  it("is one row for equal messages, and counts once a delivery", async () => {
    await die(jobs, "carrel-index", { change: 1 }, { change: 2 }, { change: 1 });
    const twice = deadMessages([{ change: 2 }]).batch;
    service.now += 1000;
    await bury(jobs, "carrel-index", twice);
    await bury(jobs, "carrel-index", twice);
    const { now } = service;
    expect(await storedLetters()).toMatchObject([
      { body: '{"change":1}', times: 2, first: now - 1000, last: now - 1000 },
      { body: '{"change":2}', times: 2, first: now - 1000, last: now },
    ]);
    await die(jobs, "carrel-dumps", { change: 1 });
    expect((await show()).counts).toEqual({ "carrel-dumps": 1, "carrel-index": 2 });
  });

  it("is retried with growing delays while it cannot be stored", async () => {
    const broken = { ...jobs, stores: { ...jobs.stores, patrons: {} as D1Database } };
    for (const [attempts, seconds] of [
      [1, LETTER_WAIT_SECONDS],
      [3, 4 * LETTER_WAIT_SECONDS],
      [90, LETTER_WAIT_MAX_SECONDS],
    ] as const) {
      const { batch, ends } = deadMessages([1, 2], { attempts });
      await bury(broken, "carrel-index", batch);
      expect(ends).toEqual([seconds, seconds]);
    }
    expect(await storedLetters()).toEqual([]);
  });

  it("is truncated when too long, and cannot be sent again", async () => {
    const fits = "x".repeat(DEAD_LETTER_BYTES - 2);
    await die(jobs, "carrel-lookups", fits, `${fits}x`, 1n);
    const letters = await storedLetters();
    expect(letters.map(({ is_whole: whole, due }) => [whole, due !== null])).toEqual([
      [1, true],
      [0, false],
      [0, false],
    ]);
    expect(JSON.parse(letters[1]?.body ?? "")).toBe(`"${"x".repeat(DEAD_LETTER_START - 1)}`);
    expect(await act({ action: "send", ids: letters.slice(1).map(({ id }) => id) })).toMatchObject({
      done: 0,
    });
    expect((await show()).letters.map((one) => one.can_be_sent)).toEqual([false, false, true]);
    expect((await show()).letters.map(({ bytes }) => bytes)).toEqual([
      3,
      DEAD_LETTER_START + 3,
      DEAD_LETTER_BYTES,
    ]);
  });

  it("replaces the oldest of its queue above the limit", async () => {
    const many = Array.from({ length: DEAD_LETTERS_MAX }, (_, change) => ({ change }));
    await die(jobs, "carrel-index", ...many);
    await die(jobs, "carrel-activity", "another queue's");
    service.now += 1;
    await die(jobs, "carrel-index", { change: 0 });
    await die(jobs, "carrel-index", { change: -1 });
    expect((await show()).counts).toEqual({ "carrel-activity": 1, "carrel-index": DEAD_LETTERS_MAX });
    const bodies = (await storedLetters()).map(({ body }) => body);
    expect(bodies).toContain('{"change":0}');
    expect(bodies).not.toContain('{"change":1}');
  });
});

describe("the sweep of dead letters", () => {
  /** Queues that note what is sent, and refuse some of it. */
  function noting(refused: (body: unknown) => boolean = () => false) {
    const sent: unknown[] = [];
    const send = async (body: unknown): Promise<void> => {
      if (refused(body)) throw new Error("the queue is full");
      sent.push(body);
    };
    const queue = { send } as unknown as Queue;
    return { sent, jobs: { ...jobs, stores: { ...jobs.stores, lookupQueue: queue, patronJobs: queue } } };
  }

  it("resends lookups and leaves others to the operator", async () => {
    const lookup = { isbn: "9780141439518", asin: null, priority: "low" };
    await die(jobs, "carrel-lookups", lookup);
    await die(jobs, "carrel-patron-jobs", { kind: "removal", id: 1 });
    await die(jobs, "carrel-index", { change: 1 });
    const early = noting();
    service.now += SEND_AGAIN_MS - 1;
    await retryDeadLetters(early.jobs);
    expect(early.sent).toEqual([]);
    service.now += 1;
    const { sent, jobs: own } = noting();
    await retryDeadLetters(own);
    expect(sent).toEqual([lookup]);
    expect((await storedLetters()).map(({ body }) => JSON.parse(body))).toEqual([
      { kind: "removal", id: 1 },
      { change: 1 },
    ]);
  });

  it("keeps messages that a queue refuses, without blocking others", async () => {
    const bad = Array.from({ length: LETTERS_SWEPT }, (_, n) => `bad ${n}`);
    await die(jobs, "carrel-lookups", ...bad);
    service.now += 1;
    await die(jobs, "carrel-lookups", "good");
    const { sent, jobs: own } = noting((body) => String(body).startsWith("bad"));
    service.now += SEND_AGAIN_MS;
    await retryDeadLetters(own);
    expect(sent).toEqual([]);
    await retryDeadLetters(own);
    expect(sent).toEqual(["good"]);
    expect(await storedLetters()).toHaveLength(LETTERS_SWEPT);
  });

  it("keeps a message that returns while it is sent", async () => {
    await die(jobs, "carrel-lookups", "boomerang");
    service.now += SEND_AGAIN_MS;
    const { jobs: own } = noting();
    const back = { send: () => die(jobs, "carrel-lookups", "boomerang") } as unknown as Queue;
    await retryDeadLetters({ ...own, stores: { ...own.stores, lookupQueue: back } });
    expect(await storedLetters()).toMatchObject([{ body: '"boomerang"', times: 2 }]);
  });

  it("resends with growing gaps and finally stops", async () => {
    const first = service.now;
    const gaps: number[] = [];
    for (;;) {
      await die(jobs, "carrel-lookups", "cursed");
      const [letter] = await storedLetters();
      expect(letter).toMatchObject({ first, times: gaps.length + 1, last: service.now });
      if (letter === undefined || letter.due === null) break;
      gaps.push(letter.due - service.now);
      service.now = letter.due;
      const { sent, jobs: own } = noting();
      await retryDeadLetters(own);
      expect(sent).toEqual(["cursed"]);
      // It is on its way.
      expect(await storedLetters()).toEqual([]);
      if (gaps.length === 1) expect(await show()).toMatchObject({ counts: {}, letters: [] });
    }
    expect(gaps.slice(0, 4)).toEqual([1, 1, 2, 4].map((times) => times * SEND_AGAIN_MS));
    expect(gaps.length).toBeLessThan(12);
    expect(service.now).toBeGreaterThanOrEqual(first + LETTER_TRIED_MS);
    expect((await show()).counts).toEqual({ "carrel-lookups": 1 });
  });

  it("forgets a message that stays away for a day", async () => {
    await die(jobs, "carrel-lookups", "well");
    service.now += SEND_AGAIN_MS;
    const { jobs: own } = noting();
    await retryDeadLetters(own);
    service.now += LETTER_AWAY_MS;
    await retryDeadLetters(own);
    const rows = await env.PATRONS.prepare("SELECT count(*) AS rows FROM dead_letter").first();
    expect(rows).toEqual({ rows: 0 });
    await die(jobs, "carrel-lookups", "well");
    expect(await storedLetters()).toMatchObject([{ times: 1, first: service.now }]);
  });

  it("runs with the cron job", async () => {
    await die({ ...jobs, sources: { ...jobs.sources, now: () => 0 } }, "carrel-index", { change: 1 });
    await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
    expect(await storedLetters()).toEqual([]);
  });

  it("deletes old letters", async () => {
    await die(jobs, "carrel-index", { change: 1 });
    await die(jobs, "carrel-index", { change: 2 });
    service.now += DEAD_LETTER_MS;
    await die(jobs, "carrel-index", { change: 2 });
    await retryDeadLetters(jobs);
    expect((await storedLetters()).map(({ body }) => body)).toEqual(['{"change":2}']);
  });
});

describe("/system/dead-letters", () => {
  beforeEach(async () => {
    await die(jobs, "carrel-index", ...[1, 2, 3, 4, 5].map((change) => ({ change })));
    await die(jobs, "carrel-dumps", { dump: 1, step: 2 });
  });

  it("lists letters by page and queue, the last first", async () => {
    const seen: string[] = [];
    for (let next: number | null = 0; next !== null;) {
      const page: Shown = await show(`?queue=carrel-index&limit=2${next === 0 ? "" : `&before=${next}`}`);
      expect(page.letters.length).toBeLessThanOrEqual(2);
      seen.push(...page.letters.map(({ body }) => body));
      ({ next } = page);
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((change) => `{"change":${change}}`));
    expect((await show()).letters.map(({ queue }) => queue)).toEqual([
      "carrel-dumps",
      ...Array(5).fill("carrel-index"),
    ]);
  });

  it("drops letters by number or queue", async () => {
    const { letters } = await show("?queue=carrel-index");
    const ids = letters.slice(0, 2).map(({ id }) => id);
    expect(await act({ action: "drop", ids: [...ids, 12_345] })).toEqual({
      done: 2,
      failed: 0,
      counts: { "carrel-dumps": 1, "carrel-index": 3 },
    });
    expect(await act({ action: "drop", queue: "carrel-index" })).toEqual({
      done: 3,
      failed: 0,
      counts: { "carrel-dumps": 1 },
    });
  });

  it("sends the letters of a queue", async () => {
    expect(await act({ action: "send", queue: "carrel-dumps" })).toEqual({
      done: 1,
      failed: 0,
      counts: { "carrel-index": 5 },
    });
  });

  it("refuses other actions and missing selections", async () => {
    const headers = { ...OPERATOR, "Content-Type": "application/json" };
    for (const body of [
      {},
      { action: "send" },
      { action: "send", ids: [1], queue: "carrel-index" },
      { action: "send", ids: [] },
      { action: "send", ids: ["1"] },
      { action: "send", ids: Array(101).fill(1) },
      { action: "burn", ids: [1] },
      { action: "drop", queue: "carrel-index-dead" },
      { action: "drop", queue: "carrel-index", more: 1 },
    ]) {
      const send = { method: "POST", headers, body: JSON.stringify(body) };
      const { status } = await service.fetch("/system/dead-letters", send);
      expect([400, 422], send.body).toContain(status);
    }
    expect(await storedLetters()).toHaveLength(6);
  });
});

describe("/admin/dead-letters", () => {
  it("lists letters and sends or drops selected ones", async () => {
    await die(jobs, "carrel-activity", { patron: "ann", items: [] }, { patron: "bob", items: [] });
    const boss = await loggedIn(service, "boss", { groups: ["admin"] });
    const ids = (await storedLetters()).map(({ id }) => id);
    const page = await (await boss.fetch("/admin/dead-letters", { headers: { Accept: "text/html" } })).text();
    for (const id of ids) expect(page).toContain(`name="ids" value="${id}"`);
    const post = (body: string) =>
      boss.fetch("/admin/dead-letters", {
        method: "POST",
        headers: { Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" },
        body,
      });
    const dropped = await post(`action=drop&ids=${ids[0]}`);
    expect([dropped.status, dropped.headers.get("Location")]).toEqual([303, "/admin/dead-letters"]);
    expect((await storedLetters()).map(({ id }) => id)).toEqual(ids.slice(1));
    await post(`action=send&ids=${ids[1]}`);
    expect(await show()).toMatchObject({ counts: {} });
    expect((await post("action=send")).status).toBe(400);
  });
});

it("letters of an account are deleted with the account", async () => {
  await die(jobs, "carrel-activity", { patron: "ann", items: [] }, { patron: "bob", items: [] });
  await die(jobs, "carrel-patron-jobs", { kind: "follow-privacy", publisher: "Ann" }, null, "ann");
  const after = { subscriber: "Ann", created: 1 };
  await die(jobs, "carrel-patron-jobs", { kind: "follow-privacy", publisher: "bob", after });
  const items = [{ kind: "follow", subject: "ann", sequence: 1, state: null }];
  await die(jobs, "carrel-activity", { patron: "bob", items });
  await forgetAccount(env.PATRONS, { username: "Ann", email: "ann@example.org", anonymous: "nobody" }, 0);
  expect((await storedLetters()).map(({ body }) => body)).toEqual([
    '{"patron":"bob","items":[]}',
    "null",
    '"ann"',
  ]);
});
