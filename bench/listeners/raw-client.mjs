/** Sends bytes as they are, and reads what comes back. */
import net from "node:net";

const TIMEOUT_MS = 30_000;
/** How long an answer is waited for that need not come: of a request that lacks its end. */
const UNFINISHED_MS = 300;
/**
 * Of more bytes than that some are still on their way when somebody refuses them at once: the reset takes his answer
 * with it.
 */
const REFUSED_EARLY_BYTES = 1024 * 1024;
/** Most bytes that are kept of an answer. */
const ANSWER_BYTES = 16 * 1024 * 1024;

/** @import { Received } from "../openapi/client.mjs" */

/**
 * What is sent: `pieces` one after the other. A request that is `unfinished` may be left without an answer.
 * @typedef {{ pieces: readonly Buffer[], unfinished: boolean, method: string }} Sent
 */

/**
 * Sends pieces over a connection of their own; the answer is the first one that is no 1xx.
 * @param {{ hostname: string, port: number }} to
 * @param {Sent} sent
 * @returns {Promise<Received>}
 */
export function exchanged({ hostname, port }, { pieces, unfinished, method }) {
  const started = performance.now();
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let size = 0;
    const socket = net.connect(port, hostname);
    const timer = setTimeout(() => end("no answer in time"), TIMEOUT_MS);
    let isOver = false;
    let isReset = false;
    const isLong = pieces.reduce((sum, { length }) => sum + length, 0) > REFUSED_EARLY_BYTES;
    /** @param {string} [problem] why there is nothing more to come */
    const end = (problem) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      const answer = answerOf(Buffer.concat(chunks), method);
      const isMeant = (unfinished || (isLong && isReset)) && answer === undefined;
      const reason = answer?.isWhole === true || isMeant ? undefined : (problem ?? "the answer is cut off");
      const found = answer ?? { status: 0, headers: {}, cookies: [], body: Buffer.alloc(0) };
      resolve({
        ...found,
        ...(reason === undefined ? {} : { problem: reason }),
        ms: performance.now() - started,
      });
    };
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > ANSWER_BYTES) end("a very large answer");
      else if (answerOf(Buffer.concat(chunks), method)?.isWhole === true) end();
    });
    socket.on("close", () => end(chunks.length === 0 ? "closed without an answer" : undefined));
    // Who is refused early is cut off while he still sends: what was said before counts.
    socket.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      isReset = error.code === "ECONNRESET" || error.code === "EPIPE";
      setTimeout(() => end(error.message), 20);
    });
    socket.on("connect", () => {
      for (const piece of pieces) socket.write(piece);
      if (unfinished) setTimeout(() => end(), UNFINISHED_MS);
    });
  });
}

/**
 * The answer in bytes that were received; undefined when its head is not whole. @param {Buffer} bytes @param {string}
 * method
 */
function answerOf(bytes, method) {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n", start);
    if (end < 0) return undefined;
    const [line = "", ...fields] = bytes.subarray(start, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0);
    start = end + 4;
    if (status >= 200 || status === 0 || status === 101) {
      return { status, ...headersOf(fields), ...bodyOf(bytes.subarray(start), { status, fields, method }) };
    }
  }
}

/** @param {readonly string[]} fields */
function headersOf(fields) {
  /** @type {Record<string, string>} */
  const headers = {};
  /** @type {string[]} */
  const cookies = [];
  for (const field of fields) {
    const colon = field.indexOf(":");
    const [name, value] = [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    if (name === "set-cookie") cookies.push(value);
    else headers[name] = value;
  }
  return { headers, cookies };
}

/** @param {Buffer} rest @param {{ status: number, fields: readonly string[], method: string }} head */
function bodyOf(rest, { status, fields, method }) {
  const { headers } = headersOf(fields);
  if (method === "HEAD" || status === 204 || status === 304 || status === 101)
    return { body: Buffer.alloc(0), isWhole: true };
  if (/chunked/i.test(headers["transfer-encoding"] ?? ""))
    return chunksOf(rest, headers["content-type"] ?? "");
  const length = Number(headers["content-length"] ?? 0);
  return { body: rest.subarray(0, length), isWhole: rest.length >= length };
}

/** @param {Buffer} rest @param {string} type */
function chunksOf(rest, type) {
  const parts = [];
  for (let place = 0; ;) {
    const line = rest.indexOf("\r\n", place);
    // A stream of events does not end.
    if (line < 0) return { body: Buffer.concat(parts), isWhole: type.startsWith("text/event-stream") };
    const size = Number.parseInt(rest.subarray(place, line).toString("latin1"), 16);
    if (size === 0) return { body: Buffer.concat(parts), isWhole: true };
    parts.push(rest.subarray(line + 2, line + 2 + size));
    place = line + 2 + size + 2;
  }
}
