/** The listeners that are asked: what they say they answer, and who makes requests for them. */
import * as images from "../../test/support/covers/real-images.ts";
import { anyOf, below } from "../lib/hostile.mjs";
import { problemOf } from "../openapi/check.mjs";
import { operationsOf } from "../openapi/description.mjs";
import { requestOf } from "../openapi/requests.mjs";
import { mayLeadTo } from "../openapi/steady.mjs";
import { recordStoreBody, recordStoreDocument, recordStoreValues } from "./record-store.mjs";
import { searchEngineDocument, searchEngineRequest, searchEngineValues } from "./search-engine.mjs";

/** @import { Random } from "../lib/hostile.mjs" */
/** @import { Received } from "../openapi/client.mjs" */
/** @import { Operation } from "../openapi/description.mjs" */
/** @import { Pool } from "../openapi/pool.mjs" */
/** @import { Made } from "../openapi/requests.mjs" */

/** @typedef {{ random: Random, pool: Pool }} Means */
/**
 * @typedef {object} Target
 * @property {string} name
 * @property {any} document
 * @property {Operation[]} operations
 * @property {boolean} isService it trusts who calls, and is for no browser
 * @property {(operation: Operation, means: Means) => Made} request
 * @property {(received: Received) => string | undefined} [problem] what else is wrong with an answer
 */

const JSON_TYPE = "application/json";

/** @returns {Target} */
export function recordStore() {
  return {
    name: "record store",
    document: recordStoreDocument,
    operations: operationsOf(recordStoreDocument),
    isService: true,
    request(operation, means) {
      const made = requestOf(operation, withValues(means, recordStoreValues(operation.id, means)));
      const text = recordStoreBody(operation.id, { ...means, target: made.target });
      if (text === undefined || means.random() < 0.1) return made;
      const body = Buffer.from(text);
      const headers = { ...made.headers, "Content-Type": JSON_TYPE, "Content-Length": String(body.length) };
      return made.method === operation.method ? { ...made, headers, body } : made;
    },
  };
}

/** @returns {Target} */
export function searchEngine() {
  return {
    name: "search engine",
    document: searchEngineDocument,
    operations: operationsOf(searchEngineDocument),
    isService: true,
    request(operation, means) {
      const made = requestOf(operation, withValues(means, searchEngineValues(operation.id, means)));
      const own = made.method === operation.method ? searchEngineRequest(operation.id, means) : {};
      // The length is that of another body.
      const { "Content-Type": _type, "Content-Length": _length, ...headers } = made.headers;
      return "body" in own ? { ...made, ...own, headers: { ...headers, ...own.headers } } : made;
    },
  };
}

/**
 * The cover store has the operations of the main site below `/a`, `/b` and `/w`.
 * @param {any} site description of the main site
 * @returns {Target}
 */
export function coverStore(site) {
  const own = Object.entries(site.paths).filter(([path]) => /^\/[abw]\/(?!OL)/.test(path));
  const root = {
    "/": { get: { operationId: "coversHome", responses: site.paths["/covers"].get.responses } },
  };
  const document = { ...site, paths: { ...Object.fromEntries(own), ...root } };
  return {
    name: "cover store",
    document,
    operations: operationsOf(document),
    isService: false,
    request(operation, means) {
      const made = requestOf(operation, means);
      if (!/upload2?/i.test(operation.id) || made.method !== "POST" || means.random() < 0.4) return made;
      return { ...made, ...upload(means.random) };
    },
  };
}

/** @param {Means} means @param {Record<string, string[]>} values @returns {Means} */
function withValues({ random, pool }, values) {
  return { random, pool: { ...pool, byName: { ...pool.byName, ...values } } };
}

/** Images of every kind, to be damaged. */
const IMAGES = [
  images.jpegImage(40, 60),
  images.jpegImage(40, 60, { components: 3, progressive: true }),
  images.pngImage(40, 60, { colour: 6 }),
  images.webpOf(images.lossyChunk(40, 60)),
  Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"),
];

/** The beginning of a part. @param {string} name @param {string} [more] */
function part(name, more = "") {
  return `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
}

/** @param {Random} random @returns {{ headers: Record<string, string>, body: Buffer }} */
function upload(random) {
  const image = Buffer.from(anyOf(random, IMAGES));
  for (let count = anyOf(random, [0, 0, 1, 3, 20]); count > 0; count -= 1)
    image[below(random, image.length)] = below(random, 256);
  const body = Buffer.concat([
    Buffer.from(`${part("olid")}OL101M\r\n${part("data", '; filename="a"')}`),
    random() < 0.8 ? image : image.subarray(0, below(random, image.length)),
    Buffer.from("\r\n--b--\r\n"),
  ]);
  return {
    headers: { "Content-Type": "multipart/form-data; boundary=b", "Content-Length": String(body.length) },
    body,
  };
}

/**
 * What is wrong with an answer of a target, if anything.
 * @param {Target} target
 * @param {{ operation: Operation, request: Made, received: Received }} exchange
 * @param {{ origin: string, secrets: readonly string[] }} world
 */
export function targetProblem({ operations, document, isService, problem }, exchange, world) {
  const found = problemOf(exchange, {
    ...world,
    operations,
    document,
    isService,
    mayLeadTo: (target) => mayLeadTo(exchange.operation.id, target),
  });
  return found ?? (exchange.request.isSound ? problem?.(exchange.received) : undefined);
}
