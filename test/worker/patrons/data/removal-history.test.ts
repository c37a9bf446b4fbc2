import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { systemSources } from "../../../../src/worker/http/bindings.ts";
import { jobsOf } from "../../../../src/worker/http/queue.ts";
import { REMOVAL_AGAIN_MS, continueRemovals } from "../../../../src/worker/patrons/data/removal-job.ts";
import { formOf, jsonOf } from "../../../support/worker/accounts.ts";
import { checksums, dumpAll, linesOfFile } from "../../../support/worker/dumps.ts";
import { type LoggedIn, loggedIn } from "../../../support/worker/logged-in.ts";
import { settleActivity, settleIndexQueue } from "../../../support/worker/queues.ts";
import { testStore } from "../../../support/worker/record-store.ts";
import { work } from "../../../support/worker/records.ts";
import { testService } from "../../../support/worker/service.ts";

const SECRET = "Words of a list that has gone";
const NAME = "Name of a profile that has gone";
const service = testService();
const store = testStore(service);
let admin: LoggedIn;
let joe: LoggedIn;
let list = "";
let neutral = "";

/** Saves a record with one member changed. */
async function save(who: LoggedIn, key: string, members: Record<string, unknown>): Promise<void> {
  const stored = (await who.json(`${key}.json`)) as Record<string, unknown>;
  const body = JSON.stringify({ ...stored, ...members, _comment: `${who.username} has said ${SECRET}` });
  const response = await who.fetch(`${key}.json`, { ...jsonOf({}), method: "PUT", body });
  expect(response.status).toBe(200);
}

async function settled(): Promise<void> {
  await settleActivity();
  await settleActivity();
  await settleIndexQueue();
}

beforeAll(async () => {
  admin = await loggedIn(service, "boss", { groups: ["admin"] });
  joe = await loggedIn(service, "Joe-of-old", { groups: ["api"] });
  await service.load(work(1), work(2));
  const made = await joe.fetch(
    `${joe.key}/lists.json`,
    jsonOf({ name: SECRET, description: "", tags: [], seeds: ["/works/OL2W"] }),
  );
  ({ key: list } = await made.json<{ key: string }>());
  expect((await joe.fetch(`${list}/seeds.json`, jsonOf({ add: [{ key: "/works/OL1W" }] }))).status).toBe(200);
  await save(joe, "/works/OL1W", { title: "A better title" });
  await save(admin, joe.key, { displayname: NAME });
  const sql =
    "INSERT INTO cover (id, category, author, state, created, updated) VALUES (7, 'b', ?, 'failed', '', '')";
  await env.CATALOG.prepare(sql).bind(joe.key).run();
  // An administrator's revert that names the patron.
  const reverted = `INSERT INTO change (kind, author, created, changes, data)
    VALUES ('bulk-revert-spam', '/people/boss', '2026-11-20T00:00:00.000000', '[]', ?)`;
  await env.CATALOG.prepare(reverted)
    .bind(JSON.stringify({ reverted_author: joe.key }))
    .run();
  await settled();
  const removed = await admin.fetch(`/admin/people/${joe.username}`, formOf({ action: "anonymize_account" }));
  neutral = `/people/${(await removed.json<{ new_username: string }>()).new_username}`;
  await settled();
  await continueRemovals({
    ...jobsOf(env),
    sources: { ...systemSources, now: () => Math.max(Date.now(), service.now) + REMOVAL_AGAIN_MS },
  });
  await settled();
  service.now += 60_000;
});

/** Public answers about records and changes, by address. */
async function readEverywhere(): Promise<[address: string, text: string][]> {
  const query = (members: object): string => encodeURIComponent(JSON.stringify(members));
  const keys = [joe.key, list, `${joe.key}/usergroup`, `${joe.key}/permission`];
  const addresses = [
    ...keys.flatMap((key) => [
      ...[1, 2, 3].map((revision) => `${key}.json?v=${revision}`),
      `${key}.yml?v=1`,
      `${key}?v=1`,
      `${key}.json?m=history`,
      `${key}?m=history`,
      `${key}?m=diff&a=1&b=2`,
      `${key}.json?m=diff&a=1&b=2`,
      `/api/get?key=${key}&revision=1`,
      `/api/versions?query=${query({ key })}`,
      `/query.json?${new URLSearchParams({ key, "*": "" })}`,
    ]),
    `/api/things?query=${query({ type: "/type/list" })}&details=true`,
    `/query.json?${new URLSearchParams({ type: "/type/list", "*": "" })}`,
    `/api/versions?query=${query({ author: joe.key })}`,
    `/recentchanges.json?limit=1000`,
    `/recentchanges`,
    `/recentchanges.json?author=${joe.key}`,
    `/changes.json?limit=1000`,
    `${list}/seeds.json`,
    `/search/lists.json?q=words`,
  ];
  const main = addresses.map(async (address): Promise<[string, string]> => [
    address,
    await (await service.fetch(address, { headers: { Accept: "text/html" } })).text(),
  ]);
  const day = new Date(service.now).toISOString().slice(0, 10);
  const ofStore = [
    ...keys.map((key) => `/get?${new URLSearchParams({ key, revision: "1" })}`),
    `/versions?query=${query({ limit: 1000 })}`,
    `/_recentchanges?query=${query({ limit: 1000 })}`,
    `/log/${day}:0?limit=1000`,
  ].map(async (address): Promise<[string, string]> => [
    `store ${address}`,
    await (await store.call(address)).text(),
  ]);
  return Promise.all([...main, ...ofStore]);
}

describe("the public history of a removed account", () => {
  it("has no content of the account's records", async () => {
    const found = await readEverywhere();
    const words = (text: string) => [SECRET, NAME, "Joe-of-old has"].filter((word) => text.includes(word));
    const told = found.flatMap(([address, text]) =>
      words(text.replaceAll(`Joe-of-old has said ${SECRET}`, "")).map((word) => `${address}: ${word}`),
    );
    expect(told).toEqual([]);
    expect(await service.json(`${list}.json?v=1`)).toMatchObject({
      type: { key: "/type/delete" },
      revision: 1,
    });
  });

  it("lists other changes under a neutral name", async () => {
    const of = async (query: string) =>
      (await service.json(`/recentchanges.json?${query}`)) as { changes: { key: string }[] }[];
    expect(await of(`author=${joe.key}`)).toEqual([]);
    const others = await of(`author=${neutral}`);
    expect(others.map(({ changes }) => changes.map(({ key }) => key))).toEqual([["/works/OL1W"]]);
    expect(await env.CATALOG.prepare("SELECT author FROM cover WHERE id = 7").first("author")).toBe(neutral);
    // No IP address remains that would identify the author of a change.
    const own = `SELECT count(*) AS changes FROM change WHERE author IS NULL AND ip IS NOT NULL`;
    expect(await env.CATALOG.prepare(own).first("changes")).toBe(0);
    const [reverted] = (await service.json("/recentchanges/bulk-revert-spam.json")) as {
      data: object;
    }[];
    expect(reverted?.data).toEqual({ reverted_author: neutral });
    const data = "SELECT count(*) AS found FROM change_data WHERE value LIKE ?";
    expect(await env.CATALOG.prepare(data).bind(`${joe.key}%`).first("found")).toBe(0);
  });

  it("is dumped without that content", async () => {
    await dumpAll(service);
    const names = Object.keys(await checksums(service)).filter((name) => !/parquet/.test(name));
    const { dumps } = (await service.json("/data.json")) as { dumps: { files: { name: string }[] }[] };
    const files = dumps
      .flatMap((dump) => dump.files.map(({ name }) => name))
      .filter((name) => name.endsWith(".txt.gz"));
    const lines = (await Promise.all(files.map((name) => linesOfFile(service, name)))).flat();
    expect(names.length).toBeGreaterThan(0);
    expect(lines.some((line) => line.includes(list))).toBe(true);
    expect(lines.filter((line) => line.includes(SECRET) || line.includes(NAME))).toEqual([]);
  });

  it("keeps the old revisions for administrators", async () => {
    const path = `/admin/people/${joe.username}/removed`;
    const { revisions, next } = (await admin.json(`${path}.json`)) as {
      revisions: { key: string; revision: number; document: { name?: string } }[];
      next: string | null;
    };
    expect(next).toBeNull();
    expect(revisions.find(({ key, revision }) => key === list && revision === 1)?.document.name).toBe(SECRET);
    const page = await admin.fetch(path, { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain(NAME);
    expect((await service.fetch(`${path}.json`)).status).toBe(401);
    expect((await admin.fetch("/admin/people/boss/removed.json")).status).toBe(404);
    expect((await admin.fetch(`${path}.json?after=1/people/zzz`)).status).toBe(404);
  });
});
