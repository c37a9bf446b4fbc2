import type { DumpRecord } from "../../catalog/dumps/read-line.ts";
import type { Database } from "../statement.ts";
import { commitChange } from "./commit.ts";
import { reserveNumbers } from "./numbers.ts";
import { type Plan, keysWithoutId, planLoad, readStored } from "./plan-load.ts";
import { type ChangeEntry, shownKeys } from "./revisions.ts";

/** How often a batch is tried again when another writer was faster, and the wait that grows by each attempt. */
export const LOAD_ATTEMPTS = 24;
export const LOAD_WAIT_MS = 5;

/** Other writers changed the same records at every attempt. */
export class BusyError extends Error {}

interface LoadOptions {
  readonly prefix: string;
  /** Time of the load, naive UTC. */
  readonly now: string;
  readonly comment: string | null;
}

/** What became of a batch. `change` is null when everything was stored already. */
export interface LoadResult {
  readonly change: number | null;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Revisions that gave way to a stored one with a later `last_modified`. */
  readonly kept: number;
  /** Keys of records that answers show differently now: those with another latest revision, and those they name. */
  readonly keys: readonly string[];
  /** Position in the batch, and why the record was refused. */
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/**
 * Stores a batch of records of a dump as one change. Idempotent. A revision that is stored already with
 * another content gives way only if it came from a dump too and is not newer; edits are never overwritten.
 */
export async function loadRecords(
  database: Database,
  records: readonly DumpRecord[],
  options: LoadOptions,
): Promise<LoadResult> {
  const pairs = records.map(({ key, revision }) => [key, revision] as const);
  for (let attempt = 1; attempt <= LOAD_ATTEMPTS; attempt += 1) {
    const state = await readStored(database, pairs);
    const numbered = keysWithoutId(records, state, options.prefix);
    const firstNumber = await reserveNumbers(database, "record", numbered.length);
    const plan = planLoad(records, state, { prefix: options.prefix, numbered, firstNumber });
    if (plan.writes.length === 0) return result(plan, null);
    const { writes, sequences } = plan;
    const change = await commitChange(database, { entry: loadEntry(options), writes, sequences });
    if (change !== "conflict") return result(plan, change);
    await scheduler.wait(attempt * LOAD_WAIT_MS);
  }
  throw new BusyError("other writers changed the same records at every attempt");
}

function loadEntry({ now, comment }: LoadOptions): ChangeEntry {
  return {
    kind: "bulk_update",
    author: null,
    comment,
    bot: true,
    ip: null,
    created: now,
    changes: null,
    data: "{}",
  };
}

function result(plan: Plan, change: number | null): LoadResult {
  const latest = plan.writes.filter((w) => w.place !== "history" && w.place !== "replace-history");
  const created = latest.filter((w) => w.place === "new-record").length;
  return {
    change,
    created,
    updated: plan.writes.length - created,
    unchanged: plan.unchanged,
    kept: plan.kept,
    keys: [...new Set(latest.flatMap((write) => shownKeys(write.key, write)))],
    refused: plan.refused,
  };
}
