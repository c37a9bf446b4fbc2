/** The list of all requests. The same seed and the same catalog make the same list. */
import { randomFrom } from "../lib/random.ts";
import { operationsOf } from "./openapi/description.mjs";
import { poolOf } from "./openapi/pool.mjs";
import { developmentLogins, newAccounts } from "./accounts.mjs";
import { deeds } from "./deeds.mjs";
import { exampleRequests, preparations } from "./examples.mjs";
import { formRequests } from "./form-requests.mjs";
import { coverStoreFuzz, recordStoreFuzz, searchEngineFuzz, searches, siteFuzz } from "./fuzz-requests.mjs";
import { readRoutes } from "./route-table.mjs";
import { readingRequests, readingsAgain, writingRequests } from "./route-requests.mjs";

/** @import { Line } from "./lines.mjs" */

const SEED = 1;
/** Sets of accounts. */
const SETS = { reads: 0, writes: 10, fuzz: 100, services: 200 };

/**
 * @param {string} url of a service that has just been started
 * @param {{ examples: string, routes: string }} tables
 * @returns {Promise<Line[]>}
 */
export async function requestsFor(url, tables) {
  const operations = operationsOf(await (await fetch(`${url}/openapi.json`)).json());
  const pool = await poolOf({ url, usernames: ["patron"] });
  const routes = await readRoutes(tables.routes);
  const meansOf = (/** @type {number} */ number) => ({ random: randomFrom(SEED + number), pool });
  const all = [
    ...developmentLogins(),
    ...newAccounts(SETS.reads),
    ...preparations(),
    ...readingRequests({ routes, operations, means: meansOf(0) }, SETS.reads),
    ...formRequests(),
    ...searches(meansOf(1)),
    ...(await exampleRequests(tables.examples)),
    ...(await deeds()),
    ...readingsAgain(routes),
    ...formRequests(),
    ...writingRequests({ routes, operations, means: meansOf(2) }, SETS.writes),
    ...siteFuzz(operations, { means: meansOf(3), firstSet: SETS.fuzz }),
    ...newAccounts(SETS.services),
    ...recordStoreFuzz(meansOf(4), SETS.services),
    ...searchEngineFuzz(meansOf(5), SETS.services),
    ...coverStoreFuzz(operations, meansOf(6)),
    ...searches(meansOf(7)),
  ];
  return all.map((asked) => ({ asked: { ...asked, target: atBeginning(asked.target) } }));
}

/** Days that requests name are those of the steady clock. @param {string} target */
function atBeginning(target) {
  return target.replaceAll(/2026(?=\/11|-11)/g, "2030");
}
