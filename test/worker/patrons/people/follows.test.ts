import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type Subscriber, readSubscribers, readVisibilities } from "../../../../src/db/patrons/follows.ts";
import { continueVisibilities } from "../../../../src/worker/accounts/follow.ts";
import { sweep } from "../../../../src/worker/jobs.ts";
import { PASSWORD, account, cookieHeader, formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { addAccounts } from "../../../support/worker/activity.ts";
import { jobsOf } from "../../../support/worker/import-queue.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { losing, settleActivity } from "../../../support/worker/queues.ts";
import { testService } from "../../../support/worker/service.ts";
import { countedDatabase } from "../../../support/worker/statements.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
let joe: LoggedIn;
let ann: LoggedIn;

beforeAll(async () => {
  joe = await loggedIn(service, "Joe");
  ann = await loggedIn(service, "Ann");
  await show(joe, "yes");
  await show(ann, "yes");
});

/** Shows the reading log to others, or hides it. */
async function show(patron: LoggedIn, value: "yes" | "no"): Promise<void> {
  const answer = await patron.fetch("/account/preferences.json", jsonOf({ public_readlog: value }));
  expect(answer.status).toBe(200);
}

const change = (
  who: LoggedIn,
  fields: Record<string, string>,
  path = `/people/${who.username}/follows.json`,
) => who.fetch(path, formOf(fields));
const followed = async (who: LoggedIn) => {
  const rows = await who.json(`/people/${who.username}/follows.json`);
  return (rows as { publisher: string; disabled: boolean }[]).map(({ publisher, disabled }) => ({
    publisher,
    disabled,
  }));
};
const stored = async (subscriber: string, publisher: string) =>
  env.PATRONS.prepare("SELECT disabled FROM patron_follow WHERE subscriber = ? AND publisher = ?")
    .bind(subscriber, publisher)
    .first<number | null>("disabled");

describe("follows", () => {
  it("follows idempotently, and unfollows", async () => {
    service.now = Date.parse("2026-11-21T12:00:00Z");
    const answer = await change(ann, { publisher: "joe", state: "0", redir_url: "/people/Joe?x=1" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/people/Joe?x=1"]);
    service.now += 1500;
    await change(ann, { publisher: "Joe", state: "0" });
    expect(await ann.json("/people/ann/follows.json")).toEqual([
      {
        subscriber: "Ann",
        publisher: "Joe",
        disabled: false,
        updated: "2026-11-21T12:00:00",
        created: "2026-11-21T12:00:00",
      },
    ]);
    await change(ann, { publisher: "Joe", state: "1" });
    expect(await followed(ann)).toEqual([]);
  });

  const others: Record<string, string>[] = [{}, { state: "" }, { state: "1" }, { state: "yes" }];
  it.each(others)("unfollows with %j", async (fields) => {
    await change(ann, { publisher: "Joe", state: "0" });
    expect(await followed(ann)).toHaveLength(1);
    const answer = await change(ann, { publisher: "Joe", ...fields });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
    expect(await followed(ann)).toEqual([]);
  });

  it("requires a publisher before a session", async () => {
    for (const fields of [{ state: "0" }, { state: "0", publisher: "" }]) {
      const answer = await service.fetch(
        "/people/Ann/follows.json",
        formOf(fields as Record<string, string>),
      );
      expect(answer.status).toBe(422);
      const { detail } = await answer.json<{ detail: { type: string; loc: string[] }[] }>();
      expect(detail.map(({ type, loc }) => [type, loc])).toEqual([["missing", ["body", "publisher"]]]);
    }
  });

  it("redirects other callers to the login", async () => {
    const fields = { publisher: "Joe", state: "0", redir_url: "/people/Joe?a=b" };
    const location = "/account/login?redir_url=%2Fpeople%2FJoe%3Fa%3Db";
    const anonymous = await service.fetch("/people/Ann/follows.json", formOf(fields));
    const other = await change(joe, fields, "/people/Ann/follows.json");
    const read = await service.fetch("/people/Ann/follows.json?redir_url=/people/Joe%3Fa=b");
    for (const answer of [anonymous, other, read]) {
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, location]);
    }
    expect(await followed(ann)).toEqual([]);
  });

  it("answers 404 for unknown patrons and ignores following oneself", async () => {
    const unknown = await change(ann, { publisher: "nobody_here", state: "0" });
    expect([unknown.status, await unknown.json()]).toEqual([404, { detail: "Not Found" }]);
    const self = await change(ann, { publisher: "aNN", state: "0" });
    expect(self.status).toBe(303);
    expect(await followed(ann)).toEqual([]);
  });
});

describe("hiding a reading log", () => {
  it("disables follows, and showing it enables them", async () => {
    const [publisher, first, second] = await Promise.all(
      ["Publisher", "First", "Second"].map((name) => loggedIn(service, name)),
    );
    if (publisher === undefined || first === undefined || second === undefined)
      throw new Error("three patrons");
    await show(publisher, "yes");
    await change(first, { publisher: "Publisher", state: "0" });
    await settleActivity();
    expect(await stored("first", "publisher")).toBe(0);

    await publisher.fetch("/account/privacy", formOf({ safe_mode: "no" }));
    await settleActivity();
    expect(await followed(first)).toEqual([{ publisher: "Publisher", disabled: true }]);
    await settleActivity();
    expect(await stored("first", "publisher")).toBe(1);

    await change(second, { publisher: "Publisher", state: "0" });
    expect(await followed(second)).toEqual([{ publisher: "Publisher", disabled: true }]);
    await settleActivity();
    await show(publisher, "yes");
    await settleActivity();
    await settleActivity();
    expect(await followed(first)).toEqual([{ publisher: "Publisher", disabled: false }]);
    expect(await stored("first", "publisher")).toBe(0);
    expect(await stored("second", "publisher")).toBe(0);
  });

  it("applies the current setting however often the message arrives", async () => {
    const [hidden, fan] = [await loggedIn(service, "Hidden"), await loggedIn(service, "Fan")];
    await show(hidden, "yes");
    await change(fan, { publisher: "Hidden", state: "0" });
    await settleActivity();
    // Changed without a message, so that only the messages below can report it.
    await env.PATRON.getByName("hidden").setPreferences({ public_readlog: "no" });
    for (let time = 0; time < 3; time += 1) {
      await env.PATRON_JOBS.send({ kind: "follow-privacy", publisher: "hidden" });
    }
    await settleActivity();
    expect(await followed(fan)).toEqual([{ publisher: "Hidden", disabled: true }]);
  });

  it("reaches followers if its messages were lost, until the followers have settled", async () => {
    const [shy, fan] = [await loggedIn(service, "Shy"), await loggedIn(service, "Shyfan")];
    await show(shy, "yes");
    await change(fan, { publisher: "Shy", state: "0" });
    await settleActivity();
    await losing(() => show(shy, "no"));
    expect(await followed(fan)).toEqual([{ publisher: "Shy", disabled: false }]);
    const waiting = () => readVisibilities(env.PATRONS);
    await continueVisibilities(jobsOf(service));
    expect(await followed(fan)).toEqual([{ publisher: "Shy", disabled: true }]);
    expect(await waiting()).toContain("shy");
    // Its clock is days ahead.
    await sweep(createScheduledController(), env);
    expect(await waiting()).toEqual([]);
  });

  it("reaches more followers than one page holds", async () => {
    const publisher = await loggedIn(service, "Star");
    await show(publisher, "yes");
    // More than one message reports.
    const names = Array.from({ length: 55 }, (_, index) => `fan_${index}`);
    await addAccounts(...names);
    await Promise.all(
      // Many of one moment: pages need another order.
      names.map((name) =>
        env.PATRON.getByName(name).follows.follow({ username: "Star", disabled: false, now: service.now }),
      ),
    );
    await settleActivity();
    await show(publisher, "no");
    await settleActivity();
    await settleActivity();
    const row = await env.PATRONS.prepare(
      "SELECT count(*) AS fans, sum(disabled) AS disabled FROM patron_follow WHERE publisher = 'star'",
    ).first();
    expect(row).toEqual({ fans: 55, disabled: 55 });
  });
});

describe("a login with action=follow", () => {
  const logIn = (fields: Record<string, string>) =>
    service.fetch(
      "/account/login",
      formOf({ username: "newcomer@example.com", password: PASSWORD, ...fields }),
    );

  beforeAll(() => account(service, "newcomer"));

  it("follows and redirects", async () => {
    const answer = await logIn({ action: "follow:JOE", redir_url: "/people/Joe" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/people/Joe"]);
    const rows = await service.json("/people/newcomer/follows.json", { headers: cookieHeader(answer) });
    expect(rows).toMatchObject([{ publisher: "Joe", disabled: false }]);
  });

  it("logs in for any other action", async () => {
    for (const action of ["follow:", "follow:nobody_here", "dance", "follow:../joe"]) {
      const answer = await logIn({ action, redirect: "/health" });
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/health"]);
    }
  });

  it("keeps the action in the form, also after a wrong password", async () => {
    const page = await service.fetch("/account/login?redir_url=/people/Joe&action=follow:Joe");
    const html = await page.text();
    expect(html).toContain('<input type="hidden" name="action" value="follow:Joe">');
    expect(html).toContain('<input type="hidden" name="redirect" value="/people/Joe">');
    const fields = { password: "wrong", action: "follow:Joe", redirect: "/people/Joe" };
    const again = await service.fetch(
      "/account/login",
      formOf({ username: "newcomer@example.com", ...fields }, { Accept: "text/html" }),
    );
    expect(await again.text()).toContain('<input type="hidden" name="action" value="follow:Joe">');
  });
});

describe("readSubscribers", () => {
  it("pages through all followers at constant cost", async () => {
    await env.PATRONS.prepare(
      `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 3000)
       INSERT INTO patron_follow (subscriber, publisher, sequence, disabled, created, updated)
       SELECT 'many_' || value, 'idol', 1, 0, value / 3, 0 FROM n`,
    ).run();
    const { database, statements } = countedDatabase(env.PATRONS);
    const names = new Set<string>();
    let after: Subscriber | undefined;
    for (let page = await readSubscribers(database, "idol", { after, limit: 1000 }); page.length > 0;) {
      for (const { subscriber } of page) names.add(subscriber);
      after = page.at(-1);
      page = await readSubscribers(database, "idol", { after, limit: 1000 });
    }
    expect(names.size).toBe(3000);
    const last = env.PATRONS.prepare(statements[0] ?? "").bind("idol", 1, "many_4", 10);
    const { results, meta } = await last.all();
    expect(results.length).toBeGreaterThan(0);
    expect(meta.rows_read).toBeLessThan(20);
  });
});
