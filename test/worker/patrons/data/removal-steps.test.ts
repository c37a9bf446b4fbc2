import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addToOutbox } from "../../../../src/db/accounts/write-accounts.ts";
import { openRemoval, readRemoval } from "../../../../src/db/patrons/patron-jobs.ts";
import {
  REMOVAL_AGAIN_MS,
  REMOVAL_IDLE_MS,
  RENAMED_WORKS,
  continueRemovals,
  removeAll,
} from "../../../../src/worker/patrons/data/removal-job.ts";
import { systemSources } from "../../../../src/worker/http/bindings.ts";
import { type BudgetedJobs, jobsOf } from "../../../../src/worker/http/queue.ts";
import { SPENT } from "../../../support/worker/budget.ts";
import { formOf } from "../../../support/worker/accounts.ts";
import { lender } from "../../../support/worker/lending.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity } from "../../../support/worker/queues.ts";
import { testService } from "../../../support/worker/service.ts";
import { tracesOf } from "../../../support/worker/traces.ts";

const service = testService();
let admin: LoggedIn;

beforeAll(async () => {
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
});

const jobsAt = (now: () => number): BudgetedJobs => ({ ...jobsOf(env), sources: { ...systemSources, now } });
const real = (): number => Math.max(Date.now(), service.now);
const sweep = (later: number) => continueRemovals(jobsAt(() => real() + later));
const remove = (who: LoggedIn) =>
  admin.fetch(`/admin/people/${who.username}`, formOf({ action: "anonymize_account" }));
const objectOf = ({ username }: LoggedIn) => env.PATRON.getByName(username.toLowerCase());
const emailOf = ({ username }: LoggedIn): string => `${username}@example.com`;

/** Begins a removal that only the sweep or the test continues. */
const begin = (who: LoggedIn, due = 0) =>
  openRemoval(env.PATRONS, {
    username: who.username,
    email: emailOf(who),
    anonymous: `anonymous-of-${who.username.toLowerCase()}`,
    due,
    now: 0,
  });

/** Traces outside of the catalog, whose history is public. */
async function leftOf(who: LoggedIn): Promise<string[]> {
  return (await tracesOf(who.username)).filter((trace) => !/^(catalog|search)\./.test(trace));
}

async function settled(): Promise<void> {
  await settleActivity();
  await settleActivity();
}

describe("the removal of an account", () => {
  it("finishes for two patrons who follow each other and leave together", async () => {
    const pair = [await loggedIn(service, "Pair-one"), await loggedIn(service, "Pair-two")] as const;
    const [one, two] = pair;
    await objectOf(one).follows.follow({ username: two.username, disabled: false, now: 1 });
    await objectOf(two).follows.follow({ username: one.username, disabled: false, now: 1 });
    await settleActivity();
    for (const who of pair) await objectOf(who).upkeep.seal();
    for (const who of pair) expect((await remove(who)).status).toBe(200);
    await settled();
    await sweep(REMOVAL_AGAIN_MS);
    await settled();
    expect([...(await leftOf(one)), ...(await leftOf(two))]).toEqual([]);
  });

  it("finishes when each run has time for one step", async () => {
    const who = await loggedIn(service, "Collector");
    const works = Array.from({ length: 2 * RENAMED_WORKS + 1 }, (_, index) => index + 1);
    await objectOf(who).upkeep.restore({
      shelves: works.map((work) => ({ work, shelf: 1, edition: null, created: 1 })),
      ratings: [],
    });
    await settleActivity();
    const removal = await begin(who, Number.MAX_SAFE_INTEGER);
    const jobs = { ...jobsAt(real), budget: SPENT };
    const ends: boolean[] = [];
    while (ends.at(-1) !== true && ends.length < 10) ends.push(await removeAll(removal, jobs));
    expect(ends).toEqual([false, false, false, true]);
    const kept = "SELECT count(*) AS works FROM patron_work WHERE patron = ? AND shelf = 1";
    expect(await env.PATRONS.prepare(kept).bind(removal.anonymous).first("works")).toBe(works.length);
    const counted = "SELECT sum(want_to_read) AS readers FROM work_count WHERE work_id <= ?";
    expect(await env.PATRONS.prepare(counted).bind(works.length).first("readers")).toBe(works.length);
  });

  it("visits each follower once, however late the projection follows", async () => {
    const who = await loggedIn(service, "Popular");
    const followers = JSON.stringify(Array.from({ length: 250 }, (_follower, at) => `fan${at}`));
    const follows = `INSERT INTO patron_follow (subscriber, publisher, sequence, disabled, created, updated)
      SELECT value, 'popular', 1, 0, 1 + key / 10, 1 FROM json_each(?)`;
    await env.PATRONS.prepare(follows).bind(followers).run();
    const removal = await begin(who, Number.MAX_SAFE_INTEGER);
    const jobs = { ...jobsAt(real), budget: SPENT };
    const [ends, visited]: [boolean[], object] = [[], {}];
    while (ends.at(-1) !== true && ends.length < 10) ends.push(await removeAll(removal, jobs, visited));
    expect(ends).toEqual([false, false, false, true]);
  });

  it("returns loans and gives up places", async () => {
    const [who, other] = [await loggedIn(service, "Borrower"), await loggedIn(service, "Another")];
    const { lending, item } = lender();
    const [own, wanted] = [await item(), await item()];
    const borrower = ({ username }: LoggedIn) => ({ username, isPrintDisabled: false });
    const wish = { book: "/books/OL1M", kind: "borrow" } as const;
    await lending().open({ ...wish, ocaid: own, borrower: borrower(who) });
    await lending().open({ ...wish, ocaid: wanted, borrower: borrower(other) });
    expect(await lending().join({ book: wish.book, ocaid: wanted, borrower: borrower(who) })).toMatchObject({
      ok: true,
    });
    await settleActivity();
    expect((await remove(who)).status).toBe(200);
    await settled();
    await sweep(REMOVAL_AGAIN_MS);
    await settled();
    expect(await leftOf(who)).toEqual([]);
    expect(await lending().open({ ...wish, ocaid: own, borrower: borrower(other) })).toMatchObject({
      ok: true,
    });
  });

  it("keeps mails of the account that has the address now", async () => {
    const who = await loggedIn(service, "Renamer");
    expect((await remove(who)).status).toBe(200);
    await settled();
    const next = await loggedIn(service, "Renamed");
    const email = "UPDATE account SET email = ?1, email_folded = lower(?1) WHERE username = 'Renamed'";
    await env.PATRONS.prepare(email).bind(emailOf(who)).run();
    const link = "INSERT INTO account_link VALUES ('renamed', 'verify', 'hash', ?, 9e15)";
    await env.PATRONS.prepare(link).bind(emailOf(who)).run();
    const mail = { subject: "Confirm", body: "Hello Renamed,\n", created: "2026-01-01T00:00:00.000000" };
    await addToOutbox(env.PATRONS, { ...mail, recipient: emailOf(who) });
    await sweep(REMOVAL_AGAIN_MS);
    const left = `SELECT (SELECT count(*) FROM outbox WHERE recipient = ?1) AS mails,
                         (SELECT count(*) FROM account_link WHERE email = ?1) AS links`;
    expect(await env.PATRONS.prepare(left).bind(emailOf(who)).first()).toEqual({ mails: 1, links: 1 });
    expect((await next.fetch("/account/preferences.json")).status).toBe(200);
  });

  it("continues with other removals when one fails", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const [broken, whole] = [await loggedIn(service, "Broken"), await loggedIn(service, "Whole")];
    await objectOf(broken).shelves.put({ work: 1, shelf: 1, keep: true, now: 1 });
    await settleActivity();
    await runInDurableObject(objectOf(broken), (_object, { storage }) => {
      storage.sql.exec("ALTER TABLE award RENAME TO lost");
    });
    const [first, second] = [await begin(broken, 0), await begin(whole, 1)];
    await sweep(0);
    expect(errors.mock.calls.some(([line]) => String(line).includes('"kind":"removal"'))).toBe(true);
    expect(await readRemoval(env.PATRONS, second.id)).toMatchObject({ isSwept: 1 });
    const later = await readRemoval(env.PATRONS, first.id);
    expect(later?.isSwept).toBe(0);
    expect(later?.due).toBeGreaterThan(Date.now() + REMOVAL_IDLE_MS / 2);
    await runInDurableObject(objectOf(broken), (_object, { storage }) => {
      storage.sql.exec("ALTER TABLE lost RENAME TO award");
    });
    errors.mockRestore();
  });
});
