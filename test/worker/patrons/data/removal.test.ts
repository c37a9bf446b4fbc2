import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApiKey } from "../../../../src/db/accounts/write-secrets.ts";
import { createHmac } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addToOutbox } from "../../../../src/db/accounts/write-accounts.ts";
import { hashPassword } from "../../../../src/worker/accounts/password-hash.ts";
import { newApiKey } from "../../../../src/worker/accounts/secret.ts";
import { openRemoval } from "../../../../src/db/patrons/patron-jobs.ts";
import { REMOVAL_AGAIN_MS, continueRemovals } from "../../../../src/worker/patrons/data/removal-job.ts";
import { systemSources } from "../../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../../src/worker/http/queue.ts";
import { PASSWORD, formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { usedObjects } from "../../../support/worker/objects.ts";
import { settleActivity, settleIndexQueue } from "../../../support/worker/queues.ts";
import { work, workKey } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";
import { tracesOf } from "../../../support/worker/traces.ts";

const SECRET = "secret of the service that calls";
const service = testService({ ANONYMIZE_SECRET: SECRET });
/**
 * Keys of the deleted records in the history of the catalog, in the permission of the own group and, for a few days, in the
 * search index; and the old revisions kept for administrators.
 */
const PUBLIC = /^(catalog\.(change|record|revision|removed_revision|property)|search\.tombstone_[ab]): /;
let admin: LoggedIn;
let fan: LoggedIn;
let joe: LoggedIn;
let names = 0;
let merges = 500;

beforeAll(async () => {
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  fan = await loggedIn(service, "fan");
  await service.load(work(1), work(2), work(3));
});

beforeEach(async () => {
  joe = await loggedIn(service, `Qz${(names += 1)}-Joe`, { groups: ["librarians"] });
});

const emailOf = ({ username }: LoggedIn): string => `${username}@example.com`;
const sweep = (later: number) =>
  continueRemovals({
    ...jobsOf(env),
    sources: { ...systemSources, now: () => Math.max(Date.now(), service.now) + later },
  });

/** A header with the patron's keys. */
async function keysOf({ username }: LoggedIn): Promise<Record<string, string>> {
  const key = newApiKey();
  await createApiKey(env.PATRONS, { ...key, username, created: "2026-01-01T00:00:00.000000" });
  return { Authorization: `LOW ${key.access}:${key.secret}` };
}

/** Two works on shelves, a rating, a note and an observation. */
async function fillShelves({ username }: LoggedIn): Promise<void> {
  const name = username.toLowerCase();
  const own = env.PATRON.getByName(name);
  await own.shelves.put({ work: 1, shelf: 3, keep: true, now: 1000 });
  await own.shelves.put({ work: 2, shelf: 1, keep: true, now: 1000 });
  await own.shelves.rate({ work: 1, stars: 5, now: 1000 });
  await own.notes.set({ work: 3, edition: null, text: `${name} was here`, now: 1000 });
  await own.notes.observe({ work: 1, observed: [{ type: 16, value: 1, isSingle: false }], now: 1000 });
  await settleActivity();
}

/** Creates data of every kind that a patron can leave in any store. */
async function leaveTraces(who: LoggedIn): Promise<void> {
  const own = env.PATRON.getByName(who.username.toLowerCase());
  await fillShelves(who);
  await own.diary.setGoal({ year: 2026, target: 12, now: 1000 });
  await own.opinions.setOpinion({ key: workKey(1), value: 1, now: 1000 });
  await own.follows.follow({ username: "fan", disabled: false, now: 1000 });
  await env.PATRON.getByName("fan").follows.follow({ username: who.username, disabled: false, now: 1000 });
  await own.setPreferences({ public_readlog: "yes" });
  const checkIn = { event_type: 3, year: 2026, month: 1 };
  expect((await who.fetch("/works/OL1W/check-ins.json", jsonOf(checkIn))).status).toBe(200);
  const list = { name: "Good ones", description: "", tags: [], seeds: [workKey(1)] };
  expect((await who.fetch(`${who.key}/lists.json`, jsonOf(list))).status).toBe(200);
  // A merge request exists once, so each needs works of its own.
  const olids = `OL${(merges += 2)}W,OL${merges + 1}W`;
  await service.load(work(merges), work(merges + 1));
  const request = { rtype: "create-request", action: "create-pending", mr_type: 1, olids, comment: "same" };
  expect((await who.fetch("/merges", jsonOf(request))).status).toBe(200);
  const proposal = { key: workKey(1), changes: { title: `By ${merges}` } };
  expect((await who.fetch("/proposals.json", jsonOf(proposal))).status).toBe(200);
  await keysOf(who);
  const mail = {
    subject: "Hello",
    body: `Hello ${who.username},\n\n...`,
    created: "2026-01-01T00:00:00.000000",
  };
  await addToOutbox(env.PATRONS, { ...mail, recipient: emailOf(who) });
  const document = { key: `account/${who.username}/kept`, document: `{"email":"${emailOf(who)}"}` };
  await env.PATRONS.prepare("INSERT INTO store_document VALUES (?, NULL, 1, ?, '')")
    .bind(document.key, document.document)
    .run();
  await settleActivity();
}

async function workCounts(id: number): Promise<unknown> {
  const { counts } = (await service.json(`/works/OL${id}W/bookshelves.json`)) as { counts: unknown };
  const { summary } = (await service.json(`/works/OL${id}W/ratings.json`)) as { summary: { count: number } };
  return [counts, summary.count, await service.json(`/observations.json?olid=OL${id}W`)];
}

/** Counts the lists of a patron that are not deleted. */
function listsOf({ key }: LoggedIn): Promise<unknown> {
  const sql = "SELECT count(*) AS lists FROM record WHERE key LIKE ? AND type <> '/type/delete'";
  return env.CATALOG.prepare(sql).bind(`${key}/lists/%`).first("lists");
}

/** Traces of the username, which is part of the email address too, outside the public history. */
async function leftOf({ username }: LoggedIn): Promise<string[]> {
  return (await tracesOf(username)).filter((trace) => !PUBLIC.test(trace));
}

const act = (who: LoggedIn, fields: Record<string, string>): Promise<Response> =>
  admin.fetch(`/admin/people/${who.username}`, formOf(fields));
const remove = (who: LoggedIn) => act(who, { action: "anonymize_account" });

/** Waits for the effects, for as long as the patrons' objects remember sent messages. */
async function settled(): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await settleActivity();
    await Promise.all(usedObjects(env.PATRON).map((patron) => runDurableObjectAlarm(patron)));
  }
  await settleActivity();
  await settleIndexQueue();
}

describe("the removal of an account", () => {
  it("leaves the name only in the public history, deletes lists and keeps counts", async () => {
    await leaveTraces(joe);
    const before = [await workCounts(1), await workCounts(2)];
    const response = await remove(joe);
    const removed = await response.json<{ new_username: string }>();
    expect([response.status, removed]).toEqual([
      200,
      {
        ok: "true",
        new_username: expect.stringMatching(/^anonymous-[0-9a-f]{32}$/),
        booknotes_count: 1,
        ratings_count: 1,
        observations_count: 1,
        bookshelves_count: 2,
        merge_request_count: 1,
        bestbooks_count: 0,
      },
    ]);
    await settled();
    expect([await workCounts(1), await workCounts(2)]).toEqual(before);
    expect(await service.json("/api/likes?key=/works/OL1W")).toMatchObject({ likes: 0 });

    await sweep(REMOVAL_AGAIN_MS);
    await settled();
    expect(await leftOf(joe)).toEqual([]);
    expect(await service.json(`${joe.key}.json`)).toMatchObject({ type: { key: "/type/delete" } });
    expect(await listsOf(joe)).toBe(0);
    const submitted = "SELECT count(*) AS requests FROM merge_request WHERE submitter = ?";
    expect(await env.CATALOG.prepare(submitted).bind(removed.new_username).first("requests")).toBe(1);
    expect(
      (await env.PATRON.getByName("fan").follows.following()).map(({ username }) => username),
    ).not.toContain(joe.username);
    expect(await service.json(`${joe.key}/usergroup.json`)).not.toHaveProperty("members");
    expect([await workCounts(1), await workCounts(2)]).toEqual(before);
  });

  it("only counts in a dry run", async () => {
    await fillShelves(joe);
    const response = await act(joe, { action: "anonymize_account", dry_run: "true" });
    expect(await response.json()).toMatchObject({ bookshelves_count: 2, ratings_count: 1 });
    await settled();
    expect((await joe.fetch("/account/preferences.json")).status).toBe(200);
    expect(await env.PATRON.getByName(joe.username.toLowerCase()).shelves.sizes()).toEqual({ 1: 1, 3: 1 });
  });

  it("is completed by the sweep after a crash", async () => {
    await leaveTraces(joe);
    const { username } = joe;
    await openRemoval(env.PATRONS, {
      username,
      email: emailOf(joe),
      anonymous: "anonymous-1",
      due: 0,
      now: 0,
    });
    expect((await joe.fetch("/account/preferences.json")).status).toBe(200);
    await sweep(0);
    expect((await joe.fetch("/account/preferences.json")).status).toBe(401);
    await settled();
    await sweep(2 * REMOVAL_AGAIN_MS);
    await settled();
    expect(await leftOf(joe)).toEqual([]);
  });

  it("reserves the name", async () => {
    await remove(joe);
    await settled();
    const answer = await service.json(`/account/validate?username=${joe.username}`);
    expect(answer).toEqual({ email: null, username: "That username is taken." });
    await sweep(REMOVAL_AGAIN_MS);
    expect(await service.json(`/account/validate?username=${joe.username}`)).toEqual(answer);
  });

  it("is refused for the last administrator", async () => {
    const response = await remove(admin);
    expect([response.status, await response.json()]).toMatchObject([400, { error: "bad_data" }]);
    expect((await admin.fetch("/account/preferences.json")).status).toBe(200);
  });

  it("is offered to administrators as a page", async () => {
    const headers = { Accept: "text/html" };
    const page = await (await admin.fetch(`/admin/people/${joe.username}`, { headers })).text();
    expect(page).toContain("Delete account");
    const done = await admin.fetch(
      `/admin/people/${joe.username}`,
      formOf({ action: "anonymize_account", confirm: joe.username }, headers),
    );
    expect(await done.text()).toContain("Kept in totals as");
    await settled();
  });
});

describe("concurrent writes", () => {
  it("are removed, or refused once the removal began", async () => {
    await fillShelves(joe);
    await env.PATRONS.prepare("UPDATE account SET password_hash = ? WHERE username = ?")
      .bind(await hashPassword(PASSWORD), joe.username)
      .run();
    const statuses = new Set<number>();
    const write = async (index: number): Promise<void> => {
      const list = { name: `List ${index}`, description: "", tags: [], seeds: [] };
      const calls = [
        () => joe.fetch(`/works/OL${index + 10}W/bookshelves.json`, formOf({ bookshelf_id: "1" })),
        () => joe.fetch(`/works/OL${index + 10}W/ratings.json`, formOf({ rating: "3" })),
        () => joe.fetch(`/works/OL${index + 10}W/notes.json`, formOf({ notes: `by ${joe.username}` })),
        () => joe.fetch("/works/OL1W/check-ins.json", jsonOf({ event_type: 1, year: 2026 })),
        () => joe.fetch(`${joe.key}/lists.json`, jsonOf(list)),
        () => joe.fetch("/api/like", jsonOf({ key: workKey(2), value: 1 })),
        () => joe.fetch("/account/api-key", formOf({ password: PASSWORD })),
        () => joe.fetch("/reading-goal.json", formOf({ goal: "5", year: "2027" })),
      ];
      const call = calls[index % calls.length];
      const response = await call?.();
      statuses.add(response?.status ?? 0);
      await response?.text();
    };
    const writes = Array.from({ length: 32 }, async (_, index) => {
      await scheduler.wait(index);
      await write(index);
    });
    await scheduler.wait(10);
    expect((await remove(joe)).status).toBe(200);
    await Promise.all(writes);
    // Written, or refused (422: the account has no password any more): never a failure of the service.
    for (const status of statuses) expect([200, 303, 401, 403, 422]).toContain(status);
    await settled();
    await sweep(REMOVAL_AGAIN_MS);
    await settled();
    expect(await leftOf(joe)).toEqual([]);
    expect(await listsOf(joe)).toBe(0);
    const rows = await env.PATRONS.prepare(
      `SELECT (SELECT count(*) FROM patron_work WHERE shelf = 1) AS shelved,
              (SELECT sum(want_to_read) FROM work_count) AS counted`,
    ).first<Record<string, number>>();
    expect(rows?.["counted"]).toBe(rows?.["shelved"]);
  });
});

describe("POST /account/anonymize.json", () => {
  const call = (fields: Record<string, string>, headers: Record<string, string> = {}, of = service) =>
    of.fetch("/account/anonymize.json", formOf(fields, headers));
  const signed = (seconds: number | string, secret = SECRET) => {
    const msg = `anonymize:someone:${seconds}`;
    return { msg, digest: createHmac("sha256", secret).update(msg).digest("hex") };
  };
  const soon = (): number => service.now / 1000 + 60.5;

  it("checks secret, time, header and keys in this order", async () => {
    const keys = await keysOf(joe);
    const told = async (response: Response) => [response.status, await response.json()];
    expect(await told(await call(signed(soon()), keys, testService()))).toEqual([
      503,
      { detail: "Service Unavailable" },
    ]);
    expect(await told(await call(signed("tomorrow"), keys))).toEqual([400, { detail: "Bad Request" }]);
    const unauthorized = [401, { detail: "Unauthorized" }];
    expect(await told(await call(signed(soon(), "another secret"), keys))).toEqual(unauthorized);
    expect(await told(await call({ ...signed(soon()), digest: "" }, keys))).toEqual(unauthorized);
    expect(await told(await call(signed(service.now / 1000 - 1), keys))).toEqual(unauthorized);
    const malformed = [400, { detail: "Malformed Authorization Header" }];
    expect(await told(await call(signed(soon())))).toEqual(malformed);
    expect(await told(await call(signed(soon()), { Authorization: "Bearer x" }))).toEqual(malformed);
    const unknown = { Authorization: "LOW nobody:knows" };
    expect(await told(await call(signed(soon()), unknown))).toEqual([404, { detail: "Not Found" }]);
    expect((await joe.fetch("/account/preferences.json")).status).toBe(200);
  });

  it("counts with test=true, and removes the account of the keys without", async () => {
    await fillShelves(joe);
    const keys = await keysOf(joe);
    const counts = { bookshelves_count: 2, booknotes_count: 1, ratings_count: 1, observations_count: 1 };
    expect(await (await call({ ...signed(soon()), test: "true" }, keys)).json()).toMatchObject(counts);
    expect((await joe.fetch("/account/preferences.json")).status).toBe(200);
    const response = await call(signed(soon()), keys);
    expect([response.status, await response.json()]).toMatchObject([200, counts]);
    expect((await joe.fetch("/account/preferences.json")).status).toBe(401);
    await settled();
    expect((await call(signed(soon()), keys)).status).toBe(404);
  });
});

describe("/account/remove", () => {
  it("removes the own account after the name is confirmed", async () => {
    const page = await (await fan.fetch("/account/remove", { headers: { Accept: "text/html" } })).text();
    expect(page).toContain("can’t be undone");
    expect(page).toContain("Only administrators can still read earlier versions of your profile and lists.");
    expect(page).toContain("under a name that doesn’t identify you");
    const wrong = await joe.fetch("/account/remove", formOf({ confirm: "somebody" }));
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: "bad_data", field: "confirm" }]);
    const done = await joe.fetch(
      "/account/remove",
      formOf({ confirm: joe.username }, { Accept: "text/html" }),
    );
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining("Account deleted")]);
    expect(done.headers.getSetCookie().join()).toContain("session=;");
    await settled();
    await sweep(REMOVAL_AGAIN_MS);
    expect(await leftOf(joe)).toEqual([]);
  });
});
