// What becomes of a batch when the service is killed while it is imported:
// `npm run bench -- import-faults [--records 5000] [--kills 30] [--seed 1]`.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { filePath, follow } from "../scripts/lib/import-batch.mjs";
import { call } from "../scripts/lib/service.mjs";
import { knownToken } from "../scripts/lib/local-state.mjs";
import { FeedModel } from "./lib/feed-model.mjs";
import { importLines } from "./lib/import-records.mjs";
import { checkBatch } from "./lib/import-check.mjs";
import { reach } from "./lib/import-progress.mjs";
import { fill, start } from "./lib/killed-service.mjs";
import { randomFrom } from "./lib/random.mjs";

/** A third of the kills comes while the file is being split: at a random place in each equal part of its first bytes. */
const SPLITTING = { kills: 1 / 3, bytes: 0.8 };
/** The others come when a random share of what is then left is done with; none so late that everything could be. */
const IMPORTING_SHARE_MAX = 0.92;
/**
 * From the look that finds that it is time to the kill, at most, in milliseconds: it is not always the end of a
 * statement.
 */
const JITTER_MS = 25;
const WORKS = 20;
const FILE = "bench.jsonl";

/** @import { Batch } from "../scripts/lib/import-batch.mjs" */
/** @import { Progress } from "./lib/import-progress.mjs" */
/** @import { Target } from "../scripts/lib/service.mjs" */

/**
 * Imports a batch of made-up records, kills the service at random moments, starts it again and goes on; at the end every
 * record must have come to exactly one end, and the catalog must hold exactly what these ends say. Every kill must have hit
 * the batch: items were unfinished, or the file was.
 * @param {{ records: number, kills: number, seed: number }} options
 */
export async function benchImportFaults({ records, kills, seed }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-import-faults-"));
  const state = path.join(folder, "state");
  const random = randomFrom(seed);
  const lines = importLines(records, random);
  const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(""));
  let service = await start(state);
  try {
    await fill(service.url, state, { works: WORKS });
    const token = (await knownToken(state)) ?? "";
    const model = new FeedModel();
    await model.follow(service.url);
    const before = new Set(model.recordsOf("/type/edition").map(({ key }) => key));
    let target = { url: service.url, token, fetch };
    const began = performance.now();
    const { id } = await putFile(target, FILE, bytes);
    const hits = { splitting: 0, importing: 0 };
    const moments = new Moments(state, id);
    for (const moment of momentsOf(kills, random)) {
      await moments.reach(moment);
      await sleep(random() * JITTER_MS);
      service.process.kill();
      // What the kill has left behind: the service takes it up when it starts.
      const left = await reach(state, id, () => true);
      const phase = phaseOf(left);
      hits[phase] += 1;
      console.log(`kill ${hits.splitting + hits.importing}, ${phase}: ${JSON.stringify(left)}`);
      service = await start(state);
      target = { url: service.url, token, fetch };
    }
    const { batch, counts } = await finish(target, id);
    const seconds = (performance.now() - began) / 1000;
    if (hits.splitting === 0 || hits.importing === 0) throw new Error("all kills came in one phase");
    await model.follow(service.url);
    const found = await checkBatch({ lines, target, batch, counts, model, before });
    const again = await putFile(target, "again.jsonl", bytes);
    const second = await finish(target, again.id);
    const { changes } = model;
    await model.follow(service.url);
    if (model.changes !== changes) throw new Error(`the second time made ${model.changes - changes} changes`);
    await model.compareRecords(service.url);
    console.log(
      `${kills} kills, ${hits.splitting} while splitting and ${hits.importing} while importing, ${records} records in ` +
        `${seconds.toFixed(0)} s with the restarts: ${words(counts)}, ${batch.skipped} skipped; ` +
        `${found.editions} editions, ${found.works} works, ${found.authors} authors made, none twice; ` +
        `the second time ${second.batch.skipped} skipped, nothing changed`,
    );
  } finally {
    service.process.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Random moments, in the order in which they come: a place in the file, or a share of the items that are left when all of
 * it is split.
 * @param {number} kills
 * @param {() => number} random
 * @returns {({ place: number } | { share: number })[]}
 */
function momentsOf(kills, random) {
  const splitting = Math.floor(kills * SPLITTING.kills);
  const places = Array.from(
    { length: splitting },
    (_, index) => ((index + random()) / splitting) * SPLITTING.bytes,
  );
  const shares = Array.from({ length: kills - splitting }, () => random() * IMPORTING_SHARE_MAX);
  return [
    ...places.map((place) => ({ place })),
    ...shares.toSorted((a, b) => a - b).map((share) => ({ share })),
  ];
}

/** Waits for the moments of a batch, one after the other. */
class Moments {
  #state;
  #id;
  /** @type {Progress | undefined} */
  #split;

  /**
   * @param {string} state
   * @param {number} id
   */
  constructor(state, id) {
    this.#state = state;
    this.#id = id;
  }

  /**
   * Waits until the batch is as far as a moment says, and farther than it is now: something is under way then.
   * @param {{ place: number } | { share: number }} moment
   */
  async reach(moment) {
    if ("place" in moment) {
      await reach(this.#state, this.#id, ({ position, size }, first) => {
        return position === size || (position >= moment.place * size && position > first.position);
      });
      return;
    }
    this.#split ??= await reach(this.#state, this.#id, ({ position, size }) => position === size);
    const { done: before, items: all } = this.#split;
    const wanted = before + moment.share * (all - before);
    await reach(this.#state, this.#id, ({ done, items }, first) => {
      return done === items || (done >= wanted && done > first.done);
    });
  }
}

/**
 * Where a batch was when the service was killed; throws when nothing was left of it to be done.
 * @param {Progress} left
 */
function phaseOf(left) {
  if (left.position < left.size) return "splitting";
  if (left.done < left.items) return "importing";
  throw new Error(`the kill came too late: ${JSON.stringify(left)}`);
}

/**
 * Puts the file there, as the command does: nothing is sent of one that is there already.
 * @param {Target} target
 * @param {string} name
 * @param {Buffer<ArrayBuffer>} bytes
 * @returns {Promise<Batch>}
 */
async function putFile(target, name, bytes) {
  return (await call(target, `${filePath(name)}?format=jsonl`, { method: "PUT", body: bytes })).batch;
}

/**
 * Waits until nothing is left to be done.
 * @param {Target} target
 * @param {number} id
 */
function finish(target, id) {
  return follow(id, target, { onProgress: () => undefined, staleSeconds: 600 });
}

/** @param {Record<string, number>} counts */
function words(counts) {
  return Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
}
