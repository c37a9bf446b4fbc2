import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";
import type { Database } from "../statement.ts";
import { BusyError, commitChange, retryUntilCommitted } from "./commit.ts";
import { numberRecords } from "./numbers.ts";
import { keysWithoutId, planLoad, readStored, type Plan } from "./plan-load.ts";
import { affectedKeysOf } from "./revisions.ts";

interface LoadOptions {
  readonly prefix: string;
  /** Time of the load, naive UTC. */
  readonly now: string;
  readonly comment: string | null;
  /** True for records followed from a source service: those whose latest revision was made here are left unchanged. */
  readonly isFollowed?: boolean;
}

/** Result of loading a batch. `change` is null if everything was stored already. */
export interface LoadResult {
  readonly change: number | null;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Number of revisions skipped because the stored one has a later `last_modified`. */
  readonly kept: number;
  /** Keys of records whose responses change: those with a new latest revision, and those they refer to. */
  readonly keys: readonly string[];
  /** Position in the batch, and the reason for refusing the record. */
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/**
 * Stores a batch of dump records in one change. Idempotent. A stored revision with different content is replaced only
 * if it came from a dump too and is not newer. Edits are never overwritten.
 */
export async function loadRecords(
  database: Database,
  records: readonly DumpRecord[],
  { prefix, now, comment, isFollowed = false }: LoadOptions,
): Promise<LoadResult> {
  const by = { author: null, bot: true, ip: null };
  const entry = { ...by, kind: "bulk_update", comment, created: now, changes: null, data: "{}" };
  const loaded = await retryUntilCommitted(async () => {
    const plan = await planRecords(database, records, { prefix, isFollowed });
    const { writes, sequences } = plan;
    if (writes.length === 0) return toResult(plan, null);
    const change = await commitChange(database, { entry, writes, sequences });
    return change === "conflict" ? change : toResult(plan, change);
  });
  if (loaded === undefined) throw new BusyError();
  return loaded;
}

export async function planRecords(
  database: Database,
  records: readonly DumpRecord[],
  options: { prefix: string; isLog?: boolean; isFollowed?: boolean },
): Promise<Plan> {
  const pairs = records.map(({ key, revision }) => [key, revision] as const);
  const state = await readStored(database, pairs);
  const ids = await numberRecords(database, keysWithoutId(records, state, options.prefix));
  return planLoad(records, state, { ...options, ids });
}

function toResult(plan: Plan, change: number | null): LoadResult {
  const latest = plan.writes.filter((w) => w.place !== "history" && w.place !== "replace-history");
  const created = latest.filter((w) => w.place === "new-record").length;
  return {
    change,
    created,
    updated: plan.writes.length - created,
    unchanged: plan.unchanged,
    kept: plan.kept,
    keys: [...new Set(latest.flatMap(affectedKeysOf))],
    refused: plan.refused,
  };
}
