import { sendLines } from "../scripts/lib/load-client.mjs";
import { catalogLines } from "./lib/catalog.mjs";
import { send } from "./lib/client.mjs";
import { compare } from "./lib/compare.mjs";
import { TOKEN, startBaseline, startCarrel } from "./lib/instances.mjs";
import { startCatalogs } from "./lib/postgres.mjs";
import { prepareWriter } from "./lib/writer.mjs";

/** Documents of one `save_many`. */
const MANY = 100;
const PORTS = { carrel: 28_080, baseline: 28_081 };

/**
 * Rates of saving one record and a hundred, against a worker that writes as many rows in one batch and does nothing
 * else: no session, no check, no read before.
 * @param {{ works: number, seconds: number, rounds: number, catalog?: string | undefined }} options
 */
export async function benchWrite(options) {
  for (const consumers of [false, true]) {
    console.log(
      `\n${consumers ? "the index follows every change in the same thread" : "no consumer of the queues"}`,
    );
    await measure({ ...options, consumers });
  }
}

/** @param {{ works: number, seconds: number, rounds: number, consumers: boolean, catalog?: string | undefined }} options */
async function measure({ works, seconds, rounds, consumers, catalog }) {
  const catalogs = await startCatalogs(catalog);
  const carrel = await startCarrel(PORTS.carrel, { consumers, catalog: catalogs.carrel });
  const baseline = await startBaseline(PORTS.baseline, catalogs.bare);
  try {
    const cookie = await prepareWriter(carrel, works);
    await sendLines(catalogLines(works), { url: `${baseline.url}/same-rows`, token: TOKEN, fetch });
    const pair = { carrel: carrel.port, baseline: baseline.port, seconds, rounds };
    for (const connections of [1, 8]) {
      console.log(`${works} works, ${connections} connection${connections === 1 ? "" : "s"}`);
      await compare("PUT of one work / bare batch of as many rows", {
        ...pair,
        connections,
        ours: (n) => ours(n, { works, cookie }),
        theirs: (n) => theirs([n], works),
      });
      await compare(`save_many of ${MANY} works / bare batch of as many rows`, {
        ...pair,
        connections,
        ours: (n) => oursMany(n, { works, cookie }),
        theirs: (n) => theirs(hundred(n), works),
      });
    }
  } finally {
    await carrel.stop();
    await baseline.stop();
    await catalogs.stop();
  }
}

/** @typedef {{ works: number, cookie: string }} Options */

/**
 * @param {number} n
 * @param {Options} options
 */
function ours(n, { works, cookie }) {
  const document = work(number(n, works), n);
  return send("PUT", `${document.key}.json`, { body: JSON.stringify(document), headers: cookie });
}

/**
 * @param {number} n
 * @param {Options} options
 */
function oursMany(n, { works, cookie }) {
  const body = JSON.stringify(hundred(n).map((one) => work(number(one, works), one)));
  return send("POST", "/api/save_many", { body, headers: cookie });
}

/**
 * @param {number[]} numbers
 * @param {number} works
 */
function theirs(numbers, works) {
  const rows = numbers.map((n) => {
    const { key, ...members } = work(number(n, works), n);
    const id = number(n, works);
    // Carrel's index rows of such a work: title, author and reference paths.
    const terms = ["title", "authors.author", "authors.type"].map((name) => [
      name,
      JSON.stringify(members.title),
    ]);
    return [id, `${Date.now()}.${n}`, key, JSON.stringify(members), terms];
  });
  return send("POST", "/save", { body: JSON.stringify(rows) });
}

/** @param {number} n */
function hundred(n) {
  return Array.from({ length: MANY }, (_, index) => n * MANY + index);
}

/**
 * @param {number} n
 * @param {number} works
 */
function number(n, works) {
  return 1 + ((n * 7919) % works);
}

/**
 * A work as it is sent for the n-th time: every time with something new in it.
 * @param {number} id
 * @param {number} n
 */
function work(id, n) {
  return {
    key: `/works/OL${id}W`,
    type: { key: "/type/work" },
    title: `A measured work ${n} of ${id}`,
    authors: [{ type: { key: "/type/author_role" }, author: { key: `/authors/OL${Math.ceil(id / 2)}A` } }],
    subjects: ["Fiction", `Measured ${n % 7}`],
    description: `Saved for the ${n}th time, and long enough to be a description of a book.`,
  };
}
