import { setTimeout } from "node:timers/promises";
import { Client } from "pg";

/** Node of a query plan. */
interface Step {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Step[];
}

/** Has a PostgreSQL log how it went about each statement, once it is told to. */
export const PLAN_SETTINGS = [
  "session_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=-1",
  "auto_explain.log_analyze=on",
  "auto_explain.log_timing=off",
  "auto_explain.log_format=json",
  "auto_explain.log_nested_statements=on",
  "logging_collector=on",
  "log_destination=jsonlog",
  "log_rotation_size=0",
];
/** Bytes of a log that are read at once: a text has less than a gigabyte. */
const LOG_PART = 50_000_000;

const OTHERS = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
/** Time for which the service may keep a connection that it does not use, in milliseconds. */
const CLOSING_MS = 30_000;

/**
 * Analyzes the stored rows, so that plans fit them, and logs the plans of all connections from here on. Returns when the
 * service has closed those before: an answer that it keeps is asked for once.
 */
export async function logPlans(url: string): Promise<void> {
  await asked(url, async (client) => {
    await client.query("ANALYZE");
    await client.query("ALTER DATABASE postgres SET auto_explain.log_min_duration = 0");
    const end = Date.now() + CLOSING_MS;
    while ((await client.query(OTHERS)).rows[0].count > 0) {
      if (Date.now() > end) throw new Error("the service keeps a connection");
      await setTimeout(50);
    }
  });
}

/** Most rows of tables that each statement has looked at, by its text in one line. */
export async function rowsLookedAt(url: string): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const line of (await readLog(url)).split("\n")) {
    const plan = /^duration: .* plan:\n(\{[^]*\})$/.exec(line === "" ? "" : JSON.parse(line).message)?.[1];
    if (plan === undefined) continue;
    const { "Query Text": text, Plan: step } = JSON.parse(plan);
    const sql = String(text).replace(/\s+/g, " ").trim();
    found.set(sql, Math.max(found.get(sql) ?? 0, rowsOf(step)));
  }
  return found;
}

function rowsOf(step: Step): number {
  const below = (step.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);
  if (step["Relation Name"] === undefined || step["Node Type"] === "ModifyTable") return below;
  return below + (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"];
}

async function readLog(url: string): Promise<string> {
  const parts: Buffer[] = [];
  await asked(url, async (client) => {
    const read = "SELECT pg_read_binary_file(pg_current_logfile('jsonlog'), $1, $2) AS part";
    for (let part = Buffer.alloc(1), at = 0; part.length > 0; at += part.length) {
      part = (await client.query(read, [at, LOG_PART])).rows[0].part;
      parts.push(part);
    }
  });
  return Buffer.concat(parts).toString();
}

async function asked(url: string, ask: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await ask(client);
  } finally {
    await client.end();
  }
}
