// Reads and loading, against a bare Hono worker: `npm run bench`.
import { isbn13 } from "./lib/catalog.ts";
import { get } from "./lib/client.ts";
import { compare } from "./lib/compare.ts";
import { type Instance, startBaseline, startCarrel } from "./lib/instances.ts";
import { loadBoth } from "./lib/load.ts";
import { startCatalogs } from "./lib/postgres.ts";

interface Options {
  works: number;
  seconds: number;
  rounds: number;
  /** Parts to run: load, reads, expand. */
  only: string;
  catalog: string | undefined;
}

export async function benchReads({ only, catalog, ...options }: Options) {
  console.log(`\n${options.works} works`);
  const catalogs = await startCatalogs(catalog);
  const carrel = await startCarrel(28_080, { catalog: catalogs.carrel });
  const baseline = await startBaseline(28_081, catalogs.bare);
  try {
    await loadBoth(carrel, baseline, options.works);
    const database = catalog === undefined ? "D1" : "PostgreSQL";
    if (only.includes("reads")) await compareReads({ carrel, baseline, database, ...options });
    if (only.includes("expand")) await compareExpand({ carrel, ...options });
  } finally {
    await carrel.stop();
    await baseline.stop();
    await catalogs.stop();
  }
}

interface Services extends Pick<Options, "works" | "seconds" | "rounds"> {
  carrel: Instance;
  baseline: Instance;
  database: string;
}

async function compareReads({ carrel, baseline, database, works, ...timing }: Services) {
  // A different work each time, and a different URL, so that no cache has the response.
  const number = (n: number) => 1 + ((n * 7919) % works);
  const work = (n: number) => `/works/OL${number(n)}W`;
  const edition = (n: number) => 2 * number(n) - 1;
  const fifty = (n: number) => Array.from({ length: 50 }, (_, index) => edition(n * 50 + index));
  const select = (n: number) => get(`/record${work(n)}`);
  const selectFifty = (n: number) => {
    const keys = fifty(n).map((one) => `/books/OL${one}M`);
    return get(`/many?keys=${keys.join(",")}`);
  };
  const books = (jscmd: string) => (n: number) =>
    get(`/api/books.json?bibkeys=${fifty(n).map(isbn13).join(",")}&jscmd=${jscmd}&n=${n}`);

  const cached = await fetch(`${carrel.url}/works/OL1W.json`);
  const {
    connection: _connection,
    "content-length": _length,
    ...headers
  } = Object.fromEntries(cached.headers);
  const copied = JSON.stringify({ body: await cached.text(), headers });
  await fetch(`${baseline.url}/hot`, { method: "POST", body: copied });
  const cases: [name: string, ours: (n: number) => string, theirs: (n: number) => string][] = [
    ["record from the in-memory cache / Hono, same body", () => get("/works/OL1W.json"), () => get("/hot")],
    [
      "record from the in-memory cache / Hono, same body and headers",
      () => get("/works/OL1W.json"),
      () => get("/hot/with-headers"),
    ],
    [
      "304 from the in-memory cache / Hono 304",
      () => get("/works/OL1W.json", 'If-None-Match: "1"\r\n'),
      () => get("/unmodified"),
    ],
    [`record from ${database} / Hono with one select`, (n) => get(`${work(n)}.json?n=${n}`), select],
    [
      `304 from ${database} / Hono with one select`,
      (n) => get(`${work(n)}.json?n=${n}`, 'If-None-Match: "1"\r\n'),
      select,
    ],
    [
      "/api/books.json, 1 ISBN / Hono with one select",
      (n) => get(`/api/books.json?bibkeys=${isbn13(edition(n))}&n=${n}`),
      select,
    ],
    ["/api/books.json, 50 ISBNs / one json_each select of 50", books("viewapi"), selectFifty],
    ["/api/books.json, 50 ISBNs, jscmd=data / one json_each select of 50", books("data"), selectFifty],
  ];
  const pair = { carrel: carrel.port, baseline: baseline.port, ...timing };
  for (const [name, ours, theirs] of cases) await compare(name, { ...pair, ours, theirs });
}

/** Compares answers with parts with those without, and one for a book with the five that clients read instead. */
async function compareExpand({ carrel, works, ...timing }: Omit<Services, "baseline" | "database">) {
  const number = (n: number) => 1 + ((n * 7919) % works);
  const book = (n: number) => `/books/OL${2 * number(n) - 1}M.json`;
  const author = (n: number) => `/authors/OL${Math.ceil(number(n) / 2)}A`;
  const parts = "authors,works,series,languages,cover";
  const plain: [name: string, path: (n: number) => string][] = [
    ["book", book],
    ["works of an author", (n) => `${author(n)}/works.json`],
    ["editions of a work", (n) => `/works/OL${number(n)}W/editions.json`],
  ];
  const pair = { carrel: carrel.port, baseline: carrel.port, ...timing };
  for (const [name, path] of plain) {
    const ours = (n: number) => address(path(n), n, `&expand=${parts}`);
    await compare(`${name} with expand=${parts} / without`, {
      ...pair,
      ours,
      theirs: (n) => address(path(n), n),
    });
  }
  const isbn = (n: number) => address(`/isbn/${isbn13(2 * number(n) - 1)}.json`, n);
  const work = (n: number) => `/works/OL${number(n)}W`;
  await compare("request of the 2 for a whole book by ISBN / of the 5 without expand", {
    ...pair,
    ours: inTurn((n) => [isbn(n), address(book(n), n, `&expand=${parts},ratings`)]),
    theirs: inTurn((n) => [
      isbn(n),
      address(book(n), n),
      address(`${work(n)}.json`, n),
      address(`${author(n)}.json`, n),
      address(`${work(n)}/ratings.json`, n),
    ]),
  });
}

/** Returns a request whose address no cache knows. */
function address(path: string, n: number, expand = "") {
  return get(`${path}?n=${n}${expand}`);
}

/** Returns all requests of each book, one after the other. */
function inTurn(requests: (n: number) => string[]) {
  const { length } = requests(0);
  return (n: number) => requests(Math.floor(n / length))[n % length] ?? "";
}
