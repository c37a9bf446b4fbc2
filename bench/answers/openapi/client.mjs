/** Sends requests as they are: no redirect is followed and no path is tidied. */
import http from "node:http";

/** Most bytes that are kept of an answer. */
const ANSWER_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** What using a connection that the other side has closed fails with. */
const CLOSED = new Set(["ECONNRESET", "EPIPE"]);
/** How long a stream of events is listened to. */
const LISTEN_MS = 100;

/** @typedef {{ method: string, target: string, headers: Record<string, string>, body?: Buffer | undefined }} Request */
/**
 * @typedef {object} Received
 * @property {number} status 0 when there was no answer
 * @property {http.IncomingHttpHeaders} headers
 * @property {string[]} cookies
 * @property {Buffer} body
 * @property {number} ms
 * @property {string} [problem] why there was no answer, or not all of it
 */

/** @param {string} url @param {number} connections */
export function clientOf(url, connections) {
  const { hostname, port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  return {
    /** @param {Request} request */
    send: (request) => sent({ ...request, hostname, port, agent }),
    close: () => agent.destroy(),
  };
}

/**
 * @param {Request & { hostname: string, port: string, agent: http.Agent }} all
 * @returns {Promise<Received>}
 */
function sent(all) {
  const { target, body, ...options } = all;
  const started = performance.now();
  return new Promise((resolve) => {
    /** @param {Partial<Received>} received */
    const done = (received) =>
      resolve({
        status: 0,
        headers: {},
        cookies: [],
        body: Buffer.alloc(0),
        ...received,
        ms: performance.now() - started,
      });
    const request = http.request({ ...options, path: target, timeout: TIMEOUT_MS }, (response) => {
      gathered(response, (rest) =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          cookies: response.headers["set-cookie"] ?? [],
          ...rest,
        }),
      );
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", (error) => {
      // A kept connection may be closed just when it is used again: what was sent has reached nobody.
      const code = "code" in error ? String(error.code) : "";
      const isClosed = request.reusedSocket && CLOSED.has(code);
      if (isClosed) resolve(sent(all));
      else done({ problem: error.message });
    });
    request.end(body);
  });
}

/** @param {http.IncomingMessage} response @param {(rest: { body: Buffer, problem?: string }) => void} done */
function gathered(response, done) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  const body = () => Buffer.concat(chunks);
  response.on("data", (/** @type {Buffer} */ chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > ANSWER_BYTES) response.destroy(new Error(`more than ${ANSWER_BYTES} bytes`));
  });
  response.on("end", () => done({ body: body() }));
  response.on("error", (error) => done({ body: body(), problem: error.message }));
  if (response.headers["content-type"]?.startsWith("text/event-stream") !== true) return;
  setTimeout(() => {
    done({ body: body() });
    response.destroy();
  }, LISTEN_MS);
}
