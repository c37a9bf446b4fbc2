/** Requests by SRU to the main site, with queries of CQL that are sound or nearly so. */
import { xmlError } from "../../src/catalog/xml.ts";
import { anyOf, below } from "../lib/hostile.mjs";
import { operationsOf } from "../openapi/description.mjs";
import { requestOf } from "../openapi/requests.mjs";
import { strange } from "../openapi/values.mjs";

/** @import { Random } from "../lib/hostile.mjs" */
/** @import { Target } from "./targets.mjs" */

/**
 * SRU with queries of CQL, every answer of which is XML.
 * @param {any} site description of the main site
 * @returns {Target}
 */
export function sru(site) {
  const document = { ...site, paths: { "/sru": site.paths["/sru"] } };
  return {
    name: "SRU",
    document,
    operations: operationsOf(document),
    isService: false,
    request(operation, { random, pool }) {
      const byName = { ...pool.byName, ...sruValues(random) };
      return requestOf(operation, { random, pool: { ...pool, byName } });
    },
    problem: ({ headers, body }) =>
      body.length > 0 && String(headers["content-type"]).includes("xml")
        ? xmlError(body.toString())
        : undefined,
  };
}

/** @param {Random} random @returns {Record<string, string[]>} */
function sruValues(random) {
  return {
    query: [cql(random, 0)],
    scanClause: [clause(random)],
    version: ["1.1", "1.2", "2.0", "1.2", "3"],
    operation: ["searchRetrieve", "searchRetrieve", "scan", "explain", "x"],
    queryType: ["cql", "searchTerms", "x"],
    recordSchema: ["marcxml", "mods", "dc", "oai_dc", "info:srw/schema/1/dc-v1.1", "x"],
    recordPacking: ["xml", "string", "packed", "x"],
    recordXMLEscaping: ["xml", "string", "x"],
    sortKeys: ["title", "title,,0 date,,1", "title,,1,1", ",,,,", "x"],
    ...Object.fromEntries(
      ["startRecord", "maximumRecords", "maximumTerms", "responsePosition"].map((name) => [
        name,
        ["1", "1", "2", "20", "0", "9999", "10001", "-1", "1e9", "99999999999"],
      ]),
    ),
  };
}

const INDEXES =
  "title dc.title creator subject date dc.language identifier bath.isbn rec.identifier cql.anywhere cql.allRecords lcc edition_count carrel.author_key ebook_access id_x x y.z cql.resultSetId".split(
    " ",
  );
const RELATIONS = "= == <> < > <= >= any all adj within encloses exact scr cql.any x".split(" ");
const MODIFIERS = ["", "", "", "/relevant", "/stem/ignoreCase", "/string", "/unmasked", "/x=1", "/x.y", "/"];
const BOOLEANS =
  "and or not prox prox/distance=1/ordered prox/unit=word prox/distance>3 and/x AND sortBy".split(" ");
const TERMS = [
  "emma",
  "love",
  "1813",
  "18*",
  "*a*",
  "*",
  "c?t",
  "^a",
  '"jane austen"',
  '"a b*"',
  '""',
  '"1800 1900"',
];

/** @param {Random} random */
function term(random) {
  return random() < 0.15 ? `"${strange(random)}"` : random() < 0.1 ? strange(random) : anyOf(random, TERMS);
}

/** @param {Random} random */
function clause(random) {
  if (random() < 0.2) return term(random);
  const relation = anyOf(random, RELATIONS) + anyOf(random, MODIFIERS);
  return `${anyOf(random, INDEXES)} ${relation} ${term(random)}`;
}

/** A query, sound or nearly so. @param {Random} random @param {number} depth @returns {string} */
function cql(random, depth) {
  const count = 1 + below(random, depth > 3 ? 1 : anyOf(random, [1, 2, 3, 60]));
  const parts = Array.from({ length: count }, () =>
    random() < 0.15 && depth < 6 ? `(${cql(random, depth + 1)})` : clause(random),
  );
  const joined = parts.reduce((all, part) => `${all} ${anyOf(random, BOOLEANS)} ${part}`);
  const prefix = random() < 0.05 ? '>y="info:srw/cql-context-set/1/dc-v1.1" ' : "";
  const sorted =
    random() < 0.2 ? ` sortBy ${anyOf(random, INDEXES)}${anyOf(random, ["", "/descending", "/x"])}` : "";
  const whole = prefix + joined + sorted;
  return random() < 0.05 ? whole.slice(0, below(random, whole.length)) : whole;
}
