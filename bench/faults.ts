// Kills the service (SIGKILL) at random moments while it writes, restarts it, and checks that no acknowledged change is lost:
// `npm run bench -- faults [--what catalog|patrons|imports|loads|follow-ups] [--kills 50] [--seed 1] [--records 5000] [--catalog postgres]`.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEVELOPMENT_ACCOUNTS } from "../scripts/lib/bootstrap.ts";
import { filePath, follow } from "../scripts/lib/import-batch.ts";
import { knownToken } from "../scripts/lib/local-state.ts";
import { setUpPostgres } from "../scripts/lib/postgres-setup.ts";
import { startPostgres } from "../scripts/lib/postgres.ts";
import { call } from "../scripts/lib/service.ts";
import { fetchJson } from "./lib/client.ts";
import { FeedModel } from "./lib/feed-model.ts";
import { checkBatch } from "./lib/import-check.ts";
import { KillSchedule, type Progress, waitForProgress } from "./lib/import-progress.ts";
import { importLines } from "./lib/import-records.ts";
import { killFollowUps, killLoads } from "./lib/kill-commands.ts";
import { KilledService } from "./lib/killed-service.ts";
import { PatronLoad } from "./lib/patron-load.ts";
import { randomFrom } from "./lib/random.ts";
import { WriteLoad } from "./lib/write-load.ts";

const KINDS = ["catalog", "patrons", "imports", "loads", "follow-ups"];
/** Works that the writers compete for. */
const WORKS = { catalog: 60, patrons: 40, imports: 20 };
/** Scans with one copy each, which the patrons compete for. */
const SCANS = Array.from({ length: 10 }, (_, index) => `scan${index}`);
/** Random time under load before each kill, in milliseconds. */
const LOAD_MS = { min: 100, max: 5000 };
/** A PostgreSQL that loses nothing it has acknowledged. */
const SAFE = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"];
/** Time for projections to catch up after a restart, in seconds. The outbox of patrons resends after 30 s. */
const CATCH_UP_SECONDS = { catalog: 60, patrons: 120 };
/** Kills between two checks of the counts of works. */
const COUNTS_EVERY = 10;
/** Longest delay of a kill after its moment, in milliseconds, so that it is not always at the end of a statement. */
const JITTER_MS = 25;
const SHELVES = ["want-to-read", "currently-reading", "already-read", "stopped-reading"];

interface FaultsOptions {
  what: string;
  kills: number;
  seed: number;
  /** Records of the imported file. */
  records: number;
  /** `postgres`: the catalog is in a PostgreSQL, which is killed in turn with the service. */
  catalog: string | undefined;
}

interface Run extends FaultsOptions {
  service: KilledService;
  random: () => number;
}

export async function runFaults(options: FaultsOptions) {
  if (!KINDS.includes(options.what)) throw new Error(`--what is one of ${KINDS.join(", ")}`);
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-faults-"));
  const postgres = options.catalog === "postgres" ? await startPostgres({ settings: SAFE }) : undefined;
  if (postgres !== undefined) await setUpPostgres(postgres.url);
  const service = new KilledService(path.join(folder, "state"), postgres?.url);
  try {
    await service.start();
    const run = { ...options, service, random: randomFrom(options.seed) };
    if (options.what === "catalog") await killWriters(run, postgres?.restart);
    else if (options.what === "patrons") await killPatrons(run);
    else if (options.what === "imports") await killImport(run);
    else if (options.what === "loads") await killLoads(run);
    else await killFollowUps(run);
  } finally {
    service.kill();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function randomWait(random: () => number) {
  return sleep(LOAD_MS.min + random() * (LOAD_MS.max - LOAD_MS.min));
}

/**
 * Kills the service under writers that change the same works. After each restart, every acknowledged change has to be in
 * the feed, no change may be there in part, and the projections have to catch up.
 */
async function killWriters({ service, kills, random }: Run, restartPostgres?: () => Promise<unknown>) {
  const model = new FeedModel();
  const load = new WriteLoad({ random, works: WORKS.catalog, isSure: restartPostgres === undefined });
  await service.loadCatalog({ works: WORKS.catalog });
  await load.login(service.url);
  for (let kill = 1; kill <= kills; kill += 1) {
    const writing = load.run(service.url);
    await randomWait(random);
    // In every second turn the database is killed before the service.
    if (restartPostgres !== undefined && kill % 3 === 2) {
      await restartPostgres();
      kill += 1;
      await randomWait(random);
    }
    service.kill();
    await writing;
    await service.start();
    await model.follow(service.url);
    const { lost, partial } = load.check(model);
    if (lost.length + partial.length > 0)
      throw new Error(`kill ${kill}: ${JSON.stringify({ lost, partial })}`);
    const seconds = await waitForProjections(service.url);
    await service.checkIndex();
    const { acknowledged, unknown } = load.counts();
    console.log(
      `kill ${kill}: ${acknowledged} changes acknowledged, ${unknown} without a response, ${model.changes} in the ` +
        `feed, index caught up after ${seconds.toFixed(1)} s`,
    );
  }
  await model.compareRecords(service.url);
  await model.compareSearch(service.url);
  console.log("passed: no acknowledged change lost, none partial, records and index agree");
}

/** Waits until all projections have caught up. Returns the seconds it took. */
function waitForProjections(url: string) {
  return waitUntil(CATCH_UP_SECONDS.catalog, async () => {
    const { projections } = (await fetchJson(`${url}/status`)) as {
      projections: Record<string, { behind: number }>;
    };
    return Object.values(projections).some(({ behind }) => behind > 0) ? projections : undefined;
  });
}

/**
 * Kills the service under patrons. After each restart, every acknowledged action has to be there, and no scan may be lent
 * twice; counts of works are checked every tenth time.
 */
async function killPatrons({ service, kills, random }: Run) {
  const options = { random, works: WORKS.patrons, scans: SCANS, usernames: DEVELOPMENT_ACCOUNTS };
  const load = new PatronLoad(options);
  await service.loadCatalog({ works: WORKS.patrons * 3, scans: SCANS });
  await load.begin(service.url);
  for (let kill = 1; kill <= kills; kill += 1) {
    const acting = load.run(service.url);
    await randomWait(random);
    service.kill();
    await acting;
    await service.start();
    const { lost, shelves } = await load.check(service.url);
    if (lost.length > 0) throw new Error(`kill ${kill}: ${JSON.stringify(lost.slice(0, 5))}`);
    const { acknowledged, unknown } = load.counts();
    let line = `kill ${kill}: ${acknowledged} actions acknowledged, ${unknown} without a response`;
    if (kill % COUNTS_EVERY === 0 || kill === kills) {
      const seconds = await waitUntil(CATCH_UP_SECONDS.patrons, () =>
        findWrongCount(service.url, shelves, load.ratings()),
      );
      await service.checkIndex();
      line += `, all counts right after ${seconds.toFixed(1)} s`;
    }
    console.log(line);
  }
  console.log("passed: no acknowledged action lost, all counts right");
}

/**
 * Returns the first work whose counts differ from the patrons' shelves and ratings, or undefined. `shelves` has the shelves
 * that each work is on; `ratings` has, per patron, the stars that they may have given.
 */
async function findWrongCount(
  url: string,
  shelves: Map<string, string[]>,
  ratings: Map<string, Set<string>[]>,
) {
  for (let work = 1; work <= WORKS.patrons * 2; work += 1) {
    const on = shelves.get(String(work)) ?? [];
    const expected = SHELVES.map((shelf) => on.filter((one) => one === shelf).length);
    const counts = await readCounts(`${url}/works/OL${work}W/bookshelves.json`);
    if (JSON.stringify(counts) !== JSON.stringify(expected)) return { work, counts, expected };
  }
  for (const [work, possible] of ratings) {
    const counts = await readCounts(`${url}/works/OL${work}W/ratings.json`);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const certain = possible.filter((stars) => !stars.has("")).length;
    if (total < certain || total > possible.length)
      return { work, counts, certain, possible: possible.length };
    const expected = [1, 2, 3, 4, 5].map((n) => possible.filter((stars) => stars.has(String(n))).length);
    const isSettled = possible.every((stars) => stars.size === 1);
    if (isSettled && JSON.stringify(counts) !== JSON.stringify(expected)) return { work, counts, expected };
  }
  return undefined;
}

async function readCounts(url: string): Promise<number[]> {
  const { counts } = (await fetchJson(url)) as { counts: Record<string, number> };
  return Object.values(counts);
}

/**
 * Kills the service while it splits and imports a file. At the end every record must have exactly one outcome, the
 * catalog must hold exactly what the outcomes say, and importing the same file again must change nothing.
 */
async function killImport({ service, kills, random, records }: Run) {
  const lines = importLines(records, random);
  const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(""));
  await service.loadCatalog({ works: WORKS.imports });
  const token = (await knownToken(service.state)) ?? "";
  const target = () => ({ url: service.url, token, fetch });
  const model = new FeedModel();
  await model.follow(service.url);
  const before = new Set(model.recordsOf("/type/edition").map(({ key }) => key));
  const { id } = await putFile(target(), "bench.jsonl", bytes);
  const schedule = new KillSchedule({ state: service.state, id, kills, random });
  const hits = { splitting: 0, importing: 0 };
  for (let kill = 1; kill <= kills; kill += 1) {
    await schedule.next();
    await sleep(random() * JITTER_MS);
    service.kill();
    const left = await waitForProgress(service.state, id, () => true);
    const phase = phaseOf(left);
    hits[phase] += 1;
    console.log(`kill ${kill}, ${phase}: ${JSON.stringify(left)}`);
    await service.start();
  }
  const { batch, counts } = await finishBatch(target(), id);
  if (hits.splitting === 0 || hits.importing === 0) throw new Error("all kills were in one phase");
  await model.follow(service.url);
  const made = await checkBatch({ lines, target: target(), batch, counts, model, before });
  const again = await putFile(target(), "again.jsonl", bytes);
  const second = await finishBatch(target(), again.id);
  const { changes } = model;
  await model.follow(service.url);
  if (model.changes !== changes) throw new Error(`the second import made ${model.changes - changes} changes`);
  await model.compareRecords(service.url);
  const outcomes = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  console.log(
    `passed: ${records} records: ${outcomes.join(", ")}, ${batch.skipped} skipped; ${made.editions} editions, ` +
      `${made.works} works and ${made.authors} authors made, none twice; second import: ${second.batch.skipped} skipped, ` +
      "no change",
  );
}

/** Returns what the service was doing when it was killed. Throws if the batch was finished. */
function phaseOf({ position, size, done, items }: Progress) {
  if (position < size) return "splitting";
  if (done < items) return "importing";
  throw new Error("the kill came too late: the batch was finished");
}

type Target = Parameters<typeof call>[0];

async function putFile(target: Target, name: string, body: Buffer<ArrayBuffer>): Promise<{ id: number }> {
  return (await call(target, `${filePath(name)}?format=jsonl`, { method: "PUT", body })).batch;
}

function finishBatch(target: Target, id: number) {
  return follow(id, target, { onProgress: () => undefined, staleSeconds: 600 });
}

/** Waits until a check finds no problem. Returns the seconds it took; throws the problem after `limit` seconds. */
async function waitUntil(limit: number, findProblem: () => Promise<unknown>) {
  const started = performance.now();
  for (;;) {
    const problem = await findProblem();
    const seconds = (performance.now() - started) / 1000;
    if (problem === undefined) return seconds;
    if (seconds > limit) throw new Error(`not caught up after ${limit} s: ${JSON.stringify(problem)}`);
    await sleep(100);
  }
}
