import { DEVELOPMENT_ACCOUNTS, bootstrapLines } from "../scripts/lib/bootstrap.ts";
import { sendLines } from "../scripts/lib/load-client.ts";
import { catalogLines } from "./lib/catalog.ts";
import { get, send } from "./lib/client.ts";
import { compare } from "./lib/compare.ts";
import { type Instance, TOKEN, startBaseline, startCarrel, startObject } from "./lib/instances.ts";
import { loginAll, post, restorePatrons } from "./lib/patrons.ts";

const PORTS = { carrel: 28_080, baseline: 28_081, database: 28_082 };
const PATRONS = DEVELOPMENT_ACCOUNTS;
const SEEDS = 50;
/** Data of a patron with much, and of one with a single page of it. */
const BIG = { books: 20_000, lists: 500, seeds: 9_900 };
const SMALL = { books: 100, lists: 50, seeds: 50 };
/** Shelf entries per line of the restore. */
const ENTRIES = 5000;

/**
 * Measures patrons' requests against a worker that only writes or reads one row of a Durable Object; then
 * first pages of a patron with much data against those of a patron with little.
 */
export async function benchPatron({ only, ...options }: Timing & { only: string }) {
  const parts = [
    { name: "alone", what: "no queue consumers", consumers: false, measure: compareRequests },
    { name: "followed", what: "with counts and index", consumers: true, measure: compareRequests },
    { name: "big", what: "patrons with much and little", consumers: false, measure: compareSizes },
  ];
  for (const { name, what, consumers, measure } of parts) {
    if (!only.includes(name)) continue;
    console.log(`\n${what}`);
    const carrel = await startCarrel(PORTS.carrel, { consumers });
    const bare = await startObject(PORTS.baseline);
    const database = await startBaseline(PORTS.database);
    try {
      await sendLines(catalogLines(1), { url: `${database.url}/one-table`, token: TOKEN, fetch });
      const cookies = await prepare(carrel, options.works);
      await measure({ ...options, cookies, url: carrel.url });
    } finally {
      await carrel.stop();
      await bare.stop();
      await database.stop();
    }
  }
}

async function prepare({ url }: Instance, works: number) {
  const target = { url, token: TOKEN, fetch };
  await sendLines(bootstrapLines({ development: true }), target);
  await sendLines(catalogLines(works), target);
  return loginAll(url, PATRONS);
}

interface Timing {
  works: number;
  seconds: number;
  rounds: number;
}

interface Options extends Timing {
  cookies: string[];
  url: string;
}

async function compareRequests({ works, seconds, rounds, cookies, url }: Options) {
  const [first = ""] = PATRONS;
  const pair = { carrel: PORTS.carrel, baseline: PORTS.baseline, seconds, rounds };
  const cookieOf = (n: number) => cookies[n % cookies.length] ?? "";
  const work = (n: number) => 1 + ((n * 7919) % works);
  const write = (n: number) =>
    send("POST", `/${PATRONS[n % PATRONS.length]}/${work(n)}`, { body: `{"shelf":${1 + (n % 3)}}` });
  const read = (n: number) => get(`/${PATRONS[n % PATRONS.length]}/${work(n)}`);
  const list = await createList(url, { seeds: SEEDS, owner: first, cookie: cookies[0] ?? "" });
  const shelve = (n: number) => {
    const body = JSON.stringify({ bookshelf_id: String(1 + (n % 3)), dont_remove: "true" });
    return send("POST", `/works/OL${work(n)}W/bookshelves.json`, { body, headers: cookieOf(n) });
  };
  const checkIn = (n: number) => {
    const body = JSON.stringify({ event_type: 3, year: 2026, month: 1 + (n % 12), day: 1 + (n % 28) });
    return send("POST", `/works/OL${work(n)}W/check-ins.json`, { body, headers: cookieOf(n) });
  };
  const shelf = (n: number) =>
    get(`/people/${PATRONS[n % PATRONS.length]}/books/want-to-read.json?limit=20`, cookieOf(n));
  const seeds = (n: number) => get(`${list}/seeds.json?n=${n}`);
  for (const connections of [1, 16]) {
    console.log(`${works} works, ${connections} connection${connections === 1 ? "" : "s"}`);
    const both = { ...pair, connections };
    await compare("a work put on a shelf / one row written", { ...both, ours: shelve, theirs: write });
    await compare("a check-in / one row written", { ...both, ours: checkIn, theirs: write });
    await compare("a page of 20 of a shelf / one row read", { ...both, ours: shelf, theirs: read });
    await compare(`${SEEDS} seeds of a list / one row read`, { ...both, ours: seeds, theirs: read });
    // Upper bound for any response that reads D1.
    const fromDatabase = { ...both, carrel: PORTS.database, ours: selectWork, theirs: read };
    await compare("one row read from D1 (as Carrel) / one row read", fromDatabase);
  }
}

async function compareSizes({ works, seconds, rounds, cookies, url }: Options) {
  const little = "patron";
  const much = "reader";
  const cookieOfLittle = cookies[PATRONS.indexOf(little)] ?? "";
  const cookieOfMuch = cookies[PATRONS.indexOf(much)] ?? "";
  const small = await createPatron(url, little, { ...SMALL, works, cookie: cookieOfLittle });
  const large = await createPatron(url, much, { ...BIG, works, cookie: cookieOfMuch });
  const pair = { carrel: PORTS.carrel, baseline: PORTS.carrel, seconds, rounds, connections: 1 };
  await compare(`first page of a shelf of ${BIG.books} / of ${SMALL.books}`, {
    ...pair,
    ours: pageRequest(`/people/${much}/books/want-to-read.json?limit=100&n=`),
    theirs: pageRequest(`/people/${little}/books/want-to-read.json?limit=100&n=`),
  });
  await compare(`first page of ${BIG.lists} lists / of ${SMALL.lists}`, {
    ...pair,
    ours: pageRequest(`/people/${much}/lists.json?limit=50&n=`),
    theirs: pageRequest(`/people/${little}/lists.json?limit=50&n=`),
  });
  for (const part of [".json?n=", "/editions.json?limit=50&n=", "/embed?n="]) {
    await compare(`${part.split("?")[0]} of a list of ${BIG.seeds} seeds / of ${SMALL.seeds}`, {
      ...pair,
      ours: pageRequest(large + part),
      theirs: pageRequest(small + part),
    });
  }
  await compare(`a seed added to a list of ${BIG.seeds} / of ${SMALL.seeds}`, {
    ...pair,
    ours: (n) => seedRequest(large, n, cookieOfMuch),
    theirs: (n) => seedRequest(small, n, cookieOfLittle),
  });
}

function selectWork() {
  return get("/record/works/OL1W");
}

/** Creates requests for a new URL each time, so that no cache has the response. */
function pageRequest(path: string) {
  return (n: number) => get(`${path}${n}`);
}

/** Adds and removes a seed in turns. */
function seedRequest(list: string, n: number, cookie: string) {
  const change = { [n % 2 === 0 ? "add" : "remove"]: ["subject:measured"] };
  return send("POST", `${list}/seeds.json`, { body: JSON.stringify(change), headers: cookie });
}

/** Creates a patron with books and lists. Returns the key of the list with `seeds` seeds. */
async function createPatron(
  url: string,
  username: string,
  {
    books,
    lists,
    seeds,
    works,
    cookie,
  }: { books: number; lists: number; seeds: number; works: number; cookie: string },
) {
  for (let from = 0; from < books; from += ENTRIES) {
    const shelves = Array.from({ length: Math.min(ENTRIES, books - from) }, (_, index) => ({
      work: 1 + from + index,
      shelf: "want-to-read",
      date: new Date(1_700_000_000_000 + (from + index) * 60_000).toISOString().slice(0, 19),
    }));
    await restorePatrons(url, [
      { username, email: `${username}@example.com`, public_readlog: "yes", shelves },
    ]);
  }
  await post(`${url}/account/preferences.json`, { public_readlog: "yes" }, headerOf(cookie));
  // It comes first, so that it is not on the first page of the lists.
  const long = await createList(url, { seeds: Math.min(seeds, works), owner: username, cookie });
  for (let created = 1; created < lists; created += 1) {
    await createList(url, { seeds: 2, owner: username, cookie });
  }
  return long;
}

/** Returns the key of the list. */
async function createList(
  url: string,
  { seeds, owner, cookie }: { seeds: number; owner: string; cookie: string },
): Promise<string> {
  // Editions and works, because their code differs.
  const body = {
    name: `Measured list of ${seeds}`,
    seeds: Array.from({ length: seeds }, (_, index) =>
      index % 2 === 0 ? { key: `/works/OL${1 + index}W` } : { key: `/books/OL${index}M` },
    ),
  };
  const { key } = await post(`${url}/people/${owner}/lists.json`, body, headerOf(cookie));
  return key;
}

function headerOf(line: string) {
  return { Cookie: line.trim().replace("Cookie: ", "") };
}
