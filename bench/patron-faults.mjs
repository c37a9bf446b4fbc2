// What patrons lose when the service is killed while they act: `npm run bench -- patron-faults [--kills 50] [--seed 1]`.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEVELOPMENT_ACCOUNTS } from "../scripts/lib/bootstrap.mjs";
import { fill, start } from "./lib/killed-service.mjs";
import { PatronLoad } from "./lib/patron-load.mjs";
import { randomFrom } from "./lib/random.mjs";

/** Works that go onto shelves; as many more are rated, and as many again have check-ins. */
const WORKS = 40;
/** Scans with one copy each, for which the patrons compete. */
const SCANS = Array.from({ length: 10 }, (_, index) => `scan${index}`);
/** The service is killed after a random time in between, in milliseconds. */
const ACTING_MS = { min: 100, max: 4000 };
/** How long counts may take to follow after a restart, in seconds: the outbox sends again after half a minute. */
const FOLLOW_SECONDS = 120;
const SHELVES = ["want-to-read", "currently-reading", "already-read", "stopped-reading"];

/** @typedef {{ counts: Record<string, number> }} Counted */

/**
 * Kills the service at random moments while patrons act, starts it again, and checks every time that what they were told
 * is there; that counts of works follow is checked every tenth time, and at the end.
 * @param {{ kills: number, seed: number }} options
 */
export async function benchPatronFaults({ kills, seed }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-patron-faults-"));
  const state = path.join(folder, "state");
  const random = randomFrom(seed);
  let service = await start(state);
  const load = new PatronLoad({ random, works: WORKS, scans: SCANS, usernames: DEVELOPMENT_ACCOUNTS });
  try {
    await fill(service.url, state, { works: WORKS * 3, scans: SCANS });
    await load.begin(service.url);
    for (let kill = 1; kill <= kills; kill += 1) {
      const acting = load.run(service.url);
      await sleep(ACTING_MS.min + random() * (ACTING_MS.max - ACTING_MS.min));
      service.process.kill();
      await acting;
      service = await start(state);
      const { lost, shelves } = await load.check(service.url);
      if (lost.length > 0) throw new Error(`kill ${kill}: ${JSON.stringify(lost.slice(0, 5))}`);
      const isCounted = kill % 10 === 0 || kill === kills;
      const took = isCounted ? await follow(service.url, shelves, load.ratings()) : undefined;
      const { acknowledged, unknown } = load.counts();
      console.log(
        `kill ${kill}: ${acknowledged} acknowledged, ${unknown} without an answer, nothing lost` +
          (took === undefined ? "" : `; all counts right after ${took.toFixed(1)} s`),
      );
    }
    console.log(`${kills} kills: nothing that was acknowledged is lost, no count is off`);
  } finally {
    service.process.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Waits until the counts of all works are those of the shelves; returns the seconds it took.
 * @param {string} url
 * @param {Map<string, string[]>} shelves what is on patrons' shelves, by work
 * @param {Map<string, Set<string>[]>} ratings stars that each patron may have given, by work
 */
async function follow(url, shelves, ratings) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  for (;;) {
    const wrong = await firstWrong(url, shelves, ratings);
    if (wrong === undefined) return seconds();
    if (seconds() > FOLLOW_SECONDS) throw new Error(`counts do not follow: ${JSON.stringify(wrong)}`);
    await sleep(200);
  }
}

/**
 * @param {string} url
 * @param {Map<string, string[]>} shelves
 * @param {Map<string, Set<string>[]>} ratings
 */
async function firstWrong(url, shelves, ratings) {
  for (let work = 1; work <= WORKS * 2; work += 1) {
    const on = shelves.get(String(work)) ?? [];
    const expected = SHELVES.map((shelf) => on.filter((one) => one === shelf).length);
    const { counts } = await read(`${url}/works/OL${work}W/bookshelves.json`);
    if (JSON.stringify(Object.values(counts)) !== JSON.stringify(expected)) return { work, counts, expected };
  }
  for (const [work, given] of ratings) {
    const { counts } = await read(`${url}/works/OL${work}W/ratings.json`);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const sure = given.filter((stars) => !stars.has("")).length;
    if (total < sure || total > given.length) return { work, counts, sure, given: given.length };
    const isSettled = given.every((stars) => stars.size === 1);
    const stars = [1, 2, 3, 4, 5].map((n) => given.filter((one) => one.has(String(n))).length);
    if (isSettled && JSON.stringify(Object.values(counts)) !== JSON.stringify(stars)) {
      return { work, counts, stars };
    }
  }
  return undefined;
}

/**
 * @param {string} address
 * @returns {Promise<Counted>}
 */
async function read(address) {
  return /** @type {Promise<Counted>} */ ((await fetch(address)).json());
}
