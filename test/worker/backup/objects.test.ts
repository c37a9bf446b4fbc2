import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addAccounts } from "../../support/worker/activity.ts";
import { OPERATOR } from "../../support/worker/import-queue.ts";
import { emptyObjects } from "../../support/worker/objects.ts";
import { settleActivity } from "../../support/worker/queues.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const ann = () => env.PATRON.getByName("ann");

interface Listed {
  patrons: { patron: string; version?: number }[];
  version: number;
}
const list = (query = "") =>
  service.json(`/system/backup/patrons?${query}`, { headers: OPERATOR }) as Promise<Listed>;
async function send(path: string, body: string) {
  const response = await service.fetch(`/system/backup/${path}`, { method: "POST", headers: OPERATOR, body });
  return { status: response.status, text: await response.text() };
}
const read = async (...names: string[]) => (await send("patrons/read", JSON.stringify({ names }))).text;
const partsOf = (lines: string) =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { name: string; part: number; tables: Record<string, unknown[]> });

/** A patron with something in every table. */
async function fill(): Promise<void> {
  const now = 1_000;
  await ann().addPreferences({ public_readlog: "yes" });
  await ann().closeSession("s");
  await ann().openSession({ id: "s", opened: now, expires: 9e15, remembered: false, client: "local" });
  await ann().shelves.put({ work: 1, shelf: 3, edition: 2, keep: false, now });
  await ann().follows.follow({ username: "Bob", disabled: false, now });
  await runInDurableObject(ann(), (_object, { storage: { sql } }) => {
    for (const table of ["rating", "check_in", "goal", "note", "observation", "award", "opinion"])
      sql.exec(`DELETE FROM ${table}`);
    sql.exec(`INSERT INTO rating VALUES (1, 5, NULL, 1, 1);
      INSERT INTO check_in VALUES (77, 1, NULL, 3, '2026-01-02', 1, 1);
      INSERT INTO goal VALUES (2026, 12, 1, 1);
      INSERT INTO note VALUES (1, 0, 'line' || char(10) || 'ü', 1, 1);
      INSERT INTO observation VALUES (1, 2, 3, 1);
      INSERT INTO award VALUES (5, 1, 'topic', NULL, '', 1, 1);
      INSERT INTO opinion VALUES ('/lists/OL1L', 1, 1, 1)`);
  });
}

async function projected() {
  const sql = `SELECT work_id, shelf, stars, award_id, observations FROM patron_work WHERE patron = 'ann'`;
  const { results } = await env.PATRONS.prepare(sql).all();
  const { results: others } = await env.PATRONS.prepare(
    "SELECT publisher AS x FROM patron_follow UNION ALL SELECT record_key FROM patron_like UNION ALL SELECT id || '' FROM check_in_id",
  ).all();
  return { results, others };
}

beforeAll(async () => {
  await addAccounts("Ann", "Bob");
  await fill();
});

describe("objects of patrons", () => {
  it("are listed all, then those that have changed since they were read", async () => {
    const first = await list();
    expect(first.patrons.map(({ patron }) => patron)).toEqual(["ann", "bob"]);
    await read("ann", "bob");
    expect((await list(`changed_after=${first.version}`)).patrons).toEqual([]);
    await ann().closeSession("none");
    await ann().preferences();
    expect((await list(`changed_after=${first.version}`)).patrons).toEqual([]);
    for (const shelf of [1, 2] as const) await ann().shelves.put({ work: 1, shelf, keep: false, now: 2 });
    const since = () => list(`changed_after=${first.version}`);
    await expect.poll(async () => (await since()).patrons.map(({ patron }) => patron)).toEqual(["ann"]);
    // Another backup is told too.
    expect((await list("changed_after=0")).patrons.map(({ patron }) => patron)).toContain("ann");
  });

  it("come back whole, without sessions, and fill the projections", async () => {
    await fill();
    const lines = await read("ann");
    const [part] = partsOf(lines);
    expect(Object.keys(part?.tables ?? {})).not.toContain("session");
    await emptyObjects();
    for (const table of ["patron_work", "patron_follow", "patron_like", "check_in_id"]) {
      await env.PATRONS.prepare(`DELETE FROM ${table}`).run();
    }
    for (const _time of [1, 2]) {
      expect(await send("patrons", lines)).toEqual({ status: 200, text: '{"lines":1}' });
      await settleActivity();
      const again = partsOf(await read("ann"))[0];
      expect({ ...again?.tables, state: [] }).toEqual({ ...part?.tables, state: [] });
    }
    expect(await projected()).toEqual({
      results: [{ work_id: 1, shelf: 3, stars: 5, award_id: 5, observations: '["2.3"]' }],
      others: [{ x: "bob" }, { x: "/lists/OL1L" }, { x: "77" }],
    });
  });

  it("of several parts are of one moment", async () => {
    const text = "x".repeat(2_000_000);
    await runInDurableObject(ann(), (_object, { storage: { sql } }) => {
      for (const work of [11, 12, 13, 14, 15])
        sql.exec("INSERT INTO note VALUES (?, 0, ?, 1, 1)", work, text);
    });
    const parts = partsOf(await read("ann"));
    expect(parts.map(({ part }) => part)).toEqual([0, 1]);
    expect(parts.flatMap(({ tables }) => tables["note"] ?? [])).toHaveLength(6);
    for (const part of parts) await send("patrons", JSON.stringify(part));
    const withoutState = (lines: string) =>
      partsOf(lines).map(({ part, tables }) => ({ part, ...tables, state: [] }));
    const states = parts.map(({ part, tables }) => ({ part, ...tables, state: [] }));
    expect(withoutState(await read("ann"))).toEqual(states);
  });

  it.each([
    ["a table that does not exist", '{"name":"ann","part":0,"last":true,"tables":{"nothing":[{"a":1}]}}'],
    ["a column that does not exist", '{"name":"ann","part":0,"last":true,"tables":{"goal":[{"a\\"b":1}]}}'],
    ["a value that does not fit", '{"name":"ann","part":0,"last":true,"tables":{"goal":[{"year":"x"}]}}'],
    ["no line", "nothing"],
  ])("with %s are refused and change nothing", async (_what, line) => {
    const before = await read("ann");
    expect((await send("patrons", line)).status).toBe(400);
    expect(partsOf(await read("ann"))).toEqual(partsOf(before));
  });
});
