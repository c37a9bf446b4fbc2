// Ratios of Carrel to a bare Hono worker on the same runtime, in one run: `npm run bench [-- --works N]`; these, and writes,
// with the catalog in PostgreSQL: `--catalog postgres`;
// of search to the plain statement: `npm run bench -- search`, and what stands first: `npm run bench -- relevance`; of writes to a bare batch: `npm run bench -- write`.
// of what patrons do to a bare object: `npm run bench -- patron`; of very many of them: `npm run bench -- patrons`.
// of reading MARC to another parser, and of imports to a bare batch: `npm run bench -- import`.
// of a dump that is loaded and dumped again: `npm run bench -- dump`.
// of covers to a bare bucket: `npm run bench -- covers`. of a harvest to bare selects: `npm run bench -- harvest`.
// What breaks the description of the interface: `npm run bench -- openapi-fuzz`, and of the other listeners: `npm run
// bench -- listener-fuzz`. What breaks it: `npm run bench -- fuzz`, and the import: `npm run bench -- import-fuzz`;
// what survives when it is killed: `npm run bench -- faults`; all of these for hours: `npm run bench -- campaign`.
import { parseArgs } from "node:util";
import { isbn13 } from "./lib/catalog.mjs";
import { get } from "./lib/client.mjs";
import { compare } from "./lib/compare.mjs";
import { startBaseline, startCarrel } from "./lib/instances.mjs";
import { loadBoth } from "./lib/load.mjs";
import { startCatalogs } from "./lib/postgres.mjs";
import { benchCampaign } from "./campaign.mjs";
import { benchDump } from "./dump.mjs";
import { benchFaults } from "./faults.mjs";
import { benchImport } from "./import.mjs";
import { benchImportFaults } from "./import-faults.mjs";
import { benchPatronFaults } from "./patron-faults.mjs";
import { benchPatron } from "./patron.mjs";
import { benchPatrons } from "./patrons.mjs";
import { benchSearch } from "./search.mjs";
import { benchWrite } from "./write.mjs";

/** @import { Instance } from "./lib/instances.mjs" */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    works: { type: "string", default: "1000,200000" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
    dump: { type: "string", multiple: true, default: [] },
    log: { type: "string" },
    class: { type: "string", default: "" },
    state: { type: "string" },
    count: { type: "string", default: "100000" },
    url: { type: "string" },
    solr: { type: "string" },
    heap: { type: "string" },
    seed: { type: "string", default: "1" },
    clients: { type: "string", default: "6" },
    patrons: { type: "string", default: "10000" },
    rows: { type: "string", default: "1000000" },
    kills: { type: "string" },
    peer: { type: "string" },
    records: { type: "string", default: "5000" },
    questions: { type: "string", default: "150" },
    marc: { type: "string" },
    requests: { type: "string", default: "50000" },
    minutes: { type: "string", default: "120" },
    journal: { type: "string" },
    catalog: { type: "string" },
  },
});
const only = values.only ?? "load,reads,index,latency,freshness";
const timing = { seconds: Number(values.seconds), rounds: Number(values.rounds) };

if (positionals[0] === "search") {
  const { dump: dumps, log, state, peer, solr, heap } = values;
  await benchSearch({
    dumps,
    peer,
    solr,
    heap,
    works: Number(values.works.split(",")[0]),
    log,
    state,
    only,
    kind: values.class,
  });
} else if (positionals[0] === "relevance") {
  const { benchRelevance } = await import("./relevance.mjs");
  const { dump: dumps, state, journal, class: kind, peer } = values;
  const [works, seed] = [Number(values.works.split(",")[0]), Number(values.seed)];
  await benchRelevance({ dumps, works, state, count: Number(values.questions), seed, kind, journal, peer });
} else if (positionals[0] === "dump") {
  await benchDump({ works: Number(values.works.split(",").at(-1)), only: values.only ?? "dump,load" });
} else if (positionals[0] === "harvest") {
  const { benchHarvest } = await import("./harvest.mjs");
  await benchHarvest({ works: Number(values.works.split(",")[0]), rounds: timing.rounds });
} else if (positionals[0] === "write") {
  await benchWrite({ works: Number(values.works.split(",")[0]), ...timing, catalog: values.catalog });
} else if (positionals[0] === "import") {
  const parts = values.only ?? "parse,load,growth";
  await benchImport({
    works: values.works.split(",").map(Number),
    marc: values.marc,
    ...timing,
    only: parts,
  });
} else if (positionals[0] === "covers") {
  const { benchCovers } = await import("./covers.mjs");
  await benchCovers({ ...timing, only: values.only ?? "memory,upload,read" });
} else if (positionals[0] === "campaign") {
  if (values.journal === undefined) throw new Error("campaign needs --journal FILE");
  await benchCampaign({ journal: values.journal, minutes: Number(values.minutes), only: values.only ?? "" });
} else if (positionals[0] === "import-fuzz") {
  const { benchImportFuzz } = await import("./import-fuzz.mjs");
  await benchImportFuzz({ count: Number(values.count), seed: Number(values.seed) });
} else if (positionals[0] === "openapi-fuzz") {
  const { benchOpenApiFuzz } = await import("./openapi-fuzz.mjs");
  const { log, class: part } = values;
  const [count, seed, clients] = [values.requests, values.seed, values.clients].map(Number);
  await benchOpenApiFuzz({
    count: count ?? 0,
    seed: seed ?? 0,
    clients: clients ?? 1,
    only: part,
    log,
  });
} else if (positionals[0] === "listener-fuzz") {
  // Its images are made by sources with types.
  const { benchListenerFuzz } = await import("./listener-fuzz.mjs");
  const { log, class: part } = values;
  const [count, seed, clients] = [values.requests, values.seed, values.clients].map(Number);
  await benchListenerFuzz({ count: count ?? 0, seed: seed ?? 0, clients: clients ?? 1, only: part, log });
} else if (positionals[0] === "patron") {
  const parts = values.only ?? "alone,followed,big";
  await benchPatron({ works: Number(values.works.split(",")[0]), ...timing, only: parts });
} else if (positionals[0] === "patrons") {
  const [patrons, rows] = [Number(values.patrons), Number(values.rows)];
  await benchPatrons({ patrons, rows, works: Number(values.works.split(",")[0]), seed: Number(values.seed) });
} else if (positionals[0] === "patron-faults") {
  await benchPatronFaults({ kills: Number(values.kills ?? 50), seed: Number(values.seed) });
} else if (positionals[0] === "import-faults") {
  const [lines, kills] = [Number(values.records), Number(values.kills ?? 30)];
  await benchImportFaults({ records: lines, kills, seed: Number(values.seed) });
} else if (positionals[0] === "faults") {
  await benchFaults({
    kills: Number(values.kills ?? 50),
    seed: Number(values.seed),
    catalog: values.catalog,
  });
} else if (positionals[0] === "fuzz") {
  // It calls the sources themselves, which takes a Node that strips types.
  const { benchFuzz } = await import("./fuzz.mjs");
  const { url, solr } = values;
  const [count, seed, clients] = [values.count, values.seed, values.clients].map(Number);
  await benchFuzz({ count: count ?? 0, url, solr, seed: seed ?? 0, clients: clients ?? 1 });
} else for (const works of values.works.split(",").map(Number)) await records(works);

/** @param {number} works */
async function records(works) {
  console.log(`\n${works} works`);
  const catalogs = await startCatalogs(values.catalog);
  const carrel = await startCarrel(28_080, { catalog: catalogs.carrel });
  const baseline = await startBaseline(28_081, catalogs.bare);
  try {
    await loadBoth(carrel, baseline, works);
    if (only.includes("reads")) await reads(carrel, baseline, works);
  } finally {
    await carrel.stop();
    await baseline.stop();
    await catalogs.stop();
  }
}

/**
 * @param {Instance} carrel
 * @param {Instance} baseline
 * @param {number} works
 */
async function reads(carrel, baseline, works) {
  const work = (/** @type {number} */ n) => `/works/OL${1 + ((n * 7919) % works)}W`;
  const hot = await (await fetch(`${carrel.url}/works/OL1W.json`)).text();
  await fetch(`${baseline.url}/hot`, { method: "POST", body: hot });
  const pair = { carrel: carrel.port, baseline: baseline.port, ...timing };

  await compare("record from the isolate's cache / Hono, same bytes", {
    ...pair,
    ours: () => get("/works/OL1W.json"),
    theirs: () => get("/hot"),
  });
  await compare("304 from the isolate's cache / Hono 304", {
    ...pair,
    ours: () => get("/works/OL1W.json", 'If-None-Match: "1"\r\n'),
    theirs: () => get("/unmodified"),
  });
  // The parameter makes every address a new one, so that no cache has the answer.
  const place = values.catalog === "postgres" ? "PostgreSQL" : "D1";
  await compare(`record from ${place} / Hono with one bare select`, {
    ...pair,
    ours: (n) => get(`${work(n)}.json?n=${n}`),
    theirs: (n) => get(`/record${work(n)}`),
  });
  await compare(`304 from ${place} / Hono with one bare select`, {
    ...pair,
    ours: (n) => get(`${work(n)}.json?n=${n}`, 'If-None-Match: "1"\r\n'),
    theirs: (n) => get(`/record${work(n)}`),
  });
  const edition = (/** @type {number} */ n) => 2 * (1 + ((n * 7919) % works)) - 1;
  await compare("/api/books.json, 1 ISBN / Hono with one bare select", {
    ...pair,
    ours: (n) => get(`/api/books.json?bibkeys=${isbn13(edition(n))}&n=${n}`),
    theirs: (n) => get(`/record${work(n)}`),
  });
  const fifty = (/** @type {number} */ n) =>
    Array.from({ length: 50 }, (_, index) => edition(n * 50 + index));
  const theirs = (/** @type {number} */ n) =>
    get(
      `/many?keys=${fifty(n)
        .map((one) => `/books/OL${one}M`)
        .join(",")}`,
    );
  for (const jscmd of ["viewapi", "data"]) {
    await compare(`/api/books.json, 50 ISBNs, jscmd=${jscmd} / Hono with one json_each select of 50`, {
      ...pair,
      ours: (n) => get(`/api/books.json?bibkeys=${fifty(n).map(isbn13).join(",")}&jscmd=${jscmd}&n=${n}`),
      theirs,
    });
  }
}
