import { DEVELOPMENT_ACCOUNTS, bootstrapLines } from "../scripts/lib/bootstrap.mjs";
import { sendLines } from "../scripts/lib/load-client.mjs";
import { catalogLines } from "./lib/catalog.mjs";
import { get, send } from "./lib/client.mjs";
import { compare } from "./lib/compare.mjs";
import { TOKEN, startCarrel, startObject } from "./lib/instances.mjs";
import { loginAll, post, restorePatrons } from "./lib/patrons.mjs";

/** @import { Instance } from "./lib/instances.mjs" */

const PORTS = { carrel: 28_080, baseline: 28_081 };
/** Patrons who act, in turns. */
const PATRONS = DEVELOPMENT_ACCOUNTS;
const SEEDS = 50;
/** What a patron has who has much, and one who has a page of it. */
const BIG = { books: 20_000, lists: 500, seeds: 9_900 };
const SMALL = { books: 100, lists: 50, seeds: 50 };
/** Entries of one line of a patron who is taken over. */
const ENTRIES = 5000;

/**
 * Rates of what patrons do, against a worker that writes or reads one row of a Durable Object and nothing else; then
 * first pages of a patron who has much, against those of one who has little.
 * @param {{ works: number, seconds: number, rounds: number, only: string }} options
 */
export async function benchPatron({ only, ...options }) {
  const parts = [
    { name: "alone", what: "no consumer of the queues", consumers: false, measure: everyday },
    {
      name: "followed",
      what: "counts and index follow in the same thread",
      consumers: true,
      measure: everyday,
    },
    { name: "big", what: "much and little", consumers: false, measure: big },
  ];
  for (const { name, what, consumers, measure } of parts) {
    if (!only.includes(name)) continue;
    console.log(`\n${what}`);
    const carrel = await startCarrel(PORTS.carrel, { consumers });
    const bare = await startObject(PORTS.baseline);
    try {
      const cookies = await prepare(carrel, options.works);
      await measure({ ...options, cookies, url: carrel.url });
    } finally {
      await carrel.stop();
      await bare.stop();
    }
  }
}

/**
 * @param {Instance} carrel
 * @param {number} works
 */
async function prepare({ url }, works) {
  const target = { url, token: TOKEN, fetch };
  await sendLines(bootstrapLines({ development: true }), target);
  await sendLines(catalogLines(works), target);
  return loginAll(url, PATRONS);
}

/** @typedef {{ works: number, seconds: number, rounds: number, cookies: string[], url: string }} Options */

/** @param {Options} options */
async function everyday({ works, seconds, rounds, cookies, url }) {
  const [first = ""] = PATRONS;
  const pair = { carrel: PORTS.carrel, baseline: PORTS.baseline, seconds, rounds };
  const who = (/** @type {number} */ n) => cookies[n % cookies.length] ?? "";
  const work = (/** @type {number} */ n) => 1 + ((n * 7919) % works);
  const write = (/** @type {number} */ n) =>
    send("POST", `/${PATRONS[n % PATRONS.length]}/${work(n)}`, { body: `{"shelf":${1 + (n % 3)}}` });
  const read = (/** @type {number} */ n) => get(`/${PATRONS[n % PATRONS.length]}/${work(n)}`);
  const list = await makeList(url, { seeds: SEEDS, owner: first, cookie: cookies[0] ?? "" });
  for (const connections of [1, 16]) {
    console.log(`${works} works, ${connections} connection${connections === 1 ? "" : "s"}`);
    const both = { ...pair, connections };
    await compare("a work put on a shelf / one row written into a bare object", {
      ...both,
      ours: (n) =>
        send("POST", `/works/OL${work(n)}W/bookshelves.json`, {
          body: JSON.stringify({ bookshelf_id: String(1 + (n % 3)), dont_remove: "true" }),
          headers: who(n),
        }),
      theirs: write,
    });
    await compare("a check-in / one row written into a bare object", {
      ...both,
      ours: (n) =>
        send("POST", `/works/OL${work(n)}W/check-ins.json`, {
          body: JSON.stringify({ event_type: 3, year: 2026, month: 1 + (n % 12), day: 1 + (n % 28) }),
          headers: who(n),
        }),
      theirs: write,
    });
    await compare("a page of 20 of a shelf / one row read of a bare object", {
      ...both,
      ours: (n) => get(`/people/${PATRONS[n % PATRONS.length]}/books/want-to-read.json?limit=20`, who(n)),
      theirs: read,
    });
    await compare(`${SEEDS} seeds of a list / one row read of a bare object`, {
      ...both,
      ours: (n) => get(`${list}/seeds.json?n=${n}`),
      theirs: read,
    });
  }
}

/** @param {Options} options */
async function big({ works, seconds, rounds, cookies, url }) {
  const little = "patron";
  const much = "reader";
  const cookieOfLittle = cookies[PATRONS.indexOf(little)] ?? "";
  const cookieOfMuch = cookies[PATRONS.indexOf(much)] ?? "";
  const small = await makePatron(url, little, { ...SMALL, works, cookie: cookieOfLittle });
  const large = await makePatron(url, much, { ...BIG, works, cookie: cookieOfMuch });
  const pair = { carrel: PORTS.carrel, baseline: PORTS.carrel, seconds, rounds, connections: 1 };
  await compare(`first page of a shelf of ${BIG.books} / of ${SMALL.books}`, {
    ...pair,
    ours: page(`/people/${much}/books/want-to-read.json?limit=100&n=`),
    theirs: page(`/people/${little}/books/want-to-read.json?limit=100&n=`),
  });
  await compare(`first page of ${BIG.lists} lists / of ${SMALL.lists}`, {
    ...pair,
    ours: page(`/people/${much}/lists.json?limit=50&n=`),
    theirs: page(`/people/${little}/lists.json?limit=50&n=`),
  });
  for (const part of [".json?n=", "/editions.json?limit=50&n=", "/embed?n="]) {
    await compare(`${part.split("?")[0]} of a list of ${BIG.seeds} seeds / of ${SMALL.seeds}`, {
      ...pair,
      ours: page(large + part),
      theirs: page(small + part),
    });
  }
  await compare(`a seed added to a list of ${BIG.seeds} / of ${SMALL.seeds}`, {
    ...pair,
    ours: (n) => seed(large, n, cookieOfMuch),
    theirs: (n) => seed(small, n, cookieOfLittle),
  });
}

/**
 * Requests for an address that is a new one each time, so that no cache has the answer.
 * @param {string} path
 */
function page(path) {
  return (/** @type {number} */ n) => get(`${path}${n}`);
}

/**
 * Adds and removes a seed.
 * @param {string} list
 * @param {number} n
 * @param {string} cookie
 */
function seed(list, n, cookie) {
  const change = { [n % 2 === 0 ? "add" : "remove"]: ["subject:measured"] };
  return send("POST", `${list}/seeds.json`, { body: JSON.stringify(change), headers: cookie });
}

/**
 * A patron with books and lists; returns the key of the one list that has as many seeds as asked for.
 * @param {string} url
 * @param {string} username
 * @param {{ books: number, lists: number, seeds: number, works: number, cookie: string }} much
 */
async function makePatron(url, username, { books, lists, seeds, works, cookie }) {
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
  // The oldest, so that it is not on the first page of the lists.
  const long = await makeList(url, { seeds: Math.min(seeds, works), owner: username, cookie });
  for (let made = 1; made < lists; made += 1) {
    await makeList(url, { seeds: 2, owner: username, cookie });
  }
  return long;
}

/**
 * @param {string} url
 * @param {{ seeds: number, owner: string, cookie: string }} options
 * @returns {Promise<string>} the list's key
 */
async function makeList(url, { seeds, owner, cookie }) {
  // Editions and works in turns: both kinds are shown differently.
  const body = {
    name: `Measured list of ${seeds}`,
    seeds: Array.from({ length: seeds }, (_, index) =>
      index % 2 === 0 ? { key: `/works/OL${1 + index}W` } : { key: `/books/OL${index}M` },
    ),
  };
  const { key } = await post(`${url}/people/${owner}/lists.json`, body, headerOf(cookie));
  return key;
}

/** @param {string} line */
function headerOf(line) {
  return { Cookie: line.trim().replace("Cookie: ", "") };
}
