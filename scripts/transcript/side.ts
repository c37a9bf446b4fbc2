import { copyFileSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { WORKER_BUILD } from "../lib/bundle.ts";
import { readConfig } from "../lib/config.ts";
import { BUNDLE, ROOT } from "../lib/paths.ts";
import { HOST, runtimeOptions } from "../lib/runtime.ts";
import { migrate } from "../lib/state.ts";
import type { Listener } from "../lib/operations.ts";
import { changesOf, flushLogs } from "./stores.ts";

/** Entry points by listener. */
const LISTENERS: Record<Listener | "control", string> = {
  main: "MainSite",
  record: "RecordStore",
  search: "SearchEngine",
  cover: "CoverStore",
  control: "Control",
};
export const SECRETS = {
  LOAD_TOKEN: "token-of-the-loads-of-the-transcript",
  COVERS_SECRET: "secret-of-the-covers-of-the-transcript",
  SESSION_SECRET: "secret-of-the-sessions-of-the-transcript",
  LINK_SECRET: "secret-of-the-scanners-of-the-transcript",
  LENDING_SECRET: "secret-of-the-lending-of-the-transcript",
  ANONYMIZE_SECRET: "secret-of-the-removals-of-the-transcript",
};
const SETTINGS = {
  ...SECRETS,
  ENVIRONMENT: "development",
  COVERS_PUBLIC_URL: "http://covers.test",
  EDGE_CACHE: "off",
  // Counts calls, and does not fail for a key that is written twice while the clock stands still.
  EDGE_LIMITS: "report",
  INDEX_INTERVAL_MS: "0",
  DUMPS: "off",
  RATE_LIMIT_PER_MINUTE: "0",
  SERVICE_HOSTS: "transcript.test",
};
/** Time of the first request, far ahead of alarms, which therefore never go off; and the time between two requests. */
const START_MS = Date.parse("2031-01-01");
/** Longer than the memory of an isolate keeps most values. */
const TICK_MS = 400_000;
const TIMEOUT_MS = 120_000;
/** Wait for more of a stream without an end. */
const STREAM_MS = 300;

export interface SentRequest {
  listener: Listener;
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
  /** Request that goes before. `$code` in this one is then the code of the newest mail. */
  before?: SentRequest;
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Everything that a request leads to. */
export interface Outcome extends Answer {
  /** Log lines, requests to other services, and messages. */
  notes: string[];
  /** Rows that the stores have more or less than before. */
  changes: string[];
}

/** The worker of one tree, with a world that every request finds unchanged. */
export class Side {
  #root;
  #folder;
  #runtime: Miniflare | undefined;
  #boot: (() => Promise<Miniflare>) | undefined;
  #ports = new Map<string, number>();
  #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  #now = START_MS;
  /** Stamps of databases that were written, but have the rows of the world. */
  #clean = new Map<string, string>();

  /** `root` is the folder of the tree, `folder` one for the stores. */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  get world() {
    return path.join(this.#folder, "world");
  }

  get live() {
    return path.join(this.#folder, "live");
  }

  get now() {
    return this.#now;
  }

  get url() {
    return `http://${HOST}:${this.#ports.get("main")}`;
  }

  /** Bundles and starts the worker with empty stores, or with a copy of another side's world. */
  async start(world?: string) {
    const config = await readConfig(this.#root);
    config.compatibility_flags = [...(config.compatibility_flags ?? []), "unsafe_module"];
    config.assets.directory = path.join(this.#root, config.assets.directory);
    for (const consumer of config.queues.consumers) consumer.max_batch_timeout = 0;
    const bundle = path.join(this.#folder, "bundle");
    await bundleWorker(
      this.#root,
      bundle,
      config.durable_objects.bindings.map((one) => one.class_name),
    );
    if (world === undefined) await mkdir(this.live, { recursive: true });
    else await cp(world, this.live, { recursive: true });
    this.#boot = async () => {
      const listeners = Object.values(LISTENERS).map((entrypoint) => listenerOf(entrypoint));
      const options = runtimeOptions(config, { state: this.live, bundle, vars: SETTINGS, listeners });
      const runtime = (this.#runtime = new Miniflare(options));
      for (const [listener, entrypoint] of Object.entries(LISTENERS)) {
        const { port } = await runtime.unsafeGetDirectURL(config.name, entrypoint);
        this.#ports.set(listener, Number(port));
      }
      await this.step();
      return runtime;
    };
    const runtime = await this.#boot();
    await migrate(runtime, config, this.#root);
    return runtime;
  }

  /** Starts the worker again, with nothing in its memory, and sets the clock. */
  async restart(now: number) {
    await this.stop();
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    this.#now = now;
    await this.#boot?.();
  }

  /** Takes the present state of the stores as the world. */
  async keepWorld() {
    await this.#control("/reset");
    flushLogs(this.live);
    await cp(this.live, this.world, { recursive: true, preserveTimestamps: true });
    restoreFiles(this.world, this.live);
  }

  /** Sends a request, waits for all that follows, and puts the stores back. */
  async exchange(request: SentRequest): Promise<Outcome> {
    const sent = request.before === undefined ? request : await this.#withCode(request, request.before);
    const answer = await this.send(sent).catch((error: Error) => ({
      status: 0,
      headers: {},
      body: Buffer.from(error.message),
    }));
    const notes = await this.step();
    const changes = changesOf(this.live, this.world, this.#clean);
    if (changes.length > 0) {
      await this.#control("/reset");
      restoreFiles(this.world, this.live);
      this.#clean.clear();
    }
    return { ...answer, notes, changes };
  }

  /** Waits for all that follows, lets the time of a tick pass, and returns the notes. */
  async step(): Promise<string[]> {
    // Not in a reset, which only the side that has changed something needs: the clocks stay equal.
    this.#now += TICK_MS;
    return JSON.parse((await this.#control("/step")).body.toString()) as string[];
  }

  send({ listener, method, target, headers, body }: SentRequest): Promise<Answer> {
    return this.#request(
      listener,
      { method, path: target, headers: { Host: "transcript.test", ...headers } },
      body,
    );
  }

  async #withCode(request: SentRequest, before: SentRequest): Promise<SentRequest> {
    await this.send(before);
    await this.step();
    const target = "/development/outbox.json";
    const { body } = await this.send({ listener: "main", method: "GET", target, headers: {} });
    const code = /\b(?:[0-9a-f]{16,}|\d{6})\b/.exec(body.toString().split('"text"')[1] ?? "")?.[0] ?? "none";
    const filled = (text: string) => text.replaceAll("$code", code);
    return {
      ...request,
      target: filled(request.target),
      body: request.body && Buffer.from(filled(request.body.toString("latin1")), "latin1"),
    };
  }

  async stop() {
    this.#agent.destroy();
    await this.#runtime?.dispose();
  }

  #control(action: string) {
    return this.#request("control", { path: `${action}?now=${this.#now}` });
  }

  #request(listener: string, options: http.RequestOptions, body?: Buffer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const whole = {
      host: HOST,
      port: this.#ports.get(listener),
      agent: this.#agent,
      timeout: TIMEOUT_MS,
      ...options,
    };
    const request = http.request(whole, (response) => {
      const chunks: Buffer[] = [];
      const end = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", end);
      response.once("error", reject);
      if (response.headers["content-type"]?.startsWith("text/event-stream") !== true) return;
      setTimeout(() => {
        end();
        request.destroy();
      }, STREAM_MS);
    });
    request.once("timeout", () => request.destroy(new Error("no answer in time")));
    request.once("error", (error: NodeJS.ErrnoException) => {
      // The runtime has closed a connection that was idle for long: the request has not reached it.
      if (request.reusedSocket && error.code === "ECONNRESET")
        resolve(this.#request(listener, options, body));
      else reject(error);
    });
    if (body !== undefined && body.length > 0) request.setHeader("Content-Length", body.length);
    request.end(body);
    return promise;
  }
}

function listenerOf(entrypoint: string) {
  return { entrypoint, name: entrypoint, flag: "", port: 0 };
}

/** Bundles the worker of a tree inside worker.ts, which every export passes. */
async function bundleWorker(root: string, outdir: string, classes: string[]) {
  const tracked = [...classes, "RecordStore", "SearchEngine", "CoverStore"];
  const contents = `
    import { trackClass, trackSite, trackWorker } from ${JSON.stringify(path.join(ROOT, "scripts/transcript/worker.ts"))};
    import worker, * as all from "./src/worker/index.ts";
    export { Control } from ${JSON.stringify(path.join(ROOT, "scripts/transcript/worker.ts"))};
    export const MainSite = trackSite(all.MainSite);
    ${tracked.map((name) => `export const ${name} = trackClass(all.${name});`).join("\n")}
    export default trackWorker(worker);`;
  await build({
    ...WORKER_BUILD,
    external: [...WORKER_BUILD.external, "workerd:*"],
    stdin: { contents, resolveDir: root, sourcefile: BUNDLE },
    entryNames: path.parse(BUNDLE).name,
    outdir,
    splitting: true,
    logLevel: "error",
  });
}

/** Makes the files of a folder those of another one. The folders stay: the runtime has them open. */
function restoreFiles(from: string, to: string) {
  const wanted = new Set(filesOf(from));
  for (const file of filesOf(to)) if (!wanted.has(file)) rmSync(path.join(to, file));
  for (const file of wanted) {
    const [source, target] = [path.join(from, file), path.join(to, file)];
    const { size, mtime } = statSync(source);
    const present = statSync(target, { throwIfNoEntry: false });
    if (present?.size === size && present.mtimeMs === mtime.getTime()) continue;
    copyFileSync(source, target);
    utimesSync(target, mtime, mtime);
  }
}

function filesOf(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
