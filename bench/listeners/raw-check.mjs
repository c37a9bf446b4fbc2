/** What holds for every answer, however strange the request was. */
import { bareType } from "../openapi/description.mjs";

/** @import { Received } from "../openapi/client.mjs" */

/** Refusals of the runtime, before the service sees the request. */
const RUNTIME = /** @type {[status: number, text: RegExp][]} */ ([
  [400, /^(?:invalid [\w ,-]+|Bad Request|ERROR: .*|HTTP headers? .*|.* parsed)$/s],
  [413, /./],
  [414, /^URI too long$/],
  [431, /./],
  [501, /^ERROR: Unrecognized request method\.$/],
]);
/** Media types of errors for people and of files. */
const OTHERS = new Set(["text/html", "text/plain", "text/xml", "application/xml"]);

/**
 * What is wrong with an answer, if anything.
 * @param {{ received: Received, method: string, secrets: readonly string[], isService: boolean }} exchange
 * @returns {string | undefined}
 */
export function rawProblem({ received, method, secrets, isService }) {
  const { status, headers, body, problem } = received;
  if (problem !== undefined) return problem;
  if (status === 0) return undefined;
  const text = body.toString();
  if (isRuntimes(received, text, method)) return undefined;
  if (status >= 500 && !/read_only|catalog is read-only/.test(text)) return `status ${status}`;
  if (headers["fuzz"] !== undefined || received.cookies.some((cookie) => cookie.startsWith("fuzz")))
    return "a header out of the request";
  const leaked = secrets.find((secret) => secret !== "" && text.includes(secret));
  if (leaked !== undefined) return "a secret in the answer";
  if (/\bat \S+ \(?file:|node_modules|D1_ERROR|SQLITE_/.test(text))
    return "insides of the service in the answer";
  if (!isService && headers["x-content-type-options"] !== "nosniff") return "without X-Content-Type-Options";
  if (status === 405 && headers["allow"] === undefined) return "405 without Allow";
  return method === "HEAD" ? undefined : shapeProblem(received, text);
}

/** @param {Received} received @param {string} text @param {string} method */
function isRuntimes({ status, headers }, text, method) {
  // Whatever the service answers has a number.
  if (headers["x-request-id"] !== undefined) return false;
  return RUNTIME.some(
    ([known, expression]) => known === status && (method === "HEAD" || expression.test(text)),
  );
}

/** @param {Received} received @param {string} text */
function shapeProblem({ status, headers, body }, text) {
  const type = bareType(headers["content-type"] ?? "");
  if (body.length === 0) return undefined;
  if (type !== "application/json")
    return status < 400 || OTHERS.has(type) ? undefined : `${status} as ${type}`;
  try {
    const value = JSON.parse(text);
    return status < 400 || isError(value) ? undefined : `${status} in a shape of its own`;
  } catch {
    return status < 400 && /^[\w$.[\]]+\(|^var /.test(text) ? undefined : `${status}: the body is no JSON`;
  }
}

/** @param {unknown} value */
function isError(value) {
  if (typeof value !== "object" || value === null) return false;
  return ["detail", "error", "errors", "message", "success", "status"].some((name) => name in value);
}
