// Search against the plain FTS5 statement on the same index, in one run: `npm run bench -- search`.
import { OURS, PLAIN, PORTS, authorization, withLoadedIndex } from "./lib/loaded-index.ts";
import { get, run } from "./lib/client.ts";
import { compare } from "./lib/compare.ts";
import { latencies, times } from "./lib/latency.ts";
import { loadedPeer } from "./lib/peer.ts";
import { searchQuestions } from "./lib/search-questions.ts";

import type { Catalog, Loaded } from "./lib/loaded-index.ts";
import type { Question, Times } from "./lib/latency.ts";
import type { ComparedQuestion } from "./lib/search-questions.ts";

/** Timed writes, and the interval of polls until search finds them, in milliseconds. */
const WRITES = 200;
const LOOK_EVERY_MS = 10;
/** Documents to measure plain inserts with. */
const BARE_DOCUMENTS = 20_000;
const BARE_BATCH = 500;
/** Connections, seconds and rounds of a comparison under load. */
const TURNS = { connections: 8, seconds: 2, rounds: 3 };
/** Query classes that are also sent by other protocols. */
const FORM_CLASSES = new Set(["one rare word", "two words", "broad word"]);
/** Paths that return the first 20 works by other protocols, for encoded words. */
const FORMS: Record<string, (words: string) => string> = {
  "SRU, marcxml": (words) => `/sru?query=%22${words}%22&maximumRecords=20&recordSchema=marcxml`,
  "SRU, dc": (words) => `/sru?query=%22${words}%22&maximumRecords=20&recordSchema=dc`,
  "file of MARC": (words) => `/search.mrc?q=${words}&limit=20`,
  OPDS: (words) => `/opds/books.json?q=${words}`,
  reconciliation: (words) => `/reconcile?query=${words}`,
};

export type Options = Catalog & Wanted;

export interface Wanted {
  /** Request log: lines of JSON with `kind` and `q`. */
  log: string | undefined;
  /** Parts to run: index, latency, freshness, forms. */
  only: string;
  /** URL of a Solr to compare with instead of the plain statement, or "start". */
  peer: string | undefined;
  /** Runs only the classes with this text in their names. */
  kind: string;
}

export async function benchSearch({ log, only, kind, peer, ...catalog }: Options) {
  const { solr } = catalog;
  await withLoadedIndex({ ...catalog, again: only.includes("index") }, async (loaded) => {
    if (only.includes("index") && solr === undefined) await bareInserts();
    if (only.includes("latency")) await latency(loaded, { log, kind, peer, solr });
    if (only.includes("freshness")) await freshness();
    if (only.includes("forms")) await besideForms(loaded, log);
  });
}

async function bareInserts() {
  let after = 0;
  let inserted = 0;
  let spent = 0;
  await fetch(`${PLAIN}/bare/new`, { method: "POST" });
  while (inserted < BARE_DOCUMENTS) {
    const documents = await (await fetch(`${PLAIN}/documents?after=${after}&count=${BARE_BATCH}`)).text();
    const rows: { id: number }[] = JSON.parse(documents);
    if (rows.length === 0) break;
    const started = performance.now();
    const answer = await fetch(`${PLAIN}/bare`, { method: "POST", body: documents });
    if (!answer.ok) throw new Error(`bare inserts: ${answer.status}`);
    spent += performance.now() - started;
    inserted += rows.length;
    after = rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER;
  }
  console.log(`bare inserts of a row and an FTS5 row each: ${Math.round(inserted / (spent / 1000))} works/s`);
}

async function latency(
  loaded: Loaded,
  { log, kind, peer: address, solr }: Pick<Options, "log" | "kind" | "peer" | "solr">,
) {
  const all = Object.entries(await searchQuestions({ plain: PLAIN, log, ...loaded }));
  const classes = all.filter(([name, questions]) => questions.length > 0 && name.includes(kind));
  if (address !== undefined) return besidePeer(address, classes);
  if (solr !== undefined) return alone(classes);
  console.log("p50 / p95 / p99 in ms: Carrel, plain statement, ratio of the p50 (p95, p99)");
  for (const [name, questions] of classes) await timed(PORTS, name, questions);
  return undefined;
}

/** Compares searches by other protocols, which return whole records, with the same searches as JSON. */
async function besideForms(loaded: Loaded, log: string | undefined) {
  const classes = Object.entries(await searchQuestions({ plain: PLAIN, log, ...loaded }));
  console.log("p50 / p95 / p99 in ms: the protocol, the same search as JSON, ratio of the p50 (p95, p99)");
  for (const [form, path] of Object.entries(FORMS)) {
    for (const [name, questions] of classes.filter(([own]) => FORM_CLASSES.has(own))) {
      const asked = questions.map(({ ours }) => {
        const words = new URL(ours, OURS).searchParams.get("q") ?? "";
        return { ours: path(encodeURIComponent(words)), theirs: ours };
      });
      if (asked.length > 0) await timed({ ours: PORTS.ours, theirs: PORTS.ours }, `${name}, ${form}`, asked);
    }
  }
}

/** Measures Carrel alone: an index in Solr has no plain statement. */
async function alone(classes: [string, ComparedQuestion[]][]) {
  console.log(`p50 / p95 / p99 in ms over one connection; over ${TURNS.connections}: requests a second`);
  for (const [name, questions] of classes) {
    const request = (n: number) => get(questions[n % questions.length]?.ours ?? "/");
    const asked = { port: PORTS.ours, seconds: TURNS.seconds * TURNS.rounds, request };
    await run({ ...asked, seconds: 1, connections: 1 });
    const one = await run({ ...asked, connections: 1 });
    const many = await run({ ...asked, connections: TURNS.connections });
    const refused = one.requests - (one.statuses["200"] ?? 0);
    const problem = refused === 0 ? "" : `, ${refused} of ${one.requests} not answered with 200`;
    console.log(
      `${name} (${questions.length}): ${described(one)}; ${Math.round(many.perSecond)}/s${problem}`,
    );
  }
}

/** Compares Carrel with the peer, over one connection and over eight. */
async function besidePeer(address: string, classes: [string, ComparedQuestion[]][]) {
  const peer = await loadedPeer(address, PLAIN);
  try {
    console.log("p50 / p95 / p99 in ms: Carrel, peer, ratio of the p50 (p95, p99)");
    const ports = { ours: PORTS.ours, theirs: peer.port };
    for (const [name, compared] of classes) {
      const questions = compared.map((one) => ({ ours: one.ours, theirs: one.peer }));
      await timed(ports, name, questions);
      const asking =
        (side: "ours" | "theirs"): ((n: number) => string) =>
        (n) =>
          get(questions[n % questions.length]?.[side] ?? "/");
      const turns = { carrel: ports.ours, baseline: ports.theirs, ...TURNS };
      await compare(`${name}, ${TURNS.connections} connections, Carrel / peer`, {
        ...turns,
        ours: asking("ours"),
        theirs: asking("theirs"),
      });
    }
  } finally {
    await peer.stop();
  }
}

async function timed(ports: { ours: number; theirs: number }, name: string, questions: Question[]) {
  const { ours, theirs, refused } = await latencies(ports, questions);
  const problem = refused === 0 ? "" : `, ${refused} not answered with 200`;
  const ratio = (at: keyof Times) => (ours[at] / theirs[at]).toFixed(2);
  console.log(
    `${name} (${questions.length}): ${described(ours)}, ${described(theirs)}, ratio ${ratio("p50")} (${ratio("p95")}, ${ratio("p99")})${problem}`,
  );
}

function described({ p50, p95, p99 }: Times) {
  return [p50, p95, p99].map((value) => value.toFixed(1)).join(" / ");
}

/** Measures the time from the response to a write until a search finds it. */
async function freshness() {
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
    while (!(await isFound(word))) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    waits.push(performance.now() - written);
  }
  const { p50, p95, p99 } = times(waits);
  console.log(
    `write to search hit over ${WRITES} writes: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  );
}

async function isFound(word: string) {
  const answer = await (await fetch(`${OURS}/search.json?q=${word}&fields=key`)).text();
  return answer.includes("/works/");
}
