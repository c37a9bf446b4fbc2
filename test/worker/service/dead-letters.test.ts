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
  sweepLetters,
} from "../../../src/worker/service/dead-letters.ts";
import { bury, deadMessages, die, storedLetters } from "../../support/worker/dead-letters.ts";
import { operate } from "../../support/worker/dumps.ts";
import { OPERATOR, jobsOf } from "../../support/worker/import-queue.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

// What a queue could not deliver is kept, shown to the operator, and sent again or dropped when he says so.

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

describe("a message that cannot be delivered", () => {
  it("is kept after its last attempt, and does its work when it is sent again", async () => {
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
    const body = { kind: "follow-privacy", publisher: "star", isAgain: true };
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

  it("is kept, whichever queue it is of", async () => {
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

  it("is one row for all that are the same, and counts once however often it is delivered", async () => {
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

  it("comes again, later and later, while it cannot be kept", async () => {
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

  it("is kept as its beginning when it is too long, and cannot be sent again then", async () => {
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

  it("takes the place of the oldest one of its queue when there are too many", async () => {
    const many = Array.from({ length: DEAD_LETTERS_MAX }, (_, change) => ({ change }));
    await die(jobs, "carrel-index", ...many);
    await die(jobs, "carrel-activity", "another queue's");
    service.now += 1;
    // It has come before, but not for the last time.
    await die(jobs, "carrel-index", { change: 0 });
    await die(jobs, "carrel-index", { change: -1 });
    expect((await show()).counts).toEqual({ "carrel-activity": 1, "carrel-index": DEAD_LETTERS_MAX });
    const bodies = (await storedLetters()).map(({ body }) => body);
    expect(bodies).toContain('{"change":0}');
    expect(bodies).not.toContain('{"change":1}');
  });

  it("does not take the place of one that only the sweep can make up for", async () => {
    const privacy = { kind: "follow-privacy", publisher: "ann" };
    await die(jobs, "carrel-patron-jobs", privacy);
    service.now += 1;
    const mails = Array.from({ length: DEAD_LETTERS_MAX }, (_, n) => ({
      kind: "queue-mail",
      patron: `p${n}`,
    }));
    await die(jobs, "carrel-patron-jobs", ...mails);
    const bodies = (await storedLetters()).map(({ body }) => body);
    expect(bodies).toHaveLength(DEAD_LETTERS_MAX);
    expect(bodies).toContain(JSON.stringify(privacy));
  });
});

describe("the sweep", () => {
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

  it("sends those again of which nothing else is known, and leaves the others to the operator", async () => {
    const lookup = { isbn: "9780141439518", asin: null, priority: "low" };
    const privacy = { kind: "follow-privacy", publisher: "ann", isAgain: false };
    await die(jobs, "carrel-lookups", lookup);
    await die(jobs, "carrel-patron-jobs", privacy, { kind: "removal", id: 1 });
    await die(jobs, "carrel-index", { change: 1 });
    const early = noting();
    service.now += SEND_AGAIN_MS - 1;
    await sweepLetters(early.jobs);
    expect(early.sent).toEqual([]);
    service.now += 1;
    const { sent, jobs: own } = noting();
    await sweepLetters(own);
    expect(sent).toEqual([lookup, privacy]);
    expect((await storedLetters()).map(({ body }) => JSON.parse(body))).toEqual([
      { kind: "removal", id: 1 },
      { change: 1 },
    ]);
  });

  it("keeps what a queue does not take, and does not let it hold up others", async () => {
    const bad = Array.from({ length: LETTERS_SWEPT }, (_, n) => `bad ${n}`);
    await die(jobs, "carrel-lookups", ...bad);
    service.now += 1;
    await die(jobs, "carrel-lookups", "good");
    const { sent, jobs: own } = noting((body) => String(body).startsWith("bad"));
    service.now += SEND_AGAIN_MS;
    await sweepLetters(own);
    expect(sent).toEqual([]);
    await sweepLetters(own);
    expect(sent).toEqual(["good"]);
    expect(await storedLetters()).toHaveLength(LETTERS_SWEPT);
  });

  it("keeps a letter that has come back while it was sent", async () => {
    await die(jobs, "carrel-lookups", "boomerang");
    service.now += SEND_AGAIN_MS;
    const { jobs: own } = noting();
    const back = { send: () => die(jobs, "carrel-lookups", "boomerang") } as unknown as Queue;
    await sweepLetters({ ...own, stores: { ...own.stores, lookupQueue: back } });
    expect(await storedLetters()).toMatchObject([{ body: '"boomerang"', times: 2 }]);
  });

  it("sends what dies again and again ever more rarely, and at last leaves it to the operator", async () => {
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
      await sweepLetters(own);
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

  it("forgets what it has sent when that does not come back within a day", async () => {
    await die(jobs, "carrel-lookups", "well");
    service.now += SEND_AGAIN_MS;
    const { jobs: own } = noting();
    await sweepLetters(own);
    service.now += LETTER_AWAY_MS;
    await sweepLetters(own);
    const rows = await env.PATRONS.prepare("SELECT count(*) AS rows FROM dead_letter").first();
    expect(rows).toEqual({ rows: 0 });
    await die(jobs, "carrel-lookups", "well");
    expect(await storedLetters()).toMatchObject([{ times: 1, first: service.now }]);
  });

  it("has its turn with every run of the cron job", async () => {
    await die({ ...jobs, sources: { ...jobs.sources, now: () => 0 } }, "carrel-index", { change: 1 });
    await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
    expect(await storedLetters()).toEqual([]);
  });

  it("deletes what is old", async () => {
    await die(jobs, "carrel-index", { change: 1 });
    await die(jobs, "carrel-index", { change: 2 });
    service.now += DEAD_LETTER_MS;
    await die(jobs, "carrel-index", { change: 2 });
    await sweepLetters(jobs);
    expect((await storedLetters()).map(({ body }) => body)).toEqual(['{"change":2}']);
  });
});

describe("the operator", () => {
  beforeEach(async () => {
    await die(jobs, "carrel-index", ...[1, 2, 3, 4, 5].map((change) => ({ change })));
    await die(jobs, "carrel-dumps", { dump: 1, step: 2 });
  });

  it("gets them page by page, the last one first, all or those of a queue", async () => {
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

  it("drops some by number, or those of a queue", async () => {
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

  it("sends those of a queue again", async () => {
    expect(await act({ action: "send", queue: "carrel-dumps" })).toEqual({
      done: 1,
      failed: 0,
      counts: { "carrel-index": 5 },
    });
  });

  it("is refused requests for other actions, and for letters that are not named", async () => {
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

  it("is the only one who sees and changes them", async () => {
    const body = JSON.stringify({ action: "drop", queue: "carrel-index" });
    const headers = { "Content-Type": "application/json" };
    const { status } = await service.fetch("/system/dead-letters", { method: "POST", headers, body });
    expect([status, (await service.fetch(ADDRESS)).status]).toEqual([401, 401]);
    expect(await storedLetters()).toHaveLength(6);
  });
});

describe("administrators", () => {
  it("see letters on a page, and send or drop those that they choose", async () => {
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

it("letters of an account go with the account", async () => {
  await die(jobs, "carrel-activity", { patron: "ann", items: [] }, { patron: "bob", items: [] });
  await die(jobs, "carrel-patron-jobs", { kind: "follow-privacy", publisher: "Ann" }, null, "ann");
  const after = { subscriber: "Ann", created: 1 };
  await die(jobs, "carrel-patron-jobs", { kind: "follow-privacy", publisher: "bob", after });
  const items = [{ kind: "follow", subject: "ann", sequence: 1, state: null }];
  await die(jobs, "carrel-activity", { patron: "bob", items });
  await forgetAccount(env.PATRONS, { username: "Ann", email: "ann@example.org", anonymous: "nobody" });
  expect((await storedLetters()).map(({ body }) => body)).toEqual([
    '{"patron":"bob","items":[]}',
    "null",
    '"ann"',
  ]);
});
