import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import type { ProvidedContext } from "vitest";
import { defineConfig } from "vitest/config";
import { hasPostgres, newCatalog } from "./test/support/node/postgres.ts";

const root = import.meta.dirname;
const migrations = (folder: string) => readD1Migrations(path.join(root, "migrations", folder));
/** All cores: by default Vitest leaves one for itself, which is half of two. */
const maxWorkers = os.availableParallelism();
/** Tests that call the one service of their project. */
const ON_SERVICE = ["test/wire/{raw-addresses,script}.test.ts", "test/clients/*.test.ts"];
/** Tests that start services of their own. */
const OWN_SERVICES = [
  "test/wire/backup.test.ts",
  "test/wire/follow.test.ts",
  "test/wire/growth.test.ts",
  "test/wire/interface.test.ts",
  "test/wire/mirror.test.ts",
  "test/wire/relevance.test.ts",
  "test/wire/restart.test.ts",
];
/** And those that start Solr too. */
const SOLR_SERVICES = [
  "test/wire/search-by-solr.test.ts",
  "test/wire/search-move.test.ts",
  "test/wire/solr-cloud.test.ts",
];
/** And those that start PostgreSQL. */
const POSTGRES_SERVICES = [
  "test/wire/growth-postgres.test.ts",
  "test/wire/moving.test.ts",
  "test/wire/replica.test.ts",
];

/** Where tests, and the programs that they start, put temporary files: all go with them, however they end. */
const TEMPORARY = "carrel-tests-";
/** Where Linux has its files in memory: SQLite waits for the disk at every write, a quarter of the tests' time. */
const IN_MEMORY = "/dev/shm";
/** What has to be free there, in bytes: a run takes some hundred MB. A container may have no more than 64 of them. */
const NEEDED = 1e9;
/** Real records with expected results, outside the repository. The tests that read them are extras. */
const SHARED = path.join(root, "../shared");
// This file is read once for every project.
if (!os.tmpdir().includes(TEMPORARY)) {
  const folder = mkdtempSync(path.join(hasRoom(IN_MEMORY) ? IN_MEMORY : os.tmpdir(), TEMPORARY));
  process.env["TMPDIR"] = folder;
  if (!existsSync(SHARED)) console.log("skipped: ../shared is absent: extra checks over real records");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > NEEDED;
}

/** Imports of compiled code are modules in Node too, as they are in workerd: the route table reaches one. */
const compiledCode = {
  name: "compiled-code",
  enforce: "pre" as const,
  load(id: string) {
    if (!id.endsWith(".wasm")) return undefined;
    const bytes = `readFileSync(${JSON.stringify(id)})`;
    return `import { readFileSync } from "node:fs"; export default new WebAssembly.Module(${bytes});`;
  },
};

/** What a password's hash costs in the tests of the worker, which hash hundreds: nothing. */
const cheapPasswords = {
  name: "cheap-passwords",
  enforce: "pre" as const,
  transform(code: string, id: string) {
    if (!id.endsWith("/accounts/password-hash.ts")) return undefined;
    const cheap = code.replace(/(const COST = ).*;/, "$1{ N: 16, r: 1, p: 1 };");
    if (cheap === code) throw new Error("the cost of a hash stands elsewhere");
    return cheap;
  },
};

/** The worker with all its stores, in workerd. */
function workerProject(name: string, include: string[], more: WorkerOptions = {}) {
  return {
    plugins: [
      cheapPasswords,
      cloudflareTest(async ({ inject }) => ({
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: {
          cf: false,
          // As in wrangler.toml, but delivered at once.
          queueConsumers: {
            "carrel-lookups": {
              maxBatchSize: 50,
              maxBatchTimeout: 0,
              maxRetries: 5,
              deadLetterQueue: "carrel-lookups-dead",
            },
          },
          ...(more.engine === "postgres" && (await postgresBinding(inject("postgres")))),
          bindings: {
            ENVIRONMENT: "development",
            LOAD_TOKEN: "token-of-the-worker-tests",
            SESSION_SECRET: "secret-of-the-sessions-of-the-worker-tests",
            COVERS_SECRET: "secret-of-the-cover-store-of-the-worker-tests",
            LINK_SECRET: "secret-of-the-scanners-of-the-worker-tests",
            ...(more.engine === "solr" && solrBindings(inject("solr"))),
            ...(more.engine === "postgres" && { CATALOG_BACKEND: "postgres" }),
            SERVICE_HOSTS: "store.test search.test covers.test",
            DUMPS: "off",
            AFFILIATE_LOOKUP: "queue",
            RATE_LIMIT_PER_MINUTE: "0",
            MIGRATIONS: {
              catalog: await migrations("catalog"),
              search: await migrations("search"),
              patrons: await migrations("patrons"),
            },
          },
        },
      })),
    ],
    test: {
      name,
      // A runtime takes seconds to start and to be given the modules: one for each worker, for all its files.
      // test/support/worker/setup.ts empties the stores and queues before each file.
      isolate: false,
      maxWorkers: more.workers ?? maxWorkers,
      ...(more.engine && {
        globalSetup: [`./test/support/node/${more.engine}.ts`],
        sequence: { groupOrder: more.groupOrder ?? 0 },
      }),
      include,
      ...(more.exclude && { exclude: more.exclude }),
      setupFiles: ["./test/support/worker/setup.ts"],
      // A test that is given up goes on behind the back of the next file; a busy machine must not cause that.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  };
}

/** The service as it is started, called over HTTP by this project's tests and by public client packages. */
function serviceProject(name: string, include: string[], groupOrder: number) {
  return {
    test: {
      name,
      include,
      exclude: [...OWN_SERVICES, ...SOLR_SERVICES, ...POSTGRES_SERVICES],
      pool: "forks" as const,
      // After the others, one file after the other: they share the service.
      fileParallelism: false,
      // Nor do they need a process each: starting one takes longer than most files.
      isolate: false,
      sequence: { groupOrder },
      globalSetup: ["./test/support/node/service.ts"],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  };
}

function startsServices(name: string, include: string[], groupOrder: number) {
  return { test: { name, include, pool: "forks" as const, maxWorkers, sequence: { groupOrder } } };
}

/** Without a Solr its tests skip themselves. */
function solrBindings(url: string): Record<string, string> {
  const EQUALITY = process.env["EQUALITY"] ?? "";
  return { SEARCH_ENGINE: url === "" ? "embedded" : "solr", SOLR_URL: url, EQUALITY };
}

/** A catalog for each runtime. Without a PostgreSQL its tests skip themselves. */
async function postgresBinding(at: ProvidedContext["postgres"]) {
  return at === undefined ? {} : { hyperdrives: { CATALOG_POSTGRES: await newCatalog(at) } };
}

/** Tests of how the index in D1 goes about it. */
const EMBEDDED_ALONE = [
  "test/worker/search/engine.test.ts",
  "test/worker/search/round-trips.test.ts",
  "test/worker/search/works-*.test.ts",
];

/**
 * Of the worker's tests, those of what the catalog holds, which run with PostgreSQL. `POSTGRES_TESTS=all`, or a server of
 * one's own, runs all of them with it, which takes twice as long.
 */
const ON_POSTGRES =
  process.env["POSTGRES_TESTS"] === "all" || process.env["CATALOG_URL"] !== undefined
    ? ["test/worker/**/*.test.ts"]
    : [
        "test/worker/{editing,follow,history,imports,indexing,lending,lists,lookup,oai,records}/**/*.test.ts",
        "test/worker/dumps/{as-of,data-routes,files}.test.ts",
        "test/worker/service/{load*,postgres-store}.test.ts",
      ];
/** None of those of D1 itself: of rows that it says it has read, and of its tables. Solr has a project. */
const D1_ALONE = [
  "test/worker/records/rows-read.test.ts",
  "test/worker/service/{postgres-schema,waiting}.test.ts",
  "test/worker/search/solr/**",
];

interface WorkerOptions {
  readonly exclude?: string[];
  /** What else they run on: its global setup starts it. */
  readonly engine?: "solr" | "postgres";
  readonly groupOrder?: number;
  readonly workers?: number;
}

export default defineConfig({
  test: {
    projects: [
      // Pure functions, in Node.
      {
        plugins: [compiledCode],
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          isolate: false,
          maxWorkers,
          // Some read catalogs or start programs; on a busy machine that takes a multiple of their usual second.
          testTimeout: 60_000,
          server: { deps: { inline: [/photon/] } },
        },
      },
      workerProject("worker", ["test/worker/**/*.test.ts"], {
        exclude: ["test/worker/search/solr/**", "test/worker/service/postgres-store.test.ts"],
      }),
      // What searches, with Solr in place of the index in D1; one after the other, since they share two collections. A run of
      // its own (`npm run test:solr`): beside the other projects its global setup breaks how Vitest shows errors.
      workerProject("solr", ["test/worker/search/**/*.test.ts"], {
        exclude: EMBEDDED_ALONE,
        engine: "solr",
        groupOrder: 3,
        workers: 1,
      }),
      // Tests of the worker with the catalog in a PostgreSQL that they start (`npm run test:postgres`).
      workerProject("postgres", ON_POSTGRES, {
        exclude: D1_ALONE,
        engine: "postgres",
        groupOrder: 5,
      }),
      serviceProject("service", ["test/wire/**/*.test.ts", "test/clients/**/*.test.ts"], 1),
      // The pages in a browser, of a service with the starter catalog (`npx vitest run --project browser`).
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          pool: "forks" as const,
          // One browser and one service for all files.
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 8 },
          globalSetup: ["./test/support/node/starter-service.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      // With its catalog in a PostgreSQL, where there is one.
      ...(hasPostgres ? [serviceProject("postgres-service", ON_SERVICE, 7)] : []),
      // Long ones that need nothing but the computer: side by side, after all others.
      startsServices("services", OWN_SERVICES, 2),
      startsServices("solr-services", SOLR_SERVICES, 4),
      startsServices("postgres-services", POSTGRES_SERVICES, 6),
    ],
  },
});
