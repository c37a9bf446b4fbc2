import { counted } from "./progress-bar.ts";
import { readFile, readdir, rename } from "node:fs/promises";
import path from "node:path";
import { Miniflare } from "miniflare";
import {
  DEVELOPMENT_ACCOUNTS,
  DEVELOPMENT_ADDRESSES,
  DEVELOPMENT_KEYS,
  DEVELOPMENT_NAMES,
  bootstrapLines,
} from "./bootstrap.ts";
import { bundleForRuntime } from "./bundle.ts";
import { type Config, readConfig } from "./config.ts";
import { updateIndex } from "./index-client.ts";
import { numbered, sendHoldings, sendLines } from "./load-client.ts";
import { SECRET_FILES, localSecret, lockState, readText, writeWhole } from "./local-state.ts";
import { DEFAULT_STATE, ROOT } from "./paths.ts";
import { runtimeOptions } from "./runtime.ts";
import { type Target, call } from "./service.ts";
import { BARE, SEEDED, SEEDING, checkStores, unreadable } from "./store-files.ts";
import { languageLines, starterHoldings, starterLines } from "./starter.ts";
import type { D1Database } from "@cloudflare/workers-types";

const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** Applies missing migrations to the local databases, like `wrangler d1 migrations apply`. */
export async function migrate(runtime: Miniflare, config: Config, root = ROOT) {
  for (const { binding, database_id: id, migrations_dir: directory } of config.d1_databases) {
    const database = await runtime.getD1Database(binding);
    const results = await appliedMigrations(database).catch((error) => {
      throw unreadable(binding, { id, error });
    });
    const done = new Set(results.map((row) => row["name"]));
    const files = await readdir(path.join(root, directory));
    const missing = files.filter((file) => file.endsWith(".sql") && !done.has(file)).sort();
    for (const file of missing) await apply(database, path.join(root, directory, file));
    if (missing.length > 0) console.log(`${binding}: applied ${missing.length} migrations`);
  }
}

async function appliedMigrations(database: D1Database) {
  await database.prepare(TABLE).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
  return results;
}

async function apply(database: D1Database, file: string) {
  await database.batch([
    // The local database runs all statements of a text; wrangler, which could split it, takes 130 MB of memory.
    database.prepare(await readFile(file, "utf8")),
    database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(path.basename(file)),
  ]);
}

/** Content of a new state, which is chosen once: nothing, what every catalog needs, or the starter catalog too. */
export interface SeedChoice {
  content: "bare" | "empty" | "starter";
  /** Adds the development accounts, whose passwords are known. */
  development: boolean;
}

/**
 * Fills an empty state with types, groups, permissions and languages, then with what `choice` names, and indexes it. The
 * next run resumes an interrupted one; a finished one is never repeated. The first choice is kept.
 */
export async function seed(
  runtime: Miniflare,
  { state, choice, token }: { state: string; choice: SeedChoice; token: string },
) {
  const file = path.join(state, SEEDED);
  if ((await readText(file)) !== undefined) return;
  const started = path.join(state, SEEDING);
  const target: Target = { ...runtimeTarget(runtime, token), index: "later" };
  const begun = await readText(started);
  if (begun === undefined && (choice.content === "bare" || (await hasRecords(target)))) {
    return writeWhole(file, BARE);
  }
  const empty = begun === undefined ? choice.content === "empty" : JSON.parse(begun).empty;
  await writeWhole(started, JSON.stringify({ empty }));
  await sendLines(bootstrapLines(choice), target);
  if (choice.development) {
    const json = {
      usernames: DEVELOPMENT_ACCOUNTS,
      displaynames: DEVELOPMENT_NAMES,
      emails: DEVELOPMENT_ADDRESSES,
      keys: DEVELOPMENT_KEYS,
    };
    await call(target, "/system/development-accounts", { method: "POST", json });
  }
  if (empty) {
    await sendLines(languageLines(), target);
  } else {
    // First, so that the index takes them in with the records.
    await sendHoldings(numbered(starterHoldings()), target, (line, reason) => {
      throw new Error(`starter/items.jsonl, line ${line}: ${reason}`);
    });
    const { created } = await sendLines(starterLines(), target);
    console.log(`loaded the starter catalog: ${counted(created, "record")}`);
  }
  await updateIndex(target, { quiet: true });
  await rename(started, file);
}

async function hasRecords(target: Target) {
  const changes: unknown[] = await call(target, "/recentchanges.json?limit=1");
  return changes.length > 0;
}

/** Returns a target that calls a runtime without a port. HTTPS, because a site with HTTPS refuses all else. */
export function runtimeTarget(runtime: Miniflare, token: string) {
  const send = runtime.dispatchFetch.bind(runtime) as unknown as typeof fetch;
  return { url: "https://localhost", token, fetch: send };
}

/** Migrates and fills the default state. Throws if another process uses it. */
export async function prepareState() {
  const state = DEFAULT_STATE;
  const unlock = await lockState(state);
  const config = await readConfig();
  await checkStores(state, { config, canRecreate: false });
  const bundle = await bundleForRuntime(config.main);
  const vars = { ENVIRONMENT: "development", LOAD_TOKEN: await localSecret(state, SECRET_FILES.LOAD_TOKEN) };
  const runtime = new Miniflare(runtimeOptions(config, { state, bundle, vars, listeners: [] }));
  await migrate(runtime, config);
  await seed(runtime, { state, choice: { content: "starter", development: true }, token: vars.LOAD_TOKEN });
  await runtime.dispose();
  await unlock();
}
