// Search against the plain FTS5 statement on the same index, in one run: `npm run bench -- search`.
import { OURS, PLAIN, PORTS, authorization, withLoadedIndex } from "./lib/loaded-index.mjs";
import { get, run } from "./lib/client.mjs";
import { compare } from "./lib/compare.mjs";
import { latencies, times } from "./lib/latency.mjs";
import { loadedPeer } from "./lib/peer.mjs";
import { searchQuestions } from "./lib/search-questions.mjs";

/** @import { Catalog, Loaded } from "./lib/loaded-index.mjs" */
/** @import { Question, Times } from "./lib/latency.mjs" */
/** @import { ComparedQuestion } from "./lib/search-questions.mjs" */

/** Writes whose way into search is timed, and the wait between two looks, in milliseconds. */
const WRITES = 200;
const LOOK_EVERY_MS = 10;
/** Documents inserted to measure bare inserts. */
const BARE_DOCUMENTS = 20_000;
const BARE_BATCH = 500;
/** How many ask at the same time, for how many seconds, and how many times in turn. */
const TURNS = { connections: 8, seconds: 2, rounds: 3 };
/** Classes of searches that are asked by other protocols too. */
const FORM_CLASSES = new Set(["one rare word", "two words", "broad word"]);
/** The first 20 works by the protocols of others: of words, encoded. @type {Record<string, (words: string) => string>} */
const FORMS = {
  "SRU, marcxml": (words) => `/sru?query=%22${words}%22&maximumRecords=20&recordSchema=marcxml`,
  "SRU, dc": (words) => `/sru?query=%22${words}%22&maximumRecords=20&recordSchema=dc`,
  "file of MARC": (words) => `/search.mrc?q=${words}&limit=20`,
  OPDS: (words) => `/opds/books.json?q=${words}`,
  reconciliation: (words) => `/reconcile?query=${words}`,
};

/**
 * @typedef {Catalog & Wanted} Options
 * @typedef {object} Wanted
 * @property {string | undefined} log requests as lines of JSON with `kind` and `q`
 * @property {string} only parts to run: index, latency, freshness, forms
 * @property {string | undefined} peer address of a Solr to compare with in place of the plain statement, or "start"
 * @property {string} kind only classes of queries whose names contain this
 */

/** @param {Options} options */
export async function benchSearch({ log, only, kind, peer, ...catalog }) {
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
    /** @type {{ id: number }[]} */
    const rows = JSON.parse(documents);
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

/**
 * @param {Loaded} loaded
 * @param {Pick<Options, "log" | "kind" | "peer" | "solr">} options
 */
async function latency(loaded, { log, kind, peer: address, solr }) {
  const all = Object.entries(await searchQuestions({ plain: PLAIN, log, ...loaded }));
  const classes = all.filter(([name, questions]) => questions.length > 0 && name.includes(kind));
  if (address !== undefined) return besidePeer(address, classes);
  if (solr !== undefined) return alone(classes);
  console.log("p50 / p95 / p99 in ms: Carrel, plain statement, ratio of the p50 (p95, p99)");
  for (const [name, questions] of classes) await timed(PORTS, name, questions);
  return undefined;
}

/**
 * The same searches by the protocols of others, with whole records, and as JSON, in turns.
 * @param {Loaded} loaded
 * @param {string | undefined} log
 */
async function besideForms(loaded, log) {
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

/** Carrel by itself: a Solr has no plain statement. @param {[string, ComparedQuestion[]][]} classes */
async function alone(classes) {
  console.log(`p50 / p95 / p99 in ms over one connection; over ${TURNS.connections}: requests a second`);
  for (const [name, questions] of classes) {
    const request = (/** @type {number} */ n) => get(questions[n % questions.length]?.ours ?? "/");
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

/**
 * The same questions to Carrel and to the peer in turns, over one connection and over eight.
 * @param {string} address
 * @param {[string, ComparedQuestion[]][]} classes
 */
async function besidePeer(address, classes) {
  const peer = await loadedPeer(address, PLAIN);
  try {
    console.log("p50 / p95 / p99 in ms: Carrel, peer, ratio of the p50 (p95, p99)");
    const ports = { ours: PORTS.ours, theirs: peer.port };
    for (const [name, compared] of classes) {
      const questions = compared.map((one) => ({ ours: one.ours, theirs: one.peer }));
      await timed(ports, name, questions);
      /** @param {"ours" | "theirs"} side @returns {(n: number) => string} */
      const asking = (side) => (n) => get(questions[n % questions.length]?.[side] ?? "/");
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

/**
 * @param {{ ours: number, theirs: number }} ports
 * @param {string} name
 * @param {Question[]} questions
 */
async function timed(ports, name, questions) {
  const { ours, theirs, refused } = await latencies(ports, questions);
  const problem = refused === 0 ? "" : `, ${refused} not answered with 200`;
  const ratio = (/** @type {keyof Times} */ at) => (ours[at] / theirs[at]).toFixed(2);
  console.log(
    `${name} (${questions.length}): ${described(ours)}, ${described(theirs)}, ratio ${ratio("p50")} (${ratio("p95")}, ${ratio("p99")})${problem}`,
  );
}

/** @param {Times} values */
function described({ p50, p95, p99 }) {
  return [p50, p95, p99].map((value) => value.toFixed(1)).join(" / ");
}

/** Time from the answer to a write until a search finds it. */
async function freshness() {
  /** @type {number[]} */
  const waits = [];
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

/** @param {string} word */
async function isFound(word) {
  const answer = await (await fetch(`${OURS}/search.json?q=${word}&fields=key`)).text();
  return answer.includes("/works/");
}
