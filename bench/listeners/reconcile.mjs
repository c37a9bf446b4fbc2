/** Questions of programs that reconcile names (Reconciliation API 0.2) to the main site: JSON that is sound or nearly so. */
import { anyOf, below } from "../lib/hostile.mjs";
import { operationsOf } from "../openapi/description.mjs";
import { requestOf } from "../openapi/requests.mjs";
import { strange } from "../openapi/values.mjs";
import { oddJson } from "./odd-json.mjs";

/** @import { Random } from "../lib/hostile.mjs" */
/** @import { Target } from "./targets.mjs" */

/**
 * `/reconcile` and what is below it.
 * @param {any} site description of the main site
 * @returns {Target}
 */
export function reconcile(site) {
  const paths = Object.entries(site.paths).filter(([path]) => /^\/reconcile(?:\/|$)/.test(path));
  const document = { ...site, paths: Object.fromEntries(paths) };
  return {
    name: "reconciliation",
    document,
    operations: operationsOf(document),
    isService: false,
    request(operation, { random, pool }) {
      const byName = {
        ...pool.byName,
        queries: [text(random, batch(random))],
        query: [random() < 0.5 ? name(random) : text(random, question(random))],
        extend: [text(random, extension(random))],
        id: IDS,
        prefix: ["e", "em", "OL104W", "pride", name(random)],
        type: TYPES,
        cursor: ["0", "1", "100", "101", "-1", "x"],
      };
      return requestOf(operation, { random, pool: { ...pool, byName } });
    },
  };
}

const TYPES = ["work", "edition", "author", "subject", "", "x"];
const IDS = [
  "OL104W",
  "OL104M",
  "OL101A",
  "subject:love",
  "place:england",
  "OL0W",
  "subject:",
  "x",
  "/works/OL1W",
];
const PROPERTIES = "author isbn year publisher language subject lccn oclc birth_date work_count kind x".split(
  " ",
);
const NAMES = [
  "Emma",
  "Austen, Jane",
  "Pride & Prejudise",
  "love",
  "1984",
  "* a*",
  "Moby Dick; or, the whale",
  "?!",
  "",
];

/** @param {Random} random */
function name(random) {
  return random() < 0.2 ? strange(random) : anyOf(random, NAMES);
}

/** @param {Random} random @param {unknown} asked */
function text(random, asked) {
  const json = random() < 0.1 ? oddJson(asked, random) : JSON.stringify(asked);
  return random() < 0.05 ? json.slice(0, below(random, json.length)) : json;
}

/** @param {Random} random */
function value(random) {
  return anyOf(random, [
    name(random),
    1813,
    -1,
    true,
    { id: "OL101A" },
    { id: name(random), name: "x" },
    null,
    ["x"],
  ]);
}

/** @param {Random} random */
function question(random) {
  const count = anyOf(random, [0, 0, 1, 2, 20, 21]);
  return {
    query: name(random),
    ...(random() < 0.6 && { type: random() < 0.5 ? anyOf(random, TYPES) : TYPES }),
    ...(random() < 0.3 && { limit: anyOf(random, [0, 1, 3, 50, 1e9, -1, 0.5]) }),
    ...(count > 0 && {
      properties: Array.from({ length: count }, () => ({ pid: anyOf(random, PROPERTIES), v: value(random) })),
    }),
  };
}

/** @param {Random} random */
function batch(random) {
  const count = anyOf(random, [0, 1, 2, 10, 51]);
  const entries = Array.from({ length: count }, (_, at) => [`q${at}`, question(random)]);
  return Object.fromEntries(random() < 0.1 ? [...entries, ["__proto__", question(random)]] : entries);
}

/** @param {Random} random */
function extension(random) {
  const count = anyOf(random, [0, 1, 5, 200, 201]);
  return {
    ids: Array.from({ length: count }, () => anyOf(random, [...IDS, name(random)])),
    properties: PROPERTIES.map((id) => ({ id, settings: {} })),
  };
}
