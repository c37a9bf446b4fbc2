/** Every route in every form: by everybody, with and without parameters, of what is missing, by other methods. */
import { requestOf } from "./openapi/requests.mjs";
import { ACCOUNT_ROLES, nameOf, newAccounts, usualSettings } from "./accounts.mjs";
import { HTML, JSON_TYPE, asked, ofMade } from "./make.mjs";
import { operationOf, ownerOf } from "./route-table.mjs";
import { samplePath } from "./samples.mjs";

/** @import { Operation } from "./openapi/description.mjs" */
/** @import { Means } from "./openapi/values.mjs" */
/** @import { Asked } from "./lines.mjs" */
/** @import { Route } from "./route-table.mjs" */

/** @typedef {{ routes: readonly Route[], operations: readonly Operation[], means: Means }} Site */

const ROLES = ["anonymous", ...ACCOUNT_ROLES, "operator", "covers"];
const METHODS = ["DELETE", "PATCH", "PUT", "POST"];
/** Routes that take away what the requests after them need. */
const RUINOUS = /remove|password|sessions|logout|anonymi|\/admin\/|api-key|preferences|privacy|\/system\//;
/** Routes of which the requests are made with the same accounts. */
const SET_ROUTES = { usual: 60, ruinous: 10 };

/**
 * Every route that reads, and other methods at every path. @param {Site} site @param {number} set the accounts
 * @returns {Asked[]}
 */
export function readingRequests({ routes, operations, means }, set) {
  const others = new Map(routes.map(({ path }) => [path, otherMethod(routes, path)]));
  return [
    ...routes.filter(isReading).flatMap((route) => {
      const query = queryFor(operationOf(route, operations).operation, means);
      return readingsOf(route, { query, set });
    }),
    ...[...others].map(([path, method]) =>
      asked({ part: "other methods", method, target: samplePath(path) ?? path }),
    ),
  ];
}

/**
 * Every route that reads, by those of whom there is something to read. @param {readonly Route[]} routes @returns
 * {Asked[]}
 */
export function readingsAgain(routes) {
  return routes.filter(isReading).flatMap((route) => {
    const target = samplePath(route.path) ?? route.path;
    const owner = ownerOf(route);
    const by = owner === "writer" ? "openlibrary" : owner;
    return [HTML, JSON_TYPE].map((accept) =>
      asked({ part: "reads again", target, by, headers: { Accept: accept } }),
    );
  });
}

/** @param {Route} route */
function isReading({ method }) {
  return method === "GET";
}

/** @param {Route} route @param {{ query: string, set: number }} options @returns {Asked[]} */
function readingsOf(route, { query, set }) {
  const target = samplePath(route.path) ?? route.path;
  const missing = samplePath(route.path, { isMissing: true });
  const headers = { Accept: JSON_TYPE };
  const owner = ownerOf(route);
  const others = ROLES.filter((role) => route.access !== "public" && role !== "anonymous" && role !== owner);
  return [
    asked({ part: "reads", target, headers }),
    asked({ part: "reads", target: target + query, by: nameOf(owner, set), headers: { Accept: HTML } }),
    asked({ part: "reads", target, method: "HEAD" }),
    ...others.map((role) => asked({ part: "roles", target, by: nameOf(role, set), headers })),
    ...(missing === undefined ? [] : [asked({ part: "missing", target: missing, headers })]),
  ];
}

/** A method that no route of a path has. @param {readonly Route[]} routes @param {string} path */
function otherMethod(routes, path) {
  const own = new Set(routes.filter((route) => route.path === path).map(({ method }) => method));
  return METHODS.find((method) => !own.has(method)) ?? "PATCH";
}

/** @param {Operation | undefined} operation @param {Means} means */
function queryFor(operation, means) {
  if (operation === undefined) return "";
  const { target } = requestOf(operation, sound(means));
  return target.includes("?") ? target.slice(target.indexOf("?")) : "";
}

/** Means that make requests as they should be. @param {Means} means @returns {Means} */
export function sound({ random, pool }) {
  let isFirst = true;
  const steered = () => {
    if (!isFirst) return random();
    isFirst = false;
    return 0;
  };
  return { random: steered, pool };
}

/**
 * Every route that writes, by those who may and those who may not. @param {Site} site @param {number} firstSet
 * @returns {Asked[]}
 */
export function writingRequests({ routes, operations, means }, firstSet) {
  const writings = routes.filter((route) => !isReading(route));
  const groups = [
    ...chunks(
      writings.filter((route) => !isRuinous(route)),
      SET_ROUTES.usual,
    ),
    ...chunks(writings.filter(isRuinous), SET_ROUTES.ruinous),
  ];
  return groups.flatMap((group, index) => {
    const set = firstSet + index;
    return newAccounts(set).concat(group.flatMap((route) => writingsOf(route, { operations, means, set })));
  });
}

/** @param {Route} route */
function isRuinous({ path }) {
  return RUINOUS.test(path);
}

/**
 * @param {Route} route @param {{ operations: readonly Operation[], means: Means, set: number }} options @returns
 * {Asked[]}
 */
function writingsOf(route, { operations, means, set }) {
  const { operation, isOther } = operationOf(route, operations);
  const path = samplePath(route.path) ?? route.path;
  const owner = ownerOf(route);
  const make = (/** @type {string} */ part, /** @type {string} */ role, origin = {}) => {
    const about = { part, by: nameOf(role, set), method: route.method, target: path };
    if (operation === undefined) return asked({ ...about, headers: origin });
    const { target, headers, body } = requestOf(operation, sound(means));
    const isSample = isOther || path.includes("{{");
    return ofMade(about, {
      method: route.method,
      target: isSample ? path : target,
      headers: { ...origin, ...headers },
      body,
    });
  };
  const others = ["librarian", "writer", "admin"].filter(
    (role) => route.access !== "public" && role !== owner,
  );
  return [
    make("writes", "anonymous"),
    make("foreign", owner, { Origin: "https://evil.example" }),
    asked({ part: "no body", target: path, method: route.method, by: nameOf(owner, set) }),
    ...others.map((role) => make("roles", role)),
    make("writes", owner),
    ...(route.path.startsWith("/admin/") ? usualSettings(nameOf("admin", set)) : []),
  ];
}

/** @template T @param {readonly T[]} all @param {number} size @returns {T[][]} */
export function chunks(all, size) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
