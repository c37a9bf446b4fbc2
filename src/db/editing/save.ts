import { utf8Length } from "../../catalog/bytes.ts";
import { flagsOf } from "../../catalog/document.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { prepareWrites } from "../../catalog/editing/prepare.ts";
import { type PrepareContext, type PreparedWrite, formatDocument } from "../../catalog/editing/rights.ts";
import { type IndexRows, indexRowsOf } from "../../catalog/index-rows.ts";
import { idOfKey, sequenceOfKey } from "../../catalog/key-numbers.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { NOT_READ_ONLY } from "../service/service-state.ts";
import { type Statement, type Store, overList } from "../statement.ts";
import { findReferencedAuthors, guardUnreferenced, removedAuthorsOf } from "./author-references.ts";
import { commitChange, retryUntilCommitted } from "./commit.ts";
import { numberRecords } from "./numbers.ts";
import { type SaveState, type StoredNow, readState } from "./read-state.ts";
import { BUSY, findNotesFailures, findRequestFailures, findStateFailures } from "./check-request.ts";
import {
  type ChangeScope,
  type SaveRequest,
  type SaveResult,
  type SavedRecord,
  type Spend,
  keysOfChange,
} from "./request.ts";
import { type RevisionWrite, NO_ROWS, affectedKeysOf, raiseSequence } from "./revisions.ts";

export interface Desk {
  readonly catalog: Store;
  readonly prefix: string;
  /** Returns the time of a change requested at `now`, never earlier than the newest change (Q97). */
  time(now: string, newest: string): string;
  /** Called before a change is committed. Nothing is counted if undefined. */
  readonly spend?: Spend;
}

/** Change that is retried on conflicts. */
interface SaveJob extends ChangeScope {
  readonly request: Omit<SaveRequest, "documents" | "expected">;
  readonly assignedKeys: ReadonlySet<string>;
  /** Numbers reserved for records whose keys carry none, kept between attempts. */
  readonly ids: Map<string, number>;
}

/**
 * Outcome of one attempt: a result, or the reason for another attempt. `taken` are assigned keys that exist already.
 */
export type SaveAttempt = { readonly result: SaveResult } | { readonly taken: readonly string[] };

/** Reads, checks and commits a change: one round trip each, and one more if new keys carry no number. */
export async function attemptSave(desk: Desk, job: SaveJob): Promise<SaveAttempt> {
  // Each attempt has its own session, so that it does not reuse the reads of a failed one.
  const session = desk.catalog.withSession("first-primary");
  const state = await readState(session, job);
  const refused = findStateFailures(job, state);
  if (refused.length > 0) return toFailedAttempt(refused);
  const takenKeys = [...job.assignedKeys].filter((key) => state.stored.has(key));
  if (takenKeys.length > 0) return { taken: takenKeys };
  const { prefix } = desk;
  const { stored, referenceTypes, authorReferences } = state;
  const rules = rulesOf(job, state, prefix);
  const { writes, failures } = prepareWrites(job.documents, { prefix, stored, referenceTypes, rules });
  const all = [...failures, ...findReferencedAuthors(writes, authorReferences, prefix)];
  if (all.length > 0) return toFailedAttempt(all);
  const keys = writes.map(({ key }) => key);
  const changed = changedWritesOf(writes, job.request.touched);
  const outcome = { ok: true as const, keys, bookmark: session.getBookmark() };
  if (changed.length === 0) return { result: { ...outcome, change: null, saved: [], affected: [] } };

  const unnumbered = keysWithoutNumber(changed, prefix).filter((key) => !job.ids.has(key));
  for (const [key, id] of await numberRecords(desk.catalog, unnumbered)) job.ids.set(key, id);
  const now = desk.time(job.request.now, state.newest);
  const plan = planSave(changed, { prefix, now, stored, ids: job.ids });
  const { saved, affected, ...revisions } = plan;
  const exceeded = await desk.spend?.(writtenBytesOf(revisions.writes));
  if (exceeded !== undefined) return toFailedAttempt([exceeded]);
  const entry = entryOf(job, now, saved);
  const change = await commitChange(session, {
    entry,
    ...revisions,
    guards: buildGuards(changed, job, state),
  });
  if (change === "conflict") return { taken: [] };
  return { result: { ...outcome, change, saved, affected, bookmark: session.getBookmark() } };
}

function changedWritesOf(
  writes: readonly PreparedWrite[],
  touched: readonly string[] = [],
): readonly PreparedWrite[] {
  if (!writes.some(({ isChanged }) => isChanged)) return [];
  return writes.filter(({ key, isChanged }) => isChanged || touched.includes(key));
}

function toFailedAttempt(failures: readonly WriteFailure[]): SaveAttempt {
  return { result: { ok: false, failures } };
}

function rulesOf(
  { assignedKeys, writer, request }: SaveJob,
  { permissions: { isAdmin } }: SaveState,
  prefix: string,
): PrepareContext["rules"] {
  const mayNumber = writer.bot || request.mayNumber === true;
  return {
    anyKey: isAdmin,
    mayDelete: isAdmin,
    mayCreate: (key) => isAdmin || assignedKeys.has(key) || (mayNumber && isNumberedKey(key, prefix)),
  };
}

function isNumberedKey(key: string, prefix: string): boolean {
  const sequence = sequenceOfKey(key, prefix);
  return sequence !== undefined && key.slice(0, -1).endsWith(`/${prefix}${sequence.number}`);
}

function entryOf({ request, writer }: SaveJob, created: string, saved: readonly unknown[]) {
  const { kind, comment, data } = request;
  const { author, bot, ip } = writer;
  return { kind, author, comment, bot, ip, created, changes: JSON.stringify(saved), data };
}

/**
 * Returns guards for everything that was read but is not written by the change, and must still hold at the commit: the
 * revisions of unchanged records, the types of referenced records, that deleted authors are unreferenced, and that
 * saving is allowed.
 */
function buildGuards(changed: readonly PreparedWrite[], job: SaveJob, state: SaveState): Statement[] {
  const changedKeys = new Set(changed.map(({ key }) => key));
  const unchangedKeys = keysOfChange(job).filter((key) => !changedKeys.has(key));
  const sameRevisions = unchangedKeys.map((key) => [key, state.stored.get(key)?.change ?? null] as const);
  const sameTypes = [...state.referenceTypes].filter(([key]) => !changedKeys.has(key));
  return [
    NOT_READ_ONLY,
    ...guardColumn("change_id", sameRevisions),
    ...guardColumn("type", sameTypes),
    ...guardUnreferenced(removedAuthorsOf(changed)),
  ];
}

/** Returns statements that fail a change if a column of one of the records, by key, has changed. */
function guardColumn(
  column: "change_id" | "type",
  expected: readonly (readonly [key: string, value: string | number | null])[],
): Statement[] {
  return overList(
    expected,
    `INSERT INTO expectation (met)
     SELECT 0 FROM json_each(?1) e LEFT JOIN record r ON r.key = e.value->>0
     WHERE CAST(r.${column} AS TEXT) IS DISTINCT FROM e.value->>1 LIMIT 1`,
  );
}

export async function saveDocuments(
  desk: Desk,
  documents: readonly CatalogRecord[],
  request: Omit<SaveRequest, "documents">,
): Promise<SaveResult> {
  const { writer, expected = {} } = request;
  const failures = [...findNotesFailures(request), ...findRequestFailures({ documents, expected })];
  if (failures.length > 0) return { ok: false, failures };
  const job: SaveJob = { request, writer, documents, expected, assignedKeys: new Set(), ids: new Map() };
  return repeatUntilSaved(() => attemptSave(desk, job));
}

/** Repeats attempts until one has a result. Returns a busy failure if none has. */
export async function repeatUntilSaved(attempt: () => Promise<SaveAttempt>): Promise<SaveResult> {
  const result = await retryUntilCommitted(async () => {
    const outcome = await attempt();
    return "result" in outcome ? outcome.result : "conflict";
  });
  return result ?? { ok: false, failures: [BUSY] };
}

interface SavePlan {
  readonly writes: readonly RevisionWrite[];
  readonly saved: readonly SavedRecord[];
  readonly affected: readonly string[];
  readonly sequences: ReadonlyMap<string, number>;
}

interface PlanOptions {
  readonly prefix: string;
  /** Time of the change, naive UTC. */
  readonly now: string;
  readonly stored: ReadonlyMap<string, StoredNow>;
  readonly ids: ReadonlyMap<string, number>;
}

function keysWithoutNumber(writes: readonly PreparedWrite[], prefix: string): string[] {
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
