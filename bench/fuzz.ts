// Random and hostile requests to all four listeners:
// `npm run bench -- fuzz [--requests 20000] [--seed 1] [--clients 4] [--only REGEXP]`.
import { fetchJson } from "./lib/client.ts";
import { Callers, type Role, clientAddress, roleFor } from "./lib/fuzz-callers.ts";
import { type Response, exchange } from "./lib/fuzz-client.ts";
import { type Listener, type Operation, readOperations } from "../scripts/lib/operations.ts";
import { type FuzzRequest, randomRequest, toBytes, twist } from "./lib/fuzz-requests.ts";
import { FUZZ_SECRETS, type FuzzTarget, withFuzzTarget } from "./lib/fuzz-target.ts";
import { MARKUP, type Pool } from "./lib/fuzz-values.ts";
import { HOSTILE_KEYS } from "./lib/hostile-records.ts";
import type { Random } from "./lib/hostile.ts";
import { randomFrom } from "./lib/random.ts";

/** Requests between two renewals of the accounts and health checks. */
const GENERATION_REQUESTS = 2000;
/** Share of requests that are twisted until they are hardly HTTP. */
const TWISTED = 0.1;
/** Requests per cycle of searches and imports, which have more to get wrong; others have one. */
const WEIGHT = 4;
/** Operations that can lock out all clients. The fuzz resets the settings after each. */
const LOCKING = new Set([
  "adminReadOnlySave",
  "adminPermissionsSave",
  "adminBlockSave",
  "adminSpamwordsSave",
]);
/** A path of each listener that answers 200 to any client. */
const HEALTH: Record<Listener, string> = {
  main: "/health",
  record: "/openlibrary.org",
  search: "/solr/openlibrary/admin/ping",
  cover: "/robots.txt",
};
const KEY_TYPES = ["edition", "work", "author", "list", "series", "language", "publisher", "user"];
const KEYS_PER_TYPE = 60;
const DOCUMENTS_PER_TYPE = 15;
const SLOWEST = 10;
const LOG_FAILURES_SHOWN = 20;
const SHOWN_LENGTH = 500;
/** Statuses of 500 and above that any response may have: unknown methods and versions of HTTP. */
const PROTOCOL_FAILURES = new Set([501, 505]);
/** Stack traces, errors of databases, and the text of unexpected errors. */
const INTERNALS =
  /\bat \S+ \(?file:|\.(?:ts|m?js):\d+:\d+|node_modules|D1_ERROR|SQLITE_|internal[_ ](?:server[_ ])?error/i;
/** A script that clients have always received as JSON (Q4), and JSONP. */
const SCRIPT = /^(?:var _OLBookInfo = |[\w$.[\]]+\()/;

interface FuzzOptions {
  requests: number;
  seed: number;
  clients: number;
  only: RegExp;
}

/** Starts a service, sends random requests, and reports responses and log lines that should not be. */
export async function runFuzz(options: FuzzOptions) {
  const operations = await readOperations(options.only);
  if (operations.length === 0) throw new Error(`no operation matches ${options.only}`);
  console.log(`${operations.length} operations`);
  await withFuzzTarget(async (target) => {
    const fuzz = new Fuzz(operations, target, options);
    await fuzz.run();
    fuzz.report.print(fuzz.callers.ruined);
    const failures = printLogFailures(target.service.log);
    if (fuzz.report.findings.size + failures > 0) process.exitCode = 1;
  });
}

class Fuzz {
  readonly callers;
  readonly report = new Report();
  #operations;
  #target;
  #options;
  #pool: Pool = { byName: {}, keys: [], documents: [] };
  #cycle = { number: -1, operations: [] as Operation[] };

  constructor(operations: Operation[], target: FuzzTarget, options: FuzzOptions) {
    this.#operations = operations.flatMap((one) => Array<Operation>(weightOf(one)).fill(one));
    this.#target = target;
    this.#options = options;
    this.callers = new Callers({ ...target, url: target.addresses.main });
  }

  async run() {
    const { requests, clients } = this.#options;
    // Requests change the catalog in an order that is not always the same, so the pool is read only once.
    this.#pool = await readPool(this.#target.addresses.main);
    for (let first = 0; first < requests; first += GENERATION_REQUESTS) {
      await this.callers.renew();
      const generation = 1 + first / GENERATION_REQUESTS;
      this.#pool.byName["username"] = ["patron", "librarian", "admin"].map(
        (role) => `f_${role}_${generation}`,
      );
      const end = Math.min(requests, first + GENERATION_REQUESTS);
      let next = first;
      const client = async () => {
        while (next < end) await this.#exchange(next++);
      };
      await Promise.all(Array.from({ length: clients }, client));
      await this.#checkHealth();
      console.log(`${end} requests, ${this.report.findings.size} findings`);
    }
  }

  /** Sends the n-th request, which depends on the seed and the pool only, and checks the response. */
  async #exchange(n: number) {
    const random = randomFrom(Math.imul(this.#options.seed, 0x9e37_79b1) + n);
    const operation = this.#operation(n);
    const { id, listener, access } = operation;
    const role = roleFor(access, random);
    const request = randomRequest(operation, random, this.#pool);
    const address = clientAddress(random);
    const { host, port } = new URL(this.#target.addresses[listener]);
    request.headers = {
      Host: host,
      ...(listener === "record" ? { "X-REMOTE-IP": address } : { "CF-Connecting-IP": address }),
      ...this.callers.headersOf(role, listener === "record"),
      ...request.headers,
    };
    const isTwisted = random() < TWISTED;
    const raw = isTwisted ? twist(request, random) : toBytes(request);
    const response = await exchange(Number(port), raw);
    const finding = findingIn(response, { ...raw, operation, secrets: this.#secrets() });
    const start = isTwisted ? JSON.stringify(raw.bytes.toString("latin1", 0, 300)) : "";
    this.report.add({ id, role, request, response, finding, start });
    if (LOCKING.has(id)) await this.callers.resetSettings();
    if (response.status === 401 && access.startsWith("session")) await this.callers.relogin(role);
  }

  #secrets() {
    return [this.#target.token, this.#target.coversSecret, ...FUZZ_SECRETS].filter((secret) => secret !== "");
  }

  /** Returns the operation of the n-th request: each comes once in a cycle, in random order. */
  #operation(n: number): Operation {
    const number = Math.floor(n / this.#operations.length);
    if (this.#cycle.number !== number) {
      const random = randomFrom(this.#options.seed + number);
      this.#cycle = { number, operations: shuffle(this.#operations, random) };
    }
    const operation = this.#cycle.operations[n % this.#operations.length];
    if (operation === undefined) throw new Error("no operations");
    return operation;
  }

  /** Throws unless every listener still answers. */
  async #checkHealth() {
    for (const [listener, address] of Object.entries(this.#target.addresses)) {
      const url = address + HEALTH[listener as Listener];
      const response = await fetch(url);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${url}: ${response.status} after ${this.report.requests} requests`);
    }
  }
}

function weightOf({ query, bodyType = "" }: Operation) {
  return "q" in query || /octet|xml/.test(bodyType) ? WEIGHT : 1;
}

interface Context {
  operation: Operation;
  method: string;
  secrets: string[];
}

/** Returns what is wrong with a response, or undefined. */
function findingIn({ status, headers, body, problem }: Response, context: Context): string | undefined {
  const { operation, method, secrets } = context;
  if (problem !== undefined) return problem;
  if (status === 0) return undefined;
  const text = body.toString();
  const isReadOnly = status === 503 && /read.only/.test(text);
  const isDocumented = operation.failures.has(status) || PROTOCOL_FAILURES.has(status) || isReadOnly;
  if (status >= 500 && !isDocumented) return `status ${status}`;
  if (secrets.some((secret) => text.includes(secret))) return "a secret in the response";
  if (INTERNALS.test(text)) return `internals in the response: ${INTERNALS.exec(text)?.[0]}`;
  if ("fuzz" in headers || headers["set-cookie"]?.startsWith("fuzz") === true)
    return "a header out of the request";
  const type = headers["content-type"] ?? "";
  if (/html/.test(type) && text.includes(MARKUP)) return "unescaped text of the request on a page";
  if (method === "HEAD" || body.length === 0 || !/^application\/(?:[\w.+-]+\+)?json/i.test(type))
    return undefined;
  return status === 206 || isJson(text) || SCRIPT.test(text) ? undefined : "the body is not JSON";
}

function isJson(text: string) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Entry {
  id: string;
  role: Role;
  request: FuzzRequest;
  response: Response;
  finding: string | undefined;
  /** Start of the bytes, if they are hardly HTTP. */
  start: string;
}

/** Counts responses, and collects findings with an example each. */
class Report {
  requests = 0;
  readonly findings = new Map<string, { count: number; example: string }>();
  #statuses = new Map<number, number>();
  #slowest: { ms: number; what: string }[] = [];
  #started = performance.now();

  add({ id, role, request, response, finding, start }: Entry) {
    this.requests += 1;
    const { status, ms, body } = response;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    const what = `${id}: ${request.method} ${request.target.slice(0, SHOWN_LENGTH)} as ${role}: ${status} ${start}`;
    this.#slowest = [...this.#slowest, { ms, what }].toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
    if (finding === undefined) return;
    const name = `${id}: ${finding}`;
    const known = this.findings.get(name);
    if (known !== undefined) known.count += 1;
    else {
      const [sent, received] = [request.body, body].map((one) =>
        JSON.stringify(one.toString("utf8", 0, SHOWN_LENGTH)),
      );
      this.findings.set(name, { count: 1, example: `${what} body ${sent} -> ${received}` });
    }
  }

  print(ruined: number) {
    const seconds = (performance.now() - this.#started) / 1000;
    console.log(
      `${this.requests} requests in ${seconds.toFixed(0)} s; accounts renewed early ${ruined} times`,
    );
    const statuses = [...this.#statuses].toSorted(([a], [b]) => a - b);
    console.log(`statuses: ${statuses.map(([status, count]) => `${status}: ${count}`).join(", ")}`);
    console.log("slowest:");
    for (const { ms, what } of this.#slowest)
      console.log(`  ${ms.toFixed(0)} ms  ${what.slice(0, SHOWN_LENGTH)}`);
    console.log(`${this.findings.size} findings`);
    for (const [name, { count, example }] of this.findings) console.log(`${count} x ${name}\n    ${example}`);
  }
}

/** Prints failures in the service's log, and returns how many there are. */
function printLogFailures(log: string) {
  const failures = log.split("\n").filter((line) => /"level":"error"|Uncaught|SIG(?:SEGV|ABRT)/.test(line));
  console.log(`${failures.length} failures in the log of the service`);
  for (const failure of failures.slice(0, LOG_FAILURES_SHOWN))
    console.log(`  ${failure.slice(0, 2 * SHOWN_LENGTH)}`);
  return failures.length;
}

/** Reads identifiers and documents of the catalog by the query interface. */
async function readPool(url: string): Promise<Pool> {
  const keys: Record<string, string[]> = {};
  for (const type of KEY_TYPES) {
    const rows = await fetchJson(`${url}/query.json?type=/type/${type}&limit=${KEYS_PER_TYPE}`);
    keys[type] = rows.map(({ key }: { key: string }) => key);
  }
  for (const key of HOSTILE_KEYS) {
    const type = { A: "author", W: "work", M: "edition", L: "list" }[key.at(-1) ?? ""];
    keys[type ?? ""]?.push(key);
  }
  const of = (type: string) => keys[type] ?? [];
  const documents: Record<string, unknown>[] = [];
  for (const key of ["edition", "work", "author"].flatMap((type) => of(type).slice(0, DOCUMENTS_PER_TYPE)))
    documents.push(await fetchJson(`${url}${encodeURI(key)}.json`));
  const valuesOf = (member: string) => documents.flatMap((one) => [one[member] ?? []].flat().map(String));
  const olids = (type: string) => of(type).map((key) => key.split("/").at(-1) ?? "");
  const changes = await fetchJson(`${url}/recentchanges.json?limit=20`);
  return {
    keys: Object.values(keys).flat(),
    documents,
    byName: {
      edition_id: olids("edition"),
      work_id: olids("work"),
      author_id: olids("author"),
      list_id: [...olids("list"), ...olids("series")],
      olid: [...olids("list"), ...olids("edition")],
      ocaid: valuesOf("ocaid"),
      isbn: valuesOf("isbn_13"),
      id: changes.map(({ id }: { id: string }) => id),
      author_key: olids("author"),
      master: of("author"),
      duplicates: of("author"),
      seeds: [...of("work"), ...of("author"), "subject:fiction"],
      path: olids("edition"),
    },
  };
}

function shuffle<T>(values: T[], random: Random): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
