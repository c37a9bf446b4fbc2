import { beforeAll, describe, expect, it } from "vitest";
import { formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity } from "../../../support/worker/queues.ts";
import { testService } from "../../../support/worker/service.ts";

const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
let reader: LoggedIn;
let other: LoggedIn;
let works = 100;

beforeAll(async () => {
  reader = await loggedIn(service, "Reader_One");
  other = await loggedIn(service, "reader_two");
});

const newWork = (): string => `/works/OL${(works += 1)}W`;
const put = (path: string, fields: Record<string, string>, who = reader): Promise<unknown> =>
  who.json(`${path}/bookshelves.json`, formOf(fields));
const entries = async (shelf: string): Promise<Record<string, unknown>[]> => {
  const page = (await reader.json(`/people/Reader_One/books/${shelf}.json?limit=1000`)) as {
    reading_log_entries: { work: { key: string }; logged_edition: string | null; logged_date: string }[];
  };
  return page.reading_log_entries.map(({ work, logged_edition: edition, logged_date: date }) => ({
    key: work.key,
    edition,
    date,
  }));
};
const entryOf = async (work: string, shelf: string): Promise<unknown> =>
  (await entries(shelf)).find(({ key }) => key === work);
const countsOf = async (work: string, who?: LoggedIn): Promise<unknown> => {
  const answer = (await (who ?? service).json(`${work}/bookshelves.json`)) as {
    counts: Record<string, number>;
  };
  return Object.values(answer.counts);
};

describe("shelves", () => {
  it("Q221: refuse edition 0", async () => {
    const work = newWork();
    expect(
      (await reader.fetch(`${work}/bookshelves.json`, formOf({ bookshelf_id: "1", edition_id: "OL0M" })))
        .status,
    ).toBe(422);
    expect(
      (await reader.fetch(`${work}/ratings.json`, formOf({ rating: "3", edition_id: "0" }))).status,
    ).toBe(422);
    await settleActivity();
    expect(await countsOf(work)).toEqual([0, 0, 0, 0]);
  });

  it("end consistently after concurrent toggles", async () => {
    const work = newWork();
    const times = (count: number) =>
      Promise.all(Array.from({ length: count }, () => put(work, { bookshelf_id: "2" })));
    await times(20);
    expect(await countsOf(work, reader)).toEqual([0, 0, 0, 0]);
    await times(21);
    expect(await countsOf(work, reader)).toEqual([0, 1, 0, 0]);
    await settleActivity();
    expect(await countsOf(work)).toEqual([0, 1, 0, 0]);
  });

  it("keep date and edition when a work moves", async () => {
    const work = newWork();
    await put(work, { bookshelf_id: "1", edition_id: "OL42M" });
    const before = await entryOf(work, "want-to-read");
    service.now += 3_600_000;
    expect(await put(work, { bookshelf_id: "2", edition_id: "" })).toEqual({ bookshelves_affected: 1 });
    expect(await entryOf(work, "want-to-read")).toBeUndefined();
    expect(await entryOf(work, "currently-reading")).toEqual(before);
    await put(work, { bookshelf_id: "3", edition_id: "OL43M" });
    expect(await entryOf(work, "already-read")).toMatchObject({ edition: "/books/OL43M" });
  });

  it("remove a work and its check-ins when the shelf is sent again", async () => {
    const work = newWork();
    await put(work, { bookshelf_id: "3" });
    await reader.fetch(`${work}/check-ins.json`, jsonOf({ event_type: 3, year: 2026 }));
    expect(await put(work, { bookshelf_id: "3" })).toEqual({ bookshelves_affected: 1 });
    expect(await entryOf(work, "already-read")).toBeUndefined();
    expect(await reader.json(`${work}/check-ins.json`)).toEqual({ entries: [] });
  });

  it("keep it with dont_remove", async () => {
    const work = newWork();
    await put(work, { bookshelf_id: "3" });
    for (const yes of ["true", "1", "on"]) {
      expect(await put(work, { bookshelf_id: "3", dont_remove: yes, edition_id: "OL9M" })).toEqual({
        bookshelves_affected: 1,
      });
    }
    expect(await entryOf(work, "already-read")).toMatchObject({ edition: "/books/OL9M" });
  });

  it("remove a work from any shelf with -1", async () => {
    const work = newWork();
    expect(await put(work, { bookshelf_id: "-1" })).toEqual({ bookshelves_affected: 0 });
    await put(work, { bookshelf_id: "4" });
    expect(await put(work, { bookshelf_id: "-1", dont_remove: "true" })).toEqual({ bookshelves_affected: 1 });
    expect(await countsOf(work, reader)).toEqual([0, 0, 0, 0]);
  });

  it("answers 422 for an unknown shelf and writes nothing (Q212)", async () => {
    const work = newWork();
    const wrong: Record<string, string>[] = [
      { bookshelf_id: "5" },
      { bookshelf_id: "0" },
      { bookshelf_id: "" },
      {},
    ];
    for (const fields of wrong) {
      const response = await reader.fetch(`${work}/bookshelves.json`, formOf(fields));
      expect([response.status, await response.json()]).toEqual([422, { error: "Invalid bookshelf" }]);
    }
    expect(await countsOf(work, reader)).toEqual([0, 0, 0, 0]);
  });

  it("report all failures together, and 401 before failures of a form", async () => {
    const wrong = formOf({ bookshelf_id: "1", edition_id: "OL42W", dont_remove: "maybe" });
    const response = await reader.fetch("/works/OL0W/bookshelves.json", wrong);
    expect(response.status).toBe(422);
    const { detail } = await response.json<{ detail: { type: string; loc: string[]; ctx?: unknown }[] }>();
    expect(detail.map(({ type, loc }) => [type, ...loc])).toEqual([
      ["greater_than", "path", "work_id"],
      ["string_pattern_mismatch", "body", "edition_id"],
      ["bool_parsing", "body", "dont_remove"],
    ]);
    expect(detail[1]).toMatchObject({ ctx: { pattern: "(?i)^(?:/books/)?OL\\d+M$" }, input: "OL42W" });
    expect((await service.fetch("/works/OL0W/bookshelves.json", wrong)).status).toBe(401);
    const foreign = await reader.fetch(
      "/works/OL1W/bookshelves.json",
      formOf({ bookshelf_id: "1", edition_id: "XY1M" }),
    );
    expect(foreign.status).toBe(422);
    const malformed = { ...jsonOf({}), body: "{" };
    expect((await service.fetch("/works/OL1W/bookshelves.json", malformed)).status).toBe(422);
  });

  it("count all patrons, and the own change at once", async () => {
    const work = newWork();
    await put(work, { bookshelf_id: "1" });
    await put(work, { bookshelf_id: "2" }, other);
    expect(await countsOf(work, reader)).toSatisfy((counts: number[]) => counts[0] === 1);
    await settleActivity();
    expect(await countsOf(work)).toEqual([1, 1, 0, 0]);
    await put(work, { bookshelf_id: "3" });
    expect(await countsOf(work, reader)).toEqual([0, 1, 1, 0]);
    await put(work, { bookshelf_id: "-1" });
    expect(await countsOf(work, reader)).toEqual([0, 1, 0, 0]);
    await settleActivity();
    const response = await service.fetch(`${work}/bookshelves.json`);
    expect(await response.json()).toEqual({
      counts: { want_to_read: 0, currently_reading: 1, already_read: 0, stopped_reading: 0 },
    });
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect((await reader.fetch(`${work}/bookshelves.json`)).headers.get("Cache-Control")).toBe(
      "private, no-store",
    );
  });

  it("refuse every write of read-only accounts", async () => {
    const bound = await loggedIn(service, "bound_reader", { groups: ["read-only"] });
    const work = newWork();
    const requests: [string, RequestInit][] = [
      [`${work}/bookshelves.json`, formOf({ bookshelf_id: "1" })],
      [`${work}/ratings.json`, formOf({ rating: "4" })],
      [`${work}/notes.json`, formOf({ notes: "x" })],
      [`${work}/observations.json`, jsonOf({ action: "add", observation: { Mood: "Dark" } })],
      [`${work}/observations.json`, { method: "DELETE" }],
      [`${work}/check-ins.json`, jsonOf({ event_type: 3, year: 2026 })],
      [`${work}/awards.json`, formOf({ topic: "x" })],
      ["/check-ins/1", { method: "DELETE" }],
      ["/reading-goal.json", formOf({ goal: "3" })],
      ["/api/like", jsonOf({ key: work })],
      ["/api/like", { ...jsonOf({ key: work }), method: "DELETE" }],
    ];
    for (const [path, init] of requests) {
      const response = await bound.fetch(path, init);
      expect([path, response.status, await response.json()]).toEqual([
        path,
        403,
        { detail: "This account is read-only." },
      ]);
    }
    await settleActivity();
    expect(await countsOf(work)).toEqual([0, 0, 0, 0]);
  });
});

describe("ratings", () => {
  it("Q210: a work without ratings has numbers", async () => {
    expect(await service.json("/works/OL987654W/ratings.json")).toEqual({
      summary: { average: 0, count: 0, sortable: 2.0473720558371173 },
      counts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
    });
    expect((await service.fetch("/works/OLxxW/ratings.json")).status).toBe(422);
  });

  it("a rating counts and shelves the work as already read", async () => {
    const work = newWork();
    await put(work, { bookshelf_id: "2" });
    const rated = await reader.json(
      `${work}/ratings.json`,
      formOf({ rating: "5", edition_id: "/books/OL42M" }),
    );
    expect(rated).toEqual({ success: "rating added" });
    expect(await entryOf(work, "already-read")).toMatchObject({ edition: "/books/OL42M" });
    expect(await reader.json(`${work}/ratings.json`)).toMatchObject({ summary: { count: 1, average: 5 } });
    await other.json(`${work}/ratings.json`, formOf({ rating: "4", bookshelf_id: "1", edition_id: "42" }));
    await settleActivity();
    expect(await service.json(`${work}/ratings.json`)).toEqual({
      summary: { average: 4.5, count: 2, sortable: 2.61203319071753 },
      counts: { "1": 0, "2": 0, "3": 0, "4": 1, "5": 1 },
    });
    expect(await countsOf(work)).toEqual([0, 0, 2, 0]);
  });

  it("a second rating changes the number only, and an empty one removes it", async () => {
    const work = newWork();
    await reader.json(`${work}/ratings.json`, formOf({ rating: "2", edition_id: "OL1M" }));
    await reader.json(`${work}/ratings.json`, formOf({ rating: "3", edition_id: "OL2M" }));
    expect(await entryOf(work, "already-read")).toMatchObject({ edition: "/books/OL1M" });
    const none: Record<string, string>[] = [{ rating: "" }, {}];
    for (const fields of none) {
      const answer = await reader.json(`${work}/ratings.json`, formOf(fields));
      expect(answer).toEqual({ success: "removed rating" });
    }
    expect(await reader.json(`${work}/ratings.json`)).toMatchObject({ summary: { count: 0 } });
    expect(await entryOf(work, "already-read")).toBeDefined();
  });

  it.each(["0", "6", "10", "-1", "abc", "4.5"])("refuses %s", async (rating) => {
    const response = await reader.fetch(`${newWork()}/ratings.json`, formOf({ rating }));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ["body", "rating"], input: rating }] });
  });

  it("refuses invalid editions and callers without a session", async () => {
    const wrong = formOf({ rating: "4", edition_id: "OL1W" });
    expect((await reader.fetch(`${newWork()}/ratings.json`, wrong)).status).toBe(422);
    const anonymous = await service.fetch(`${newWork()}/ratings.json`, formOf({ rating: "4" }));
    expect([anonymous.status, anonymous.headers.get("WWW-Authenticate")]).toEqual([401, "Session"]);
  });
});

describe("notes", () => {
  it("are kept for a work and its editions, and are private", async () => {
    const work = newWork();
    const note = (fields: Record<string, string>, path = "notes.json"): Promise<unknown> =>
      reader.json(`${work}/${path}`, formOf(fields));
    expect(await note({ notes: "as a whole" })).toEqual({ success: "note added" });
    expect(await note({ notes: "this one", edition_id: "ol5m" }, "notes")).toEqual({ success: "note added" });
    expect(await note({ notes: "better", edition_id: "/books/OL5M" })).toEqual({ success: "note added" });
    expect(await reader.json(`${work}/notes.json`)).toEqual({
      entries: [
        { edition_key: null, notes: "as a whole" },
        { edition_key: "/books/OL5M", notes: "better" },
      ],
    });
    expect(await other.json(`${work}/notes.json`)).toEqual({ entries: [] });
    expect((await service.fetch(`${work}/notes.json`)).status).toBe(401);
    expect(await note({ notes: "" })).toEqual({ success: "removed note" });
    expect(await note({ edition_id: "OL5M" })).toEqual({ success: "removed note" });
    expect(await reader.json(`${work}/notes.json`)).toEqual({ entries: [] });
  });

  it("have a maximum length in bytes", async () => {
    const work = newWork();
    const longest = "ä".repeat(32 * 1024);
    expect((await reader.fetch(`${work}/notes.json`, formOf({ notes: longest }))).status).toBe(200);
    const response = await reader.fetch(`${work}/notes.json`, formOf({ notes: `${longest}x` }));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ type: "value_error", loc: ["body", "notes"] }],
    });
  });
});
