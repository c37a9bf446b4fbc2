// Searches against a plain FTS5 statement on the same index, or against Solr: `npm run bench -- search`.
import {
  type Catalog,
  type Loaded,
  OURS,
  PLAIN,
  PORTS,
  authorization,
  withLoadedIndex,
} from "./lib/loaded-index.ts";
import { get, run } from "./lib/client.ts";
import { compare } from "./lib/compare.ts";
import { type Query, type Times, measureLatencies, percentiles } from "./lib/latency.ts";
import { preparePeer } from "./lib/peer.ts";
import { measureRepeated } from "./repeated.ts";
import { type ComparedQuery, searchQueries } from "./lib/search-queries.ts";

/** Timed writes, and the interval of polls until search finds them, in milliseconds. */
const WRITES = 200;
const POLL_MS = 10;
/** Documents to measure plain inserts with. */
const BARE_DOCUMENTS = 20_000;
const BARE_BATCH = 500;
/** Connections, seconds and rounds of a comparison under load. */
const TURNS = { connections: 8, seconds: 2, rounds: 3 };
/** Query classes that are also sent by other protocols. */
const PROTOCOL_CLASSES = new Set(["one rare word", "two words", "broad word"]);
/** Paths that return the first 20 works by other protocols, for encoded words. */
const PROTOCOLS: Record<string, (words: string) => string> = {
  "SRU, marcxml": (words) => `/sru?query=%22${words}%22&maximumRecords=20&recordSchema=marcxml`,
  "SRU, dc": (words) => `/sru?query=%22${words}%22&maximumRecords=20&recordSchema=dc`,
  "file of MARC": (words) => `/search.mrc?q=${words}&limit=20`,
  OPDS: (words) => `/opds/books.json?q=${words}`,
  reconciliation: (words) => `/reconcile?query=${words}`,
};

interface Options extends Catalog {
  /** Request log: lines of JSON with `kind` and `q`. */
  log: string | undefined;
  /** Parts to run: index, latency, freshness, forms, repeated. */
  only: string;
  /** URL of a Solr to compare with instead of the plain statement, or "start". */
  peer: string | undefined;
  /** Runs only the classes with this text in their names. */
  kind: string;
}

export async function benchSearch({ log, only, kind, peer, ...catalog }: Options) {
  const { solr } = catalog;
  const hasLarge = only.includes("repeated");
  await withLoadedIndex({ ...catalog, hasLarge, again: only.includes("index") }, async (loaded) => {
    if (only.includes("index") && solr === undefined) await measurePlainInserts();
    if (only.includes("latency")) await measureLatency(loaded, { log, kind, peer, solr });
    if (only.includes("freshness")) await measureFreshness();
    if (only.includes("forms")) await compareProtocols(loaded, log);
    if (hasLarge) await measureRepeated();
  });
}

async function measurePlainInserts() {
  let after = 0;
  let inserted = 0;
  let spent = 0;
  await fetch(`${PLAIN}/bare/new`, { method: "POST" });
  while (inserted < BARE_DOCUMENTS) {
    const documents = await (await fetch(`${PLAIN}/documents?after=${after}&count=${BARE_BATCH}`)).text();
    const rows: { id: number }[] = JSON.parse(documents);
    if (rows.length === 0) break;
    const started = performance.now();
    const response = await fetch(`${PLAIN}/bare`, { method: "POST", body: documents });
    if (!response.ok) throw new Error(`plain inserts: ${response.status}`);
    spent += performance.now() - started;
    inserted += rows.length;
    after = rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER;
  }
  console.log(
    `plain inserts of a row and an FTS5 row each: ${Math.round(inserted / (spent / 1000))} works/s`,
  );
}

async function measureLatency(
  loaded: Loaded,
  { log, kind, peer: address, solr }: Pick<Options, "log" | "kind" | "peer" | "solr">,
) {
  const all = Object.entries(await searchQueries({ plain: PLAIN, log, ...loaded }));
  const classes = all.filter(([name, queries]) => queries.length > 0 && name.includes(kind));
  if (address !== undefined) return comparePeer(address, classes);
  if (solr !== undefined) return measureAlone(classes);
  console.log("p50 / p95 / p99 in ms: Carrel, plain statement, ratio of the p50 (p95, p99)");
  for (const [name, queries] of classes) await compareLatencies(PORTS, name, queries);
  return undefined;
}

/** Compares searches by other protocols, which return whole records, with the same searches as JSON. */
async function compareProtocols(loaded: Loaded, log: string | undefined) {
  const classes = Object.entries(await searchQueries({ plain: PLAIN, log, ...loaded }));
  console.log("p50 / p95 / p99 in ms: the protocol, the same search as JSON, ratio of the p50 (p95, p99)");
  for (const [form, path] of Object.entries(PROTOCOLS)) {
    for (const [name, queries] of classes.filter(([own]) => PROTOCOL_CLASSES.has(own))) {
      const requests = queries.map(({ ours }) => {
        const words = new URL(ours, OURS).searchParams.get("q") ?? "";
        return { ours: path(encodeURIComponent(words)), theirs: ours };
      });
      if (requests.length > 0)
        await compareLatencies({ ours: PORTS.ours, theirs: PORTS.ours }, `${name}, ${form}`, requests);
    }
  }
}

/** Measures Carrel alone: an index in Solr has no plain statement. */
async function measureAlone(classes: [string, ComparedQuery[]][]) {
  console.log(`p50 / p95 / p99 in ms over one connection; over ${TURNS.connections}: requests a second`);
  for (const [name, queries] of classes) {
    const request = (n: number) => get(queries[n % queries.length]?.ours ?? "/");
    const options = { port: PORTS.ours, seconds: TURNS.seconds * TURNS.rounds, request };
    await run({ ...options, seconds: 1, connections: 1 });
    const one = await run({ ...options, connections: 1 });
    const many = await run({ ...options, connections: TURNS.connections });
    const failed = one.requests - (one.statuses["200"] ?? 0);
    const problem = failed === 0 ? "" : `, ${failed} of ${one.requests} without status 200`;
    console.log(
      `${name} (${queries.length}): ${formatPercentiles(one)}; ${Math.round(many.perSecond)}/s${problem}`,
    );
  }
}

/** Compares Carrel with the peer, over one connection and over eight. */
async function comparePeer(address: string, classes: [string, ComparedQuery[]][]) {
  const peer = await preparePeer(address, PLAIN);
  try {
    console.log("p50 / p95 / p99 in ms: Carrel, peer, ratio of the p50 (p95, p99)");
    const ports = { ours: PORTS.ours, theirs: peer.port };
    for (const [name, compared] of classes) {
      const queries = compared.map((one) => ({ ours: one.ours, theirs: one.peer }));
      await compareLatencies(ports, name, queries);
      const requestsOf =
        (side: "ours" | "theirs"): ((n: number) => string) =>
        (n) =>
          get(queries[n % queries.length]?.[side] ?? "/");
      const turns = { carrel: ports.ours, baseline: ports.theirs, ...TURNS };
      await compare(`${name}, ${TURNS.connections} connections, Carrel / peer`, {
        ...turns,
        ours: requestsOf("ours"),
        theirs: requestsOf("theirs"),
      });
    }
  } finally {
    await peer.stop();
  }
}

async function compareLatencies(ports: { ours: number; theirs: number }, name: string, queries: Query[]) {
  const { ours, theirs, failed } = await measureLatencies(ports, queries);
  const problem = failed === 0 ? "" : `, ${failed} without status 200`;
  const ratio = (at: keyof Times) => (ours[at] / theirs[at]).toFixed(2);
  console.log(
    `${name} (${queries.length}): ${formatPercentiles(ours)}, ${formatPercentiles(theirs)}, ratio ${ratio("p50")} (${ratio("p95")}, ${ratio("p99")})${problem}`,
  );
}

function formatPercentiles({ p50, p95, p99 }: Times) {
  return [p50, p95, p99].map((value) => value.toFixed(1)).join(" / ");
}

/** Measures the time from the response to a write until a search finds it. */
async function measureFreshness() {
  const waits: number[] = [];
  for (let n = 0; n < WRITES; n += 1) {
    const word = `fresh${String(process.pid)}x${n}`;
    const key = `/works/OL${900_000_000 + process.pid * 1000 + n}W`;
    const time = { type: "/type/datetime", value: "2026-01-01T00:00:00.000000" };
    const document = {
      key,
      type: { key: "/type/work" },
      title: `A ${word}`,
      revision: 1,
      latest_revision: 1,
    };
    const line = JSON.stringify({ ...document, created: time, last_modified: time });
    const body = ["/type/work", key, 1, time.value, line].join("\t");
    await fetch(`${OURS}/system/load`, { method: "POST", headers: authorization(), body });
    const written = performance.now();
    while (!(await isFound(word))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    waits.push(performance.now() - written);
  }
  const { p50, p95, p99 } = percentiles(waits);
  console.log(
    `write to search hit over ${WRITES} writes: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  );
}

async function isFound(word: string) {
  const response = await (await fetch(`${OURS}/search.json?q=${word}&fields=key`)).text();
  return response.includes("/works/");
}
