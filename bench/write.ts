import { sendLines } from "../scripts/lib/load-client.ts";
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
      `\n${consumers ? "the index follows every change in the same thread" : "no queue consumers"}`,
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
      await compare("PUT of one work / plain batch of as many rows", {
        ...pair,
        connections,
        ours: (n) => saveOne(n, { works, cookie }),
        theirs: (n) => plainBatch([n], works),
      });
      await compare(`save_many of ${MANY} works / plain batch of as many rows`, {
        ...pair,
        connections,
        ours: (n) => saveMany(n, { works, cookie }),
        theirs: (n) => plainBatch(numbersOf(n), works),
      });
    }
  } finally {
    await carrel.stop();
    await baseline.stop();
    await catalogs.stop();
  }
}

interface Options {
  works: number;
  cookie: string;
}

function saveOne(n: number, { works, cookie }: Options) {
  const document = changedWork(workNumber(n, works), n);
  return send("PUT", `${document.key}.json`, { body: JSON.stringify(document), headers: cookie });
}

function saveMany(n: number, { works, cookie }: Options) {
  const body = JSON.stringify(numbersOf(n).map((one) => changedWork(workNumber(one, works), one)));
  return send("POST", "/api/save_many", { body, headers: cookie });
}

function plainBatch(numbers: number[], works: number) {
  const rows = numbers.map((n) => {
    const { key, ...members } = changedWork(workNumber(n, works), n);
    const id = workNumber(n, works);
    // Carrel's index rows of such a work: title, author and reference paths.
    const terms = ["title", "authors.author", "authors.type"].map((name) => [
      name,
      JSON.stringify(members.title),
    ]);
    return [id, `${Date.now()}.${n}`, key, JSON.stringify(members), terms];
  });
  return send("POST", "/save", { body: JSON.stringify(rows) });
}

function numbersOf(n: number) {
  return Array.from({ length: MANY }, (_, index) => n * MANY + index);
}

function workNumber(n: number, works: number) {
  return 1 + ((n * 7919) % works);
}

/** Creates a work for the n-th save, different each time. */
function changedWork(id: number, n: number) {
  return {
    key: `/works/OL${id}W`,
    type: { key: "/type/work" },
    title: `A measured work ${n} of ${id}`,
    authors: [{ type: { key: "/type/author_role" }, author: { key: `/authors/OL${Math.ceil(id / 2)}A` } }],
    subjects: ["Fiction", `Measured ${n % 7}`],
    description: `Saved for the ${n}th time, and long enough to be a description of a book.`,
  };
}
