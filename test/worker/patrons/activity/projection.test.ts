import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { storeActivity } from "../../../../src/db/patrons/activity.ts";
import { workItem } from "../../../support/worker/activity.ts";
import { indexAll } from "../../../support/worker/indexing.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { losing, settleActivity } from "../../../support/worker/queues.ts";
import { work } from "../../../support/worker/records.ts";
import { type TestService, testService } from "../../../support/worker/service.ts";
import { emptyStores } from "../../../support/worker/stored.ts";

let service: TestService;
let ann: LoggedIn;
let ben: LoggedIn;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  await emptyStores();
  service = testService();
  [ann, ben] = await Promise.all([loggedIn(service, "Ann"), loggedIn(service, "ben")]);
});

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});
const shelve = (patron: LoggedIn, id: number, shelf: number): Promise<Response> =>
  patron.fetch(
    `/works/OL${id}W/bookshelves.json`,
    form({ bookshelf_id: String(shelf), dont_remove: "true" }),
  );
const rate = (patron: LoggedIn, id: number, stars: number | ""): Promise<Response> =>
  patron.fetch(`/works/OL${id}W/ratings.json`, form({ rating: String(stars) }));
const counts = async (id: number, patron?: LoggedIn): Promise<unknown> => {
  const path = `/works/OL${id}W/bookshelves.json`;
  return Object(await (patron ?? service).json(path)).counts;
};
const on = (shelves: Partial<Record<string, number>>): unknown => ({
  want_to_read: 0,
  currently_reading: 0,
  already_read: 0,
  stopped_reading: 0,
  ...shelves,
});
const objectOf = (name: string) => env.PATRON.getByName(name);
const pending = (name: string): Promise<unknown[]> =>
  runInDurableObject(objectOf(name), (_object, { storage }) =>
    storage.sql.exec("SELECT * FROM outbox").toArray(),
  );

/** Runs the alarm of a patron's object. Returns false if none is set. */
const ring = (name: string): Promise<boolean> => runDurableObjectAlarm(objectOf(name));

describe("activity of patrons", () => {
  it("changes counts, the search index and its orders", async () => {
    await service.load(work(1), work(2), work(3));
    await indexAll();
    await rate(ann, 2, 5);
    await rate(ben, 2, 4);
    await shelve(ann, 3, 1);
    await settleActivity();
    expect(await counts(2)).toEqual(on({ already_read: 2 }));
    const { docs } = Object(
      await service.json(
        "/search.json?q=key:/works/OL2W&fields=ratings_average,ratings_count,ratings_count_5,already_read_count,readinglog_count",
      ),
    );
    expect(docs).toEqual([
      {
        ratings_average: 4.5,
        ratings_count: 2,
        ratings_count_5: 1,
        already_read_count: 2,
        readinglog_count: 2,
      },
    ]);
    const keys = async (sort: string): Promise<string[]> =>
      Object(await service.json(`/search.json?q=title:work&sort=${sort}&fields=key`)).docs.map(
        ({ key }: { key: string }) => key,
      );
    expect((await keys("rating"))[0]).toBe("/works/OL2W");
    expect(await keys("readinglog")).toEqual(["/works/OL2W", "/works/OL3W", "/works/OL1W"]);
    await rate(ann, 2, "");
    await ann.fetch("/works/OL2W/bookshelves.json", form({ bookshelf_id: "-1" }));
    await settleActivity();
    expect(await counts(2)).toEqual(on({ already_read: 1 }));
    expect(await pending("ann")).toHaveLength(2);
    await ring("ann");
    expect(await pending("ann")).toEqual([]);
  });

  it("is counted at once for its patron, and later for others", async () => {
    await shelve(ben, 1, 1);
    await settleActivity();
    const observed = [{ type: 1, value: 4, isSingle: false }];
    await losing(async () => {
      await Promise.all([shelve(ann, 1, 1), shelve(ben, 1, 2), rate(ann, 7, 3)]);
      await objectOf("ann").notes.observe({ work: 7, observed, now: service.now });
    });
    expect(await counts(1)).toEqual(on({ want_to_read: 1 }));
    expect(await counts(1, ann)).toEqual(on({ want_to_read: 2 }));
    expect(await counts(1, ben)).toEqual(on({ currently_reading: 1 }));
    expect(Object(await ann.json("/works/OL7W/ratings.json")).counts).toEqual({
      1: 0,
      2: 0,
      3: 1,
      4: 0,
      5: 0,
    });
    const respondents = async (patron: Pick<LoggedIn, "json">): Promise<unknown> =>
      Object(await patron.json("/observations.json?olid=OL7W")).observations.OL7W.total_respondents;
    expect([await respondents(ann), await respondents(service)]).toEqual([1, 0]);
    await Promise.all(["ann", "ben"].map(ring));
    await settleActivity();
    for (const patron of [ann, ben, undefined]) {
      expect(await counts(1, patron)).toEqual(on({ want_to_read: 1, currently_reading: 1 }));
    }
  });

  it("survives moving a work onto itself", async () => {
    await Promise.all([rate(ann, 4, 5), ann.fetch("/works/OL4W/notes.json", form({ notes: "mine" }))]);
    expect(await objectOf("ann").upkeep.moveWork({ from: 4, to: 4 })).toBe(0);
    await settleActivity();
    expect(await objectOf("ann").shelves.rating(4)).toMatchObject({ stars: 5 });
    expect(await counts(4)).toEqual(on({ already_read: 1 }));
  });

  it("is not confused with that of a removed account with the same name", async () => {
    await Promise.all([rate(ann, 1, 5), shelve(ann, 2, 1)]);
    await settleActivity();
    const object = objectOf("ann");
    await object.upkeep.erase();
    await object.upkeep.reopen();
    await env.PATRONS.exec("DELETE FROM patron_work");
    await object.shelves.put({ work: 1, shelf: 3, keep: true, now: service.now });
    await storeActivity(env.PATRONS, [{ patron: "ann", items: [workItem(1, 1, { stars: 5 })] }]);
    await ring("ann");
    await settleActivity();
    expect(await counts(1)).toEqual(on({ already_read: 1 }));
  });

  it("is consistent after 60 concurrent requests that move one work", async () => {
    const shelves = Array.from({ length: 60 }, (_, index) => 1 + (index % 4));
    const answers = await Promise.all(shelves.map((shelf) => shelve(ann, 1, shelf)));
    expect(answers.map(({ status }) => status)).toEqual(shelves.map(() => 200));
    await shelve(ann, 1, 4);
    await settleActivity();
    expect(await counts(1)).toEqual(on({ stopped_reading: 1 }));
    const { results } = await env.PATRONS.prepare("SELECT shelf FROM patron_work").all();
    expect(results).toEqual([{ shelf: 4 }]);
  });
});

describe("activity messages", () => {
  it("are dropped when invalid, without the rest of their batch", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const good = { patron: "ann", items: [workItem(5, 1, { stars: 2 })] };
    const bad = [
      "text",
      { patron: "ann" },
      { patron: "ann", items: [{ ...workItem(5, 9, {}), subject: "x" }] },
      { patron: "ann", items: [workItem(5, 9, { shelf: 1 })] },
      { patron: "ann", items: [workItem(5, 9, { stars: 6 })] },
    ];
    await env.ACTIVITY.sendBatch([...bad, good].map((body) => ({ body })));
    await settleActivity();
    const { results } = await env.PATRONS.prepare("SELECT patron, sequence, stars FROM patron_work").all();
    expect(results).toEqual([{ patron: "ann", sequence: 1, stars: 2 }]);
    expect(logged.mock.calls.flat().join("\n")).toContain("not a message of a patron's object");
  });

  it("keep their valid items", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const items = [
      workItem(5, 1, { edition: 0, shelf: 1, logged: 1, moved: 1 }),
      workItem(6, 2, { stars: 3 }),
    ];
    await env.ACTIVITY.send({ patron: "ann", items });
    await settleActivity();
    const { results } = await env.PATRONS.prepare("SELECT work_id, stars FROM patron_work").all();
    expect(results).toEqual([{ work_id: 6, stars: 3 }]);
  });

  it("count once for their patron after they are stored", async () => {
    await losing(() => shelve(ann, 1, 2));
    const item = await objectOf("ann").upkeep.unconfirmed("work", "1");
    if (item === undefined) throw new Error("nothing is left to be told");
    await storeActivity(env.PATRONS, [{ patron: "ann", items: [item] }]);
    expect(await pending("ann")).toHaveLength(1);
    expect(await counts(1, ann)).toEqual(on({ currently_reading: 1 }));
    await losing(() => shelve(ann, 1, 3));
    expect(await counts(1, ann)).toEqual(on({ already_read: 1 }));
    expect(await counts(1)).toEqual(on({ currently_reading: 1 }));
  });

  it("are resent by the alarm until they are stored", async () => {
    await losing(() => Promise.all([rate(ann, 1, 5), rate(ann, 2, 4), shelve(ann, 3, 2)]));
    expect(await pending("ann")).toHaveLength(3);
    expect(await counts(3)).toEqual(on({}));
    await losing(async () => expect(await ring("ann")).toBe(true));
    expect(await ring("ann")).toBe(true);
    await settleActivity();
    expect(await counts(3)).toEqual(on({ currently_reading: 1 }));
    expect(await counts(1)).toEqual(on({ already_read: 1 }));
    expect(await ring("ann")).toBe(true);
    expect(await pending("ann")).toEqual([]);
    expect(await ring("ann")).toBe(false);
  });

  it("of all kinds leave the outbox when they are stored", async () => {
    await rate(ann, 1, 5);
    await objectOf("ann").opinions.setOpinion({ key: "/works/OL1W", value: 1, now: service.now });
    await objectOf("ann").follows.follow({ username: "ben", disabled: false, now: service.now });
    await settleActivity();
    await losing(() => rate(ann, 1, 4));
    expect(await pending("ann")).toHaveLength(3);
    await losing(() => ring("ann"));
    expect(await pending("ann")).toMatchObject([{ kind: "work", subject: "1" }]);
  });

  it("are resent while the projection cannot be read", async () => {
    await losing(() => rate(ann, 1, 5));
    await env.PATRONS.exec("ALTER TABLE patron_like RENAME TO hidden");
    await ring("ann");
    await env.PATRONS.exec("ALTER TABLE hidden RENAME TO patron_like");
    await settleActivity();
    expect(await counts(1)).toEqual(on({ already_read: 1 }));
  });

  it("share an alarm", async () => {
    const alarm = (): Promise<number | null> =>
      runInDurableObject(objectOf("ann"), (_object, { storage }) => storage.getAlarm());
    await rate(ann, 1, 5);
    const first = await alarm();
    await settleActivity();
    await rate(ann, 2, 5);
    expect(first).not.toBeNull();
    expect(await alarm()).toBe(first);
  });

  it("of a removed account are ignored", async () => {
    await env.PATRONS.exec("DELETE FROM account WHERE username_folded = 'ann'");
    await env.ACTIVITY.send({ patron: "ann", items: [workItem(5, 1, { stars: 2 })] });
    await settleActivity();
    expect((await env.PATRONS.prepare("SELECT * FROM patron_work").all()).results).toEqual([]);
  });
});

describe("POST /system/activity", () => {
  const operator = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
  const call = (body: unknown): Promise<unknown> =>
    service.json("/system/activity", { method: "POST", headers: operator, body: JSON.stringify(body) });

  it("rebuilds projections from the patrons' objects", async () => {
    await Promise.all([rate(ann, 1, 5), shelve(ben, 1, 2), shelve(ben, 2, 1)]);
    await ann.fetch("/api/like", { method: "POST", body: JSON.stringify({ key: "/works/OL1W" }) });
    await settleActivity();
    const stored = (): Promise<unknown[]> =>
      Promise.all(
        ["patron_work", "work_day", "observation_count", "like_count", "patron_follow"].map(async (table) =>
          (await env.PATRONS.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results.map(
            ({ sequence: _sequence, ...row }) => row,
          ),
        ),
      );
    const before = await stored();
    await env.PATRONS.exec("DELETE FROM patron_work");
    await env.PATRONS.exec("DELETE FROM patron_like");
    await env.PATRONS.exec(
      "INSERT INTO patron_work (patron, work_id, sequence, held, shelf, logged, moved) VALUES ('ben', 9, 1000, 1, 1, 1, 1)",
    );
    let after = "";
    for (let finished = false; !finished;) {
      const answer = Object(await call({ action: "resend", after }));
      ({ after, finished } = answer);
    }
    expect(after).toBe("ben");
    await settleActivity();
    await env.PATRONS.exec("DELETE FROM patron_work WHERE held = 0");
    expect(await stored()).toEqual(before);
    await shelve(ben, 1, 3);
    await settleActivity();
    expect(await counts(1)).toEqual(on({ already_read: 2 }));
  });

  it("continues past an account that is being removed", async () => {
    await shelve(ben, 1, 2);
    await settleActivity();
    await objectOf("ann").upkeep.seal();
    await env.PATRONS.exec("DELETE FROM patron_work");
    expect(await call({ action: "resend" })).toMatchObject({ after: "ben", finished: true });
    await settleActivity();
    expect(await counts(1)).toEqual(on({ currently_reading: 1 }));
  });

  it("passes its name to an object that wakes for the first time", async () => {
    await objectOf("ben").upkeep.resendAll({ known: [], after: 1000 });
    const name = await runInDurableObject(objectOf("ben"), (_object, { storage }) =>
      storage.sql.exec("SELECT value FROM state WHERE name = 'name'").toArray(),
    );
    expect(name).toEqual([{ value: "ben" }]);
  });

  it("finds and repairs wrong counts", async () => {
    await shelve(ann, 1, 1);
    await settleActivity();
    expect(await call({ action: "recount", part: "works" })).toEqual({
      wrong: [],
      next: null,
      finished: true,
    });
    await env.PATRONS.exec("UPDATE work_count SET want_to_read = 5");
    await env.PATRONS.exec("UPDATE work_day SET entries = 5");
    const day = Math.floor(service.now / 86_400_000);
    expect(await call({ action: "recount", part: "works" })).toMatchObject({ wrong: [1] });
    expect(await call({ action: "recount", part: "days", from: day, repair: true })).toMatchObject({
      wrong: [day],
    });
    expect(await call({ action: "recount", part: "days", from: day })).toMatchObject({ wrong: [] });
    expect(await counts(1)).toEqual(on({ want_to_read: 5 }));
    await call({ action: "recount", part: "works", repair: true });
    expect(await counts(1)).toEqual(on({ want_to_read: 1 }));
  });

  it("refuses other callers and unknown actions", async () => {
    const body = JSON.stringify({ action: "resend" });
    expect((await service.fetch("/system/activity", { method: "POST", body })).status).toBe(401);
    for (const bad of ["{}", "[]", '{"action":"recount"}', '{"action":"resend","x":1}', "x"]) {
      const response = await service.fetch("/system/activity", {
        method: "POST",
        headers: operator,
        body: bad,
      });
      expect(response.status).toBe(400);
    }
  });
});
