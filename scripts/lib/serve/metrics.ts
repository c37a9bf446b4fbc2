import { readFile } from "node:fs/promises";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { holdersOf } from "../processes.ts";
import type { Target } from "../service.ts";

/** Upper bounds of durations, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const JOB_SECONDS = [0.05, 0.25, 1, 5, 15, 60];
/** Time for which the state of the service counts, in milliseconds. */
const STATUS_MS = 10_000;
const STATUSES = ["ok", "degraded", "failing", "unknown"];
const PAGE_BYTES = 4096;
const MS = 1000;

/** Data point of the worker, with the positions of src/worker/http/metrics.ts. */
interface Point {
  blobs: string[];
  doubles: number[];
}

interface DeepStatus {
  status: string;
  dependencies: Record<string, { ok: boolean; ms: number }>;
  levels: Record<string, number> | null;
}

/** Measurements of one service, in the text format of Prometheus. */
export class ServiceMetrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: "carrel_requests_total",
    help: "Answers by operation, method, status and source",
    labelNames: ["operation", "method", "status", "source"],
    registers: [this.registry],
  });
  readonly #requestSeconds = new Histogram({
    name: "carrel_request_duration_seconds",
    help: "Time to make an answer, by operation",
    labelNames: ["operation"],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  readonly #jobSeconds = new Histogram({
    name: "carrel_job_duration_seconds",
    help: "Time of a batch of a queue, or of a step of the sweep",
    labelNames: ["kind", "name", "outcome"],
    buckets: JOB_SECONDS,
    registers: [this.registry],
  });
  readonly #messages = new Counter({
    name: "carrel_queue_messages_total",
    help: "Messages that were delivered, by queue and outcome",
    labelNames: ["queue", "outcome"],
    registers: [this.registry],
  });
  readonly #backlog = new Gauge({
    name: "carrel_queue_backlog_messages",
    help: "Messages that waited behind the last batch",
    labelNames: ["queue"],
    registers: [this.registry],
  });
  readonly #failures = new Counter({
    name: "carrel_errors_total",
    help: "Lines of level error in the log, by event",
    labelNames: ["event"],
    registers: [this.registry],
  });
  readonly #unanswered = new Counter({
    name: "carrel_unanswered_requests_total",
    help: "Requests that the runtime did not answer",
    registers: [this.registry],
  });
  readonly #status = new Gauge({
    name: "carrel_status",
    help: "1 for the status that the service reports, 0 for the others; unknown: it does not answer",
    labelNames: ["status"],
    registers: [this.registry],
  });
  readonly #up = new Gauge({
    name: "carrel_dependency_up",
    help: "1 if a store or another service answers",
    labelNames: ["dependency"],
    registers: [this.registry],
  });
  readonly #dependencySeconds = new Gauge({
    name: "carrel_dependency_duration_seconds",
    help: "Time of its last check",
    labelNames: ["dependency"],
    registers: [this.registry],
  });
  readonly #behind = new Gauge({
    name: "carrel_projection_behind_changes",
    help: "Changes of the log that a projection, such as the search index, has not read yet",
    labelNames: ["projection"],
    registers: [this.registry],
  });
  readonly #bytes = new Gauge({
    name: "carrel_database_bytes",
    help: "Size of a database",
    labelNames: ["database"],
    registers: [this.registry],
  });
  readonly #levels = new Gauge({
    name: "carrel_level",
    help: "Waiting rows, and ages of the oldest in their unit, as /system/status.json names them",
    labelNames: ["name"],
    registers: [this.registry],
  });
  readonly #runtimeMemory = new Gauge({
    name: "carrel_runtime_resident_memory_bytes",
    help: "Resident memory of workerd",
    registers: [this.registry],
  });

  #checked: Promise<DeepStatus | undefined> = Promise.resolve(undefined);
  #checkedUntil = 0;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Adds a data point of the worker; ignores what is none. */
  take(value: unknown) {
    const { blobs: [kind, ...texts] = [], doubles: [first = 0, count = 0, waiting = 0] = [] } = Object(
      value,
    ) as Partial<Point>;
    const [name = "", second = "", status = "", source = ""] = texts;
    const seconds = first / MS;
    if (kind === "request") {
      const operation = name === "" ? "none" : name;
      this.#requests.inc({ operation, method: second, status, source });
      this.#requestSeconds.observe({ operation }, seconds);
    } else if (kind === "queue") {
      this.#jobSeconds.observe({ kind, name, outcome: second }, seconds);
      this.#messages.inc({ queue: name, outcome: second }, count);
      this.#backlog.set({ queue: name }, waiting);
    } else if (kind === "sweep") {
      this.#jobSeconds.observe({ kind, name, outcome: second }, seconds);
    } else if (kind === "failure") {
      this.#failures.inc({ event: name });
    }
  }

  countUnanswered() {
    this.#unanswered.inc();
  }

  /** Reads the state of the service, once for all that ask within `STATUS_MS`: its checks write into the stores. */
  #statusOf(target: Target | undefined) {
    if (Date.now() >= this.#checkedUntil) {
      this.#checkedUntil = Date.now() + STATUS_MS;
      this.#checked = readDeepStatus(target);
    }
    return this.#checked;
  }

  /** Returns the measurements, with the state of the service. */
  async text(target: Target | undefined, state: string) {
    const [status, memory] = await Promise.all([this.#statusOf(target), readRuntimeMemory(state)]);
    for (const name of STATUSES)
      this.#status.set({ status: name }, Number(name === (status?.status ?? "unknown")));
    for (const [dependency, { ok, ms }] of Object.entries(status?.dependencies ?? {})) {
      this.#up.set({ dependency }, Number(ok));
      this.#dependencySeconds.set({ dependency }, ms / MS);
    }
    for (const [name, value] of Object.entries(status?.levels ?? {})) {
      const [, projection] = /^behind_(.+)$/.exec(name) ?? [];
      const [, database] = /^(.+)_bytes$/.exec(name) ?? [];
      if (projection !== undefined) this.#behind.set({ projection }, value);
      else if (database !== undefined) this.#bytes.set({ database }, value);
      else if (!name.endsWith("_percent")) this.#levels.set({ name }, value);
    }
    if (memory !== undefined) this.#runtimeMemory.set(memory);
    return this.registry.metrics();
  }
}

/** Returns the state of the service; undefined if it does not answer. */
async function readDeepStatus(target: Target | undefined): Promise<DeepStatus | undefined> {
  try {
    const headers = { Accept: "application/json", Authorization: `Bearer ${target?.token}` };
    const response = await target?.fetch(`${target.url}/system/status.json`, { headers });
    return (await response?.json()) as DeepStatus | undefined;
  } catch {
    return undefined;
  }
}

/** Returns the resident memory in bytes of the runtime that uses a state; undefined where there is no /proc. */
async function readRuntimeMemory(state: string) {
  const holders = await holdersOf(state);
  const runtime = holders.find(
    ({ command, parent }) => /\bworkerd\b/.test(command) && parent === process.pid,
  );
  const statm = runtime && (await readFile(`/proc/${runtime.pid}/statm`, "utf8").catch(() => undefined));
  return statm === undefined ? undefined : Number(statm.split(" ")[1]) * PAGE_BYTES;
}
