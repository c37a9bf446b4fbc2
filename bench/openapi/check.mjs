/** Holds an answer against what the document says of its operation. */
import { bareType, operationsFor } from "./description.mjs";
import { differences } from "./json-schema.mjs";
import { isScript } from "./steady.mjs";
import { MARKUP } from "./values.mjs";

/** @import { Received } from "./client.mjs" */
/** @import { Operation } from "./description.mjs" */
/** @import { Made } from "./requests.mjs" */

/** A record with a name behind its key: `/series/OL1L/Alice`. */
const NAMED = /^(\/\w+\/OL\d+[A-Z])\/[^/]+$/;

/**
 * @typedef {object} World
 * @property {readonly Operation[]} operations
 * @property {any} document
 * @property {string} origin of the service
 * @property {readonly string[]} secrets texts that no answer may hold
 * @property {(location: URL) => boolean} mayLeadTo other sites that redirects may lead to
 * @property {boolean} [isService] a service for other services, whose answers no browser reads
 */

/**
 * What is wrong with an answer, if anything. A request that is none of the operation's (another method, another path) may
 * reach whatever there is, and only the general promises are looked at.
 * @param {{ operation: Operation, request: Made, received: Received }} exchange
 * @param {World} world
 * @returns {string | undefined}
 */
export function problemOf({ operation, request, received }, world) {
  const { status, body, problem } = received;
  if (problem !== undefined) return `no whole answer: ${problem}`;
  if (status >= 500 && !isMeant(received)) return `status ${status}`;
  const own = request.isSound ? ownProblem({ operation, request, received }, world) : anyProblem(received);
  return own ?? headerProblem(received, world) ?? textProblem(body.toString(), received, world);
}

/** Read-only mode says that it is meant, in JSON and on a page. @param {Received} received */
function isMeant({ status, body }) {
  return status === 503 && /read_only|catalog is read-only/.test(body.toString());
}

/**
 * A sound path has one operation, but where an earlier one takes some of its values as well; some of these answer without
 * the `.json` too, and records with a name behind their key, and the document does not name them twice.
 * @param {{ operation: Operation, request: Made, received: Received }} exchange
 * @param {World} world
 */
function ownProblem({ operation, request, received }, { operations, document }) {
  const path = request.target.split("?", 1)[0] ?? "";
  const isHead = request.method === "HEAD";
  const record = NAMED.exec(path)?.[1] ?? path;
  const fitting = [path, `${path}.json`, `${record}.json`].flatMap((one) =>
    operationsFor(operations, request.method, one),
  );
  const problems = [operation, ...fitting].map((one) => answerProblem(one, { isHead, received, document }));
  return problems.includes(undefined) ? undefined : problems[0];
}

/** @param {Received} received */
function anyProblem({ headers, body, status }) {
  const isJson = bareType(headers["content-type"] ?? "") === "application/json" && body.length > 0;
  return isJson && status >= 400 && parsed(body.toString()) === undefined
    ? `${status}: the body is no JSON`
    : undefined;
}

/**
 * @param {Operation} operation
 * @param {{ isHead: boolean, received: Received, document: any }} found
 */
function answerProblem({ id, answers }, { isHead, received: { status, headers, body }, document }) {
  const stated = answers.get(status);
  if (stated === undefined) return `status ${status} is not documented`;
  if (stated.isRedirect && headers.location === undefined) return `${status} without Location`;
  const type = bareType(headers["content-type"] ?? "");
  if (body.length === 0) {
    const isBare = isHead || status >= 300 || stated.content.size === 0 || !/json|html/.test(type);
    return isBare ? undefined : `${status} with an empty body`;
  }
  if (isHead) return "a HEAD with a body";
  if (stated.content.size === 0) return `${status} with a body of ${type}, and none is documented`;
  const isAnything = stated.content.has("*/*") || stated.content.has(`${type.split("/")[0]}/*`);
  if (!isAnything && !stated.content.has(type)) return `${status} as ${type || "nothing"} is not documented`;
  const schema = stated.content.get(type);
  if (type !== "application/json" || schema === undefined) return undefined;
  const value = parsed(body.toString());
  if (value === undefined)
    return isScript(id, body.toString()) ? undefined : `${status}: the body is no JSON`;
  const found = differences(schema, value.json, document);
  return found.length === 0 ? undefined : `${status}: ${found.join("; ")}`;
}

/** @param {string} text */
function parsed(text) {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** @param {Received} received @param {World} world */
function headerProblem({ headers, cookies, status }, { origin, mayLeadTo, isService = false }) {
  for (const [name, value] of Object.entries(headers)) {
    if (/[\r\n\0]/.test(String(value))) return `a control character in ${name}`;
  }
  if (!isService && headers["x-content-type-options"] !== "nosniff") return "without X-Content-Type-Options";
  if (
    bareType(headers["content-type"] ?? "") === "text/html" &&
    headers["content-security-policy"] === undefined
  )
    return "a page without Content-Security-Policy";
  const { location } = headers;
  if (location !== undefined) {
    if (!URL.canParse(location, origin)) return `Location ${location} is no address`;
    const target = new URL(location, origin);
    if (target.origin !== new URL(origin).origin && !mayLeadTo(target))
      return `leads to another site: ${location.slice(0, 100)}`;
  }
  if (status === 405 && headers.allow === undefined) return "405 without Allow";
  const session = cookies.find((cookie) => cookie.startsWith("session=") && !cookie.includes("Max-Age=0"));
  return session !== undefined && !/HttpOnly/.test(session) ? "a session that scripts can read" : undefined;
}

/** @param {string} text @param {Received} received @param {World} world */
function textProblem(text, { headers }, { secrets }) {
  const leaked = secrets.find((secret) => secret.length > 0 && text.includes(secret));
  if (leaked !== undefined) return `a secret in the answer (${leaked.slice(0, 4)}…)`;
  const isPage = /html|xml/.test(headers["content-type"] ?? "");
  if (isPage && text.includes(MARKUP)) return "text of the request stands in the page as it is";
  return /\bat \S+ \(?file:|node_modules|D1_ERROR|SQLITE_/.test(text)
    ? "insides of the service in the answer"
    : undefined;
}
