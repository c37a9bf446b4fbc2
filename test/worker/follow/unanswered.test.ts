import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { setServiceState } from "../../../src/db/service/service-state.ts";
import { sweepFollow } from "../../../src/worker/follow/follow-operations.ts";
import {
  SINCE,
  SOURCE,
  TODAY,
  W1,
  change,
  followBy,
  followedNetwork,
  many,
  manyAt,
  pageAt,
  record,
} from "../../support/worker/followed.ts";
import { OPERATOR, jobsOf } from "../../support/worker/import-queue.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

const network = followedNetwork();
let service: TestService;
const follow = (wish?: object) => followBy(service, wish);

beforeEach(async () => {
  await emptyStores();
  service = testService();
});

describe("follow: back-off", () => {
  it("waits as long as Retry-After says", async () => {
    network.answers({ [pageAt()]: [] });
    await follow(SINCE);
    network.answers({ [pageAt()]: new Response("", { status: 503, headers: { "Retry-After": "90" } }) });
    const state = await follow();
    expect(state).toMatchObject({
      failures: 1,
      caught_up: false,
      problem: `${SOURCE}/recentchanges/2026/11/21.json answered 503`,
    });
    expect(state["wait"]).toBe(90_000);
    network.asked.length = 0;
    await follow();
    expect(network.asked).toEqual([]);
    service.now += 90_001;
    network.answers({ [pageAt()]: [] });
    expect(await follow()).toMatchObject({ failures: 0, problem: null, wait: 0, caught_up: true });
  });

  it("doubles its delay after failures, and retries what is left", async () => {
    const page = [change(1, { key: "/works/OL1W", revision: 2 })];
    network.answers({ [pageAt()]: page });
    expect(await follow(SINCE)).toMatchObject({ failures: 1, waiting: 1, wait: 5000 });
    service.now += 5001;
    network.answers({ [`${SOURCE}/works/OL1W.json`]: new Response("not json") });
    expect(await follow()).toMatchObject({ failures: 2, waiting: 1, wait: 10_000 });
    service.now += 10_001;
    network.answers({ [pageAt()]: page, [`${SOURCE}/works/OL1W.json`]: W1 });
    expect(await follow()).toMatchObject({ failures: 0, stored: 1, caught_up: true });
  });

  it("sends its contact in User-Agent", async () => {
    const names: (string | null)[] = [];
    network.answer({
      [pageAt()]: (init) => {
        names.push(new Headers(init.headers).get("User-Agent"));
        return Response.json([]);
      },
    });
    await follow({ ...SINCE, contact: "desk@here.example" });
    expect(new Set(names)).toEqual(new Set(["Carrel/1.0 (follow; desk@here.example)"]));
    await expect(follow({ contact: "desk\r\nX-Other: 1" })).rejects.toThrow(/^422 .*"contact"/);
  });
});

describe("follow: failing records", () => {
  const page = [change(1, { key: "/works/OL1W", revision: 2 }, { key: "/works/OL2W", revision: 1 })];
  const broken = new Response("<p>Sorry</p>", { status: 500 });

  it("are left until the next day if others succeed", async () => {
    network.answers({
      [pageAt()]: page,
      [manyAt("/works/OL1W", "/works/OL2W")]: broken,
      [`${SOURCE}/works/OL1W.json`]: broken,
      [`${SOURCE}/works/OL2W.json`]: record("/works/OL2W", 1, { title: "Two" }),
    });
    await follow(SINCE);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      service.now += 300_000;
      await follow();
    }
    expect(await follow()).toMatchObject({ failed: ["/works/OL1W"], stored: 1, waiting: 0, caught_up: true });
    service.now += 86_400_000;
    network.answers({
      [pageAt()]: page,
      [pageAt(0, "2026-11-22")]: [],
      [`${SOURCE}/works/OL1W.json`]: W1,
    });
    expect(await follow()).toMatchObject({ failed: [], stored: 2, day: "2026-11-22", caught_up: true });
    expect(await service.json("/works/OL1W.json")).toEqual(W1);
  });

  it("are retried if nothing succeeds", async () => {
    network.answers({ [pageAt()]: page });
    await follow(SINCE);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      service.now += 300_000;
      network.answers({ [manyAt("/works/OL1W", "/works/OL2W")]: new Response("", { status: 403 }) });
      await follow();
    }
    expect(await follow()).toMatchObject({ failed: [], stored: 0, waiting: 2 });
  });
});

it("follow reads malformed changes as far as possible", async () => {
  const odd = [
    { ...change(9, { key: "/works/OL1W", revision: 2 }), author: null, data: null },
    { id: 8, changes: [{ key: 7 }, { revision: 1 }, null, { key: "/authors/OL1A", revision: "1" }] },
    { id: 7 },
    { id: "x", changes: [] },
    null,
  ];
  network.answers({
    [pageAt()]: odd,
    [manyAt("/authors/OL1A", "/works/OL1W")]: many(
      Object.fromEntries(
        Object.entries(W1).filter(([name]) => name !== "latest_revision" && name !== "created"),
      ),
      { key: "/authors/OL1A" },
    ),
  });
  expect(await follow(SINCE)).toMatchObject({ changes: 3, stored: 1, caught_up: true });
  expect(await service.json("/works/OL1W.json")).toMatchObject({ title: "One", latest_revision: 2 });
});

it("follow reads a change of very many records", async () => {
  const keys = Array.from({ length: 6000 }, (_, n) => ({ key: `/works/OL${n + 1}W`, revision: 1 }));
  const [second, first] = [
    change(2, ...keys),
    change(1, ...keys.slice(0, 5999), { key: "/works/OL9W", revision: 1 }),
  ];
  network.answers({ [pageAt()]: [second, first], [pageAt(1)]: [first] });
  await follow(SINCE);
  expect(network.asked.slice(0, 2)).toEqual([pageAt(), pageAt()]);
  expect(await follow()).toMatchObject({ changes: 1, waiting: 6000 });
});

describe("follow: start", () => {
  it("refuses a source without changes, and keeps the previous position", async () => {
    network.answers({ [pageAt()]: [] });
    await follow(SINCE);
    const other = { source: "https://other.example", ...SINCE };
    const page = pageAt().replace(SOURCE, other.source);
    for (const [answer, said] of [
      [new Response("<html>", { status: 200 }), "answered no JSON"],
      [Response.json({ error: "notfound" }), "answered 200, and no list of changes"],
      [new Response("", { status: 404 }), "answered 404, and no list of changes"],
      [
        new Response("", { status: 429, headers: { "Retry-After": "7" } }),
        "answered 429. Try again in 7 seconds.",
      ],
    ] as const) {
      network.answers({ [page]: answer });
      await expect(follow(other)).rejects.toThrow(
        new RegExp(`^400 .*The service can’t be followed: .*${said}`),
      );
    }
    await expect(follow({ since: "2026-11-22" })).rejects.toThrow(/400 .*can’t be in the future/);
    const state = await (await service.fetch("/system/follow.json", { headers: OPERATOR })).json();
    expect(state).toMatchObject({ position: { source: SOURCE, failures: 0 } });
  });

  it("needs `since` at first, and for another source", async () => {
    await expect(follow()).rejects.toThrow(/400 .*`since` is missing/);
    network.answers({ [pageAt()]: [] });
    await follow(SINCE);
    await expect(follow({ source: "https://other.example" })).rejects.toThrow(/400 .*Send `since`/);
  });

  it("is limited to FOLLOW_URL in production", async () => {
    network.answers({ [pageAt()]: [] });
    service = testService({ ENVIRONMENT: "production", FOLLOW_URL: "https://other.example" });
    await expect(follow(SINCE)).rejects.toThrow(/400 .*FOLLOW_URL/);
    service = testService({ ENVIRONMENT: "production", FOLLOW_URL: SOURCE });
    expect(await follow(SINCE)).toMatchObject({ caught_up: true });
  });

  it("is configured for the scheduled task", async () => {
    network.answers({
      [pageAt()]: [change(1, { key: "/works/OL1W", revision: 2 })],
      [`${SOURCE}/works/OL1W.json`]: W1,
    });
    const own = { FOLLOW_URL: `${SOURCE}/`, FOLLOW_RATE: "1000" };
    await sweepFollow(jobsOf(service, own));
    expect(network.asked).toEqual([]);
    const set = { value: "on", changed: "2026-11-21T00:00:00.000000", by: null };
    await setServiceState(env.CATALOG, set);
    await sweepFollow(jobsOf(service, { ...own, FOLLOW_SINCE: TODAY }));
    expect(network.asked).toEqual([]);
    await setServiceState(env.CATALOG, { ...set, value: "off" });
    await sweepFollow(jobsOf(service, { ...own, FOLLOW_SINCE: TODAY }));
    await sweepFollow(jobsOf(service, own));
    expect(network.asked).toEqual([pageAt(), pageAt(), `${SOURCE}/works/OL1W.json`, pageAt()]);
    expect(await service.json("/works/OL1W.json")).toEqual(W1);
  });
});
