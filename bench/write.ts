import { sendLines } from "../scripts/lib/load-client.mjs";
import { catalogLines } from "./lib/catalog.ts";
import { send } from "./lib/client.ts";
import { compare } from "./lib/compare.ts";
import { TOKEN, startBaseline, startCarrel } from "./lib/instances.ts";
import { startCatalogs } from "./lib/postgres.ts";
import { prepareWriter } from "./lib/writer.ts";

/** Documents per `save_many`. */
const MANY = 100;
const PORTS = { carrel: 28_080, baseline: 28_081 };

/**
 * Measures saving one record and 100 records against a worker that only writes as many rows in one batch: no
 * session, no check, no read.
 */
export async function benchWrite(options: {
  works: number;
  seconds: number;
  rounds: number;
  catalog?: string | undefined;
}) {
  for (const consumers of [false, true]) {
    console.log(
      `\n${consumers ? "the index follows every change in the same thread" : "no consumer of the queues"}`,
    );
    await measure({ ...options, consumers });
  }
}

async function measure({
  works,
  seconds,
  rounds,
  consumers,
  catalog,
}: {
  works: number;
  seconds: number;
  rounds: number;
  consumers: boolean;
  catalog?: string | undefined;
}) {
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

export interface Options {
  works: number;
  cookie: string;
}

function ours(n: number, { works, cookie }: Options) {
  const document = work(number(n, works), n);
  return send("PUT", `${document.key}.json`, { body: JSON.stringify(document), headers: cookie });
}

function oursMany(n: number, { works, cookie }: Options) {
  const body = JSON.stringify(hundred(n).map((one) => work(number(one, works), one)));
  return send("POST", "/api/save_many", { body, headers: cookie });
}

function theirs(numbers: number[], works: number) {
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

function hundred(n: number) {
  return Array.from({ length: MANY }, (_, index) => n * MANY + index);
}

function number(n: number, works: number) {
  return 1 + ((n * 7919) % works);
}

/** Creates a work for the n-th save, different each time. */
function work(id: number, n: number) {
  return {
    key: `/works/OL${id}W`,
    type: { key: "/type/work" },
    title: `A measured work ${n} of ${id}`,
    authors: [{ type: { key: "/type/author_role" }, author: { key: `/authors/OL${Math.ceil(id / 2)}A` } }],
    subjects: ["Fiction", `Measured ${n % 7}`],
    description: `Saved for the ${n}th time, and long enough to be a description of a book.`,
  };
}
