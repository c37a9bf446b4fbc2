// Queries and requests that try to break the search: `npm run bench -- fuzz [--count N] [--url URL] [--solr URL]`.
import { planEditionClauses } from "../src/search/plan/editions.ts";
import { matchText } from "../src/search/plan/match.ts";
import { conjoinPlans, splitPlan } from "../src/search/plan/plan.ts";
import { planQuery, requestsOf } from "../src/search/plan/plan-query.ts";
import { TooBroadError, checkBreadth, checkConditions, checkWords } from "../src/search/plan/too-broad.ts";
import { STRONG_WORK_FIELDS, WORK_FIELDS } from "../src/search/plan/field-columns.ts";
import { parseWorkQuery } from "../src/search/query/parse-query.ts";
import { siteRequest, solrRequest } from "./lib/hostile-requests.mjs";
import { hostileText } from "./lib/hostile.mjs";
import { generateQuery } from "./lib/query-generator.mjs";
import { randomFrom } from "./lib/random.mjs";

/** @import { Request } from "./lib/hostile-requests.mjs" */

/** Failures and slow ones that are printed in full. */
const SHOWN = 20;
const SHOWN_LENGTH = 300;
const REQUEST_TIMEOUT_MS = 60_000;
/** Of every so many requests one goes to the search listener. */
const SOLR_SHARE = 0.3;
const OPTIONS = { prefix: "OL" };

/**
 * @typedef {object} Options
 * @property {number} count queries or requests
 * @property {string | undefined} url service; without it the parser and the planner are called
 * @property {string | undefined} solr its search listener
 * @property {number} seed
 * @property {number} clients requests at a time
 */

/** @param {Options} options */
export async function benchFuzz(options) {
  if (options.url === undefined && options.solr === undefined) fuzzParser(options);
  else await fuzzService(options);
}

/** @typedef {{ what: string, ms: number }} Timed */

/** @param {Options} options */
function fuzzParser({ count, seed }) {
  const random = randomFrom(seed);
  /** @type {Timed[]} */
  const slowest = [];
  let [spent, failures, refused] = [0, 0, 0];
  for (let number = 0; number < count; number += 1) {
    const text = number % 4 === 0 ? hostileText(random) : generateQuery(random);
    const started = performance.now();
    try {
      planned(text);
    } catch (error) {
      if (error instanceof TooBroadError) refused += 1;
      else {
        failures += 1;
        if (failures <= SHOWN)
          console.log(`exception: ${shown(text)}\n  ${error instanceof Error ? error.stack : error}`);
      }
    }
    const ms = performance.now() - started;
    spent += ms;
    keepSlowest(slowest, { what: text, ms });
  }
  console.log(`${count} queries parsed and planned: ${failures} exceptions, ${refused} refused as too broad`);
  console.log(`mean ${((spent / count) * 1000).toFixed(1)} µs; the slowest:`);
  printSlowest(slowest);
}

/** Parses and plans a text as a search for works does, with some words for every wildcard. @param {string} text */
function planned(text) {
  const { query: works, editionClauses } = parseWorkQuery(text, OPTIONS);
  const queries = [works, ...editionClauses];
  checkBreadth(queries);
  checkWords(queries, (field) => field === null || WORK_FIELDS.texts.has(field));
  const terms = ["harry", "k=_4f_4c1_57", 'a"b', "l=eng"];
  const requests = requestsOf(queries, WORK_FIELDS);
  const vocabulary = new Map(requests.map(({ id, accepts }) => [id, terms.filter(accepts)]));
  for (const scheme of [WORK_FIELDS, STRONG_WORK_FIELDS]) {
    const plan = conjoinPlans([
      planQuery(works, { scheme, excludedScheme: WORK_FIELDS, vocabulary }),
      planEditionClauses({ clauses: editionClauses, works: [works], vocabulary }),
    ]);
    const driven = splitPlan(plan);
    if (driven === undefined) continue;
    checkConditions(driven.conditions);
    if (driven.match !== undefined) matchText(driven.match);
  }
}

/** @typedef {{ status: string, path: string, ms: number, body: string }} Answer */

/** @param {Options} options */
async function fuzzService({ count, url, solr, seed, clients }) {
  const random = randomFrom(seed);
  /** @type {Map<string, number>} */
  const statuses = new Map();
  /** @type {Answer[]} */
  const failures = [];
  /** @type {Timed[]} */
  const slowest = [];
  let [sent, spent] = [0, 0];
  const client = async () => {
    while (sent < count) {
      sent += 1;
      const toSolr = solr !== undefined && (url === undefined || random() < SOLR_SHARE);
      const answer = await asked(toSolr ? solr : (url ?? ""), (toSolr ? solrRequest : siteRequest)(random));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (!/^[234]/.test(answer.status)) failures.push(answer);
      spent += answer.ms;
      keepSlowest(slowest, { what: `${answer.status} ${answer.path}`, ms: answer.ms });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const listed = [...statuses]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, n]) => `${status}: ${n}`);
  console.log(`${count} requests, ${clients} at a time: ${listed.join(", ")}`);
  for (const { status, path, body } of failures) console.log(`${status} ${shown(path)}\n  ${shown(body)}`);
  console.log(`mean ${(spent / count).toFixed(1)} ms; the slowest:`);
  printSlowest(slowest);
}

/** @param {string} service @param {Request} request @returns {Promise<Answer>} */
async function asked(service, { path, form, json }) {
  const started = performance.now();
  const content = {
    "Content-Type": json === undefined ? "application/x-www-form-urlencoded" : "application/json",
  };
  const body = json ?? form;
  const post = body === undefined ? {} : { method: "POST", body, headers: content };
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const what = body === undefined ? path : `${path} ${body}`;
  try {
    const response = await fetch(service + path, { ...post, redirect: "manual", signal });
    const text = await response.text();
    // The listener answers failures of the index in a status of its own, the search inside books with 200.
    const isFailed = text.includes('"internal_error"') || text.includes("Unable to query search engine");
    const status = isFailed && response.status < 500 ? "failed" : String(response.status);
    return { status, path: what, ms: performance.now() - started, body: text.slice(0, SHOWN_LENGTH) };
  } catch (error) {
    const reason = error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error);
    return { status: "no answer", path: what, ms: performance.now() - started, body: reason };
  }
}

/** @param {Timed[]} slowest @param {Timed} one */
function keepSlowest(slowest, one) {
  if (slowest.length === SHOWN && one.ms <= (slowest.at(-1)?.ms ?? 0)) return;
  slowest.push(one);
  slowest.sort((a, b) => b.ms - a.ms);
  slowest.splice(SHOWN);
}

/** @param {Timed[]} slowest */
function printSlowest(slowest) {
  for (const { what, ms } of slowest) console.log(`${ms.toFixed(1).padStart(9)} ms  ${shown(what)}`);
}

/** @param {string} text */
function shown(text) {
  const whole = JSON.stringify(text.toWellFormed());
  return whole.length <= SHOWN_LENGTH
    ? whole
    : `${whole.slice(0, SHOWN_LENGTH)}… (${text.length} characters)`;
}
