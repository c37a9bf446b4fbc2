import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Concurrent connections; each waits for its response. */
const CONNECTIONS = 16;

/** Result of a run of requests; times in milliseconds. */
export interface Run {
  requests: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  statuses: Record<string, number>;
}

/** Sends requests for a fixed time over keep-alive connections, as a closed loop. */
export async function run({
  port,
  seconds,
  request,
  connections = CONNECTIONS,
}: {
  port: number;
  seconds: number;
  request: (n: number) => string | Buffer;
  connections?: number;
}): Promise<Run> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
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
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
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

/** JSON of a response, whose shape the caller knows. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/** Fetches JSON. Throws unless the status is 2xx. */
export async function fetchJson(url: string, options?: RequestInit): Promise<Json> {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Waits until the index and the other projections of a service have everything. */
export async function settle(url: string) {
  for (;;) {
    const { projections } = (await fetchJson(`${url}/status`)) as {
      projections: Record<string, { behind: number }>;
    };
    if (Object.values(projections).every(({ behind }) => behind === 0)) return;
    await sleep(500);
  }
}

/** Creates a request without a body. `headers`: more header lines, each with CRLF. */
export function get(path: string, headers: string = "") {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
}

/** Creates a request with a JSON body. `headers`: more header lines, each with CRLF. */
export function send(
  method: "PUT" | "POST",
  path: string,
  { body, headers = "" }: { body: string; headers?: string },
) {
  const length = Buffer.byteLength(body);
  const type = `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}${type}\r\n${body}`;
}

export async function connection(
  port: number,
  useConnection: (ask: (request: string | Buffer) => Promise<string>) => Promise<void>,
) {
  const socket = net.connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const reader = new ResponseReader(socket);
  await useConnection((request) => reader.after(request));
  socket.destroy();
}

/** Reads responses from a socket: just enough of HTTP to find the end of each. */
class ResponseReader {
  #received: Buffer = Buffer.alloc(0);
  #done: ((status: string) => void) | undefined;
  #socket;

  constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#take(chunk));
  }

  /** Sends a request and returns the status of the response. */
  after(request: string | Buffer): Promise<string> {
    this.#socket.write(request);
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#socket.once("error", reject);
      this.#socket.once("close", () => reject(new Error("the connection was closed")));
    });
  }

  #take(chunk: Buffer) {
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
