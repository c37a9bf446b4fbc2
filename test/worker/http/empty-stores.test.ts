import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { account, logIn } from "../../support/worker/accounts.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";
import { emptyStores } from "../../support/worker/stored.ts";
import { tracesOf } from "../../support/worker/traces.ts";

// Test files share a runtime: what one leaves behind must be gone before the next.

const DATABASES = [env.CATALOG, env.SEARCH, env.PATRONS];
const BUDGET = { limit: 1, seconds: 600 };
const ADDRESS = "http://carrel.test/left";

/** All rows of all tables, those that full-text search keeps for itself as well. */
async function rowsOf(database: D1Database): Promise<[string, unknown[]][]> {
  const sql = `SELECT name FROM sqlite_master WHERE type = 'table' AND NOT name GLOB '_cf_*'
    AND name <> 'd1_migrations' ORDER BY name`;
  const names = (await database.prepare(sql).raw<[string]>()).flat();
  return Promise.all(
    names.map(async (name) => [name, await database.prepare(`SELECT * FROM ${name}`).raw()]),
  );
}

const throttled = (): Promise<number> =>
  env.THROTTLE.getByName("somebody").wait(Date.now(), BUDGET) as Promise<number>;

async function contents(): Promise<unknown> {
  return {
    rows: Object.fromEntries((await Promise.all(DATABASES.map(rowsOf))).flat()),
    keys: (await env.CACHE.list()).keys,
    objects: [...(await env.COVERS.list()).objects, ...(await env.ARCHIVE.list()).objects],
    cached: (await caches.default.match(ADDRESS)) !== undefined,
    throttled: await throttled(),
    sessions: await env.PATRON.getByName("jane").sessions(0),
  };
}

/** Leaves something in every store. */
async function fill(): Promise<void> {
  const service = testService();
  await service.load(author(1), work(1, { authors: [1], subjects: ["Sea"] }), edition(1, { work: 1 }));
  await indexAll();
  await account(service, "jane");
  expect((await logIn(service, "jane")).status).toBe(303);
  await env.PATRONS.prepare(
    "INSERT INTO outbox (recipient, subject, body, created) VALUES ('', '', '', '')",
  ).run();
  await env.CACHE.put("left", "over");
  await Promise.all([env.COVERS.put("left", "over"), env.ARCHIVE.put("left", "over")]);
  await caches.default.put(ADDRESS, new Response("over", { headers: { "Cache-Control": "max-age=60" } }));
  await env.THROTTLE.getByName("somebody").count(Date.now(), BUDGET);
}

const nameOfJane = (): Promise<string | undefined> =>
  runInDurableObject(env.PATRON.getByName("jane"), (_object, { id }) => id.name);

it("emptyStores leaves the stores as new, and objects keep their names", async () => {
  expect(await nameOfJane()).toBe("jane");
  await env.PATRONS.prepare("CREATE TABLE left_over (id)").run();
  await emptyStores();
  // No store holds anything of the object any more, but its id is still listed.
  expect(await tracesOf("jane")).toEqual([]);
  expect(await nameOfJane()).toBe("jane");
  const anew = await contents();
  await fill();
  expect(await contents()).not.toEqual(anew);
  expect(await throttled()).toBeGreaterThan(0);
  await emptyStores();
  expect(await contents()).toEqual(anew);
});

it("emptyStores covers all bindings", () => {
  const bindings = Object.entries(env).filter(([, binding]) => Object(binding) === binding);
  const names = bindings.map(([name]) => name).filter((name) => !name.startsWith("__VITEST"));
  // A further one has to be emptied as well: see docs/decisions/0021-tests-share-a-runtime.md.
  expect(names.toSorted().join(" ")).toBe(
    "ACTIVITY ARCHIVE ASSETS CACHE CATALOG CHANGE_FEED COVERS COVER_JOBS DUMP_JOBS EDIT_DESK IMAGES IMPORTS IMPORT_DESK INDEX " +
      "LOAN_DESK LOOKUPS METRICS MIGRATIONS PATRON PATRONS PATRON_JOBS SEARCH THROTTLE",
  );
});
