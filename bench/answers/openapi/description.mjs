/** What an OpenAPI document says, in the form in which requests are made and answers are checked. */
import { pointedAt } from "./json-schema.mjs";

/** @import { Schema } from "./json-schema.mjs" */

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {"path" | "query"} in
 * @property {boolean} required
 * @property {boolean} takesSlashes
 * @property {Record<string, any>} schema
 */
/**
 * @typedef {{ content: Map<string, Schema | undefined>, isRedirect: boolean }} Answer what a status may look like, by
 * media type
 */
/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} method in capitals
 * @property {string} path as a template
 * @property {RegExp} expression that paths of the template match
 * @property {Parameter[]} parameters
 * @property {[type: string, schema: Record<string, any>][]} bodies
 * @property {Map<number, Answer>} answers
 * @property {"nobody" | "session" | "token" | "covers"} asks what its callers have to show
 */

const METHODS = ["get", "post", "put", "delete"];

/**
 * The operations of a document, in its order: where several fit a path, the first one answers.
 * @param {any} document
 * @returns {Operation[]}
 */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) =>
      operationOf({ document, path, method, described: item[method] }),
    ),
  );
}

/** @param {{ document: any, path: string, method: string, described: any }} place @returns {Operation} */
function operationOf({ document, path, method, described }) {
  /** @type {Parameter[]} */
  const parameters = (described.parameters ?? []).map((/** @type {any} */ one) => {
    const { name, in: place, required, schema } = one;
    return { name, in: place, required, schema, takesSlashes: one["x-takes-slashes"] === true };
  });
  const content = described.requestBody?.content ?? {};
  const security = described.security ?? [];
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    expression: expressionOf(path, parameters),
    parameters,
    bodies: Object.entries(content).map(([type, { schema = {} }]) => [type, schema]),
    answers: answersOf(document, described.responses),
    asks: asksOf(Object.keys(security[0] ?? {})[0]),
  };
}

/** @param {string | undefined} scheme @returns {Operation["asks"]} */
function asksOf(scheme) {
  if (scheme === undefined) return "nobody";
  return scheme === "APIKeyCookie" ? "session" : scheme === "CoversSecret" ? "covers" : "token";
}

/** @param {string} path @param {readonly Parameter[]} parameters */
function expressionOf(path, parameters) {
  const slashes = new Set(parameters.filter(({ takesSlashes }) => takesSlashes).map(({ name }) => name));
  const parts = path.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined
      ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      : slashes.has(name)
        ? ".*"
        : "[^/]+";
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** @param {any} document @param {Record<string, any>} responses @returns {Map<number, Answer>} */
function answersOf(document, responses) {
  return new Map(
    Object.entries(responses).map(([status, stated]) => {
      const response = "$ref" in stated ? pointedAt(document, stated.$ref) : stated;
      const content = Object.entries(response.content ?? {}).map(
        ([type, { schema }]) => /** @type {[string, Schema | undefined]} */ ([bareType(type), schema]),
      );
      return [
        Number(status),
        { content: new Map(content), isRedirect: response.headers?.Location !== undefined },
      ];
    }),
  );
}

/** A media type without its parameters, in lower case. @param {string} type */
export function bareType(type) {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}

/**
 * The operations that a path and a method may reach; a HEAD reaches what its GET does.
 * @param {readonly Operation[]} operations
 * @param {string} method
 * @param {string} path without its query
 */
export function operationsFor(operations, method, path) {
  const own = method === "HEAD" ? "GET" : method;
  return operations.filter((one) => one.method === own && one.expression.test(path));
}
