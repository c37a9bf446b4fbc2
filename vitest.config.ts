import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import type { ProvidedContext } from "vitest";
import { defineConfig } from "vitest/config";
import { DefaultReporter, type TestModule } from "vitest/node";
import { bundledSource } from "./test/support/node/bundled-source.ts";
import { holdRuntimeOutput } from "./test/support/node/runtime-output.ts";
import { hasPostgres, newCatalog } from "./test/support/node/postgres.ts";

const root = import.meta.dirname;
const migrations = (folder: string) => readD1Migrations(path.join(root, "migrations", folder));
/** All cores: by default Vitest leaves one for itself, which is half of two. */
const maxWorkers = os.availableParallelism();
/** Tests that `npm test` leaves out: the file name says what they need, such as `mirror.slow.test.ts`. */
const OTHER_TIERS = ["test/**/*.{slow,solr,postgres}.test.ts"];

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
  holdRuntimeOutput();
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

/** Copies of databases for tests of replicas. */
const REPLICAS = { CATALOG_REPLICA: "catalog", PATRONS_REPLICA: "patrons" };

/** The worker with all its stores, in workerd. */
function workerProject(name: string, include: string[], more: WorkerOptions = {}) {
  return {
    plugins: [
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
            "carrel-activity": {
              maxBatchSize: 100,
              maxBatchTimeout: 0,
              maxRetries: 5,
              deadLetterQueue: "carrel-activity-dead",
            },
          },
          ...(more.hasReplicas && { d1Databases: REPLICAS }),
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
            EDGE_LIMITS: "enforce",
            INDEX_INTERVAL_MS: "0",
            MIGRATIONS: {
              catalog: await migrations("catalog"),
              search: await migrations("search"),
              patrons: await migrations("patrons"),
            },
          },
        },
      })),
      bundledSource(),
    ],
    test: {
      name,
      // A runtime takes seconds to start and to be given the modules: one for each worker, for all its files.
      // test/support/worker/setup.ts empties the stores and queues before each file.
      isolate: false,
      maxWorkers: more.workers ?? maxWorkers,
      ...(more.groupOrder && { sequence: { groupOrder: more.groupOrder } }),
      ...(more.engine && {
        globalSetup: [`./test/support/node/${more.engine}.ts`],
      }),
      include,
      ...(more.exclude && { exclude: more.exclude }),
      setupFiles: ["./test/support/worker/setup.ts"],
      // What imports the bundle names a folder of this run.
      fsModuleCache: false,
      // A test that is given up goes on behind the back of the next file; a busy machine must not cause that.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  };
}

/** Starts one service for all files of the project, which call it over HTTP, themselves or through client packages. */
function serviceProject(name: string, include: string[], groupOrder: number) {
  return {
    test: {
      name,
      include,
      exclude: OTHER_TIERS,
      pool: "forks" as const,
      // After the others, one file after the other: they share the service.
      fileParallelism: false,
      // Nor do they need a process each: starting one takes longer than most files.
      isolate: false,
      sequence: { groupOrder },
      globalSetup: ["./test/support/node/service.ts"],
      setupFiles: ["./test/support/node/await-service.ts"],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  };
}

/** Files that start their own services. They run side by side. */
function servicesProject(name: string, include: string[], groupOrder: number) {
  return { test: { name, include, pool: "forks" as const, maxWorkers, sequence: { groupOrder } } };
}

/** Pages in Chromium, of a service with the starter catalog (`npx vitest run --project browser`). */
function browserProject(name: string, include: string[], exclude: string[] = []) {
  return {
    test: {
      name,
      include,
      exclude,
      pool: "forks" as const,
      // One browser and one service for all files.
      fileParallelism: false,
      isolate: false,
      sequence: { groupOrder: 3 },
      globalSetup: ["./test/support/node/starter-service.ts"],
      setupFiles: ["./test/support/node/await-service.ts"],
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  };
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

/** Tests of D1 itself, such as of the rows that it reads. No other engine can run them. */
const D1_ONLY = "test/worker/**/*.d1.test.ts";

/**
 * Tests of the worker that reach the SQL of the catalog, which PostgreSQL has its own store for: changes and their
 * races, queries, histories, import lookups, and what the index and dumps read. `POSTGRES_TESTS=all`, or a server in
 * `CATALOG_URL`, runs all tests of the worker.
 */
const ON_POSTGRES =
  process.env["POSTGRES_TESTS"] === "all" || process.env["CATALOG_URL"] !== undefined
    ? ["test/worker/**/*.test.ts"]
    : [
        "test/worker/**/*.postgres.test.ts",
        "test/worker/dumps/{as-of,data-routes,files}.test.ts",
        "test/worker/editing/{api,differing-authors,large-merge,merge,proposals,put-record,undo}.test.ts",
        "test/worker/follow/{follow,local-edits}.test.ts",
        "test/worker/history/{bounded-changes,feed,races,recent-changes,save,writers}.test.ts",
        "test/worker/imports/{batches,high-priority,import-bulk,load*,number-pool,queue*,races,read-found,state}.test.ts",
        "test/worker/indexing/{apply-*,freshness,reindex,work-sources}.test.ts",
        "test/worker/lending/{availability,holdings,lending,lent-out,races}.test.ts",
        "test/worker/lists/{collections,editions,read,seeds,series}.test.ts",
        "test/worker/lookup/{books,redirects,volumes}.test.ts",
        "test/worker/oai/*.test.ts",
        "test/worker/patrons/data/removal-history.test.ts",
        "test/worker/records/{api-*,expand,history,languages,large-documents,members,merged-records,narrowed-history,query-*,read-*}.test.ts",
        "test/worker/operations/load*.test.ts",
      ];

/** Shows how far a run has come, and lists failed files only. */
class ProgressReporter extends DefaultReporter {
  protected override printTestModule(module: TestModule): void {
    if (module.state() === "failed") super.printTestModule(module);
  }
}

/** Tests of the worker that ask the search engine. `SOLR_TESTS=all` runs all of `test/worker/search` with Solr. */
const ON_SOLR =
  process.env["SOLR_TESTS"] === "all"
    ? ["test/worker/search/**/*.test.ts"]
    : [
        "test/worker/search/**/*.solr.test.ts",
        "test/worker/search/{authors,autocomplete,lists-search,many-works-order,paging,some-fields}.test.ts",
        "test/worker/search/{facet*,search*,solr*,subjects*}.test.ts",
      ];

interface WorkerOptions {
  readonly exclude?: string[];
  /** Second engine that the project's global setup starts. */
  readonly engine?: "solr" | "postgres";
  readonly workers?: number;
  /** Databases for copies of the catalog and of the patrons' data. */
  readonly hasReplicas?: boolean;
  /** Projects of a higher order run later. */
  readonly groupOrder?: number;
}

export default defineConfig({
  test: {
    silent: "passed-only",
    reporters: [process.stdout.isTTY ? new ProgressReporter() : "minimal"],
    projects: [
      // npm test
      {
        plugins: [compiledCode],
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          exclude: OTHER_TIERS,
          isolate: false,
          maxWorkers,
          // Some read catalogs or start programs; on a busy machine that takes a multiple of their usual second.
          testTimeout: 60_000,
          server: { deps: { inline: [/photon/] } },
        },
      },
      // After the unit tests even when files are shuffled: a runtime is started anew after each test of another project.
      workerProject("worker", ["test/worker/**/*.test.ts"], { exclude: OTHER_TIERS, groupOrder: 1 }),
      serviceProject("service", ["test/{wire,clients}/**/*.test.ts"], 2),
      browserProject("browser", ["test/browser/**/*.test.ts"], OTHER_TIERS),
      // npm run test:slow
      workerProject("worker-slow", ["test/worker/**/*.slow.test.ts"], { hasReplicas: true }),
      servicesProject("services-slow", ["test/wire/**/*.slow.test.ts"], 1),
      browserProject("browser-slow", ["test/browser/**/*.slow.test.ts"]),
      // npm run test:solr, a run of its own: beside other projects its global setup breaks how Vitest shows errors.
      // Searches with Solr in place of the index in D1, one file after the other: they share two collections.
      workerProject("solr", ON_SOLR, {
        exclude: [D1_ONLY, "test/**/*.{slow,postgres}.test.ts"],
        engine: "solr",
        workers: 1,
      }),
      servicesProject("solr-services", ["test/wire/**/*.solr.test.ts"], 1),
      // npm run test:postgres
      workerProject("postgres", ON_POSTGRES, {
        exclude: [D1_ONLY, "test/**/*.solr.test.ts"],
        engine: "postgres",
      }),
      servicesProject("postgres-services", ["test/wire/**/*.postgres.test.ts"], 1),
      ...(hasPostgres ? [serviceProject("postgres-service", ["test/clients/**/*.test.ts"], 2)] : []),
    ],
  },
});
