import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FEED_DOCUMENTS } from "../../../src/worker/history/change-feed.ts";
import { emptyCatalog, saved } from "../../support/worker/desk.ts";
import { contents, empty } from "../../support/worker/catalogs.ts";
import { edition, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";

// The mirror's catalog is in another database, beside tables that a catalog does not have.
const source = testService();
const target = testService({ CATALOG: env.PATRONS });
const OPERATOR = { Authorization: `Bearer ${env.LOAD_TOKEN}` };

interface Feed {
  since: number;
  changes: { id: number; kind: string; loaded: boolean; changes: unknown[]; documents: { key: string }[] }[];
  cursor: number;
  end: number;
}

const textOf = async (service: TestService, search: string): Promise<string> => {
  const response = await service.fetch(`/changes.json?${search}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return response.text();
};
const feed = async (service: TestService, search: string): Promise<Feed> =>
  JSON.parse(await textOf(service, search));
const endOf = async (service: TestService): Promise<number> => (await feed(service, "limit=0")).end;
const apply = (body: string, headers: HeadersInit = OPERATOR): Promise<Response> =>
  target.fetch("/system/changes", { method: "POST", body, headers });

/** Follows the source's feed as scripts/mirror.ts does, `limit` changes at a time. */
async function follow(limit = 100): Promise<void> {
  for (;;) {
    const text = await textOf(source, `since=${await endOf(target)}&limit=${limit}`);
    if ((JSON.parse(text) as Feed).changes.length === 0) return;
    const response = await apply(text);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"known":0')]);
  }
}

const JANE = { author: "/people/jane", bot: true, ip: "203.0.113.7", authority: "service" } as const;
const WORK = { type: { key: "/type/work" } };
const time = (second: number): string => `2026-11-02T00:00:${String(second).padStart(2, "0")}.000000`;

/** Changes of every sort, in order; a mirror may come between any two of them. */
const STEPS: (() => Promise<unknown>)[] = [
  // A load with superseded revisions, and keys that carry no number.
  () =>
    source.load(
      work(1, { revision: 1, title: "One", modified: time(1) }),
      work(1, { revision: 2, title: "Two", modified: time(2) }),
      work(1, { revision: 3, title: "Three", modified: time(3), authors: [1] }),
      work(2, { revision: 4 }),
      edition(7, { work: 1, languages: [{ key: "/languages/fre" }], isbn_10: ["0441172717"] }),
      { key: "/languages/fre", type: "/type/language", code: "fre", name: "Français \u{1f600}" },
      { key: "/languages/eng", type: "/type/language", code: "eng", name: 'Eng"lish\\' },
    ),
  () =>
    saved(
      [
        { key: "/works/OL4W", ...WORK, title: "Vier \u2028", score: 1.5 },
        { key: "/people/jane", type: { key: "/type/user" }, displayname: "Jane" },
        { key: "/works/OL3W", ...WORK, title: "Drei" },
      ],
      {
        writer: JANE,
        kind: "bulk-things",
        comment: 'a "b" \\ ü',
        data: '{"1":null,"2":[1,2],"master":"/works/OL3W"}',
      },
    ),
  () => saved([{ key: "/works/OL1W", ...WORK, title: "Vierte" }], { kind: "edit-book" }),
  // Corrections: of a superseded revision, and of the latest one.
  () => source.load(work(1, { revision: 2, title: "Zwei", modified: time(20) })),
  () => source.load(work(2, { revision: 4, title: "Neu", modified: time(21) })),
  () => source.load(work(2, { revision: 2, title: "Nachtrag", modified: time(4) })),
  () => saved([{ key: "/works/OL3W", type: { key: "/type/delete" } }], { writer: JANE }),
  () => saved([{ key: "/works/OL4W", type: { key: "/type/redirect" }, location: "/works/OL1W" }]),
  () => saved([{ key: "/works/OL3W", ...WORK, title: "Wieder" }], { comment: null }),
];

beforeAll(async () => {
  await applyD1Migrations(env.PATRONS, env.MIGRATIONS.catalog, "catalog_migrations");
});

describe("a mirror", () => {
  beforeEach(async () => {
    await emptyCatalog();
    await empty(env.CATALOG);
    await empty(env.PATRONS);
  });

  it("has the same contents when it follows at every step", async () => {
    for (const step of STEPS) {
      await step();
      await follow();
      expect(await contents(env.PATRONS)).toEqual(await contents(env.CATALOG));
    }
    const { results } = await env.PATRONS.prepare(
      "SELECT count(*) AS ips FROM change WHERE ip IS NOT NULL",
    ).all();
    expect(results).toEqual([{ ips: 0 }]);
  });

  it.each([1, 100])("has the same contents when it follows later, %i changes at a time", async (limit) => {
    for (const step of STEPS) await step();
    await follow(limit);
    expect(await contents(env.PATRONS)).toEqual(await contents(env.CATALOG));
  });

  it("accepts repeated and concurrent feeds", async () => {
    for (const step of STEPS) await step();
    const first = await textOf(source, "limit=4");
    await apply(first);
    const all = await textOf(source, "limit=100");
    const answers = await Promise.all([apply(all), apply(all), apply(first)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await (await apply(all)).json()).toEqual({ stored: 0, known: STEPS.length, end: STEPS.length });
    expect(await contents(env.PATRONS)).toEqual(await contents(env.CATALOG));
  });

  it("shows applied changes at once", async () => {
    await STEPS[0]?.();
    expect((await target.fetch("/works/OL1W.json")).status).toBe(404);
    const response = await apply(await textOf(source, ""));
    expect(response.headers.get("X-Carrel-Bookmark")).not.toBe("");
    expect(await target.json("/works/OL1W.json")).toMatchObject({ title: "Three" });
  });

  it("recognises the same load at another time", async () => {
    const records = [work(1), work(2)];
    await target.load(...records);
    source.now += 1000;
    await source.load(...records);
    await saved([{ key: "/works/OL1W", ...WORK, title: "New" }]);
    expect(await contents(env.PATRONS)).not.toEqual(await contents(env.CATALOG));
    expect((await apply(await textOf(source, ""))).status).toBe(200);
    expect(await contents(env.PATRONS)).toEqual(await contents(env.CATALOG));
  });

  it("refuses another log", async () => {
    for (const step of STEPS.slice(0, 3)) await step();
    await target.load(work(1));
    const other = await apply(await textOf(source, ""));
    expect(other.status).toBe(409);
    expect(await other.json()).toEqual({ error: "conflict", message: "The log here has another change 1." });
    await empty(env.PATRONS);
    const gap = await apply(await textOf(source, "since=2"));
    expect(await gap.json()).toMatchObject({ message: "The log here ends with change 0, before change 2." });
    await follow(2);
    await target.load(work(90));
    await saved([{ key: "/works/OL1W", ...WORK, title: "Other" }]);
    expect((await apply(await textOf(source, "since=3"))).status).toBe(409);
  });

  const CHANGE = {
    id: 1,
    kind: "update",
    timestamp: time(1),
    comment: null,
    author: null,
    bot: false,
    data: {},
    loaded: false,
    changes: [],
    documents: [],
  };
  it.each([
    ["nothing"],
    ["[]"],
    ["{}"],
    [JSON.stringify({ since: 0, changes: [{ ...CHANGE, timestamp: "yesterday" }] })],
    [JSON.stringify({ since: 0, changes: [{ ...CHANGE, documents: [5] }] })],
    [JSON.stringify({ since: 0, changes: [{ ...CHANGE, data: [] }] })],
    [JSON.stringify({ since: 1, changes: [CHANGE] })],
    [JSON.stringify({ since: 0, changes: [CHANGE, CHANGE] })],
  ])("refuses an invalid feed: %s", async (body) => {
    expect((await apply(body)).status).toBe(400);
    expect(await endOf(target)).toBe(0);
  });

  it.each([
    { key: "/works/OL1W", type: { key: "/type/work" } },
    { key: "no key", type: { key: "/type/work" }, revision: 1, last_modified: { value: time(1) } },
    { key: "/works/OL1W", type: "/type/work", revision: 1, last_modified: { value: time(1) } },
  ])("refuses documents that cannot be stored: %j", async (document) => {
    const body = JSON.stringify({ since: 0, changes: [{ ...CHANGE, documents: [document] }] });
    expect((await apply(body)).status).toBe(409);
    expect(await endOf(target)).toBe(0);
  });
});

describe("GET /changes.json", () => {
  beforeAll(async () => {
    await emptyCatalog();
    await empty(env.CATALOG);
    for (const step of STEPS) await step();
  });

  it("returns changes with their documents as stored", async () => {
    const text = await textOf(source, "since=1&limit=1");
    expect(text).toContain('"data":{"1":null,"2":[1,2],"master":"/works/OL3W"}');
    const { since, changes, cursor, end } = JSON.parse(text) as Feed;
    expect({ since, cursor, end }).toEqual({ since: 1, cursor: 2, end: STEPS.length });
    const keys = ["/works/OL4W", "/people/jane", "/works/OL3W"];
    expect(changes).toMatchObject([
      {
        id: 2,
        kind: "bulk-things",
        timestamp: expect.stringMatching(/^2026-11-21T12:00:0/),
        comment: 'a "b" \\ ü',
        author: { key: "/people/jane" },
        bot: true,
        loaded: false,
        changes: keys.map((key) => ({ key, revision: 1 })),
      },
    ]);
    expect(changes[0]?.documents.map(({ key }) => key)).toEqual(keys);
    expect(text).not.toContain("203.0.113.7");
    const row = await env.CATALOG.prepare("SELECT document FROM revision WHERE change_id = 2").first(
      "document",
    );
    expect(text).toContain(String(row));
  });

  it("returns loads with their remaining revisions", async () => {
    const [load] = (await feed(source, "limit=1")).changes;
    expect(load).toMatchObject({ loaded: true, kind: "bulk_update" });
    expect(load?.changes.slice(0, 2)).toEqual([
      { key: "/languages/fre", revision: 1 },
      { key: "/languages/eng", revision: 1 },
    ]);
    expect(load?.documents).toHaveLength(5);
  });

  it.each([1, 2, 3, 1000])("pages without gaps or duplicates, %i at a time", async (limit) => {
    const found: number[] = [];
    for (let since = 0; ;) {
      const { changes, cursor } = await feed(source, `since=${since}&limit=${limit}`);
      expect(changes.length).toBeLessThanOrEqual(limit);
      if (changes.length === 0) break;
      found.push(...changes.map(({ id }) => id));
      since = cursor;
    }
    expect(found).toEqual(STEPS.map((_step, index) => index + 1));
  });

  it.each([
    ["limit=0", 0, 0],
    ["limit=-1", 0, 0],
    ["limit=x", STEPS.length, STEPS.length],
    ["limit=99999", STEPS.length, STEPS.length],
    [`since=${STEPS.length}`, 0, STEPS.length],
    ["since=5000", 0, 5000],
    ["since=5000&wait=0", 0, 5000],
    ["since=2&wait=30", STEPS.length - 2, STEPS.length],
  ])("returns for %s %i changes", async (search, count, cursor) => {
    const answer = await feed(source, search);
    expect([answer.changes.length, answer.cursor, answer.end]).toEqual([count, cursor, STEPS.length]);
  });

  it.each(["since=-1", "since=x", "since=1.5", "since=99999999999999999999"])(
    "answers 422 for %s",
    async (search) => {
      expect((await source.fetch(`/changes.json?${search}`)).status).toBe(422);
    },
  );

  it("waits for the next change or the end of the time", async () => {
    const end = await endOf(source);
    const { setTimeout: start } = globalThis;
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    // Shortens only the timer of the wait: a database has timers of its own.
    timers.mockImplementation(((run: () => void, milliseconds: number) =>
      start(run, milliseconds === 1000 ? 5 : milliseconds)) as typeof setTimeout);
    expect(await feed(source, `since=${end}&wait=1`)).toEqual({ since: end, changes: [], cursor: end, end });
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 1000);
    timers.mockRestore();
    const waiting = feed(source, `since=${end}&wait=20`);
    await source.load(work(50));
    expect((await waiting).changes.map(({ id }) => id)).toEqual([end + 1]);
  });

  it("bounds the documents of a response, but returns changes whole", async () => {
    const end = await endOf(source);
    const many = Array.from({ length: FEED_DOCUMENTS + 1 }, (_, index) => work(1000 + index));
    await source.load(work(51));
    expect((await source.load(...many)).changes).toHaveLength(1);
    await source.load(work(52));
    const sizes: number[][] = [];
    for (let since = end; since < end + 3;) {
      const { changes, cursor } = await feed(source, `since=${since}`);
      sizes.push(changes.map(({ documents }) => documents.length));
      since = cursor;
    }
    expect(sizes).toEqual([[1], [FEED_DOCUMENTS + 1], [1]]);
  });
});

describe("GET /changes/stream", () => {
  const open = async (search = "", headers: HeadersInit = {}) => {
    const response = await source.fetch(`/changes/stream${search}`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error("no stream");
    let text = "";
    return {
      /** Events until there are so many. */
      async events(count: number): Promise<{ id: number; change: Feed["changes"][number] }[]> {
        for (;;) {
          const found = [...text.matchAll(/id: (\d+)\nevent: change\ndata: (.*)\n\n/g)];
          if (found.length >= count)
            return found.map(([, id, data = ""]) => ({ id: Number(id), change: JSON.parse(data) }));
          const { done, value } = await reader.read();
          if (done) throw new Error(`the stream ended: ${text}`);
          text += new TextDecoder().decode(value);
        }
      },
      close: () => reader.cancel(),
    };
  };

  it("sends past changes, then new ones", async () => {
    const end = await endOf(source);
    const stream = await open(`?since=${end - 2}`);
    expect((await stream.events(2)).map(({ id }) => id)).toEqual([end - 1, end]);
    await source.load(work(60));
    await saved([{ key: "/works/OL60W", ...WORK, title: "Edited" }]);
    // The desk itself announces nothing: the next load wakes the stream, which then finds both.
    await source.load(work(61));
    const events = await stream.events(5);
    expect(events.map(({ id }) => id)).toEqual([1, 0, -1, -2, -3].map((back) => end - back));
    expect(events.at(-1)?.change).toEqual((await feed(source, `since=${end + 2}`)).changes[0]);
    await stream.close();
  });

  it("begins with the next change, or after Last-Event-ID", async () => {
    const fresh = await open();
    await source.load(work(62));
    const end = await endOf(source);
    expect((await fresh.events(1)).map(({ id }) => id)).toEqual([end]);
    await fresh.close();
    const again = await open("?since=0", { "Last-Event-ID": String(end - 1) });
    expect((await again.events(1)).map(({ id }) => id)).toEqual([end]);
    await again.close();
  });

  it("has no body for HEAD", async () => {
    const response = await source.fetch("/changes/stream", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it("accepts no other sockets", async () => {
    const stub = env.CHANGE_FEED.getByName("catalog");
    expect((await stub.fetch("http://feed/")).status).toBe(426);
  });

  it("limits streams and waiting requests per IPv6 /64 network", async () => {
    const ask = (path: string, address: string): Promise<Response> =>
      source.fetch(path, { headers: { "CF-Connecting-IP": address } });
    const streams: Response[] = [];
    // `LISTENERS_PER_CLIENT_MAX`
    for (let index = 1; index <= 50; index += 1) {
      streams.push(await ask("/changes/stream", `2001:db8:1:2::${index.toString(16)}`));
    }
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    for (const path of ["/changes/stream", "/changes.json?since=1000000&wait=1"]) {
      expect((await ask(path, "2001:db8:1:2:ffff::1")).status).toBe(429);
      const other = await ask(path, "2001:db8:1:3::1");
      expect(other.status).toBe(200);
      await other.body?.cancel();
    }
    for (const { body } of streams) await body?.cancel();
  });
});
