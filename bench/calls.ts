import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../scripts/lib/config.ts";
import { storeNames } from "../scripts/lib/store-files.ts";
import { isbn13 } from "./lib/catalog.ts";
import { type Instance, startCarrel, workerdIds } from "./lib/instances.ts";
import { percentiles } from "./lib/latency.ts";
import { post } from "./lib/patrons.ts";
import { type Usage, METER_PATH, billOf, costOf } from "./lib/prices.ts";
import { prepareWriter } from "./lib/writer.ts";

const PORT = 28_080;
const TIMES = 5;
/** Pause after every write, in milliseconds, in which consumers follow. */
const FOLLOW_MS = 2000;
/** Time until the alarm of a patron's object has deleted what is confirmed, in milliseconds. */
const ALARM_MS = 35_000;
const MEMORY = "/dev/shm";
const METERED = "bench/metered/worker.ts";

interface Call {
  readonly name: string;
  readonly method?: string;
  path(n: number): string;
  /** Of a PUT with the stored record. */
  body?(n: number, stored: object | undefined): unknown;
  readonly isPatrons?: boolean;
}

const WORDS = ["garden", "silver", "winter", "stone", "voyage"];
const tenBooks = (n: number) =>
  Array.from({ length: 10 }, (_book, place) => `ISBN:${isbn13(20 * n + 2 * place + 1)}`).join(",");
const work = (n: number) => `/works/OL${n + 1}W`;
const book = (n: number) => ({
  title: `A counted book ${n}`,
  authors: [{ name: `Counted Author ${n}` }],
  isbn_13: [isbn13(900_000_000 + n)],
  source_records: [`counted:${n}`],
});

function callsOf(list: string): Call[] {
  return [
    { name: "record JSON", path: (n) => `${work(n)}.json` },
    { name: "record JSON, cached", path: () => `${work(TIMES)}.json` },
    { name: "/api/books of 10", path: (n) => `/api/books?bibkeys=${tenBooks(n)}&format=json&jscmd=data` },
    { name: "work page", path: (n) => work(n) },
    { name: "search, rare title", path: (n) => `/search.json?q=title:${n + 100}` },
    { name: "search, frequent word", path: (n) => `/search.json?q=river&offset=${n}` },
    { name: "search page with facets", path: (n) => `/search?q=${WORDS[n]}` },
    { name: "search of *:*", path: (n) => `/search.json?q=*:*&offset=${n}` },
    { name: "page of a shelf", path: (n) => `/people/openlibrary/books/want-to-read.json?n=${n}` },
    {
      name: "put on a shelf",
      path: (n) => `${work(n)}/bookshelves.json`,
      body: () => ({ bookshelf_id: "1" }),
      isPatrons: true,
    },
    {
      name: "rating",
      path: (n) => `${work(n)}/ratings.json`,
      body: () => ({ rating: "4" }),
      isPatrons: true,
    },
    {
      name: "check-in",
      path: (n) => `${work(n)}/check-ins.json`,
      body: () => ({ event_type: 3, year: 2026 }),
      isPatrons: true,
    },
    {
      name: "list made",
      path: () => "/people/openlibrary/lists.json",
      body: (n) => ({ name: `L ${n}`, seeds: [] }),
    },
    { name: "seed added", path: () => `${list}/seeds.json`, body: (n) => ({ add: [{ key: work(n) }] }) },
    {
      name: "PUT of a work",
      method: "PUT",
      path: (n) => `${work(n)}.json`,
      body: (n, stored) => ({ ...stored, title: `A counted work ${n}` }),
    },
    { name: "import of a new book", path: () => "/api/import", body: book },
    { name: "import of a known book", path: () => "/api/import", body: book },
  ];
}

/** Requests of the example month, in millions: a tenth are searches, a hundredth writes. */
const MONTH: Readonly<Record<string, number>> = {
  "record JSON": 26.7,
  "search, rare title": 1,
  "search, frequent word": 1,
  "search page with facets": 1,
  "put on a shelf": 0.3,
};

/** Prints the bill of the example month. */
function printMonth(results: readonly { readonly name: string; readonly usage: Usage }[]): void {
  const sums = new Map<string, number>();
  for (const { name, usage } of results) {
    for (const [member, amount] of Object.entries(usage)) {
      sums.set(member, (sums.get(member) ?? 0) + amount * (MONTH[name] ?? 0) * 1e6);
    }
  }
  console.log("\n| Example month | Used | Beyond the plan | $ |\n|---|---|---|---|");
  // The members are those of `Usage`.
  for (const [item, used, beyond, dollars] of billOf(Object.fromEntries(sums) as unknown as Usage)) {
    console.log(`| ${item} | ${used.toPrecision(3)} | ${beyond.toPrecision(3)} | ${dollars.toFixed(2)} |`);
  }
}

/**
 * Prints, for single requests with all that follows them: their calls to the stores until the answer, the commits of
 * each store (fsyncs, where strace can count them), and the response time with the state on disk and in memory; then what
 * the platform charges for a million of them, and for an example month.
 */
export async function benchCalls({ works }: { works: number }) {
  const onDisk = await measure(works, os.tmpdir());
  const inMemory = await measure(works, MEMORY);
  for (const [index, { name, calls, commits, p50 }] of onDisk.entries()) {
    console.log(`${name}: ${p50.toFixed(1)} ms on disk, ${inMemory[index]?.p50.toFixed(1)} ms in memory`);
    console.log(`  calls ${calls}\n  commits ${commits}`);
  }
  console.log(
    "\n| A million of | $ | rows read | rows written | calls of databases | of objects | messages |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const { name, usage } of inMemory) {
    const { rowsRead, rowsWritten, databaseCalls, objectCalls, messages } = usage;
    const counts = [rowsRead, rowsWritten, databaseCalls, objectCalls, messages].map(
      (sum) => Math.round(sum * 10) / 10,
    );
    console.log(`| ${[name, costOf(usage).toFixed(1), ...counts].join(" | ")} |`);
  }
  printMonth(inMemory);
}

async function measure(works: number, folder: string) {
  const state = await mkdtemp(path.join(folder, "carrel-bench-"));
  const carrel = await startCarrel(PORT, { state, main: METERED });
  try {
    const headers = { Cookie: (await prepareWriter(carrel, works)).trim().replace("Cookie: ", "") };
    const { key } = await post(
      `${carrel.url}/people/openlibrary/lists.json`,
      { name: "L", seeds: [] },
      headers,
    );
    await sleep(FOLLOW_MS);
    const results = [];
    for (const call of callsOf(key)) results.push(await measureCall(call, { carrel, headers }));
    return results;
  } finally {
    await carrel.stop();
    await rm(state, { recursive: true });
  }
}

async function measureCall(
  { name, path: pathOf, body, method = body === undefined ? "GET" : "POST", isPatrons = false }: Call,
  { carrel, headers }: { carrel: Instance; headers: Record<string, string> },
) {
  const times: number[] = [];
  let calls = "";
  const meter = async () => (await fetch(carrel.url + METER_PATH)).json() as Promise<Usage>;
  const counter = await startCommitCounter(carrel.state);
  const stored: object[] = [];
  if (method === "PUT") {
    for (let n = 0; n < TIMES; n += 1)
      stored.push((await (await fetch(carrel.url + pathOf(n))).json()) as object);
  }
  await meter();
  for (let n = 0; n < TIMES; n += 1) {
    const started = performance.now();
    const response = await fetch(carrel.url + pathOf(n), {
      method,
      headers: { ...headers, "Content-Type": "application/json", "X-Carrel-Count": "1" },
      ...(body !== undefined && { body: JSON.stringify(body(n, stored[n])) }),
    });
    const text = await response.text();
    times.push(performance.now() - started);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${text}`);
    calls = response.headers.get("X-Carrel-Calls") ?? "none";
    if (body !== undefined) await sleep(FOLLOW_MS);
  }
  const commits = await counter.stop();
  if (isPatrons) await sleep(ALARM_MS);
  const sums = Object.entries(await meter()).map(([member, sum]) => [member, sum / TIMES]);
  // The members are those of `Usage`.
  return { name, calls, commits, p50: percentiles(times).p50, usage: Object.fromEntries(sums) as Usage };
}

/** Counts the fsyncs of the local runtime by store. */
async function startCommitCounter(state: string) {
  const log = path.join(state, "fsyncs");
  const ids = workerdIds().flatMap((id) => ["-p", id]);
  const tracer: ChildProcess = spawn(
    "strace",
    ["-f", "-y", "-e", "trace=fsync,fdatasync", "-o", log, ...ids],
    {
      stdio: "ignore",
    },
  );
  const isMissing = await Promise.race([
    once(tracer, "error").then(() => true),
    sleep(500).then(() => false),
  ]);
  return {
    async stop() {
      if (isMissing) return "not counted: no strace";
      tracer.kill("SIGINT");
      await once(tracer, "exit");
      const counts = countByStore(await readFile(log, "utf8"), storeNames(await readConfig()));
      await rm(log);
      return counts;
    },
  };
}

/** Returns commits per request, such as `CATALOG 4, Patron 1`. */
function countByStore(log: string, names: ReadonlyMap<string, string>) {
  const counts = new Map<string, number>();
  for (const [, file = ""] of log.matchAll(/(?:fsync|fdatasync)\(\d+<([^>]+)>/g)) {
    const object = /(?:carrel-)+(\w+)/.exec(file)?.[1];
    const name = [...names].find(([part]) => file.includes(part))?.[1] ?? object ?? path.basename(file);
    counts.set(name, (counts.get(name) ?? 0) + 1 / TIMES);
  }
  return [...counts].map(([name, count]) => `${name} ${count.toFixed(1)}`).join(", ") || "none";
}
