// Queues deliver at least once and in any order, KV serves values of a minute ago, and replicas are behind.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseDocument } from "../../../src/catalog/document.ts";
import { seedKeyOf, seedsOfRecord } from "../../../src/catalog/lists/seeds.ts";
import { readTargets } from "../../../src/db/redirects.ts";
import { storesOf, systemSources } from "../../../src/worker/http/bindings.ts";
import { settingsOf } from "../../../src/worker/http/settings.ts";
import { checkCounts } from "../../../src/worker/patrons/activity/counts.ts";
import { continueMoves } from "../../../src/worker/patrons/data/move-works.ts";
import { UNSPENT } from "../../support/worker/budget.ts";
import { jsonOf } from "../../support/worker/accounts.ts";
import { catalogFaults } from "../../support/worker/catalog-audit.ts";
import { query, stored } from "../../support/worker/desk.ts";
import { type Disorder, beginDisorder } from "../../support/worker/disorder.ts";
import { indexAll, snapshot } from "../../support/worker/indexing.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { settleActivity, settleImports } from "../../support/worker/queues.ts";
import { randomFrom } from "../../support/worker/random.ts";
import { work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";
import { writingActions } from "../../support/worker/writing-actions.ts";

const ACTIONS = 150;
const TIMEOUT_MS = 120_000;
const DAY_MS = 86_400_000;
/** The desks of edits and of imports have their own clocks. */
const CLOCKS = /older than the one before/;

const random = randomFrom(7);
/** Without disorder, for audits. */
const plain = testService();
let disorder: Disorder;
beforeEach(async () => {
  await emptyStores();
  disorder = await beginDisorder(random);
});
afterEach(() => disorder.end());

function disorderedService() {
  const service = testService(disorder.bindings);
  service.now = Date.now();
  return service;
}

/** Delivers all messages, and those that they send. */
async function settle(): Promise<void> {
  do {
    await settleActivity();
    await settleImports();
    await indexAll();
  } while (await disorder.deliver(1));
}

/** Searches once more for patrons who put a merged work on a shelf after its merge. */
function sweepTomorrow(): Promise<void> {
  const sources = { ...systemSources, now: () => Date.now() + DAY_MS };
  return continueMoves({ stores: storesOf(env), settings: settingsOf(env), sources, budget: UNSPENT });
}

/** Asks the operator's route, and returns the members of its answer. */
async function operate(path: string, body: object) {
  const headers = { Authorization: `Bearer ${env.LOAD_TOKEN}` };
  return Object(await plain.json(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Returns patrons' data of works without the sequence, which increases whenever a patron's object sends it. */
async function patronRows(): Promise<unknown[]> {
  const { results } = await env.PATRONS.prepare("SELECT * FROM patron_work ORDER BY patron, work_id").all();
  return results.map(({ sequence: _sequence, ...row }) => row);
}

/** Returns the keys of merged works that are still on shelves, and of lists that hold one. */
async function mergedWorksInUse(): Promise<string[]> {
  const redirects = await query("SELECT key FROM record WHERE type = '/type/redirect'");
  const merged = await readTargets(
    env.CATALOG,
    redirects.map(({ key }) => String(key)),
  );
  const { results } = await env.PATRONS.prepare(
    "SELECT DISTINCT '/works/OL' || work_id || 'W' AS key FROM patron_work WHERE shelf > 0 OR stars > 0",
  ).all<{ key: string }>();
  const lists = await query("SELECT key, document FROM record WHERE type = '/type/list'");
  const holding = lists.filter(({ document }) =>
    seedsOfRecord(parseDocument(String(document))).some((seed) => merged.has(seedKeyOf(seed) ?? "")),
  );
  return [...results.filter(({ key }) => merged.has(key)), ...holding].map(({ key }) => String(key));
}

it.each([1, 2, 3, 4, 5])(
  "nothing drifts while messages come twice and late, and reads are old (run %i)",
  async () => {
    const service = disorderedService();
    const actions = await writingActions(service);
    await disorder.catchUp();
    for (let at = 0; at < ACTIONS; at += 1) {
      const name = random.pick(Object.keys(actions));
      service.now = Date.now();
      const response = await actions[name]?.(random);
      expect(response?.status, name).toBeLessThan(500);
      if (random.chance(0.3)) await disorder.deliver(0.5);
      if (random.chance(0.1)) await disorder.catchUp();
    }
    await settle();
    await sweepTomorrow();
    await settle();
    expect(await operate("/system/index-check", {})).toMatchObject({ repaired: [], stray: [] });
    expect((await catalogFaults()).filter((fault) => !CLOCKS.test(fault))).toEqual([]);
    for (const part of ["works", "days"] as const) {
      expect(await checkCounts(env.PATRONS, { part, from: 0, repair: false })).toMatchObject({ wrong: [] });
    }
    expect(await mergedWorksInUse()).toEqual([]);
    const projected = await patronRows();
    await operate("/system/activity", { action: "resend" });
    await settle();
    expect(await patronRows()).toEqual(projected);
    const followed = await snapshot();
    while ((await operate("/system/reindex", { start: true })).finished !== true);
    expect(await snapshot()).toEqual(followed);
  },
  TIMEOUT_MS,
);

it("a list follows a merge that replicas do not have yet", async () => {
  const service = disorderedService();
  await service.load(work(1), work(2));
  const chief = await loggedIn(service, "chief", { groups: ["super-librarians"] });
  const create = jsonOf({ name: "Mine", seeds: [] });
  const { key } = Object(await chief.json("/people/chief/lists.json", create));
  await disorder.catchUp();
  await chief.fetch("/works/merge.json", jsonOf({ master: workKey(1), duplicates: [workKey(2)] }));
  await settle();
  const seeds = [{ key: workKey(2) }];
  await chief.fetch(`${key}/seeds.json`, jsonOf({ add: seeds }));
  const other = Object(await chief.json("/people/chief/lists.json", jsonOf({ name: "Other", seeds })));
  for (const list of [key, other.key]) {
    expect(await stored(list)).toMatchObject({ seeds: [{ key: workKey(1) }] });
  }
});
