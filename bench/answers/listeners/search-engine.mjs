/** The calls of the search engine (port 8983), and what is sent with them. */
import { anyOf, below } from "../../lib/hostile.ts";
import { solrRequest } from "../lib/hostile-requests.mjs";
import { strange } from "../openapi/values.mjs";
import { documentOf } from "./describe.mjs";
import { oddJson } from "./odd-json.mjs";

/** @import { Random } from "../../lib/hostile.ts" */
/** @import { Pool } from "../openapi/pool.mjs" */
/** @import { Made } from "../openapi/requests.mjs" */
/** @import { Call } from "./describe.mjs" */

const FORM = "application/x-www-form-urlencoded";
const head = { type: "object", required: ["status"], properties: { status: { const: 0 } } };
const found = {
  type: "object",
  required: ["numFound", "docs"],
  properties: { numFound: { type: "integer", minimum: 0 }, docs: { type: "array" } },
};
const response = {
  type: "object",
  required: ["responseHeader", "response"],
  properties: { responseHeader: head, response: found },
};
const updated = {
  type: "object",
  required: ["responseHeader"],
  properties: {
    responseHeader: { ...head, required: ["status", "errors"] },
  },
};
const word = { type: "string" };
const number = { type: "integer", minimum: 0, maximum: 1000 };
const flag = { type: "boolean" };
const list = { type: "array", items: word };
const chain = { enum: ["tolerant-chain"] };
const errors = [400, 403, 404, 405, 413, 503];
const search = {
  q: { type: "string", required: true },
  fq: list,
  fl: list,
  rows: number,
  start: number,
  sort: {
    enum: ["key asc", "score desc,key desc", "first_publish_year desc,key asc", "name asc,key asc", "x"],
  },
  // Other forms are no JSON.
  wt: { enum: ["json"] },
  cursorMark: word,
  "q.op": { enum: ["AND", "OR", "x"] },
  mm: { enum: ["1", "2", "-1", "75%", "x"] },
  df: { enum: ["title", "name", "x"] },
  facet: flag,
  "facet.field": list,
  "facet.query": list,
  "facet.prefix": word,
  "facet.limit": { type: "integer", minimum: -1, maximum: 1000 },
  "json.nl": { enum: ["flat", "map", "arrarr"] },
};

/** @type {readonly Call[]} */
const CALLS = [
  { id: "root", method: "GET", path: "/", answer: { type: "object", required: ["status"] }, errors },
  {
    id: "ping",
    method: "GET",
    path: "/solr/{core}/admin/ping",
    answer: { type: "object", required: ["status"] },
    errors,
  },
  ...both("select", search, response),
  ...both("get", { id: list, ids: word, fl: word }, { type: "object" }),
  ...both("query", search, response),
  ...both("export", { q: search.q, sort: word, fl: word }, response),
  ...both("terms", { "terms.fl": list, "terms.prefix": word, "terms.limit": number }, { type: "object" }),
  ...both("admin/cores", { action: { enum: ["STATUS", "RELOAD"] }, core: word }, { type: "object" }),
  { id: "schema", method: "GET", path: "/solr/{core}/schema/fields", answer: { type: "object" }, errors },
  ...both("update", { commit: flag, overwrite: flag, commitWithin: number, "update.chain": chain }, updated),
  {
    id: "updateJson",
    method: "POST",
    path: "/solr/{core}/update/json",
    bodies: ["application/json"],
    answer: updated,
    errors,
  },
  {
    id: "updateDocuments",
    method: "POST",
    path: "/solr/{core}/update/json/docs",
    bodies: ["application/json"],
    answer: updated,
    errors,
  },
  { id: "unknown", method: "GET", path: "/solr/{core}/{handler}", answer: { type: "object" }, errors },
];

/** @param {string} name @param {NonNullable<Call["query"]>} query @param {Call["answer"]} answer @returns {Call[]} */
function both(name, query, answer) {
  const call = { path: `/solr/{core}/${name}`, query, answer, errors };
  return [
    { id: `${name}ByGet`, method: "GET", ...call },
    { id: name, method: "POST", ...call, form: query },
  ];
}

export const searchEngineDocument = documentOf(CALLS, {
  type: "object",
  required: ["responseHeader", "error"],
  properties: {
    responseHeader: { type: "object", required: ["status"] },
    error: {
      type: "object",
      required: ["msg", "code"],
      properties: { msg: word, code: { type: "integer" } },
    },
  },
});

/** @param {string} _id @param {{ random: Random, pool: Pool }} means @returns {Record<string, string[]>} */
export function searchEngineValues(_id, { random, pool }) {
  return {
    core: ["openlibrary", "x"],
    handler: ["spell", "suggest", "replication", "select", "x"],
    id: pool.keys,
    ids: [Array.from({ length: below(random, 5) }, () => anyOf(random, pool.keys)).join(",")],
    // Marks of the beginning, and of some place among the works.
    cursorMark: ["*", "WyJrZXkrIiw0MjAsMCwxMDJd", "WyJrZXkrIiw0MjAsMCwiYSIsbnVsbF0", "W10"],
    "terms.fl": ["language", "subject_key", "type", "x"],
    "facet.query": ["title:the", "{!term f=language}eng", "type:edition", "["],
    fq: [
      "type:work",
      "type:edition",
      "type:(edition OR author)",
      "{!terms f=key}/works/OL101W",
      "-language:eng",
      "first_publish_year:[1900 TO *]",
    ],
    "facet.field": ["author_facet", "language", "subject_facet", "subject_key", "type", "nothing"],
  };
}

/**
 * A body of an update, or a request of the search for queries. @param {string} id @param {{ random: Random, pool:
 * Pool }} means @returns {Partial<Made>}
 */
export function searchEngineRequest(id, means) {
  const { random } = means;
  if (id.startsWith("update")) {
    if (id === "updateByGet") return {};
    return random() < 0.15
      ? xmlUpdate(means)
      : bodied(oddJson(jsonUpdate(id, means), random), "application/json");
  }
  if (random() < 0.5 || id === "ping" || id === "root" || id === "unknown") return {};
  const { path, form, json } = solrRequest(random);
  if (form === undefined && json === undefined)
    return { method: "GET", target: path.slice(0, 12_000), body: undefined };
  const type = json === undefined ? FORM : "application/json";
  return { method: "POST", target: path, ...bodied(json ?? form ?? "", type) };
}

/** @param {string} content @param {string} type */
function bodied(content, type) {
  const body = Buffer.from(content);
  return { body, headers: { "Content-Type": type, "Content-Length": String(body.length) } };
}

/** @param {string} id @param {{ random: Random, pool: Pool }} means */
function jsonUpdate(id, { random, pool }) {
  const document = anyOf(random, pool.documents);
  const key = anyOf(random, pool.keys);
  if (id === "updateDocuments") return random() < 0.5 ? document : [document];
  return anyOf(random, [
    [document],
    [document, anyOf(random, pool.documents)],
    { add: { doc: document, overwrite: true }, commit: {} },
    { delete: { id: key } },
    { delete: [key, "/works/OL9W"] },
    { delete: { query: `key:"${key}"` } },
    [{ key, ratings_count_1: { set: 5 }, ratings_average: { set: 1.5 } }],
    [{ key, trending_score_hourly_3: { set: 2 }, trending_z_score: { set: 0.5 } }],
    [{ key, want_to_read_count: { inc: 1 } }],
    { commit: {}, optimize: {} },
  ]);
}

/** @param {{ random: Random, pool: Pool }} means */
function xmlUpdate({ random, pool }) {
  const key = anyOf(random, pool.keys);
  const title = random() < 0.5 ? "x" : strange(random).slice(0, 50);
  const whole = anyOf(random, [
    `<add><doc><field name="key">${key}</field><field name="type">work</field><field name="title">${title}</field></doc></add>`,
    `<delete><id>${key}</id><query>title:${title}</query></delete>`,
    `<update><delete><id>${key}</id></delete><commit/></update>`,
    `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><delete><id>&b;</id></delete>`,
    `<?xml version="1.0"?><commit waitSearcher="false"/>`,
    `${"<add>".repeat(500)}`,
  ]);
  const cut = random() < 0.3 ? whole.slice(0, below(random, whole.length)) : whole;
  return bodied(cut, "text/xml");
}
