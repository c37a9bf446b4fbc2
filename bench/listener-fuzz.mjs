// Hostile requests to the listeners beside the main site, and to protocols of it; bytes that are hardly HTTP to all four:
// `npm run bench -- listener-fuzz [--requests 20000] [--seed 1] [--clients 4] [--class NAME,…] [--log FILE]`; the classes are record,
// search, cover, oai, sru, reconcile, opds, formats, dumps and raw.
import { writeFile } from "node:fs/promises";
import { HOST } from "../scripts/lib/runtime.mjs";
import { withFuzzTarget } from "./lib/fuzz-target.mjs";
import { anyOf } from "./lib/hostile.mjs";
import { randomFrom } from "./lib/random.mjs";
import { exchanged } from "./listeners/raw-client.mjs";
import { dumps } from "./listeners/dumps.mjs";
import { formats, opds } from "./listeners/formats.mjs";
import { harvesters } from "./listeners/oai.mjs";
import { rawProblem } from "./listeners/raw-check.mjs";
import { rawRequest } from "./listeners/raw-requests.mjs";
import { reconcile } from "./listeners/reconcile.mjs";
import { sru } from "./listeners/sru.mjs";
import { coverStore, recordStore, searchEngine, targetProblem } from "./listeners/targets.mjs";
import { Callers } from "./openapi/callers.mjs";
import { clientOf } from "./openapi/client.mjs";
import { operationsOf } from "./openapi/description.mjs";
import { poolOf } from "./openapi/pool.mjs";
import { Report, printedFailures } from "./openapi/report.mjs";
import { requestOf } from "./openapi/requests.mjs";

/** @import { ServiceProcess } from "../scripts/lib/service-process.mjs" */
/** @import { Addresses } from "./lib/fuzz-target.mjs" */
/** @import { Target } from "./listeners/targets.mjs" */

/** Requests after which accounts, settings and the index are made anew. */
const GENERATION_REQUESTS = 2000;
/**
 * @typedef {object} Options
 * @property {number} count requests to each
 * @property {number} seed
 * @property {number} clients requests at a time
 * @property {string} only names of what is asked, with commas; empty for all
 * @property {string | undefined} log file for all that was found
 */

/** @param {Options} options */
export async function benchListenerFuzz(options) {
  await withFuzzTarget(({ addresses, service, ...secrets }) =>
    new Fuzz(addresses, secrets, options).run(service),
  );
}

class Fuzz {
  #addresses;
  #secrets;
  #options;
  #random;
  /** @type {import("./openapi/pool.mjs").Pool} */
  #pool = { byName: {}, keys: [], documents: [] };

  /** @param {Addresses} addresses @param {{ token: string, coversSecret: string }} secrets @param {Options} options */
  constructor(addresses, secrets, options) {
    this.#addresses = addresses;
    this.#secrets = secrets;
    this.#options = options;
    this.#random = randomFrom(options.seed);
    this.callers = new Callers({ url: addresses.main, ...secrets, random: this.#random });
  }

  /** @param {ServiceProcess} service */
  async run(service) {
    const { record, search, cover, main } = this.#addresses;
    const site = await (await fetch(`${main}/openapi.json`)).json();
    const wanted = (/** @type {string} */ name) =>
      this.#options.only === "" || this.#options.only.split(",").includes(name);
    const texts = [];
    let problems = 0;
    for (const [name, url, target] of /** @type {[string, string, () => Target | Promise<Target>][]} */ ([
      ["record", record, recordStore],
      ["search", search, searchEngine],
      ["cover", cover, () => coverStore(site)],
      ["oai", main, () => harvesters(site)],
      ["sru", main, () => sru(site)],
      ["reconcile", main, () => reconcile(site)],
      ["opds", main, () => opds(site)],
      ["formats", main, () => formats(site)],
      ["dumps", main, () => dumps(site, { url: main, token: this.#secrets.token })],
    ])) {
      if (!wanted(name)) continue;
      const report = await this.#target(url, await target());
      problems += report.problems;
      texts.push(report.text());
    }
    if (wanted("raw")) {
      const report = await this.#raw(operationsOf(site));
      problems += report.problems;
      texts.push(report.text());
    }
    const failures = printedFailures(service.log);
    const { log } = this.#options;
    if (log !== undefined) await writeFile(log, [...texts, ...failures].join("\n"));
    if (problems + failures.length > 0) process.exitCode = 1;
  }

  /** @param {string} url @param {Target} target */
  async #target(url, target) {
    console.log(`\n${target.name}: ${target.operations.length} operations`);
    const report = new Report();
    const { clients, count } = this.#options;
    const client = clientOf(url, clients);
    const world = { origin: url, secrets: Object.values(this.#secrets) };
    await this.#generations(report, count, async () => {
      const operation = anyOf(this.#random, target.operations);
      const role = this.callers.roleFor(operation);
      const made = target.request(operation, { random: this.#random, pool: this.#pool });
      const request = { ...made, headers: { ...this.#who(role, target), ...made.headers } };
      const received = await client.send(request);
      const problem = targetProblem(target, { operation, request, received }, world);
      report.add({ operation, request, received, role, problem });
    });
    client.close();
    report.print(this.callers.ruined);
    return report;
  }

  /**
   * Services send the token under a name of its own. @param {import("./openapi/callers.mjs").Role} role @param
   * {Target} target
   */
  #who(role, { isService }) {
    const { Cookie: cookie, ...others } = this.callers.headersOf(role);
    if (cookie === undefined || !isService) return this.callers.headersOf(role);
    return {
      ...others,
      Cookie: cookie.replace(/^session=/, "infobase_auth_token="),
      "X-REMOTE-IP": "198.51.100.9",
    };
  }

  /**
   * Bytes to all four, mostly to the main site. @param {readonly import("./openapi/description.mjs").Operation[]}
   * operations
   */
  async #raw(operations) {
    console.log("\nbytes that are hardly HTTP");
    const report = new Report();
    const { main, record, search, cover } = this.#addresses;
    const secrets = Object.values(this.#secrets);
    const targets = [recordStore(), searchEngine()];
    await this.#generations(report, this.#options.count, async () => {
      const url = this.#random() < 0.7 ? main : anyOf(this.#random, [record, search, cover]);
      const place = [record, search].indexOf(url);
      const means = { random: this.#random, pool: this.#pool };
      const target = targets[place];
      const operation = anyOf(this.#random, target?.operations ?? operations);
      const role = this.callers.roleFor(operation);
      const made = target?.request(operation, means) ?? requestOf(operation, means);
      const sound = { ...made, headers: { ...this.callers.headersOf(role), ...made.headers } };
      const sent = rawRequest(sound, this.#random);
      const received = await exchanged({ hostname: HOST, port: Number(new URL(url).port) }, sent);
      const problem = rawProblem({ received, method: sent.method, secrets, isService: target !== undefined });
      const shown = {
        ...made,
        method: sent.method,
        target: JSON.stringify(sent.what),
        headers: {},
        body: undefined,
      };
      report.add({ operation, request: shown, received, role, problem });
    });
    report.print(this.callers.ruined);
    return report;
  }

  /**
   * @param {Report} report
   * @param {number} count
   * @param {() => Promise<void>} exchange
   */
  async #generations(report, count, exchange) {
    for (let left = count; left > 0; left -= GENERATION_REQUESTS) {
      await this.#renew();
      let own = Math.min(left, GENERATION_REQUESTS);
      const one = async () => {
        while (own > 0) {
          own -= 1;
          await exchange();
        }
      };
      await Promise.all(Array.from({ length: this.#options.clients }, one));
      report.progress();
      await this.#isAlive();
    }
  }

  /** Accounts and settings as they were, and what the index has lost. */
  async #renew() {
    const { main, record } = this.#addresses;
    await this.callers.renew();
    this.#pool = await poolOf({ url: main, usernames: this.callers.usernames() });
    const body = new URLSearchParams({ keys: JSON.stringify(this.#pool.keys.slice(0, 200)) });
    await (await fetch(`${record}/openlibrary.org/reindex`, { method: "POST", body })).arrayBuffer();
  }

  /** Every listener still answers as it should. */
  async #isAlive() {
    const { main, record, search, cover } = this.#addresses;
    for (const address of [
      `${main}/languages.json`,
      `${record}/x`,
      `${search}/solr/x/admin/ping`,
      `${cover}/robots.txt`,
    ]) {
      const response = await fetch(address);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${address}: ${response.status} after what was sent`);
    }
  }
}
