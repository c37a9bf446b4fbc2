// Commands of `npm run bench`; see README.md.
import { parseArgs } from "node:util";

const HELP = `usage: npm run bench -- [command] [options]

  run         reads and loading, against a bare Hono worker (default)
  search      searches against a plain FTS5 statement, or --peer against Solr; --only relevance for the ranking
  write       saving records            import   parsing MARC, imports
  patron      shelves, lists            harvest  OAI-PMH
  dump        dumps, loaded again       startup  evaluation of the bundle in a new isolate
  calls       calls, commits, rows and prices of single requests
  backup      backup and restore of a whole service
  faults      kills the service while it writes: --what catalog|patrons|imports|loads|follow-ups
  expensive   the most expensive requests over large records
  heap        the heaviest operations with V8's heap at 128 MB
  memory      resident memory of npm start by minute, under a load of users
  box         npm run serve behind Caddy, as the user root: a day of users in half an hour, kills, a full disk, a restore
  fuzz        random and hostile requests to all listeners

  --works N,N       size of the synthetic catalog
  --seconds N       time of each measurement (3)
  --rounds N        measurements in turns (5)
  --only PARTS      parts to run; for fuzz a regular expression of operation ids
  --catalog NAME    postgres, or pgbouncer: the catalog in a PostgreSQL (run, write, faults)
  --dump FILE       search in these dumps instead of the synthetic catalog
  --state DIR       keep the loaded catalog for the next search
  --peer URL        compare with Solr ("start" starts one); --solr URL, --heap 1g: Carrel searches by Solr
  --log FILE        requests of users, for search
  --class TEXT      only query classes with this text in their names
  --queries N     queries per class of the relevance (150); --journal FILE lists those not ranked first
  --marc FILE       MARC records to parse
  --what KIND, --kills N, --records N                  faults
  --requests N, --clients N                            fuzz
  --patrons N (10000), --covers N (1000)               backup, with --works
  --minutes N (60), --rate N (100 requests/s)          memory, box
  --seed N          seed of random numbers (1)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    works: { type: "string", default: "1000,200000" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
    catalog: { type: "string" },
    dump: { type: "string", multiple: true, default: [] },
    state: { type: "string" },
    peer: { type: "string" },
    solr: { type: "string" },
    heap: { type: "string" },
    log: { type: "string" },
    class: { type: "string", default: "" },
    queries: { type: "string", default: "150" },
    journal: { type: "string" },
    marc: { type: "string" },
    what: { type: "string", default: "catalog" },
    kills: { type: "string" },
    records: { type: "string", default: "5000" },
    requests: { type: "string", default: "20000" },
    clients: { type: "string", default: "4" },
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "100" },
    patrons: { type: "string", default: "10000" },
    covers: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean" },
  },
});
const { only, catalog, what } = values;
const sizes = values.works.split(",").map(Number);
const works = sizes[0] ?? 0;
const seed = Number(values.seed);
const timing = { seconds: Number(values.seconds), rounds: Number(values.rounds) };

/** Loads only the files of the command that runs. */
const COMMANDS: Record<string, () => Promise<void>> = {
  async run() {
    const { benchReads } = await import("./reads.ts");
    for (const size of sizes)
      await benchReads({ works: size, only: only ?? "load,reads", catalog, ...timing });
  },
  async search() {
    const { dump: dumps, log, state, peer, solr, heap, class: kind, journal } = values;
    const options = { dumps, works, state, peer, kind, solr, heap };
    const parts = only ?? "index,latency,freshness";
    if (parts.includes("relevance")) {
      const { benchRelevance } = await import("./relevance.ts");
      await benchRelevance({ ...options, count: Number(values.queries), seed, journal });
    }
    if (parts === "relevance") return;
    const { benchSearch } = await import("./search.ts");
    await benchSearch({ ...options, log, only: parts });
  },
  async write() {
    const { benchWrite } = await import("./write.ts");
    await benchWrite({ works, catalog, ...timing });
  },
  async import() {
    const { benchImport } = await import("./import.ts");
    await benchImport({ works: sizes, marc: values.marc, only: only ?? "parse,load,growth", ...timing });
  },
  async patron() {
    const { benchPatron } = await import("./patron.ts");
    await benchPatron({ works, only: only ?? "alone,followed,big", ...timing });
  },
  async dump() {
    const { benchDump } = await import("./dump.ts");
    await benchDump({ works: sizes.at(-1) ?? 0, only: only ?? "dump,load" });
  },
  async harvest() {
    const { benchHarvest } = await import("./harvest.ts");
    await benchHarvest({ works, rounds: timing.rounds });
  },
  async startup() {
    const { benchStartup } = await import("./startup.ts");
    await benchStartup({ rounds: timing.rounds });
  },
  async calls() {
    const { benchCalls } = await import("./calls.ts");
    await benchCalls({ works });
  },
  async backup() {
    const { benchBackup } = await import("./backup.ts");
    const [patrons, covers] = [Number(values.patrons), Number(values.covers)];
    await benchBackup({ works: sizes[0] ?? 1000, patrons, covers, seed: Number(values.seed) });
  },
  async heap() {
    const { benchHeap } = await import("./heap.ts");
    const { WHOLE } = await import("./lib/heavy-operations.ts");
    await benchHeap({ sizes: WHOLE, only: new RegExp(only ?? "") });
  },
  async memory() {
    const { benchMemory } = await import("./memory.ts");
    await benchMemory({ minutes: Number(values.minutes), rate: Number(values.rate), works, seed });
  },
  async box() {
    const { benchBox } = await import("./box.ts");
    await benchBox({ minutes: Number(values.minutes), rate: Number(values.rate), works, seed });
  },
  async faults() {
    const { runFaults } = await import("./faults.ts");
    const kills = Number(values.kills ?? (what === "imports" ? 30 : 50));
    await runFaults({ what, kills, seed, catalog, records: Number(values.records) });
  },
  async expensive() {
    const { benchExpensive } = await import("./expensive.ts");
    await benchExpensive({ works: sizes.length > 1 ? 6000 : works, only: new RegExp(only ?? "") });
  },
  async fuzz() {
    const { runFuzz } = await import("./fuzz.ts");
    const [requests, clients] = [Number(values.requests), Number(values.clients)];
    await runFuzz({ requests, clients, seed, only: new RegExp(only ?? "") });
  },
};

const command = COMMANDS[positionals[0] ?? "run"];
if (command === undefined || values.help === true) console.log(HELP);
else await command();
if (command === undefined) process.exitCode = 1;
