import { AsyncLocalStorage } from "node:async_hooks";
import { utf8Length } from "../catalog/bytes.ts";
import { PLATFORM } from "./platform-limits.ts";

export const LIMIT_MODES = ["off", "report", "enforce"] as const;
/** `report`: log each invocation and each limit that is broken; `enforce`: fail like the platform. */
export type LimitMode = (typeof LIMIT_MODES)[number];

/** Errors of the platform beyond its PLATFORM. */
const PROBLEMS = {
  SUBREQUESTS_MAX: "Too many subrequests.",
  D1_QUERIES_MAX: "D1_ERROR: Too many API requests by single worker invocation.",
  D1_VALUE_BYTES: "D1_ERROR: string or blob too big: SQLITE_TOOBIG",
  D1_STATEMENT_BYTES: "D1_ERROR: statement too long: SQLITE_TOOBIG",
  D1_RESULT_BYTES: "D1_ERROR: the result is too large.",
  KEY_WRITES_MAX: "PUT or DELETE failed: 429 Too Many Requests",
} as const;
/** Limits of sizes, by which the largest ones are logged. */
type Size = "D1_VALUE_BYTES" | "D1_STATEMENT_BYTES" | "D1_RESULT_BYTES";
const noSizes = () => ({ D1_VALUE_BYTES: 0, D1_STATEMENT_BYTES: 0, D1_RESULT_BYTES: 0 });

/** Calls of a method; their statements, or messages of a queue; rows of D1 or of an object's storage. */
const noUsage = () => ({ calls: 0, items: 0, rows_read: 0, rows_written: 0 });
type Usage = ReturnType<typeof noUsage>;

/** Meter of one invocation. Its work may go on after its answer: each line of the log has the usage since the last. */
class Invocation {
  readonly broken = new Set<string>();
  /** Cursors of an object's storage, whose rows are known when they have been read. */
  readonly cursors: Pick<SqlStorageCursor<never>, "rowsRead" | "rowsWritten">[] = [];
  readonly largest = noSizes();
  isOver = false;
  private readonly usage = new Map<string, Usage>();
  private readonly total: CallCounts = { calls: 0, statements: 0 };
  private isLogged = false;
  private underWay = 0;
  private ended = 0;
  private longest = 0;

  constructor(
    readonly mode: LimitMode,
    readonly kind: () => string,
  ) {}

  /** Runs a call with its statements or messages. Throws if there were too many. */
  async count<Result>(at: Watched, items: number, run: (usage: Usage) => Promise<Result>): Promise<Result> {
    const { total } = this;
    countCall(total, at, items);
    checkLimit(at.mode, "SUBREQUESTS_MAX", total.calls);
    if (at.product === "database") checkLimit(at.mode, "D1_QUERIES_MAX", total.statements);
    const usage = this.usageOf(`${at.name}.${at.method}`);
    usage.calls += 1;
    usage.items += items;
    const depth = this.ended + 1;
    this.longest = Math.max(this.longest, depth);
    this.underWay += 1;
    try {
      return await run(usage);
    } finally {
      this.ended = Math.max(this.ended, depth);
      this.underWay -= 1;
      if (this.isOver) this.log();
    }
  }

  log(kind = this.kind()): void {
    if (this.mode !== "report" || (this.isOver && this.underWay > 0)) return;
    for (const { rowsRead, rowsWritten } of this.cursors.splice(0)) {
      const storage = this.usageOf("storage.exec");
      storage.items += 1;
      storage.rows_read += rowsRead;
      storage.rows_written += rowsWritten;
    }
    if (this.isLogged && this.usage.size === 0) return;
    const { isLogged: late, total, largest, usage } = this;
    const fields = { kind, late, ...total, largest, usage: Object.fromEntries(usage) };
    console.log(JSON.stringify({ level: "info", event: "invocation", ...fields }));
    usage.clear();
    Object.assign(largest, noSizes());
    this.isLogged = true;
  }

  /** Returns the calls by store, and the length of the longest chain of calls that waited for each other. */
  format(): string {
    const calls = new Map([["sequence", this.longest]]);
    for (const [key, usage] of this.usage) {
      const name = key.slice(0, key.indexOf("."));
      calls.set(name, (calls.get(name) ?? 0) + usage.calls);
    }
    return [...calls].map((entry) => entry.join("=")).join(" ");
  }

  private usageOf(key: string): Usage {
    const usage = this.usage.get(key) ?? noUsage();
    this.usage.set(key, usage);
    return usage;
  }
}

const invocations = new AsyncLocalStorage<Invocation>();

/** Runs one invocation: a request of a site, a batch of messages, a cron event, or a call of an object. */
export function inInvocation<Result>(mode: LimitMode, kind: () => string, work: () => Result): Result {
  if (mode === "off" || invocations.getStore() !== undefined) return work();
  const invocation = new Invocation(mode, kind);
  const end = (): void => {
    invocation.isOver = true;
    invocation.log();
  };
  let result: Result | undefined;
  try {
    result = invocations.run(invocation, work);
    return result;
  } finally {
    void Promise.resolve(result).then(end, end);
  }
}

/** Logs a part of the invocation under its own name. */
export function endPart(kind: string): void {
  invocations.getStore()?.log(kind);
}

export function formatCalls(): string {
  return invocations.getStore()?.format() ?? "sequence=0";
}

/** Logs a broken limit, once for each invocation. Throws in the name of the platform if limits are enforced. */
function checkLimit(mode: LimitMode, limit: keyof typeof PROBLEMS, amount: number): void {
  if (amount <= PLATFORM[limit]) return;
  const { broken, kind } = invocations.getStore() ?? { broken: new Set(), kind: () => "" };
  if (!broken.has(limit)) {
    console.error(JSON.stringify({ level: "error", event: "edge-limit", kind: kind(), limit, amount }));
  }
  broken.add(limit);
  if (mode === "enforce") throw new Error(PROBLEMS[limit]);
}

/** Most bytes of a UTF-16 unit in UTF-8, and bytes that a number counts for. */
const [UNIT_BYTES_MAX, NUMBER_BYTES] = [3, 8];

/** Returns the bytes of a value, exactly if they may be too many. D1 returns a blob as a list of bytes. */
function bytesOf(value: unknown): number {
  if (typeof value === "string") {
    return value.length * UNIT_BYTES_MAX > PLATFORM.D1_STATEMENT_BYTES ? utf8Length(value) : value.length;
  }
  return Array.isArray(value) ? value.length : value instanceof ArrayBuffer ? value.byteLength : NUMBER_BYTES;
}

function noteBytes(mode: LimitMode, limit: Size, bytes: number): number {
  const largest = invocations.getStore()?.largest ?? noSizes();
  if (bytes > largest[limit]) largest[limit] = bytes;
  checkLimit(mode, limit, bytes);
  return bytes;
}

/** Calls, and those of databases by their statements. */
export interface CallCounts {
  calls: number;
  statements: number;
}

interface Watched {
  readonly name: string;
  readonly product: "database" | "kv" | "bucket" | "other";
  readonly mode: LimitMode;
  /** Counts of a caller, who needs nothing else. */
  readonly counts?: CallCounts | undefined;
  /** Path of a method, and the object that has it. */
  readonly method: string;
  readonly owner?: object;
}

/** Products by a method of theirs. PostgreSQL has other limits than D1, and no `exec`. */
const PRODUCTS = [
  ["exec", "database"],
  ["getWithMetadata", "kv"],
  ["createMultipartUpload", "bucket"],
] as const;

const originals = new WeakMap<object, object>();
let isFetchWatched = false;

/** Watches the calls of bindings, by their names, and those of other services and of the edge cache. */
export function watchBindings<Bindings extends object>(bindings: Bindings, mode: LimitMode): Bindings {
  if (mode === "off") return bindings;
  if (!isFetchWatched) {
    isFetchWatched = true;
    const watched = { product: "other", mode } as const;
    globalThis.fetch = watchCalls(globalThis.fetch, { ...watched, name: "fetch", method: "fetch" });
    const edge = watchCalls(caches.default, { ...watched, name: "edge", method: "" });
    Object.defineProperty(caches, "default", { value: edge });
  }
  return watchAll(bindings, { mode });
}

/** Returns bindings whose calls are counted, whether they are watched or not. */
export function countBindings<Bindings extends object>(bindings: Bindings, counts: CallCounts): Bindings {
  return watchAll(bindings, { mode: "off", counts });
}

function watchAll<Bindings extends object>(
  bindings: Bindings,
  by: Pick<Watched, "mode" | "counts">,
): Bindings {
  const watched = Object.entries(bindings).map(([name, binding]): [string, unknown] => {
    // Analytics Engine takes its points without a call, and Hyperdrive is only an address.
    if (!isObject(binding) || "writeDataPoint" in binding || "connectionString" in binding)
      return [name, binding];
    const [, product = "other"] = PRODUCTS.find(([method]) => method in binding) ?? [];
    return [name, watchCalls(binding, { ...by, name, product, method: "" })];
  });
  // The members are those of `bindings`.
  return Object.fromEntries(watched) as Bindings;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Methods that call nothing, but return objects whose methods do; `get` is a call in KV and R2. */
const CHAINED = /^(?:prepare|bind|withSession|get|getByName|resumeMultipartUpload|input|transform)$/;
const PLAIN = /^(?:getBookmark|idFromName|idFromString|newUniqueId)$/;

/** Watches the methods of an object, of the objects that they return, and of its parts, such as those of a stub. */
function watchCalls<Target extends object>(target: Target, at: Watched): Target {
  const { product, method, owner } = at;
  const watched = new Proxy(target, {
    get: (_target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function" || typeof property === "symbol") return value;
      return watchCalls(value, {
        ...at,
        method: method === "" ? property : `${method}.${property}`,
        owner: target,
      });
    },
    apply: (_target, _this, values: unknown[]) => {
      const parameters = values.map(originalOf);
      // The target of an `apply` trap is a function.
      const run = () => Reflect.apply(target as () => unknown, owner, parameters);
      if (PLAIN.test(method)) return run();
      const isRead = method === "get" && product !== "other";
      if (isRead || !CHAINED.test(method)) {
        if (at.counts === undefined) return call(at, parameters, run);
        countCall(at.counts, at, itemsOf(at, parameters));
        return run();
      }
      const limit = method === "prepare" ? "D1_STATEMENT_BYTES" : "D1_VALUE_BYTES";
      if (product === "database" && at.counts === undefined)
        for (const value of parameters) noteBytes(at.mode, limit, bytesOf(value));
      return watchCalls(run() as object, { ...at, method: "" });
    },
  });
  originals.set(watched, target);
  return watched;
}

/** Undoes `watchCalls` for a parameter: a batch needs the statements of the database itself. */
function originalOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(originalOf);
  return isObject(value) ? (originals.get(value) ?? value) : value;
}

function countCall(counts: CallCounts, { product }: Watched, items: number): void {
  counts.calls += 1;
  if (product === "database") counts.statements += items;
}

function itemsOf({ method }: Watched, [list]: readonly unknown[]): number {
  return Array.isArray(list) && method.endsWith("atch") ? list.length : 1;
}

/** Methods of a database that return rows and their numbers. */
const RETURNING = /^(?:all|run|batch)$/;

async function call(at: Watched, parameters: readonly unknown[], run: () => unknown): Promise<unknown> {
  const { product, mode, method, owner } = at;
  const [list] = parameters;
  // `first` returns no numbers of rows.
  const isFirst = product === "database" && method === "first" && mode === "report";
  const read = isFirst ? () => (owner as D1PreparedStatement).all() : run;
  const work = async (usage: Usage): Promise<unknown> => {
    const result = await writeKey(at, list, read);
    if (isFirst || (product === "database" && RETURNING.test(method))) noteRows(mode, [result].flat(), usage);
    if (isFirst) return (result as D1Result).results[0] ?? null;
    return isObject(result) && "uploadPart" in result ? watchCalls(result, { ...at, method: "" }) : result;
  };
  return invocations.getStore()?.count(at, itemsOf(at, parameters), work) ?? work(noUsage());
}

function noteRows(mode: LimitMode, results: readonly unknown[], usage: Usage): void {
  let bytes = 0;
  for (const { results: rows, meta } of results as readonly D1Result<object>[]) {
    for (const row of rows) {
      for (const value of Object.values(row)) bytes += noteBytes(mode, "D1_VALUE_BYTES", bytesOf(value));
    }
    usage.rows_read += meta.rows_read;
    usage.rows_written += meta.rows_written;
  }
  noteBytes(mode, "D1_RESULT_BYTES", bytes);
}

/** Until when keys of KV and R2 are busy, in milliseconds since the epoch, and how many of them are remembered. */
const busyUntil = new Map<string, number>();
const BUSY_MAX = 10_000;

/** Lets every key be written at once, as if a second had passed. */
export function passKeySecond(): void {
  busyUntil.clear();
}

/** Runs a call; if it writes a key, unless the key was written within the last second (KV), or is being written (R2). */
async function writeKey({ name, product, mode, method }: Watched, key: unknown, run: () => unknown) {
  const isKv = product === "kv" && (method === "put" || method === "delete");
  if (!isKv && !(product === "bucket" && method === "put")) return run();
  const id = `${name} ${String(key)}`;
  checkLimit(mode, "KEY_WRITES_MAX", (busyUntil.get(id) ?? 0) > Date.now() ? 2 : 1);
  if (busyUntil.size >= BUSY_MAX) busyUntil.clear();
  busyUntil.set(id, isKv ? Date.now() + PLATFORM.KEY_WRITE_MS : Infinity);
  try {
    return await run();
  } finally {
    if (!isKv) busyUntil.delete(id);
  }
}

/** Checks the statements of an object and the values that it binds, and counts the rows of its own storage. */
export function watchStorage(storage: DurableObjectStorage, mode: LimitMode): void {
  const { sql } = storage;
  const exec = (text: string, ...values: SqlStorageValue[]) => {
    noteBytes(mode, "D1_STATEMENT_BYTES", bytesOf(text));
    for (const value of values) noteBytes(mode, "D1_VALUE_BYTES", bytesOf(value));
    const cursor = sql.exec<never>(text, ...values);
    if (mode === "report") invocations.getStore()?.cursors.push(cursor);
    return cursor;
  };
  const get = (_target: object, property: string | symbol): unknown =>
    property === "exec" ? exec : Reflect.get(sql, property, sql);
  Object.defineProperty(storage, "sql", { value: new Proxy(sql, { get }) });
}
