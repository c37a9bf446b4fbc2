/** Requests as the fuzzes make them, sound and hostile, to all four listeners: the same numbers make the same requests. */
import { anyOf } from "../lib/hostile.ts";
import { siteRequest } from "./lib/hostile-requests.mjs";
import { recordStoreBody, recordStoreDocument, recordStoreValues } from "./listeners/record-store.mjs";
import { searchEngineDocument, searchEngineRequest, searchEngineValues } from "./listeners/search-engine.mjs";
import { operationsOf } from "./openapi/description.mjs";
import { requestOf } from "./openapi/requests.mjs";
import { ACCOUNT_ROLES, nameOf, newAccounts, usualSettings } from "./accounts.mjs";
import { contentOf } from "./lines.mjs";
import { JSON_TYPE, asked, ofMade } from "./make.mjs";
import { chunks, sound } from "./route-requests.mjs";

/** @import { Operation } from "./openapi/description.mjs" */
/** @import { Means } from "./openapi/values.mjs" */
/** @import { Asked } from "./lines.mjs" */

/** Requests that are made with the same accounts. */
const SET_REQUESTS = 300;
const SEARCHES = 150;
/** How often each operation is asked. */
const TIMES = { site: 2, covers: 3, record: 5, search: 6 };
/** They may close the service for all others. */
const CLOSING = /^admin(?:ReadOnly|Permissions|Block|Spamwords)Save$/;

/**
 * Every operation of the main site, by whoever. @param {readonly Operation[]} operations @param {{ means: Means,
 * firstSet: number }} options
 */
export function siteFuzz(operations, { means, firstSet }) {
  const all = Array.from({ length: TIMES.site }, () => shuffled(operations, means)).flat();
  return chunks(all, SET_REQUESTS).flatMap((group, index) => {
    const set = firstSet + index;
    const own = withValues(means, {
      username: [...ACCOUNT_ROLES.map((role) => nameOf(role, set)), "patron"],
    });
    const requests = group.flatMap((operation) => {
      const by = nameOf(roleFor(operation, means), set);
      const request = ofMade({ part: "fuzz", by }, requestOf(operation, own));
      return CLOSING.test(operation.id) ? [request, ...usualSettings(nameOf("admin", set))] : [request];
    });
    return newAccounts(set).concat(requests);
  });
}

/** @param {Means} means @returns {Asked[]} */
export function searches({ random }) {
  return Array.from({ length: SEARCHES }, () => {
    const { path } = siteRequest(random);
    return asked({ part: "searches", target: path.slice(0, 12_000) });
  });
}

/** @param {Means} means @param {number} set @returns {Asked[]} */
export function recordStoreFuzz(means, set) {
  const operations = operationsOf(recordStoreDocument);
  const names = { username: ACCOUNT_ROLES.map((role) => nameOf(role, set)) };
  const all = Array.from({ length: TIMES.record }, (_, time) =>
    operations.map((operation) => ({ operation, time })),
  ).flat();
  return all.map(({ operation, time }) => {
    const own = withValues(means, names);
    const values = withValues(own, recordStoreValues(operation.id, own));
    const made = requestOf(operation, time < 2 ? sound(values) : values);
    const text = recordStoreBody(operation.id, { ...own, target: made.target });
    const about = { part: "record store", at: /** @type {const} */ ("record"), by: serviceRole(means, set) };
    if (text === undefined || made.method !== operation.method) return ofMade(about, made);
    const headers = { ...made.headers, "Content-Type": JSON_TYPE };
    return ofMade(about, { ...made, headers, body: Buffer.from(text) });
  });
}

/** @param {Means} means @param {number} set @returns {Asked[]} */
export function searchEngineFuzz(means, set) {
  const operations = operationsOf(searchEngineDocument);
  const all = Array.from({ length: TIMES.search }, () => operations).flat();
  return all.map((operation) => {
    const made = requestOf(operation, withValues(means, searchEngineValues(operation.id, means)));
    const own = made.method === operation.method ? searchEngineRequest(operation.id, means) : {};
    const about = { part: "search engine", at: /** @type {const} */ ("search"), by: serviceRole(means, set) };
    const { "Content-Type": type, ...headers } = made.headers;
    const kept = "body" in own || type === undefined ? headers : made.headers;
    return ofMade(about, { ...made, ...own, headers: { ...kept, ...own.headers } });
  });
}

/**
 * What the cover store answers at its own listener. @param {readonly Operation[]} site @param {Means} means @returns
 * {Asked[]}
 */
export function coverStoreFuzz(site, means) {
  const operations = site.filter(({ path }) => /^\/[abw]\/(?!OL)/.test(path));
  const at = /** @type {const} */ ("cover");
  const part = "cover store";
  const all = Array.from({ length: TIMES.covers }, () => operations).flat();
  return [
    ...["/", "/robots.txt", "/x", "/covers/b/id/1-M.jpg"].map((target) => asked({ part, at, target })),
    ...operations
      .filter(({ path }) => path.includes("upload"))
      .map(({ path, method }) => upload({ part, at, method, target: path })),
    ...all.map((operation) =>
      ofMade({ part, at, by: anyOf(means.random, ["anonymous", "covers"]) }, requestOf(operation, means)),
    ),
  ];
}

/** A picture of a pixel. @param {Partial<Asked> & { target: string }} about @returns {Asked} */
function upload(about) {
  const image = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
  const field = '--b\r\nContent-Disposition: form-data; name="olid"\r\n\r\nOL101M\r\n';
  const file = '--b\r\nContent-Disposition: form-data; name="data"; filename="a"\r\n\r\n';
  const body = contentOf(Buffer.concat([Buffer.from(field + file), image, Buffer.from("\r\n--b--\r\n")]));
  return {
    ...asked({ ...about, by: "covers", headers: { "Content-Type": "multipart/form-data; boundary=b" } }),
    body,
  };
}

/** Mostly somebody who may. @param {Operation} operation @param {Means} means */
function roleFor({ asks }, { random }) {
  if (asks === "token" && random() < 0.8) return "operator";
  if (asks === "covers" && random() < 0.8) return "covers";
  return anyOf(random, asks === "session" ? ACCOUNT_ROLES : ["anonymous", ...ACCOUNT_ROLES]);
}

/** @param {Means} means @param {number} set */
function serviceRole({ random }, set) {
  return nameOf(anyOf(random, ["anonymous", ...ACCOUNT_ROLES]), set);
}

/** @param {Means} means @param {Record<string, string[]>} values @returns {Means} */
function withValues({ random, pool }, values) {
  return { random, pool: { ...pool, byName: { ...pool.byName, ...values } } };
}

/** @template T @param {readonly T[]} values @param {Means} means @returns {T[]} */
function shuffled(values, { random }) {
  const placed = values.map((value) => ({ value, place: random() }));
  return placed.sort((a, b) => a.place - b.place).map(({ value }) => value);
}
