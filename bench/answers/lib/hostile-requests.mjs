/** Requests to all that searches, with parameters of every kind. The same numbers give the same requests. */
import {
  PARAMETERS,
  anyOf,
  below,
  hostileFields,
  hostileFlag,
  hostileJson,
  hostileNumber,
  hostileSort,
  hostileText,
  hostileValue,
} from "../../lib/hostile.ts";

/** @import { Random } from "../../lib/hostile.ts" */

/**
 * Where parameters go and what their values are.
 * @typedef {{ path: string, weight: number, parameters: Record<string, (random: Random) => string> }} Route
 */
/**
 * A request; `form` is sent as the body.
 * @typedef {{ path: string, form?: string, json?: string }} Request
 */

const FACET_FIELDS = (
  "author_facet first_publish_year has_fulltext language person_facet place_facet public_scan_b publisher_facet " +
  "subject_facet time_facet nothing"
).split(" ");

const paging = { limit: hostileNumber, offset: hostileNumber, page: hostileNumber };
const selection = {
  q: hostileText,
  ...Object.fromEntries(PARAMETERS.map((name) => [name, name.includes("scan") ? hostileFlag : hostileValue])),
};
const typed = { q: hostileText, limit: hostileNumber };
/** @type {Route["parameters"]} */
const solr = {
  q: hostileText,
  fq: (random) =>
    random() < 0.5
      ? `type:${anyOf(random, ["work", "author", "subject", "list", "x"])}`
      : hostileText(random),
  fl: hostileFields,
  rows: hostileNumber,
  start: hostileNumber,
  sort: hostileSort,
  facet: hostileFlag,
  "facet.field": (random) => anyOf(random, FACET_FIELDS),
  "facet.limit": hostileNumber,
  "facet.contains": hostileValue,
  "facet.mincount": hostileNumber,
  "json.nl": (random) => anyOf(random, ["flat", "map", "arrarr", "x"]),
  wt: () => "json",
};

/** @type {Route[]} */
const SITE = [
  {
    path: "/search.json",
    weight: 8,
    parameters: {
      ...selection,
      ...paging,
      sort: hostileSort,
      fields: hostileFields,
      query: hostileJson,
      spellcheck_count: hostileNumber,
      lang: hostileValue,
      editions: hostileFlag,
    },
  },
  {
    path: "/search/facets.json",
    weight: 3,
    parameters: { ...selection, field: (random) => anyOf(random, FACET_FIELDS) },
  },
  {
    path: "/search/authors.json",
    weight: 3,
    parameters: { q: hostileText, ...paging, sort: hostileSort, fields: hostileFields },
  },
  { path: "/search/subjects.json", weight: 2, parameters: { q: hostileText, ...paging } },
  {
    path: "/search/lists.json",
    weight: 2,
    parameters: { q: hostileText, ...paging, sort: hostileSort, fields: hostileFields, api: () => "next" },
  },
  {
    path: "/search/inside.json",
    weight: 2,
    parameters: {
      q: hostileText,
      ...paging,
      facets: hostileFlag,
      readable: hostileFlag,
      language: hostileValue,
    },
  },
  { path: "/search/publishers.json", weight: 1, parameters: { q: hostileText } },
  { path: "/_autocomplete", weight: 1, parameters: typed },
  { path: "/works/_autocomplete", weight: 1, parameters: typed },
  { path: "/authors/_autocomplete", weight: 1, parameters: typed },
  { path: "/series/_autocomplete", weight: 1, parameters: typed },
  { path: "/subjects_autocomplete", weight: 1, parameters: { ...typed, type: hostileValue } },
  { path: "/suggest/search", weight: 1, parameters: { prefix: hostileText, callback: hostileValue } },
  {
    path: "/subjects/fiction.json",
    weight: 1,
    parameters: {
      ...paging,
      details: hostileFlag,
      sort: hostileSort,
      published_in: hostileValue,
      has_fulltext: hostileFlag,
    },
  },
];
/** @type {Route[]} */
const SOLR = [
  { path: "/solr/openlibrary/select", weight: 4, parameters: solr },
  {
    path: "/solr/openlibrary/get",
    weight: 1,
    parameters: { id: hostileValue, ids: hostileValue, fl: hostileFields },
  },
  { path: "/solr/openlibrary/query", weight: 1, parameters: solr },
  {
    path: "/solr/openlibrary/export",
    weight: 0.2,
    parameters: { q: hostileText, sort: hostileSort, fl: hostileFields },
  },
];
const REPEATS_MAX = 1000;

/** A request to the main site. @param {Random} random @returns {Request} */
export function siteRequest(random) {
  const { path, text } = asked(random, SITE);
  return { path: `${path}?${text}` };
}

/** A request to the search listener: in the address, as a form or as JSON. @param {Random} random @returns {Request} */
export function solrRequest(random) {
  const { path, text } = asked(random, SOLR);
  if (path.endsWith("/query") && random() < 0.5) return { path, json: solrBody(random) };
  return random() < 0.3 && !path.endsWith("/query") ? { path, form: text } : { path: `${path}?${text}` };
}

/** @param {Random} random */
function solrBody(random) {
  if (random() < 0.2) return hostileJson(random);
  const facet = anyOf(random, [
    {},
    { n: "sum(readinglog_count)", l: { type: "terms", field: "language", limit: -5 } },
    { a: { type: "terms", field: hostileValue(random), limit: 1e9 }, b: "sum(title)" },
    { x: 1 },
  ]);
  const limit = anyOf(random, [0, 10, -1, 1.5, 1e6, "x", null]);
  return JSON.stringify({
    query: hostileText(random),
    filter: [hostileText(random), 1, {}],
    limit,
    sort: hostileSort(random),
    facet,
  });
}

/** @param {Random} random @param {readonly Route[]} routes */
function asked(random, routes) {
  const route = weighted(random, routes);
  const [first = "", ...more] = Object.keys(route.parameters);
  const names = [...(random() < 0.9 ? [first] : []), ...more.filter(() => random() < 2.5 / more.length)];
  if (route.path.endsWith("facets.json")) names.push("field");
  const pairs = names.flatMap((name) => repeated(random, name, route.parameters[name] ?? hostileValue));
  if (random() < 0.05) pairs.push(`${encoded(hostileValue(random))}=${encoded(hostileValue(random))}`);
  return { path: route.path, text: pairs.join("&") };
}

/** @param {Random} random @param {string} name @param {(random: Random) => string} value */
function repeated(random, name, value) {
  const kind = random();
  if (kind < 0.97) return [`${name}=${encoded(value(random))}`];
  if (kind < 0.99)
    return Array.from(
      { length: 1 + below(random, 30) },
      () => `${name}=${encoded(value(random).slice(0, 100))}`,
    );
  return Array.from(
    { length: REPEATS_MAX },
    (_, index) => `${name}=${encoded(value(random).slice(0, 5))}${index % 7}`,
  );
}

/** @param {Random} random @param {readonly Route[]} routes @returns {Route} */
function weighted(random, routes) {
  let left = random() * routes.reduce((sum, { weight }) => sum + weight, 0);
  for (const route of routes) {
    left -= route.weight;
    if (left < 0) return route;
  }
  return anyOf(random, routes);
}

const LONE = /\p{Surrogate}/u;

/** As in addresses; half of a pair as the bytes that it would have. @param {string} text */
function encoded(text) {
  return [...text].map((sign) => (LONE.test(sign) ? "%ED%A0%80" : encodeURIComponent(sign))).join("");
}
