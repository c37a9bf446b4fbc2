/** What is kept of an answer: all but what is another one each time. */
import { createHash } from "node:crypto";

/** @import { Received } from "./openapi/client.mjs" */
/** @import { Answer } from "./lines.mjs" */

/** Headers of the connection, and of the clock of the runtime. */
const LEFT_OUT = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);
/** What the local runtime calls a static file: it is made from the folder that the file lies in, and when it was written. */
const FILE_TAG = /^(?:W\/)?"[\da-f]{32}"$/;
/** Within so many milliseconds from now, a time is one of the local runtime's bucket, which has a clock of its own. */
const NOW_MS = 7_200_000;
/** Longest body that is kept whole, and what is kept of others. */
const WHOLE_BYTES = 64 * 1024;
const BEGIN_BYTES = 2048;

/** @param {Received} received @returns {Answer} */
export function answerOf({ status, headers, body, problem }) {
  const id = String(headers["x-request-id"] ?? "");
  const kept = Object.entries(headers)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => [name, hiddenOf(name, String(value)) ?? masked(value, id)])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return {
    status,
    headers: Object.fromEntries(kept),
    body: bodyOf(body, id),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** What stands for the value of a header that the local runtime makes. @param {string} name @param {string} value */
function hiddenOf(name, value) {
  if (name === "x-carrel-bookmark") return "<bookmark>";
  if (name === "etag" && FILE_TAG.test(value)) return "<file>";
  const isNow = name === "last-modified" && Math.abs(Date.parse(value) - Date.now()) < NOW_MS;
  return isNow ? "<now>" : undefined;
}

/** @param {unknown} value @param {string} id of the request */
function masked(value, id) {
  if (Array.isArray(value)) return value.map((one) => without(String(one), id));
  return without(String(value), id);
}

/** @param {string} text @param {string} id */
function without(text, id) {
  return id === "" ? text : text.replaceAll(id, "<request>");
}

/** @param {Buffer} bytes @param {string} id @returns {Answer["body"]} */
function bodyOf(bytes, id) {
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes);
  if (isText && bytes.length <= WHOLE_BYTES) return without(text, id);
  const sha256 = createHash("sha256")
    .update(isText ? without(text, id) : bytes)
    .digest("hex");
  return { size: bytes.length, sha256, begin: isText ? without(text, id).slice(0, BEGIN_BYTES) : "" };
}
