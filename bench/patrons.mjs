import { readdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { bootstrapLines } from "../scripts/lib/bootstrap.mjs";
import { sendLines } from "../scripts/lib/load-client.mjs";
import { catalogLines } from "./lib/catalog.mjs";
import { TOKEN, startCarrel } from "./lib/instances.mjs";
import { restorePatrons } from "./lib/patrons.mjs";
import { randomFrom } from "./lib/random.mjs";
import { Tally } from "./lib/tally.mjs";

/** @import { Instance } from "./lib/instances.mjs" */

const PORT = 28_080;
/** Patrons of one request, and requests at a time. */
const PATRONS = 20;
const REQUESTS = 4;
const SHELVES = ["want-to-read", "currently-reading", "already-read", "stopped-reading"];
/** How long the counts may take to follow once all is sent, in seconds. */
const FOLLOW_SECONDS = 1800;
/** Objects whose size is looked at. */
const SAMPLE = 500;
/** Works whose counts are asked for, one by one. */
const ASKED = 500;

/**
 * Very many patrons with very many books: memory and size of each, and whether counts and trending works are what a
 * recount of everything that was sent says.
 * @param {{ patrons: number, rows: number, works: number, seed: number }} options
 */
export async function benchPatrons({ patrons, rows, works, seed }) {
  const carrel = await startCarrel(PORT);
  try {
    const target = { url: carrel.url, token: TOKEN, fetch };
    await sendLines(bootstrapLines({ development: true }), target);
    await sendLines(catalogLines(works), target);
    const tally = new Tally(Date.now());
    const started = performance.now();
    await send(carrel.url, { patrons, rows, works, random: randomFrom(seed), tally });
    const sent = seconds(started);
    console.log(`${patrons} patrons, ${tally.rows} rows sent in ${sent} s`);
    await followed(carrel, tally);
    console.log(`counts followed after ${seconds(started)} s`);
    await sizes(carrel, patrons);
    await recount(carrel, tally);
  } finally {
    await carrel.stop();
  }
}

/**
 * @param {string} url
 * @param {{ patrons: number, rows: number, works: number, random: () => number, tally: Tally }} options
 */
async function send(url, { patrons, rows, works, random, tally }) {
  const each = Math.ceil(rows / patrons);
  let next = 0;
  const take = () => {
    const from = next;
    next += PATRONS;
    const count = Math.max(0, Math.min(PATRONS, patrons - from));
    return Array.from({ length: count }, (_, index) =>
      patron(from + index, { each, works, random, now: tally.now }),
    );
  };
  await Promise.all(
    Array.from({ length: REQUESTS }, async () => {
      for (let some = take(); some.length > 0; some = take()) {
        await restorePatrons(url, some);
        for (const one of some) tally.add(one);
      }
    }),
  );
}

/**
 * A patron with a shelf that leans towards the works that everybody reads.
 * @param {number} n
 * @param {{ each: number, works: number, random: () => number, now: number }} options
 */
function patron(n, { each, works, random, now }) {
  /** @type {Map<number, { work: number, shelf: string, date: string }>} */
  const shelves = new Map();
  while (shelves.size < Math.min(each, works)) {
    const work = 1 + Math.floor(works * random() ** 3);
    const age = Math.floor(random() ** 4 * 800 * 86_400) * 1000;
    const shelf = SHELVES[Math.floor(random() * SHELVES.length)] ?? "";
    shelves.set(work, { work, shelf, date: new Date(now - age).toISOString().slice(0, 19) });
  }
  const entries = [...shelves.values()];
  const ratings = entries
    .filter(({ shelf }) => shelf === "already-read")
    .map(({ work, date }) => ({ work, date, stars: 1 + Math.floor(random() * 5) }));
  const username = `generated${n}`;
  return { username, email: `${username}@example.com`, public_readlog: "yes", shelves: entries, ratings };
}

/**
 * Waits until the counts have as many rows as were sent.
 * @param {Instance} carrel
 * @param {Tally} tally
 */
async function followed({ runtime }, tally) {
  const database = await runtime.getD1Database("PATRONS");
  const sql =
    "SELECT sum(want_to_read + currently_reading + already_read + stopped_reading) AS n FROM work_count";
  for (let waited = 0; waited < FOLLOW_SECONDS; waited += 1) {
    const row = await database.prepare(sql).first();
    if (Number(row?.["n"]) === tally.rows) return;
    await sleep(1000);
  }
  throw new Error(`the counts had not followed after ${FOLLOW_SECONDS} s`);
}

/**
 * Sizes as the databases say them themselves, as files lag behind.
 * @param {Instance} carrel
 * @param {number} patrons
 */
async function sizes({ state, memory }, patrons) {
  const objects = await databases(path.join(state, "do/carrel-Patron"), SAMPLE);
  const average = objects.reduce((sum, bytes) => sum + bytes, 0) / objects.length;
  const shared = (await databases(path.join(state, "d1/miniflare-D1DatabaseObject"), SAMPLE)).map(megabytes);
  console.log(
    `a patron's object: ${Math.round(average / 1024)} KiB (${objects.length} of ${patrons} looked at)`,
  );
  console.log(`databases: ${shared.join(", ")} MiB; workerd: ${megabytes(memory())} MiB`);
}

/**
 * @param {string} folder
 * @param {number} limit
 */
async function databases(folder, limit) {
  const files = (await readdir(folder)).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file)).slice(0, limit);
  return files.map((file) => {
    const database = new DatabaseSync(path.join(folder, file), { readOnly: true });
    const sql = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size";
    const bytes = Number(database.prepare(sql).get()?.["bytes"]);
    database.close();
    return bytes;
  });
}

/** @param {number} bytes */
function megabytes(bytes) {
  return Math.round(bytes / 2 ** 20);
}

/**
 * @param {Instance} carrel
 * @param {Tally} tally
 */
async function recount({ url, runtime }, tally) {
  const database = await runtime.getD1Database("PATRONS");
  const { results } = await database.prepare("SELECT * FROM work_count").all();
  const wrong = results.filter((row) => !tally.agrees(row));
  if (wrong.length > 0)
    throw new Error(`counts of ${wrong.length} works differ: ${JSON.stringify(wrong[0])}`);
  for (const work of tally.works().slice(0, ASKED)) {
    const answer = await read(`${url}/works/OL${work}W/bookshelves.json`);
    if (JSON.stringify(answer.counts) !== JSON.stringify(tally.counts(work))) {
      throw new Error(`work ${work}: ${JSON.stringify(answer)}`);
    }
  }
  for (const period of ["daily", "weekly", "monthly", "yearly", "forever"]) {
    const [asked, now] = [performance.now(), Date.now()];
    const { works } = await read(`${url}/trending/${period}.json?limit=100`);
    const took = performance.now() - asked;
    const keys = works.map(({ key }) => key);
    const expected = tally.trending(period, { limit: 100, now }).map((work) => `/works/OL${work}W`);
    if (JSON.stringify(keys) !== JSON.stringify(expected)) {
      const place = keys.findIndex((key, at) => key !== expected[at]);
      throw new Error(
        `trending ${period} differs from place ${place} on: ${keys[place]}, ${expected[place]}`,
      );
    }
    console.log(`trending ${period}: ${keys.length} works as recounted, ${took.toFixed(0)} ms`);
  }
  console.log(`${results.length} works: all counts as recounted`);
}

/** @typedef {{ counts: unknown, works: { key: string }[] }} Answer either of both */

/** @param {string} address */
async function read(address) {
  return /** @type {Promise<Answer>} */ ((await fetch(address)).json());
}

/** @param {number} started */
function seconds(started) {
  return ((performance.now() - started) / 1000).toFixed(0);
}
