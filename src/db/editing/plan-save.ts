import { flagsOf } from "../../catalog/document.ts";
import { type PreparedWrite, formatDocument } from "../../catalog/editing/rights.ts";
import { type IndexRows, indexRowsOf } from "../../catalog/index-rows.ts";
import { idOfKey } from "../../catalog/key-numbers.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { utf8Length } from "../../catalog/bytes.ts";
import type { StoredNow } from "./read-state.ts";
import type { SavedRecord } from "./request.ts";
import { type RevisionWrite, NO_ROWS, raiseSequence, affectedKeysOf } from "./revisions.ts";

/** Planned writes of changed documents. */
interface SavePlan {
  readonly writes: readonly RevisionWrite[];
  readonly saved: readonly SavedRecord[];
  readonly affected: readonly string[];
  /** Highest numbers of the new keys, by sequence. */
  readonly sequences: ReadonlyMap<string, number>;
}

interface PlanOptions {
  readonly prefix: string;
  /** Time of the change, naive UTC. */
  readonly now: string;
  /** Existing records, by key. */
  readonly stored: ReadonlyMap<string, StoredNow>;
  /** Numbers of new records whose keys carry none. */
  readonly ids: ReadonlyMap<string, number>;
}

export function keysWithoutNumber(writes: readonly PreparedWrite[], prefix: string): string[] {
  return writes
    .filter(({ before, key }) => before === undefined && idOfKey(key, prefix) === undefined)
    .map(({ key }) => key);
}

/** Converts changed documents to revisions, all with the same time. */
export function planSave(changed: readonly PreparedWrite[], options: PlanOptions): SavePlan {
  const affected = new Set<string>();
  const sequences = new Map<string, number>();
  const writes = changed.map((write) => {
    const { revision, rows } = planWrite(write, options);
    for (const key of affectedKeysOf({ key: write.key, ...rows })) affected.add(key);
    if (write.before === undefined) raiseSequence(sequences, write.key, options.prefix);
    return revision;
  });
  const saved = writes.map(({ key, revision }) => ({ key, revision }));
  return { writes, saved, affected: [...affected], sequences };
}

export function writtenBytesOf(writes: readonly Pick<RevisionWrite, "document">[]): number {
  return writes.reduce((sum, { document }) => sum + utf8Length(document), 0);
}

/** Returns the revision of a document, and all its index rows before and after. */
function planWrite(
  write: PreparedWrite,
  { prefix, now, ids, stored: all }: PlanOptions,
): { revision: RevisionWrite; rows: Pick<RevisionWrite, "added" | "removed"> } {
  const { key, type, members, before } = write;
  const id = before?.id ?? idOfKey(key, prefix) ?? ids.get(key);
  if (id === undefined) throw new Error(`no number was reserved for ${key}`);
  const stored = all.get(key);
  const created = stored?.created ?? now;
  const revision = (before?.revision ?? 0) + 1;
  const record: CatalogRecord = { ...members, key, type: { key: type } };
  const rows = {
    added: indexRowsOf(record, prefix),
    removed: before === undefined ? NO_ROWS : indexRowsOf(before.document, prefix),
  };
  return {
    rows,
    revision: {
      id,
      key,
      type,
      revision,
      flags: flagsOf(record),
      created,
      lastModified: now,
      document: formatDocument(write, { revision, created, now }),
      expected: before?.revision ?? 0,
      expectedChange: stored?.change ?? 0,
      place: before === undefined ? "new-record" : "new-latest",
      // Rows present in both are neither removed nor added, because every row written has a cost.
      added: subtractRows(rows.added, rows.removed),
      removed: subtractRows(rows.removed, rows.added),
    },
  };
}

function subtractRows(rows: IndexRows, others: IndexRows): IndexRows {
  return {
    properties: subtract(rows.properties, others.properties),
    identifiers: subtract(rows.identifiers, others.identifiers),
    languages: subtract(rows.languages, others.languages),
  };
}

function subtract<Row>(rows: readonly Row[], others: readonly Row[]): Row[] {
  const known = new Set(others.map((row) => JSON.stringify(row)));
  return rows.filter((row) => !known.has(JSON.stringify(row)));
}
