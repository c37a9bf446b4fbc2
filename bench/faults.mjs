// What survives when the service is killed while it writes: `npm run bench -- faults [--kills 50] [--seed 1]
// [--catalog postgres]`; with a catalog in PostgreSQL that is killed in turn with the service.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FeedModel } from "./lib/feed-model.mjs";
import { fill, start } from "./lib/killed-service.mjs";
import { setUpPostgres } from "../scripts/lib/postgres-setup.mjs";
import { startPostgres } from "../scripts/lib/postgres.mjs";
import { randomFrom } from "./lib/random.mjs";
import { WriteLoad } from "./lib/write-load.mjs";

/** Works that the writers fight over. */
const WORKS = 60;
/** The service is killed after a random time of writing in between, in milliseconds. */
const WRITING_MS = { min: 100, max: 5000 };
/** A server that loses nothing that it has acknowledged. */
const SAFE = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"];
/** How long the projections may take to catch up after a restart, in seconds. */
const CATCH_UP_SECONDS = 60;

/**
 * Kills the service at random moments under write load, starts it again, and checks every time that each change that
 * was acknowledged is there, that none is half there, and that the index catches up.
 * @param {{ kills: number, seed: number, catalog?: string | undefined }} options `catalog`: `postgres` or nothing
 */
export async function benchFaults({ kills, seed, catalog }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-faults-"));
  const state = path.join(folder, "state");
  const random = randomFrom(seed);
  const postgres = catalog === "postgres" ? await startPostgres({ settings: SAFE }) : undefined;
  if (postgres !== undefined) await setUpPostgres(postgres.url);
  let service = await start(state, postgres?.url);
  const model = new FeedModel();
  const load = new WriteLoad({ random, works: WORKS, isSure: postgres === undefined });
  const aWhile = () => sleep(WRITING_MS.min + random() * (WRITING_MS.max - WRITING_MS.min));
  try {
    await fill(service.url, state, { works: WORKS });
    await load.login(service.url);
    let kill = 0;
    while (kill < kills) {
      kill += 1;
      const writing = load.run(service.url);
      await aWhile();
      // Every second turn both are killed, one after the other.
      if (postgres !== undefined && kill % 3 === 2) {
        await postgres.restart();
        kill += 1;
        await aWhile();
      }
      service.process.kill();
      await writing;
      service = await start(state, postgres?.url);
      await model.follow(service.url);
      const { lost, halves } = load.check(model);
      if (lost.length + halves.length > 0)
        throw new Error(`kill ${kill}: ${JSON.stringify({ lost, halves })}`);
      const caughtUp = await catchUp(service.url);
      const { acknowledged, unknown } = load.counts();
      console.log(
        `kill ${kill}: ${acknowledged} changes acknowledged so far, ${unknown} without an answer, ` +
          `${model.changes} in the log, index caught up after ${caughtUp.toFixed(1)} s`,
      );
    }
    await model.compareRecords(service.url);
    await model.compareSearch(service.url);
    console.log(
      `${kill} kills: nothing acknowledged was lost, no change is half there, records and index agree`,
    );
  } finally {
    service.process.kill();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Waits until every projection has followed the log; returns the seconds it took.
 * @param {string} url
 */
async function catchUp(url) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  while (seconds() < CATCH_UP_SECONDS) {
    const { projections } =
      /** @type {{ projections: Record<string, { behind: number }> }} */
      (await (await fetch(`${url}/status`)).json());
    if (Object.values(projections).every(({ behind }) => behind <= 0)) return seconds();
    await sleep(50);
  }
  throw new Error(`the projections had not caught up after ${CATCH_UP_SECONDS} s`);
}
