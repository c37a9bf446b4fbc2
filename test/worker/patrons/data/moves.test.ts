import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { systemSources } from "../../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../../src/worker/http/queue.ts";
import { MOVE_SETTLE_MS, continueMoves } from "../../../../src/worker/patrons/data/move-works.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { losing, settleActivity, settleIndexQueue } from "../../../support/worker/queues.ts";
import { redirected, work, workKey } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService();
const DAY = 86_400_000;
let ann: LoggedIn;
let ben: LoggedIn;
let next = 100;
/** Two works that no other test uses. */
const pair = (): [number, number] => [(next += 2), next + 1];
const patron = (name: string) => env.PATRON.getByName(name);
/** The sweep, some time from now. */
const sweep = (later = DAY) =>
  continueMoves({
    ...jobsOf(env),
    sources: { ...systemSources, now: () => Date.now() + later },
  });

beforeAll(async () => {
  ann = await loggedIn(service, "MovedAnn");
  ben = await loggedIn(service, "movedben");
});

const shelve = (who: LoggedIn, id: number, shelf: 1 | 2 | 3 | 4, now = 1000) =>
  patron(who.username.toLowerCase()).shelves.put({ work: id, shelf, edition: id + 1000, keep: true, now });

/** Redirects a work to another one, as a merge does. */
async function merge(from: number, to: number): Promise<void> {
  const modified = new Date().toISOString().slice(0, -1) + "000";
  await service.load({ ...redirected(workKey(from), workKey(to)), modified });
  await settleIndexQueue();
  await settleActivity();
  await settleActivity();
}

async function counts(id: number): Promise<unknown> {
  const sql = `SELECT want_to_read, currently_reading, already_read, stopped_reading,
                      ratings_1 + ratings_2 + ratings_3 + ratings_4 + ratings_5 AS ratings
               FROM work_count WHERE work_id = ?`;
  const row = await env.PATRONS.prepare(sql).bind(id).first<Record<string, number>>();
  return row === null ? null : Object.values(row);
}

// Comes first: no other patron has any data yet.
it("moves the first patron's data if it arrives after the merge was followed", async () => {
  const [from, to] = pair();
  await service.load(work(from), work(to));
  await merge(from, to);
  await shelve(ann, from, 1);
  await settleActivity();
  await sweep();
  expect(await patron("movedann").shelves.entry(to)).toMatchObject({ shelf: 1 });
});

it("a merge moves shelf, rating, check-ins, notes, observations and awards", async () => {
  const [from, to] = pair();
  await service.load(work(from), work(to));
  const own = patron("movedann");
  await shelve(ann, from, 3);
  await own.shelves.rate({ work: from, stars: 4, now: 1000 });
  await own.diary.add({
    reserved: [9001],
    work: from,
    edition: null,
    type: 3,
    date: "2026-01-02",
    now: 1000,
  });
  await own.notes.set({ work: from, edition: null, text: "mine", now: 1000 });
  await own.notes.observe({ work: from, observed: [{ type: 16, value: 1, isSingle: false }], now: 1000 });
  const given = { id: 77, work: from, topic: "Best", edition: null, comment: "", replaces: false, now: 1000 };
  expect(await own.opinions.award(given)).toBe(null);
  await settleActivity();
  expect(await counts(from)).toEqual([0, 0, 1, 0, 1]);

  await merge(from, to);
  expect(await own.shelves.entry(from)).toBe(undefined);
  expect(await own.shelves.entry(to)).toMatchObject({ shelf: 3, edition: from + 1000, created: 1000 });
  expect((await own.shelves.rating(to))?.stars).toBe(4);
  expect(await own.diary.checkIns(to)).toMatchObject([{ id: 9001, date: "2026-01-02" }]);
  expect((await own.notes.of(to)).map(({ text }) => text)).toEqual(["mine"]);
  expect(await own.notes.observations(to)).toHaveLength(1);
  expect((await own.opinions.awards()).map((one) => one.work)).toEqual([to]);
  expect(await counts(from)).toEqual([0, 0, 0, 0, 0]);
  expect(await counts(to)).toEqual([0, 0, 1, 0, 1]);
});

it("a merge keeps the patron's entry of the target, and loses no note (Q230)", async () => {
  const [from, to] = pair();
  await service.load(work(from), work(to));
  const own = patron("movedben");
  const before = await own.shelves.sizes();
  await shelve(ben, from, 1, 500);
  await shelve(ben, to, 2, 700);
  await own.notes.set({ work: from, edition: null, text: "old", now: 1 });
  await own.notes.set({ work: to, edition: null, text: "new", now: 2 });
  await settleActivity();

  await merge(from, to);
  expect(await own.shelves.entry(to)).toMatchObject({ shelf: 2, created: 700 });
  expect(await own.shelves.sizes()).toEqual({ ...before, 1: before[1] ?? 0, 2: (before[2] ?? 0) + 1 });
  expect((await own.notes.of(to)).map(({ text }) => text)).toEqual(["new"]);
  expect((await own.notes.of(from)).map(({ text }) => text)).toEqual(["old"]);
  expect([await counts(from), await counts(to)]).toEqual([
    [0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0],
  ]);
});

it("the sweep moves later entries of the old work until the move settles", async () => {
  const [from, to] = pair();
  await service.load(work(from), work(to));
  await shelve(ann, from, 1);
  await settleActivity();
  await merge(from, to);
  await shelve(ben, from, 4);
  await settleActivity();
  await sweep(MOVE_SETTLE_MS / 2);
  expect(await patron("movedben").shelves.entry(to)).toMatchObject({ shelf: 4 });
  await sweep();
  const open = await env.PATRONS.prepare("SELECT count(*) AS open FROM work_move").first("open");
  expect(open).toBe(0);
});

/** Stores a move as the projection does before it sends a message. */
const note = (from: number) =>
  env.PATRONS.prepare("INSERT INTO work_move (from_id, created, updated) VALUES (?, 0, 0)").bind(from).run();

it("redirects are found in the log when messages were lost", async () => {
  const [from, to] = pair();
  await service.load(work(from), work(to));
  await shelve(ann, from, 2);
  await settleActivity();
  await losing(() => service.loadUnindexed(redirected(workKey(from), workKey(to))));
  expect(await patron("movedann").shelves.entry(to)).toBe(undefined);
  await service.load(work(from + 5000));
  await settleIndexQueue();
  await settleActivity();
  expect(await patron("movedann").shelves.entry(to)).toMatchObject({ shelf: 2 });
});

it("the sweep resumes moves and drops those of restored works", async () => {
  const [from, to] = pair();
  const [restored] = pair();
  await service.loadUnindexed(work(from), work(to), work(restored));
  await shelve(ann, from, 2);
  await shelve(ann, restored, 1);
  await settleActivity();
  await service.loadUnindexed(redirected(workKey(from), workKey(to)));
  await note(from);
  await note(restored);
  await sweep();
  expect(await patron("movedann").shelves.entry(to)).toMatchObject({ shelf: 2 });
  expect(await patron("movedann").shelves.entry(restored)).toMatchObject({ shelf: 1 });
});
