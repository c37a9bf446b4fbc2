import { AsyncLocalStorage } from "node:async_hooks";
import { utf8Length } from "../catalog/bytes.ts";
import {
  D1_QUERIES_MAX,
  D1_RESULT_BYTES,
  D1_VALUE_BYTES,
  KEY_WRITE_MS,
  SUBREQUESTS_MAX,
} from "./platform-limits.ts";

export const LIMIT_MODES = ["off", "report", "enforce"] as const;
/** `report`: log each invocation and each limit that is broken; `enforce`: fail like the platform. */
export type LimitMode = (typeof LIMIT_MODES)[number];

type Product = "database" | "kv" | "bucket" | "other";

interface Binding {
  readonly name: string;
  readonly product: Product;
  readonly mode: LimitMode;
}

interface Usage {
  calls: number;
  /** Statements; messages of a queue. */
  items: number;
  rows_read: number;
  rows_written: number;
}

type Rows = Pick<SqlStorageCursor<Record<string, SqlStorageValue>>, "rowsRead" | "rowsWritten">;

/**
 * Meter of one invocation. A line of the log has what was used since the previous line, so that the lines of an
 * invocation, whose work may go on after its answer, add up.
 */
class Invocation {
  kind: () => string;
  readonly broken = new Set<string>();
  private readonly mode: LimitMode;
  private readonly usage = new Map<string, Usage>();
  private largest = { value_bytes: 0, statement_bytes: 0, result_bytes: 0 };
  private readonly cursors: Rows[] = [];
  private calls = 0;
  private statements = 0;
  private underWay = 0;
  private isOver = false;
  private isLogged = false;
  private ended = 0;
  private longest = 0;

  constructor(mode: LimitMode, kind: () => string) {
    this.mode = mode;
    this.kind = kind;
  }

  /** Counts a call with its statements. Throws in the name of the platform if there were too many. */
  begin(
    { name, mode }: Binding,
    method: string,
    { statements, items }: { statements: number; items: number },
  ) {
    this.calls += 1;
    this.statements += statements;
    if (this.calls > SUBREQUESTS_MAX) {
      breakLimit(mode, { limit: "SUBREQUESTS_MAX", amount: this.calls }, "Too many subrequests.");
    }
    if (this.statements > D1_QUERIES_MAX && statements > 0) {
      const problem = "D1_ERROR: Too many API requests by single worker invocation.";
      breakLimit(mode, { limit: "D1_QUERIES_MAX", amount: this.statements }, problem);
    }
    const key = `${name}.${method}`;
    const usage = this.usage.get(key) ?? { calls: 0, items: 0, rows_read: 0, rows_written: 0 };
    this.usage.set(key, usage);
    usage.calls += 1;
    usage.items += items;
    this.underWay += 1;
    const depth = this.ended + 1;
    this.longest = Math.max(this.longest, depth);
    return { usage, depth };
  }

  finish(depth: number): void {
    this.ended = Math.max(this.ended, depth);
    this.underWay -= 1;
    if (this.isOver && this.underWay === 0) this.log();
  }

  note(size: keyof Invocation["largest"], bytes: number): void {
    if (bytes > this.largest[size]) this.largest[size] = bytes;
  }

  /** Keeps a cursor of an object's storage, whose rows are counted when it has been read. */
  keep(cursor: Rows): void {
    if (this.mode === "report") this.cursors.push(cursor);
  }

  end(): void {
    this.isOver = true;
    if (this.underWay === 0) this.log();
  }

  log(): void {
    if (this.mode !== "report") return;
    const storage = { calls: 0, items: this.cursors.length, rows_read: 0, rows_written: 0 };
    for (const { rowsRead, rowsWritten } of this.cursors.splice(0)) {
      storage.rows_read += rowsRead;
      storage.rows_written += rowsWritten;
    }
    if (storage.items > 0) this.usage.set("storage.exec", storage);
    if (this.isLogged && this.usage.size === 0) return;
    const usage = Object.fromEntries(this.usage);
    const { calls, statements, largest, isLogged: late } = this;
    writeLine("info", "invocation", { kind: this.kind(), late, calls, statements, ...largest, usage });
    this.usage.clear();
    this.largest = { value_bytes: 0, statement_bytes: 0, result_bytes: 0 };
    this.isLogged = true;
  }

  /** Returns the calls by store, and the length of the longest chain of calls that waited for each other. */
  format(): string {
    const calls = new Map<string, number>([["sequence", this.longest]]);
    for (const [key, usage] of this.usage) {
      const name = key.slice(0, key.indexOf("."));
      calls.set(name, (calls.get(name) ?? 0) + usage.calls);
    }
    return [...calls].map((entry) => entry.join("=")).join(" ");
  }
}

const invocations = new AsyncLocalStorage<Invocation>();

/**
 * Runs one invocation: a request of a site, a batch of messages, a cron event, or a call of an object. Its calls count
 * together, also those after the answer.
 */
export function inInvocation<Result>(mode: LimitMode, kind: () => string, work: () => Result): Result {
  if (mode === "off" || invocations.getStore() !== undefined) return work();
  const invocation = new Invocation(mode, kind);
  if (mode === "enforce") return invocations.run(invocation, work);
  const end = (): void => invocation.end();
  try {
    const result = invocations.run(invocation, work);
    if (result instanceof Promise) result.then(end, end);
    else end();
    return result;
  } catch (error) {
    end();
    throw error;
  }
}

/** Logs a part of the invocation under its own name. */
export function endPart(kind: string): void {
  const invocation = invocations.getStore();
  if (invocation === undefined) return;
  invocation.kind = () => kind;
  invocation.log();
}

export function formatCalls(): string {
  return invocations.getStore()?.format() ?? "sequence=0";
}

/** Not `logLine`: objects log too, and these lines have no texts of clients. */
function writeLine(level: "info" | "error", event: string, fields: Readonly<Record<string, unknown>>): void {
  const line = JSON.stringify({ level, event, ...fields });
  if (level === "error") console.error(line);
  else console.log(line);
}

/** Logs a broken limit, once for each invocation, and fails with the platform's error if limits are enforced. */
function breakLimit(
  mode: LimitMode,
  { limit, amount }: { limit: string; amount: number },
  problem: string,
): void {
  const invocation = invocations.getStore();
  if (invocation?.broken.has(limit) !== true) {
    writeLine("error", "edge-limit", { kind: invocation?.kind() ?? "", limit, amount });
  }
  invocation?.broken.add(limit);
  if (mode === "enforce") throw new Error(problem);
}

const originals = new WeakMap<object, object>();

/** Watches the calls of bindings, by their names. Other members stay as they are. */
export function watchBindings<Bindings extends object>(bindings: Bindings, mode: LimitMode): Bindings {
  if (mode === "off") return bindings;
  watchGlobals(mode);
  const watched = Object.entries(bindings).map(([name, binding]) => [
    name,
    watchBinding(binding, name, mode),
  ]);
  // The members are those of `bindings`.
  return Object.fromEntries(watched) as Bindings;
}

export function watchBinding<Value>(binding: Value, name: string, mode: LimitMode): Value {
  if (mode === "off" || typeof binding !== "object" || binding === null || originals.has(binding))
    return binding;
  // Analytics Engine takes its points without a call, and Hyperdrive is only an address.
  if ("writeDataPoint" in binding || "connectionString" in binding) return binding;
  return watchCalls(binding, { binding: { name, product: productOf(binding), mode }, method: "" });
}

function productOf(binding: object): Product {
  // PostgreSQL has other limits, and no `exec`.
  if ("prepare" in binding && "exec" in binding) return "database";
  if ("getWithMetadata" in binding) return "kv";
  return "createMultipartUpload" in binding ? "bucket" : "other";
}

let isWatchingGlobals = false;

/** Calls of other services and of the edge cache count like those of bindings. */
function watchGlobals(mode: LimitMode): void {
  if (isWatchingGlobals) return;
  isWatchingGlobals = true;
  const binding = { product: "other", mode } as const;
  globalThis.fetch = watchCalls(globalThis.fetch, {
    binding: { ...binding, name: "fetch" },
    method: "fetch",
  });
  const edge = watchCalls(caches.default, { binding: { ...binding, name: "edge" }, method: "" });
  Object.defineProperty(caches, "default", { value: edge });
}

interface Watched {
  readonly binding: Binding;
  readonly method: string;
  /** Object whose method the target is. */
  readonly owner?: object;
}

/** Methods that call nothing, and return objects whose methods do. */
const CHAINED = new Set(["prepare", "bind", "withSession", "get", "getByName", "input", "transform"]);
/** Methods that call nothing. */
const PLAIN = new Set(["getBookmark", "idFromName", "idFromString", "newUniqueId", "resumeMultipartUpload"]);

/** Watches the methods of an object, of the objects that they return, and of its parts, such as those of a stub. */
function watchCalls<Target extends object>(target: Target, { binding, method, owner }: Watched): Target {
  const watched = new Proxy(target, {
    get: (_target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function" || typeof property === "symbol") return value;
      const path = method === "" ? property : `${method}.${property}`;
      return watchCalls(value, { binding, method: path, owner: target });
    },
    apply: (_target, _this, values: unknown[]) => {
      const parameters = values.map(originalOf);
      // The target of an `apply` trap is a function.
      const run = () => Reflect.apply(target as () => unknown, owner, parameters);
      if (PLAIN.has(method)) return run();
      const isStored = binding.product === "kv" || binding.product === "bucket";
      if (isStored || !CHAINED.has(method)) return call(binding, { method, parameters, owner, run });
      checkStatement(binding, method, parameters);
      return watchCalls(run() as object, { binding, method: "" });
    },
  });
  originals.set(watched, target);
  return watched;
}

/** Undoes `watchCalls` for a parameter: a batch needs the statements of the database itself. */
function originalOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(originalOf);
  return typeof value === "object" && value !== null ? (originals.get(value) ?? value) : value;
}

interface Call {
  readonly method: string;
  readonly parameters: readonly unknown[];
  readonly owner: object | undefined;
  run(): unknown;
}

async function call(binding: Binding, { method, parameters, owner, run }: Call): Promise<unknown> {
  const invocation = invocations.getStore();
  const [list] = parameters;
  const items = Array.isArray(list) && method.endsWith("atch") ? list.length : 1;
  const isDatabase = binding.product === "database";
  const begun = invocation?.begin(binding, method, { statements: isDatabase ? items : 0, items });
  try {
    checkRate(binding, method, String(list));
    // `first` returns no numbers of rows.
    const isFirst = isDatabase && method === "first" && owner !== undefined && parameters.length === 0;
    const all = isFirst ? (owner as D1PreparedStatement).all() : undefined;
    const result = await (all ?? run());
    if (isDatabase) noteResult(binding, [result].flat(), begun?.usage);
    if (all !== undefined) return (result as D1Result).results[0] ?? null;
    const hasParts = typeof result === "object" && result !== null && "uploadPart" in result;
    return hasParts ? watchCalls(result, { binding, method: "" }) : result;
  } finally {
    if (begun !== undefined) invocation?.finish(begun.depth);
  }
}

function checkStatement({ product, mode }: Binding, method: string, parameters: readonly unknown[]): void {
  if (product !== "database") return;
  if (method === "bind") for (const value of parameters) checkValue(mode, value);
  if (method === "prepare") noteStatement(mode, String(parameters[0]));
}

function noteStatement(mode: LimitMode, text: string): void {
  if (mode === "report") invocations.getStore()?.note("statement_bytes", utf8Length(text));
}

/** Measures a value that is bound or returned. Only values that may be too large are measured exactly. */
function checkValue(mode: LimitMode, value: unknown): number {
  const bytes = bytesOf(value, mode);
  if (mode === "report") invocations.getStore()?.note("value_bytes", bytes);
  if (bytes > D1_VALUE_BYTES) {
    const problem = "D1_ERROR: string or blob too big: SQLITE_TOOBIG";
    breakLimit(mode, { limit: "D1_VALUE_BYTES", amount: bytes }, problem);
  }
  return bytes;
}

/** Bytes that a number counts for. */
const NUMBER_BYTES = 8;
/** Most bytes of a UTF-16 unit in UTF-8. */
const UNIT_BYTES_MAX = 3;

function bytesOf(value: unknown, mode: LimitMode): number {
  if (typeof value === "string") {
    const isExact = mode === "report" || value.length * UNIT_BYTES_MAX > D1_VALUE_BYTES;
    return isExact ? utf8Length(value) : value.length;
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  // D1 returns a blob as a list of bytes.
  return Array.isArray(value) ? value.length : NUMBER_BYTES;
}

function noteResult({ mode }: Binding, results: readonly unknown[], usage: Usage | undefined): void {
  let bytes = 0;
  for (const { results: rows, meta } of results as readonly Partial<D1Result<object>>[]) {
    for (const row of rows ?? []) for (const value of Object.values(row)) bytes += checkValue(mode, value);
    if (usage === undefined || meta === undefined) continue;
    usage.rows_read += meta.rows_read;
    usage.rows_written += meta.rows_written;
  }
  invocations.getStore()?.note("result_bytes", bytes);
  if (bytes <= D1_RESULT_BYTES) return;
  const problem = "D1_ERROR: the result is too large.";
  breakLimit(mode, { limit: "D1_RESULT_BYTES", amount: bytes }, problem);
}

/** Methods that write a key. R2 limits concurrent writes of an object; nothing is said of its deletions. */
const WRITES = { kv: ["put", "delete"], bucket: ["put"], database: [], other: [] } as const satisfies Record<
  Product,
  readonly string[]
>;
/** Keys whose last write is remembered. */
const KEYS_MAX = 10_000;
/** Times of the last writes in this isolate, in milliseconds since the epoch. */
const lastWrites = new Map<string, number>();

function checkRate({ name, product, mode }: Binding, method: string, key: string): void {
  if (!(WRITES[product] as readonly string[]).includes(method)) return;
  const now = Date.now();
  const age = now - (lastWrites.get(`${name} ${key}`) ?? 0);
  if (lastWrites.size >= KEYS_MAX) lastWrites.clear();
  lastWrites.set(`${name} ${key}`, now);
  if (age >= KEY_WRITE_MS) return;
  const problem =
    product === "kv"
      ? `KV ${method.toUpperCase()} failed: 429 Too Many Requests`
      : `${method}: Reduce your concurrent request rate for the same object. (10058)`;
  breakLimit(mode, { limit: "KEY_WRITE_MS", amount: age }, problem);
}

/** Checks the values that an object binds in its own storage, and counts its rows. */
export function watchStorage(storage: DurableObjectStorage, mode: LimitMode): void {
  if (mode === "off") return;
  const { sql } = storage;
  const exec = <Row extends Record<string, SqlStorageValue>>(text: string, ...values: SqlStorageValue[]) => {
    noteStatement(mode, text);
    for (const value of values) checkValue(mode, value);
    const cursor = sql.exec<Row>(text, ...values);
    invocations.getStore()?.keep(cursor);
    return cursor;
  };
  const get = (_target: object, property: string | symbol): unknown =>
    property === "exec" ? exec : Reflect.get(sql, property, sql);
  Object.defineProperty(storage, "sql", { value: new Proxy(sql, { get }) });
}
