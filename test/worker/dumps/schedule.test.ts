import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { readNewestDumps } from "../../../src/db/dumps/read-dumps.ts";
import {
  DELTA_AGAIN_MS,
  DELTA_ATTEMPTS_MAX,
  DELTA_DELAY_MS,
  FULL_DUMPS_KEPT,
  beginDelta,
  sweepDumps,
} from "../../../src/worker/dumps/schedule.ts";
import { dumpAll, dumpOf, dumping, linesOfFile, operate } from "../../support/worker/dumps.ts";
import { deleted, edition, work } from "../../support/worker/records.ts";
import { type TestService, testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";

let service: TestService;

beforeEach(async () => {
  await emptyStores();
  service = testService();
});

const dates = async (kind: "full" | "delta"): Promise<string[]> =>
  (await readNewestDumps(env.CATALOG, kind, 200)).map(({ date, state }) => `${date} ${state}`);

/** Counts open dumps as published without making them: what is in them does not matter to the schedule. */
const publish = (kinds: readonly ("full" | "delta")[]) =>
  env.CATALOG.batch(
    kinds.map((kind) =>
      env.CATALOG.prepare(
        `UPDATE dump SET state = 'published', stage = 'done', published = begun
         WHERE kind = ?1 AND state = 'open'`,
      ).bind(kind),
    ),
  );

/** Sweeps at a moment, and makes the dumps of days that this begins. */
async function sweepAt(moment: string, every: string): Promise<void> {
  const making = dumping(service, { settings: { DUMPS: every } as Partial<Cloudflare.Env> });
  service.now = Date.parse(moment);
  await sweepDumps(making.jobs);
  await publish(["full"]);
  await making.run();
}

/** Sweeps at a moment, and makes none of the dumps that this begins. */
async function beginAt(moment: string, every: string): Promise<void> {
  service.now = Date.parse(moment);
  await sweepDumps(dumping(service, { settings: { DUMPS: every } as Partial<Cloudflare.Env> }).jobs);
  await publish(["full", "delta"]);
}

const fail = (date: string) =>
  env.CATALOG.prepare("UPDATE dump SET state = 'failed', stage = 'done' WHERE date = ?1").bind(date).run();

describe("full dumps", () => {
  it("start once a month, also after a missed day", async () => {
    await beginAt("2026-11-21T12:00:00Z", "monthly");
    expect(await dates("full")).toEqual([]);
    await service.loadUnindexed(work(1));
    await beginAt("2026-11-21T12:05:00Z", "off");
    expect(await dates("full")).toEqual([]);
    await beginAt("2026-11-21T12:10:00Z", "monthly");
    await beginAt("2026-11-30T23:59:00Z", "monthly");
    expect(await dates("full")).toEqual(["2026-11-21 published"]);
    await beginAt("2026-12-01T00:01:00Z", "monthly");
    await beginAt("2026-12-01T00:06:00Z", "monthly");
    await beginAt("2027-01-03T00:00:00Z", "monthly");
    expect((await dates("full")).slice(0, 2)).toEqual(["2027-01-03 published", "2026-12-01 published"]);
  });

  it("start on Mondays, and again on the next day when they fail", async () => {
    await service.loadUnindexed(work(1));
    // A Sunday.
    await beginAt("2026-11-22T00:00:00Z", "weekly");
    await beginAt("2026-11-23T00:00:00Z", "weekly");
    await fail("2026-11-23");
    await beginAt("2026-11-23T23:00:00Z", "weekly");
    expect(await dates("full")).toEqual(["2026-11-23 failed", "2026-11-22 published"]);
    await beginAt("2026-11-24T00:00:00Z", "weekly");
    await beginAt("2026-11-29T00:00:00Z", "weekly");
    expect((await dates("full"))[0]).toBe("2026-11-24 published");
  });

  it("are deleted except for the newest ones", async () => {
    await service.loadUnindexed(work(1));
    for (const month of ["01", "02", "03", "04", "05"]) {
      const start = `2027-${month}-01T00:00:00Z`;
      service.now = Date.parse(start);
      // Two of them have files.
      if (month === "01" || month === "03") await dumpAll(service);
      else await beginAt(start, "monthly");
    }
    await sweepAt("2027-05-01T00:10:00Z", "off");
    await sweepAt("2027-05-01T00:20:00Z", "off");
    expect(await dates("full")).toEqual([
      "2027-05-01 published",
      "2027-04-01 published",
      "2027-03-01 published",
    ]);
    expect(FULL_DUMPS_KEPT).toBe(3);
    const { objects } = await env.ARCHIVE.list();
    expect(objects.filter(({ key }) => /2027-0[12]-01|^dumps/.test(key))).toEqual([]);
    expect((await service.fetch("/data/ol_dump_2027-01-01.txt.gz")).status).toBe(404);
    expect((await service.fetch("/data/ol_dump_2027-03-01.txt.gz")).status).toBe(200);
  });
});

describe("delta dumps", () => {
  const lines = async (date: string): Promise<string[]> =>
    (await linesOfFile(service, `ol_delta_${date}.txt.gz`)).map((line) =>
      line.split("\t").slice(0, 3).join(" "),
    );
  const load = async (moment: string, ...records: Parameters<TestService["load"]>) => {
    service.now = Date.parse(moment);
    await service.loadUnindexed(...records);
  };

  it("contain all revisions of a day in the order of the log", async () => {
    await load("2026-11-18T12:00:00Z", work(7));
    await load("2026-11-19T00:00:00Z", work(9), edition(3, { work: 9 }), {
      key: "/people/x",
      type: "/type/user",
    });
    await load("2026-11-19T23:59:59.999Z", work(9, { revision: 2 }), work(1));
    await load("2026-11-20T00:00:00Z", deleted("/works/OL9W", 3), work(7, { revision: 2 }));
    await sweepAt(
      new Date(Date.parse("2026-11-20T00:00:00Z") + DELTA_DELAY_MS - 60_000).toISOString(),
      "monthly",
    );
    expect((await dates("delta")).filter((one) => one.startsWith("2026-11-19"))).toEqual([]);
    await sweepAt(new Date(Date.parse("2026-11-20T00:00:00Z") + DELTA_DELAY_MS).toISOString(), "monthly");
    expect(await lines("2026-11-19")).toEqual([
      "/type/edition /books/OL3M 1",
      "/type/work /works/OL9W 1",
      "/type/work /works/OL1W 1",
      "/type/work /works/OL9W 2",
    ]);
    await load("2026-11-22T10:00:00Z", work(50));
    await sweepAt("2026-11-23T01:00:00Z", "monthly");
    expect(await dates("delta")).toEqual(
      ["22", "21", "20", "19", "18"].map((day) => `2026-11-${day} published`),
    );
    expect(await lines("2026-11-20")).toEqual(["/type/work /works/OL7W 2", "/type/delete /works/OL9W 3"]);
    expect(await lines("2026-11-21")).toEqual([]);
    expect(await lines("2026-11-22")).toEqual(["/type/work /works/OL50W 1"]);
    const parts = (await readNewestDumps(env.CATALOG, "delta", 10)).toReversed();
    for (const [index, part] of parts.entries()) {
      if (index > 0) expect(part.after_change).toBe(parts[index - 1]?.change_id);
    }
    const latest = await service.fetch("/data/ol_delta_latest.txt.gz");
    expect(latest.headers.get("Location")).toBe("/data/ol_delta_2026-11-22.txt.gz");
    expect(await service.json("/data.json")).toMatchObject({
      dumps: expect.arrayContaining([
        expect.objectContaining({ kind: "delta", date: "2026-11-21", after_change: 4, change: 4 }),
      ]),
    });
  });

  it("Q425: leave late changes to the next day", async () => {
    await load("2026-11-18T12:00:00Z", work(1));
    await sweepAt("2026-11-19T01:00:00Z", "monthly");
    // A mirror that was behind brings a change with the time of the day that is over.
    await load("2026-11-18T23:00:00Z", work(2));
    await sweepAt("2026-11-20T01:00:00Z", "monthly");
    expect(await lines("2026-11-18")).toEqual(["/type/work /works/OL1W 1"]);
    expect(await lines("2026-11-19")).toEqual(["/type/work /works/OL2W 1"]);
  });

  it("never share changes, even when started concurrently", async () => {
    for (const day of [10, 11, 12, 13]) await load(`2026-11-${day}T12:00:00Z`, work(day));
    const { jobs } = dumping(service);
    service.now = Date.parse("2026-11-21T12:00:00Z");
    await beginDelta("2026-11-10", jobs);
    const days = ["2026-11-13", "2026-11-12", "2026-11-11"];
    await Promise.all(days.map((day) => beginDelta(day, jobs)));
    for (const day of days) await beginDelta(day, jobs);
    const parts = (await readNewestDumps(env.CATALOG, "delta", 10)).toReversed();
    expect(parts).toHaveLength(4);
    for (const [index, part] of parts.entries()) {
      if (index > 0) expect(part.after_change).toBeGreaterThanOrEqual(parts[index - 1]?.change_id ?? 0);
    }
    expect(parts.at(-1)?.change_id).toBe(4);
  });

  it("list the dump of an old day", async () => {
    await service.loadUnindexed(work(1));
    const { jobs } = dumping(service);
    for (let day = 0; day < 60; day += 1) {
      await beginDelta(new Date(Date.UTC(2026, 8, 1 + day)).toISOString().slice(0, 10), jobs);
    }
    const { dumps } = (await operate(service, "/system/dumps.json")) as { dumps: { date: string }[] };
    expect(dumps.map(({ date }) => date)).toContain("2026-09-01");
  });

  it("can be started by the operator for any past day", async () => {
    await load("2026-11-10T12:00:00Z", work(1));
    await load("2026-11-11T12:00:00Z", work(2));
    await load("2026-11-12T12:00:00Z", work(3));
    service.now = Date.parse("2026-11-21T12:00:00Z");
    const begin = async (date: string): Promise<void> => {
      await operate(service, "/system/dumps", { kind: "delta", date });
      while ((await dumpOf("delta", date)).stage !== "done") await scheduler.wait(5);
    };
    await begin("2026-11-12");
    await begin("2026-11-10");
    await begin("2026-11-11");
    expect(await lines("2026-11-10")).toEqual(["/type/work /works/OL1W 1"]);
    expect(await lines("2026-11-11")).toEqual(["/type/work /works/OL2W 1"]);
    expect(await lines("2026-11-12")).toEqual(["/type/work /works/OL3W 1"]);
  });

  it("restart some hours after they failed, a few times", async () => {
    await load("2026-11-18T12:00:00Z", work(1));
    await beginAt("2026-11-19T01:00:00Z", "monthly");
    const before = await dumpOf("delta", "2026-11-18");
    for (let attempt = 1; attempt < DELTA_ATTEMPTS_MAX + 2; attempt += 1) {
      await fail("2026-11-18");
      const moment = new Date(service.now + DELTA_AGAIN_MS / 100).toISOString();
      await beginAt(moment, "monthly");
      expect((await dumpOf("delta", "2026-11-18")).state).toBe("failed");
      await beginAt(new Date(service.now + DELTA_AGAIN_MS).toISOString(), "monthly");
    }
    expect(await dumpOf("delta", "2026-11-18")).toMatchObject({
      state: "failed",
      attempts: DELTA_ATTEMPTS_MAX,
      after_change: before.after_change,
      change_id: before.change_id,
    });
  });
});
