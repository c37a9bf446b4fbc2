import { utf8Length } from "../../catalog/bytes.ts";
import { flagsOf } from "../../catalog/document.ts";
import type { WriteFailure } from "../../catalog/editing/failure.ts";
import { prepareWrites } from "../../catalog/editing/prepare.ts";
import { type PrepareContext, type PreparedWrite, formatDocument } from "../../catalog/editing/rights.ts";
import { RESTORING_KINDS } from "../../catalog/editing/write-request.ts";
import { indexRowsOf } from "../../catalog/index-rows.ts";
import { idOfKey, sequenceOfKey } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { type Statement, type Store, overList } from "../statement.ts";
import {
  findReferencedAuthors,
  guardUnreferenced,
  readAuthorReferences,
  removedAuthorsOf,
} from "./author-references.ts";
import { type CommitCondition, UNCHANGED, commitChange, retryUntilCommitted } from "./commit.ts";
import { type RaisedSequence, numberRecords } from "./numbers.ts";
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
import { type RevisionWrite, NO_INDEX_ROWS, affectedKeysOf, raiseSequence } from "./revisions.ts";

export interface Desk {
  readonly catalog: Store;
  readonly prefix: string;
  /** Returns the time of a change requested at `now`, never earlier than the newest change (Q97). */
  time(now: string, newest: string): string;
  /** Called before a change is committed. Nothing is counted if undefined. */
  readonly spend?: Spend;
  /** Highest numbers that this desk has seen given out, by sequence. It gets those of new records. */
  readonly lastNumbers: Map<string, number>;
  /** True if no other change waits, so that one may raise the sequences itself. */
  readonly mayRaise: boolean;
}

/** Change that is retried on conflicts. */
interface SaveJob extends ChangeScope {
  readonly request: Omit<SaveRequest, "documents" | "expected">;
  readonly assignedKeys: ReadonlySet<string>;
  /** Sequences of assigned keys whose numbers are not reserved. */
  readonly raised?: readonly RaisedSequence[];
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
  const { prefix } = desk;
  const { raised = [] } = job;
  const state = await readState(session, job, sequencesOf(job, prefix));
  const refused = findStateFailures(job, state);
  if (refused.length > 0) return toFailedAttempt(refused);
  if (raised.some(({ name, from }) => from !== (state.sequences.get(name) ?? 0))) return { taken: [] };
  const takenKeys = [...job.assignedKeys].filter((key) => state.stored.has(key));
  if (takenKeys.length > 0) return { taken: takenKeys };
  const { stored, referenceTypes } = state;
  const rules = rulesOf(job, state, prefix);
  const { writes, failures } = prepareWrites(job.documents, { prefix, stored, referenceTypes, rules });
  const references = await readAuthorReferences(session, removedAuthorsOf(writes), job.documents);
  const all = [...failures, ...findReferencedAuthors(writes, references, prefix)];
  if (all.length > 0) return toFailedAttempt(all);
  const keys = writes.map(({ key }) => key);
  const changed = changedWritesOf(writes, job.request.touched);
  const outcome = { ok: true as const, keys, bookmark: session.getBookmark() };
  if (changed.length === 0 || job.request.isTrial === true) {
    const saved = changed.map(({ key, before }) => ({ key, revision: (before?.revision ?? 0) + 1 }));
    return { result: { ...outcome, change: null, saved, affected: [] } };
  }

  const unnumbered = keysWithoutNumber(changed, prefix).filter((key) => !job.ids.has(key));
  for (const [key, id] of await numberRecords(desk.catalog, unnumbered)) job.ids.set(key, id);
  const now = desk.time(job.request.now, state.newest);
  const plan = planSave(changed, { prefix, now, stored, ids: job.ids });
  const { saved, affected, writes: revisions } = plan;
  const exceeded = await desk.spend?.(writtenBytesOf(revisions));
  if (exceeded !== undefined) return toFailedAttempt([exceeded]);
  const entry = entryOf(job, now, saved);
  const change = await commitChange(session, {
    entry,
    writes: revisions,
    sequences: new Map([...plan.sequences, ...raised.map(({ name, to }) => [name, to] as const)]),
    condition: unchangedCondition(job, state),
    guards: buildGuards(changed, state),
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

/** Returns the sequences whose highest numbers decide about a change. */
function sequencesOf(job: SaveJob, prefix: string): string[] {
  const { raised = [], request } = job;
  const names = request.mayNumber === true ? numbersOf(job, prefix).map(({ name }) => name) : [];
  return [...new Set([...names, ...raised.map(({ name }) => name)])];
}

function numbersOf(job: SaveJob, prefix: string) {
  return keysOfChange(job).flatMap((key) => sequenceOfKey(key, prefix) ?? []);
}

function rulesOf(
  job: SaveJob,
  { permissions: { isAdmin }, sequences }: SaveState,
  prefix: string,
): PrepareContext["rules"] {
  const { assignedKeys, writer, request } = job;
  // A client that got a key by `new_key` may create its record; only administrators and bots choose numbers (Q170).
  const areReserved = () =>
    numbersOf(job, prefix).every(({ name, number }) => number <= (sequences.get(name) ?? 0));
  const mayNumber = writer.bot || (request.mayNumber === true && areReserved());
  return {
    anyKey: isAdmin,
    mayDelete: isAdmin,
    anyText: RESTORING_KINDS.has(request.kind),
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

/** Returns the condition that saving is allowed, and that records and raised sequences are as they were read. */
function unchangedCondition(job: SaveJob, { stored }: SaveState): CommitCondition {
  const records = keysOfChange(job).map((key) => [key, stored.get(key)?.change ?? null]);
  const sequences = (job.raised ?? []).map(({ name, from }) => [name, from]);
  return { sql: UNCHANGED, value: JSON.stringify({ records, sequences }) };
}

/**
 * Returns guards for what the condition leaves out, as there may be more of it than one parameter holds: the types of
 * referenced records, and that deleted authors are unreferenced.
 */
function buildGuards(changed: readonly PreparedWrite[], { referenceTypes }: SaveState): Statement[] {
  const changedKeys = new Set(changed.map(({ key }) => key));
  const sameTypes = [...referenceTypes].filter(([key]) => !changedKeys.has(key));
  return [
    ...overList(
      sameTypes,
      `INSERT INTO expectation (met)
       SELECT 0 FROM json_each(?1) e LEFT JOIN record r ON r.key = e.value->>0
       WHERE r.type IS DISTINCT FROM e.value->>1 LIMIT 1`,
    ),
    ...guardUnreferenced(removedAuthorsOf(changed)),
  ];
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
): { revision: RevisionWrite; rows: RowChange } {
  const { key, type, members, before } = write;
  const id = before?.id ?? idOfKey(key, prefix) ?? ids.get(key);
  if (id === undefined) throw new Error(`no number was reserved for ${key}`);
  const stored = all.get(key);
  const created = stored?.created ?? now;
  const revision = (before?.revision ?? 0) + 1;
  const record: CatalogRecord = { ...members, key, type: { key: type } };
  const rows = {
    added: indexRowsOf(record, prefix),
    removed: before === undefined ? NO_INDEX_ROWS : indexRowsOf(before.document, prefix),
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
      isSameType: before !== undefined && typeKeyOf(before.document) === type,
      place: before === undefined ? "new-record" : "new-latest",
      ...withoutCommonRows(rows),
    },
  };
}

type RowChange = Pick<RevisionWrite, "added" | "removed">;

/** Drops the rows present in both, because every row written has a cost. */
function withoutCommonRows({ added, removed }: RowChange): RowChange {
  const properties = differ(added.properties, removed.properties);
  const identifiers = differ(added.identifiers, removed.identifiers);
  const languages = differ(added.languages, removed.languages);
  return {
    added: { properties: properties[0], identifiers: identifiers[0], languages: languages[0] },
    removed: { properties: properties[1], identifiers: identifiers[1], languages: languages[1] },
  };
}

/** Returns the rows that only the first list has, and those that only the second has. */
function differ<Row>(first: readonly Row[], second: readonly Row[]): [readonly Row[], readonly Row[]] {
  if (first.length === 0 || second.length === 0) return [first, second];
  const [left, right] = [byText(first), byText(second)];
  const only = (rows: ReadonlyMap<string, Row>, others: ReadonlyMap<string, Row>): Row[] =>
    [...rows].flatMap(([text, row]) => (others.has(text) ? [] : [row]));
  return [only(left, right), only(right, left)];
}

function byText<Row>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [JSON.stringify(row), row]));
}
