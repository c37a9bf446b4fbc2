import { type DumpRecord } from "../../catalog/dump-line.ts";
import { type IndexRows, indexRows } from "../../catalog/index-rows.ts";
import { recordFlags } from "../../catalog/record-flags.ts";
import { idOfKey } from "../../catalog/record-id.ts";
import { sequenceOfKey } from "../../catalog/sequences.ts";
import type { Database } from "../statement.ts";
import { commitChange } from "./commit.ts";
import type { RevisionWrite } from "./revision-write.ts";
import { type StoredRecord, type StoredState, readStored, storedName } from "./stored.ts";

/** How often a batch is tried again when another writer was faster. */
const ATTEMPTS = 8;
const NO_ROWS: IndexRows = { properties: [], identifiers: [], languages: [] };

export interface LoadOptions {
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
  /** Keys whose latest revision is another one now. */
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
  for (let attempt = 1; ; attempt += 1) {
    const state = await readStored(
      database,
      records.map(({ key, revision }) => [key, revision] as const),
    );
    const plan = planLoad(records, state, options.prefix);
    if (plan.writes.length === 0) return result(plan, null);
    const change = await commitChange(database, {
      entry: loadEntry(options),
      writes: plan.writes,
      sequences: plan.sequences,
    });
    if (change !== "conflict") return result(plan, change);
    if (attempt === ATTEMPTS) throw new Error("the batch met other writers at every attempt");
  }
}

interface Plan {
  readonly writes: RevisionWrite[];
  readonly sequences: Map<string, number>;
  readonly refused: { index: number; reason: string }[];
  unchanged: number;
  kept: number;
}

/** What is to be written of a batch, decided over the stored state without any look-up. */
function planLoad(records: readonly DumpRecord[], state: StoredState, prefix: string): Plan {
  const plan: Plan = { writes: [], sequences: new Map(), refused: [], unchanged: 0, kept: 0 };
  const ids = new Ids(state, prefix);
  for (const group of byKey(records)) planKey(group, { plan, state, ids, prefix });
  ids.raise(plan.sequences);
  return plan;
}

interface Indexed {
  readonly index: number;
  readonly dump: DumpRecord;
}

interface Planning {
  readonly plan: Plan;
  readonly state: StoredState;
  readonly ids: Ids;
  readonly prefix: string;
}

/** Records of one key together, ascending by revision; of two with one revision, the later one counts. */
function byKey(records: readonly DumpRecord[]): Indexed[][] {
  const groups = new Map<string, Map<number, Indexed>>();
  for (const [index, dump] of records.entries()) {
    const group = groups.get(dump.key) ?? new Map<number, Indexed>();
    groups.set(dump.key, group.set(dump.revision, { index, dump }));
  }
  return [...groups.values()].map((group) =>
    [...group.values()].sort((a, b) => a.dump.revision - b.dump.revision),
  );
}

function planKey(group: readonly Indexed[], planning: Planning): void {
  const { plan, state, ids, prefix } = planning;
  const newest = group.at(-1)?.dump;
  if (newest === undefined) return;
  const stored = state.records.get(storedName(newest.key, newest.revision));
  const expected = stored?.latest ?? 0;
  const id = stored?.id ?? ids.next(newest.key);
  mark(plan.sequences, newest.key, prefix);
  for (const { index, dump } of group) {
    const before = state.records.get(storedName(dump.key, dump.revision));
    const outcome = against(dump, before);
    if (outcome === "unchanged" || outcome === "kept") plan[outcome] += 1;
    else if (outcome === "edited") {
      plan.refused.push({
        index,
        reason: `revision ${dump.revision} of ${dump.key} was edited here and differs`,
      });
    } else {
      const place = placeOf(dump, { before, expected, newest: newest.revision });
      plan.writes.push(write(dump, { id, place, expected, before, prefix }));
    }
  }
}

/** How a revision compares with the stored one of the same number, if there is one. */
function against(
  dump: DumpRecord,
  before: StoredRecord | undefined,
): "new" | "unchanged" | "kept" | "edited" {
  const revision = before?.revision;
  if (revision === undefined) return "new";
  if (revision.document === dump.document) return "unchanged";
  if (!revision.loaded) return "edited";
  return revision.lastModified > dump.lastModified ? "kept" : "new";
}

interface Position {
  readonly before: StoredRecord | undefined;
  readonly expected: number;
  readonly newest: number;
}

function placeOf(dump: DumpRecord, { before, expected, newest }: Position): RevisionWrite["place"] {
  const known = before?.revision !== undefined;
  // A latest revision that a newer one of the same batch supersedes is corrected where it will stand then.
  if (known) return dump.revision === newest && newest === expected ? "replace-latest" : "replace-history";
  if (dump.revision < newest || dump.revision < expected) return "history";
  return expected === 0 ? "new-record" : "new-latest";
}

interface WriteContext {
  readonly id: number;
  readonly place: RevisionWrite["place"];
  readonly expected: number;
  readonly before: StoredRecord | undefined;
  readonly prefix: string;
}

function write(dump: DumpRecord, { id, place, expected, before, prefix }: WriteContext): RevisionWrite {
  const { key, type, revision, created, lastModified, document, record } = dump;
  const isHistory = place === "history" || place === "replace-history";
  const removed = isHistory || before === undefined ? NO_ROWS : indexRows(before.latestRecord, prefix);
  const added = isHistory ? NO_ROWS : indexRows(record, prefix);
  const flags = isHistory ? 0 : recordFlags(record);
  return { id, key, type, revision, flags, created, lastModified, document, expected, place, added, removed };
}

/** Gives numbers to keys that have no OLID. */
class Ids {
  private last: number;
  private readonly first: number;
  private readonly prefix: string;

  constructor(state: StoredState, prefix: string) {
    this.first = state.lastOtherNumber;
    this.last = state.lastOtherNumber;
    this.prefix = prefix;
  }

  next(key: string): number {
    return idOfKey(key, this.prefix) ?? (this.last += 1);
  }

  raise(sequences: Map<string, number>): void {
    if (this.last > this.first) sequences.set("record", this.last);
  }
}

function mark(sequences: Map<string, number>, key: string, prefix: string): void {
  const sequence = sequenceOfKey(key, prefix);
  if (sequence === undefined) return;
  sequences.set(sequence.name, Math.max(sequence.number, sequences.get(sequence.name) ?? 0));
}

function loadEntry({ now, comment }: LoadOptions) {
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
    keys: latest.map((w) => w.key),
    refused: plan.refused,
  };
}
