import http from "node:http";
import { createProxyServer } from "httpxy";
import { CommandError, codeOf } from "../command.ts";
import { HOST } from "../runtime.ts";
import { type FrontRules, escapeUrl, isSecret, rewriteHeaders, removePrefix } from "./requests.ts";

/** Largest head of a request in bytes, as at Cloudflare. */
const HEAD_BYTES = 128 * 1024;
/** Connections at a time; further ones are closed. */
const CONNECTIONS_MAX = 10_000;
/** Idle time of a connection, in milliseconds: longer than that of proxies, which would else reuse a closed one. */
const IDLE_MS = 75_000;
/** Idle time of a connection to the runtime, which closes it after five seconds. */
const INNER_IDLE_MS = 4000;
/** Longest wait for an answer to begin, in milliseconds. */
const ANSWER_MS = 300_000;
const RETRY_SECONDS = "2";

interface FrontOptions extends FrontRules {
  host: string;
  port: number;
  prefix: string;
  /** Port of /metrics, /health and /ready for this machine alone; undefined: not opened. */
  managementPort: number | undefined;
  /** Returns the measurements; `token` is asked for at the public port. */
  metrics: { text: () => Promise<string>; token: string; countUnanswered: () => void };
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => Promise<unknown>;

/** Receives the requests of a service. Until `open` it answers that the service is starting. */
export class Front {
  /** Returns the address of the runtime's main site, which changes when it restarts; undefined while the service starts. */
  #behind: (() => Promise<URL>) | undefined;
  #isStopping = false;
  /** Health checks by path, and until when each counts. */
  readonly #asked: Map<string, { status: Promise<number>; until: number }> = new Map();
  #streams: Set<http.ServerResponse> = new Set();
  #servers: http.Server[] = [];
  readonly #options: FrontOptions;
  readonly #agent = new http.Agent({ keepAlive: true, timeout: INNER_IDLE_MS });
  readonly #proxy = createProxyServer({ agent: this.#agent, proxyTimeout: ANSWER_MS });

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#proxy.on("proxyRes", (answer, _request, response) => {
      // Else a client would keep the connection of a service that ends.
      if (this.#isStopping) answer.headers.connection = "close";
      if (answer.headers["content-type"]?.startsWith("text/event-stream")) this.#hold(response);
    });
    this.#proxy.on("error", (_error, _request, response) => {
      if (!(response instanceof http.ServerResponse)) return;
      options.metrics.countUnanswered();
      if (response.headersSent) response.destroy();
      else refuse(response, 502, "The service does not answer. Try again in a moment.");
    });
  }

  /** Opens the ports. Throws a `CommandError` if one cannot be used. */
  async listen() {
    const { host, port, managementPort } = this.#options;
    await this.#serve({ host, port, flag: "port" }, (request, response) => this.#answer(request, response));
    if (managementPort === undefined) return;
    await this.#serve(
      { host: HOST, port: managementPort, flag: "management-port" },
      async (request, response) =>
        (await this.#management(request, response, true)) || refuse(response, 404, "There is no such page."),
    );
  }

  /** Lets requests through to the runtime. */
  open(behind: () => Promise<URL>) {
    this.#behind = behind;
  }

  /** Port of the main site, and that of the management. */
  get ports() {
    return this.#servers.map((server) => Number(Object(server.address()).port));
  }

  /** Takes no new requests, and waits until those under way have ended, at most so many milliseconds. */
  async close(waitMs: number) {
    this.#isStopping = true;
    // They have no end of their own; clients connect again.
    for (const response of this.#streams) response.destroy();
    const closed = this.#servers.map(
      (server) => new Promise((resolve) => server.close(() => resolve(undefined))),
    );
    const timer = setTimeout(() => this.#servers.forEach((server) => server.closeAllConnections()), waitMs);
    await Promise.all(closed);
    clearTimeout(timer);
    this.#agent.destroy();
  }

  #hold(response: http.ServerResponse) {
    this.#streams.add(response);
    response.once("close", () => this.#streams.delete(response));
  }

  async #serve({ host, port, flag }: { host: string; port: number; flag: string }, handle: Handler) {
    const server = http.createServer(
      { maxHeaderSize: HEAD_BYTES, keepAliveTimeout: IDLE_MS },
      (request, response) => {
        response.on("error", () => response.destroy());
        handle(request, response).catch(() => response.destroy());
      },
    );
    server.maxConnections = CONNECTIONS_MAX;
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(port, host, resolve);
      });
    } catch (error) {
      throw new CommandError(
        codeOf(error) === "EADDRINUSE"
          ? `Port ${port} is in use. Stop the program that uses it, or choose another: --${flag} N`
          : `Port ${port} of ${host} cannot be used: ${String(error)}`,
      );
    }
    this.#servers.push(server);
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const { prefix } = this.#options;
    if (await this.#management(request, response, false)) return;
    if (this.#behind === undefined || this.#isStopping) {
      return refuse(response, 503, "The service is starting or stopping. Try again in a moment.");
    }
    const url = removePrefix(escapeUrl(request.url ?? "/"), prefix);
    if (url === undefined) return refuse(response, 404, `This site begins at ${prefix}/.`);
    request.url = url;
    rewriteHeaders(request.headers, request.socket.remoteAddress ?? "", this.#options);
    await this.#proxy.web(request, response, { target: await this.#behind() });
  }

  /** Answers `/health`, `/ready` and `/metrics`. Returns false for other paths. */
  async #management(request: http.IncomingMessage, response: http.ServerResponse, isOpen: boolean) {
    const path = (request.url ?? "").split("?")[0];
    if (path === "/health") await this.#health(response);
    else if (path === "/ready") await this.#ready(response);
    else if (path !== "/metrics") return false;
    else if (isOpen || isSecret(request.headers.authorization, this.#options.metrics.token)) {
      const text = await this.#options.metrics.text();
      response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    } else {
      response.setHeader("WWW-Authenticate", "Bearer");
      refuse(response, 401, "The operator's token is needed.");
    }
    return true;
  }

  /** `GET /health`: 200 while the processes live; a starting service has no runtime yet. */
  async #health(response: http.ServerResponse) {
    const isAlive = this.#behind === undefined || (await this.#ask("/health")) === 200;
    send(response, isAlive ? 200 : 503, { status: isAlive ? "ok" : "failing" });
  }

  /** `GET /ready`: 200 while requests are answered: not while the service starts or stops, or a store fails. */
  async #ready(response: http.ServerResponse) {
    if (this.#isStopping) return send(response, 503, { status: "stopping" });
    if (this.#behind === undefined) return send(response, 503, { status: "starting" });
    const isReady = (await this.#ask("/status.json")) === 200;
    return send(response, isReady ? 200 : 503, { status: isReady ? "ready" : "failing" });
  }

  /**
   * Returns the status of an answer of the runtime, 0 for none. All that ask within a second share one request, because
   * everyone may ask and no limit of a client applies.
   */
  #ask(path: string): Promise<number> {
    const recent = this.#asked.get(path);
    if (recent !== undefined && Date.now() < recent.until) return recent.status;
    const asked = { status: statusOf(this.#behind, path), until: Infinity };
    this.#asked.set(path, asked);
    void asked.status.then(() => (asked.until = Date.now() + ASK_EVERY_MS));
    return asked.status;
  }
}

/** Timeout of a health check, and time for which its result counts, in milliseconds. */
const ASK_MS = 5000;
const ASK_EVERY_MS = 1000;

async function statusOf(behind: (() => Promise<URL>) | undefined, path: string) {
  try {
    const response = await fetch(new URL(path, await behind?.()), {
      // Else a site with HTTPS redirects.
      headers: { "X-Forwarded-Proto": "https" },
      signal: AbortSignal.timeout(ASK_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

/** Fails a request in the form of the worker's errors. */
function refuse(response: http.ServerResponse, status: number, message: string) {
  const error = status === 404 ? "not_found" : status === 401 ? "unauthorized" : "unavailable";
  if (status >= 500) response.setHeader("Retry-After", RETRY_SECONDS);
  send(response, status, { error, message });
}

function send(response: http.ServerResponse, status: number, body: Readonly<Record<string, string>>) {
  response
    .writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" })
    .end(`${JSON.stringify(body)}\n`);
}
