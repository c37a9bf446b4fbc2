import net from "node:net";

/** Connections that ask at the same time, each waiting for its answer. */
export const CONNECTIONS = 16;

/**
 * What a run of requests took.
 * @typedef {{ requests: number, seconds: number, perSecond: number, p50: number, p95: number, p99: number, statuses: Record<string, number> }} Run
 */

/**
 * Asks for a fixed time over keep-alive connections, as a closed loop. Times are milliseconds.
 * @param {{ port: number, seconds: number, request: (n: number) => string | Buffer, connections?: number }} options
 * @returns {Promise<Run>}
 */
export async function run({ port, seconds, request, connections = CONNECTIONS }) {
  /** @type {number[]} */
  const times = [];
  /** @type {Record<string, number>} */
  const statuses = {};
  let next = 0;
  const until = performance.now() + seconds * 1000;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () =>
      connection(port, async (ask) => {
        while (performance.now() < until) {
          const before = performance.now();
          const status = await ask(request((next += 1)));
          times.push(performance.now() - before);
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      }),
    ),
  );
  const elapsed = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor(share * (times.length - 1))] ?? 0;
  const perSecond = times.length / elapsed;
  return {
    requests: times.length,
    seconds: elapsed,
    perSecond,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    statuses,
  };
}

/**
 * A request without a body.
 * @param {string} path
 * @param {string} [headers] further header lines, each with CRLF
 */
export function get(path, headers = "") {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
}

/**
 * A request with a JSON body.
 * @param {"PUT" | "POST"} method
 * @param {string} path
 * @param {{ body: string, headers?: string }} options `headers`: further header lines, each with CRLF
 */
export function send(method, path, { body, headers = "" }) {
  const length = Buffer.byteLength(body);
  const type = `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}${type}\r\n${body}`;
}

/**
 * @param {number} port
 * @param {(ask: (request: string | Buffer) => Promise<string>) => Promise<void>} work
 */
export async function connection(port, work) {
  const socket = net.connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const answers = new Answers(socket);
  await work((request) => answers.after(request));
  socket.destroy();
}

/** Reads one answer after the other from a socket: just enough of HTTP to find where each ends. */
class Answers {
  /** @type {Buffer} */
  #received = Buffer.alloc(0);
  /** @type {((status: string) => void) | undefined} */
  #done;
  #socket;

  /** @param {net.Socket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#take(chunk));
  }

  /**
   * @param {string | Buffer} request
   * @returns {Promise<string>} the status
   */
  after(request) {
    this.#socket.write(request);
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#socket.once("error", reject);
      this.#socket.once("close", () => reject(new Error("the connection was closed")));
    });
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#end();
    if (end === undefined) return;
    const status = this.#received.toString("latin1", 9, 12);
    this.#received = this.#received.subarray(end);
    this.#socket.removeAllListeners("error").removeAllListeners("close");
    this.#done?.(status);
  }

  #end() {
    const head = this.#received.indexOf("\r\n\r\n");
    if (head === -1) return undefined;
    const headers = this.#received.toString("latin1", 0, head).toLowerCase();
    const length = /\r\ncontent-length: (\d+)/.exec(headers)?.[1];
    if (length !== undefined) {
      const end = head + 4 + Number(length);
      return this.#received.length >= end ? end : undefined;
    }
    if (!headers.includes("\r\ntransfer-encoding: chunked")) return head + 4;
    const last = this.#received.indexOf("\r\n0\r\n\r\n", head);
    return last === -1 ? undefined : last + 7;
  }
}
