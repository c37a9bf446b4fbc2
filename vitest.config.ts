import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const root = import.meta.dirname;
const migrations = (folder: string) => readD1Migrations(path.join(root, "migrations", folder));

export default defineConfig({
  test: {
    projects: [
      // Pure functions, in Node.
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      // The worker with all its stores, in workerd.
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              cf: false,
              bindings: {
                ENVIRONMENT: "development",
                LOAD_TOKEN: "token-of-the-worker-tests",
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
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["./test/support/worker/setup.ts"],
        },
      },
      // The service as it is started, called over HTTP by this project's tests and by public client packages.
      {
        test: {
          name: "service",
          include: ["test/wire/**/*.test.ts", "test/clients/**/*.test.ts"],
          pool: "forks",
          globalSetup: ["./test/support/node/service.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
