import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { ActivityMessage, WorkActivity } from "../../../../src/catalog/patrons/activity.ts";
import { mapShelves } from "../../../../src/catalog/patrons/shelves.ts";
import { reserveAwardId, storeActivity } from "../../../../src/db/patrons/activity.ts";
import { readCountsEnd, readLikes, readWorkCounts } from "../../../../src/db/patrons/counts.ts";
import { recountDays, recountWorks, repairDays, repairWorks } from "../../../../src/db/patrons/recount.ts";
import type { WorkCounts } from "../../../../src/search/documents/types.ts";
import { addAccounts, likeItem, workItem, workMessage } from "../../../support/worker/activity.ts";
import { emptyDatabases } from "../../../support/worker/databases.ts";
import { type Random, randomFrom } from "../../../support/worker/random.ts";

const DAY_MS = 86_400_000;
const NAMES = ["ann", "ben", "cid", "dot", "eve", "fay"];
const store = (...messages: ActivityMessage[]): Promise<unknown> => storeActivity(env.PATRONS, messages);

const countsOf = async (id: number): Promise<WorkCounts> =>
  (await readWorkCounts(env.PATRONS, [id])).get(id) ?? expect.fail(`work ${id} has no counts`);
const shelvesOf = async (id: number) => {
  const counts = await countsOf(id);
  return mapShelves("count", ({ member }) => counts[member]);
};
const ratingsOf = async (id: number) => (await countsOf(id)).ratings;

beforeEach(async () => {
  await emptyDatabases();
  await addAccounts(...NAMES);
});

describe("activity counts", () => {
  it("follow likes and dislikes", async () => {
    const like = (patron: string, sequence: number, value: 1 | -1 | null): ActivityMessage => ({
      patron,
      items: [likeItem("/works/OL1W", sequence, value)],
    });
    await store(like("ann", 1, 1), like("ben", 1, -1), like("cid", 1, 1));
    expect(await readLikes(env.PATRONS, "/works/OL1W")).toEqual({ likes: 2, dislikes: 1, own: null });
    await store(like("ann", 2, -1), like("cid", 2, null));
    expect(await readLikes(env.PATRONS, "/works/OL1W")).toEqual({ likes: 0, dislikes: 2, own: null });
    await env.PATRONS.exec("DELETE FROM patron_like");
    expect(await readLikes(env.PATRONS, "/works/OL1W")).toEqual({ likes: 0, dislikes: 0, own: null });
  });

  it("skip patrons without an account", async () => {
    await store(workMessage("gone", 7, 1, { stars: 5 }), workMessage("ann", 7, 1, { stars: 5 }));
    expect(await ratingsOf(7)).toEqual([0, 0, 0, 0, 1]);
  });

  it("get a new version for every work that changes only", async () => {
    await store(workMessage("ann", 7, 1, { stars: 5 }));
    const end = await readCountsEnd(env.PATRONS);
    expect(end).toBeGreaterThan(0);
    await store(workMessage("ann", 7, 2, { stars: 5, observations: ["1.4"] }));
    expect(await readCountsEnd(env.PATRONS)).toBe(end);
    await store(workMessage("ann", 7, 3, { stars: 4 }));
    expect(await readCountsEnd(env.PATRONS)).toBe(end + 1);
  });
});

it("reserveAwardId gives each number once to concurrent callers", async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => reserveAwardId(env.PATRONS)));
  expect(new Set(ids).size).toBe(10);
});

describe("random activity", () => {
  it.each([1, 2])("leads to the counts of a recount, in any order and duplicated (seed %i)", async (seed) => {
    const random = randomFrom(seed);
    const states = new Map<string, WorkActivity | null>();
    const sent: ActivityMessage[] = [];
    for (let step = 1; step <= 200; step += 1) {
      const [patron, work] = [random.pick(NAMES), 1 + random.below(5)];
      const item = workItem(work, step, random.chance(0.2) ? null : randomState(random));
      if (item.kind === "work") states.set(`${patron} ${work}`, item.state);
      sent.push({ patron, items: [item] });
    }
    const delivered = random.shuffled([...sent, ...sent.filter(() => random.chance(0.3))]);
    while (delivered.length > 0) await store(...delivered.splice(0, 1 + random.below(40)));
    await expectCounts(states);
    await store(...random.shuffled(sent));
    await expectCounts(states);
    await env.PATRONS.exec("DELETE FROM patron_work WHERE patron = 'ann'");
    for (const key of states.keys()) if (key.startsWith("ann ")) states.delete(key);
    await expectCounts(states);
    expect(await recountWorks(env.PATRONS, 0)).toEqual({ wrong: [], next: null });
    expect((await recountDays(env.PATRONS, 0)).wrong).toEqual([]);
  });
});

describe("a recount", () => {
  beforeEach(async () => {
    for (const [index, name] of NAMES.entries()) {
      const logged = index * 10 * DAY_MS;
      const state = { shelf: 1, stars: 3, logged, moved: logged, observations: ["1.4"] } as const;
      await store(workMessage(name, 1, 1, state), workMessage(name, 2, 2, state));
    }
  });

  it("finds and repairs wrong counts of works", async () => {
    await env.PATRONS.exec("UPDATE work_count SET want_to_read = 99 WHERE work_id = 1");
    await env.PATRONS.exec("UPDATE observation_count SET patrons = 99 WHERE work_id = 2 AND code = '1'");
    await env.PATRONS.exec("INSERT INTO observation_count VALUES (3, '1.4', 1)");
    const { wrong } = await recountWorks(env.PATRONS, 0);
    expect(wrong).toEqual([1, 2, 3]);
    const end = await readCountsEnd(env.PATRONS);
    await repairWorks(env.PATRONS, wrong);
    expect(await readCountsEnd(env.PATRONS)).toBe(end + 3);
    expect(await recountWorks(env.PATRONS, 0)).toEqual({ wrong: [], next: null });
    expect((await shelvesOf(1)).want_to_read).toBe(NAMES.length);
    const versions = await env.PATRONS.prepare("SELECT DISTINCT version FROM work_count").raw();
    expect(versions).toHaveLength(3);
  });

  it("finds and repairs wrong counts of days, part by part", async () => {
    await env.PATRONS.exec("UPDATE work_day SET entries = 5 WHERE day = 30 AND work_id = 2");
    await env.PATRONS.exec("INSERT INTO work_day VALUES (44, 9, 1)");
    const wrong: number[] = [];
    for (let from: number | null = 0; from !== null;) {
      const part = await recountDays(env.PATRONS, from);
      wrong.push(...part.wrong);
      from = part.next;
    }
    expect(wrong).toEqual([30, 44]);
    await repairDays(env.PATRONS, wrong);
    expect((await recountDays(env.PATRONS, 28)).wrong).toEqual([]);
    expect((await recountDays(env.PATRONS, 42)).wrong).toEqual([]);
  });
});

function randomState(random: Random): Partial<WorkActivity> {
  const shelf = random.pick([null, 1, 2, 3, 4] as const);
  const logged = random.below(4 * DAY_MS);
  return {
    shelf,
    ...(shelf === null ? {} : { logged, moved: logged + random.below(100) }),
    stars: random.pick([null, 1, 2, 3, 4, 5]),
    observations: ["1.4", "1.5", "14.1", "20.5"].filter(() => random.chance(0.4)),
  };
}

/** Compares the stored counts with counts of the expected states. */
async function expectCounts(states: ReadonlyMap<string, WorkActivity | null>): Promise<void> {
  const [works, days, codes] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const add = (to: Map<string, number>, key: string): unknown => to.set(key, (to.get(key) ?? 0) + 1);
  for (const [key, state] of states) {
    const work = key.split(" ")[1] ?? "";
    if (state === null) continue;
    if (state.stars !== null) add(works, `${work} ratings_${state.stars}`);
    if (state.shelf !== null) add(works, `${work} shelf_${state.shelf}`);
    if (state.shelf !== null && state.shelf < 4)
      add(days, `${Math.floor((state.logged ?? 0) / DAY_MS)} ${work}`);
    const types = state.observations.map((code) => code.split(".")[0] ?? "");
    const all = state.observations.length === 0 ? [] : [...state.observations, ...types, ""];
    for (const code of new Set(all)) add(codes, `${work} ${code}`);
  }
  expect(await storedCounts()).toEqual({ works: sorted(works), days: sorted(days), codes: sorted(codes) });
}

async function storedCounts(): Promise<Record<string, [string, number][]>> {
  const { results: works } =
    await env.PATRONS.prepare("SELECT * FROM work_count").all<Record<string, number>>();
  const shelves = ["want_to_read", "currently_reading", "already_read", "stopped_reading"];
  const named = works.flatMap((row) => [
    ...[1, 2, 3, 4, 5].map((stars): [string, number] => [
      `${row["work_id"]} ratings_${stars}`,
      row[`ratings_${stars}`] ?? 0,
    ]),
    ...shelves.map((name, index): [string, number] => [
      `${row["work_id"]} shelf_${index + 1}`,
      row[name] ?? 0,
    ]),
  ]);
  const pairs = async (sql: string): Promise<[string, number][]> =>
    (await env.PATRONS.prepare(sql).raw<[number | string, number | string, number]>()).map(
      ([a, b, count]): [string, number] => [`${a} ${b}`, count],
    );
  return {
    works: sorted(new Map(named.filter(([, count]) => count !== 0))),
    days: sorted(new Map(await pairs("SELECT day, work_id, entries FROM work_day"))),
    codes: sorted(new Map(await pairs("SELECT work_id, code, patrons FROM observation_count"))),
  };
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
