// What survives when the service is killed while it writes: `npm run bench -- faults [--kills 50] [--seed 1]`.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bootstrapLines } from "../scripts/lib/bootstrap.mjs";
import { sendLines } from "../scripts/lib/load-client.mjs";
import { HOST } from "../scripts/lib/runtime.mjs";
import { ServiceProcess, freePorts } from "../scripts/lib/service-process.mjs";
import { knownToken } from "../scripts/lib/token.mjs";
import { catalogLines } from "./lib/catalog.mjs";
import { FeedModel } from "./lib/feed-model.mjs";
import { randomFrom } from "./lib/random.mjs";
import { WriteLoad } from "./lib/write-load.mjs";

const READY_SECONDS = 60;
/** Works that the writers fight over. */
const WORKS = 60;
/** The service is killed after a random time of writing in between, in milliseconds. */
const WRITING_MS = { min: 100, max: 5000 };
/** How long the projections may take to catch up after a restart, in seconds. */
const CATCH_UP_SECONDS = 60;

/**
 * Kills the service at random moments under write load, starts it again, and checks every time that each change that
 * was acknowledged is there, that none is half there, and that the index catches up.
 * @param {{ kills: number, seed: number }} options
 */
export async function benchFaults({ kills, seed }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-faults-"));
  const state = path.join(folder, "state");
  const random = randomFrom(seed);
  let service = await start(state);
  const model = new FeedModel();
  const load = new WriteLoad({ random, works: WORKS });
  try {
    await fill(service.url, state);
    await load.login(service.url);
    for (let kill = 1; kill <= kills; kill += 1) {
      const writing = load.run(service.url);
      await sleep(WRITING_MS.min + random() * (WRITING_MS.max - WRITING_MS.min));
      service.process.kill();
      await writing;
      service = await start(state);
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
      `${kills} kills: nothing acknowledged was lost, no change is half there, records and index agree`,
    );
  } finally {
    service.process.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} state */
async function start(state) {
  const [main = 0, store = 0, search = 0, covers = 0] = await freePorts(4);
  const ports = { port: main, "record-store-port": store, "search-port": search, "cover-store-port": covers };
  const flags = Object.entries(ports).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const args = ["scripts/start.mjs", "--empty", "--state", state, ...flags];
  const child = new ServiceProcess(process.execPath, args, {});
  await child.ready(READY_SECONDS);
  return { process: child, url: `http://${HOST}:${main}` };
}

/**
 * @param {string} url
 * @param {string} state
 */
async function fill(url, state) {
  const token = (await knownToken(state)) ?? "";
  await sendLines(bootstrapLines({ development: true }), { url, token, fetch });
  await sendLines(catalogLines(WORKS), { url, token, fetch });
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
