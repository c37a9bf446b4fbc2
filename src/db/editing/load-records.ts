import type { Text } from "../../catalog/texts.ts";
import { flagsOf, parseDocument } from "../../catalog/document.ts";
import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";
import { indexRowsOf } from "../../catalog/index-rows.ts";
import { idOfKey } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { type Database, rows } from "../statement.ts";
import { findAcceptedEdits } from "./accepted-edits.ts";
import { BusyError, commitChange, retryUntilCommitted } from "./commit.ts";
import { numberRecords } from "./numbers.ts";
import { type RevisionWrite, NO_INDEX_ROWS, affectedKeysOf, raiseSequence } from "./revisions.ts";

interface LoadOptions {
  readonly prefix: string;
  /** Time of the load, naive UTC. */
  readonly now: string;
  readonly comment: string | null;
  /** True for records followed from a source service: edits made here stay until the source has accepted them. */
  readonly isFollowed?: boolean;
}

/** Result of loading a batch. `change` is null if everything was stored already. */
interface LoadResult {
  readonly change: number | null;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Number of revisions skipped because the stored one has a later `last_modified`. */
  readonly kept: number;
  /** Keys of records whose responses change: those with a new latest revision, and those they refer to. */
  readonly keys: readonly string[];
  /** Position in the batch, and the reason for refusing the record. */
  readonly refused: readonly { readonly index: number; readonly reason: Text }[];
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
  const stored = await readStored(database, pairs);
  const state = options.isFollowed === true ? await acceptEdits(database, records, stored) : stored;
  const ids = await numberRecords(database, keysWithoutId(records, state, options.prefix));
  const plan: Plan = { writes: [], sequences: new Map(), refused: [], unchanged: 0, kept: 0 };
  for (const group of groupByKey(records, plan)) planKey(group, { ...options, ids, plan, state });
  return plan;
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

interface StoredRecord {
  readonly id: number;
  readonly latest: number;
  /** Change that stored the latest revision. */
  readonly latestChange: number;
  readonly latestRecord: CatalogRecord;
  /** True if a load made the latest revision, false if an edit here did. */
  readonly isLoaded: boolean;
  readonly revision?: { readonly document: string; readonly lastModified: string; readonly loaded: boolean };
}

/** State of keys and revisions, by `stateKeyOf`. Keys that are not stored are absent. */
type StoredState = ReadonlyMap<string, StoredRecord>;

interface Row {
  readonly key: string;
  readonly number: number;
  readonly id: number;
  readonly latest: number;
  readonly latestChange: number;
  readonly latestDocument: string;
  readonly isLoaded: number;
  readonly document: string | null;
  readonly lastModified: string | null;
  readonly loaded: number;
}

const STORED = `
  SELECT r.key, e.number, r.id, r.revision AS latest, r.change_id AS latestChange, r.document AS latestDocument,
         l.changes IS NULL AS "isLoaded",
         CASE WHEN r.revision = e.number THEN r.document ELSE v.document END AS document,
         CASE WHEN r.revision = e.number THEN r.last_modified ELSE v.last_modified END AS lastModified,
         c.changes IS NULL AS loaded
  FROM (SELECT value->>0 AS key, CAST(value->>1 AS BIGINT) AS number FROM json_each(?1)) e
  JOIN record r ON r.key = e.key
  LEFT JOIN change l ON l.id = r.change_id
  LEFT JOIN revision v ON v.record_id = r.id AND v.revision = e.number
  LEFT JOIN change c ON c.id = CASE WHEN r.revision = e.number THEN r.change_id ELSE v.change_id END`;

function stateKeyOf(key: string, revision: number): string {
  return `${revision} ${key}`;
}

/** Reads the stored state of `[key, revision]` pairs. One statement. */
async function readStored(
  database: Database,
  pairs: readonly (readonly [string, number])[],
): Promise<StoredState> {
  const storedRows = await rows<Row>(database, { sql: STORED, values: [JSON.stringify(pairs)] });
  return new Map(storedRows.map((row) => [stateKeyOf(row.key, row.number), toStoredRecord(row)]));
}

function toStoredRecord({ id, latest, latestChange, ...row }: Row): StoredRecord {
  const base = {
    id,
    latest,
    latestChange,
    latestRecord: parseDocument(row.latestDocument),
    isLoaded: row.isLoaded === 1,
  };
  const { document, lastModified, loaded } = row;
  if (document === null || lastModified === null) return base;
  return { ...base, revision: { document, lastModified, loaded: loaded === 1 } };
}

/** Treats edits that the source has accepted like loaded revisions (`isFollowed`). */
async function acceptEdits(
  database: Database,
  records: readonly DumpRecord[],
  state: StoredState,
): Promise<StoredState> {
  const edited = records.flatMap((dump) => {
    const stored = state.get(stateKeyOf(dump.key, dump.revision));
    return stored === undefined || stored.isLoaded ? [] : [{ dump, stored, ours: stored.latestRecord }];
  });
  const accepted = await findAcceptedEdits(database, edited);
  const changed = accepted.flatMap(({ dump, stored, isEqual }): [string, StoredRecord][] => {
    const { revision, latest } = stored;
    const place = stateKeyOf(dump.key, dump.revision);
    const loaded = { ...stored, isLoaded: true };
    if (dump.revision > latest) return [[place, loaded]];
    if (!isEqual || revision === undefined) return [];
    // A revision of the same number is replaced, also a newer one; a higher one here stays.
    const isLatest = dump.revision === latest;
    const known = isLatest ? { loaded: true, lastModified: "" } : { document: dump.document };
    return [[place, { ...loaded, revision: { ...revision, ...known } }]];
  });
  return new Map([...state, ...changed]);
}

interface Plan {
  readonly writes: RevisionWrite[];
  readonly sequences: Map<string, number>;
  readonly refused: { index: number; reason: Text }[];
  unchanged: number;
  kept: number;
}

/** Returns the new keys of a batch that carry no number and need one. */
function keysWithoutId(records: readonly DumpRecord[], state: StoredState, prefix: string): string[] {
  const fresh = records.filter(
    ({ key, revision }) => idOfKey(key, prefix) === undefined && !state.has(stateKeyOf(key, revision)),
  );
  return [...new Set(fresh.map(({ key }) => key))];
}

interface PlanOptions {
  readonly prefix: string;
  /** Numbers reserved for `keysWithoutId`. */
  readonly ids: ReadonlyMap<string, number>;
  /** True for revisions of a log, in its order: they replace any stored state (apply-feed.ts). */
  readonly isLog?: boolean;
  /**
   * True for records as shown by a source service, which may differ in form from its stored ones: a loaded revision
   * with the same time is kept, and a record whose latest revision was made here gets no writes unless the source
   * has accepted it.
   */
  readonly isFollowed?: boolean;
}

interface Indexed {
  readonly index: number;
  readonly dump: DumpRecord;
}

/**
 * Groups records by key, in ascending order of revision. Of duplicates of a revision the one with the later
 * `last_modified` counts, regardless of order; at the same time the later line.
 */
function groupByKey(records: readonly DumpRecord[], plan: Plan): Indexed[][] {
  const groups = new Map<string, Map<number, Indexed>>();
  for (const [index, dump] of records.entries()) {
    const group = groups.get(dump.key) ?? new Map<number, Indexed>();
    const other = group.get(dump.revision);
    if (other !== undefined) plan[other.dump.document === dump.document ? "unchanged" : "kept"] += 1;
    const isOlder = other !== undefined && other.dump.lastModified > dump.lastModified;
    groups.set(dump.key, isOlder ? group : group.set(dump.revision, { index, dump }));
  }
  return [...groups.values()].map((group) =>
    [...group.values()].sort((a, b) => a.dump.revision - b.dump.revision),
  );
}

function planKey(
  group: readonly Indexed[],
  { plan, state, ids, prefix, isLog, isFollowed }: PlanOptions & { plan: Plan; state: StoredState },
): void {
  const newest = group.at(-1)?.dump;
  if (newest === undefined) return;
  const stored = state.get(stateKeyOf(newest.key, newest.revision));
  const id = stored?.id ?? idOfKey(newest.key, prefix) ?? ids.get(newest.key);
  if (id === undefined) throw new Error(`no number was reserved for ${newest.key}`);
  const common = { id, expected: stored?.latest ?? 0, expectedChange: stored?.latestChange ?? 0 };
  raiseSequence(plan.sequences, newest.key, prefix);
  for (const { index, dump } of group) {
    const before = state.get(stateKeyOf(dump.key, dump.revision));
    const compared = isLog === true ? "new" : compareRevision(dump, before?.revision);
    const outcome = isFollowed === true ? adjustFollowed(compared, dump, before) : compared;
    if (outcome === "unchanged" || outcome === "kept") plan[outcome] += 1;
    else if (outcome === "edited") {
      const values = { revision: dump.revision, key: dump.key };
      plan.refused.push({ index, reason: { key: "dump_line.edited", values } });
    } else {
      const isKnown = before?.revision !== undefined;
      const place = placeOf(dump.revision, { isKnown, expected: common.expected, newest: newest.revision });
      plan.writes.push({
        ...common,
        place,
        ...revisionOf(dump, { place, before: before?.latestRecord, prefix }),
      });
    }
  }
}

/** Compares a revision with the stored one of the same number, if there is one. */
function compareRevision(
  dump: DumpRecord,
  revision: StoredRecord["revision"],
): "new" | "unchanged" | "kept" | "edited" {
  if (revision === undefined) return "new";
  if (revision.document === dump.document) return "unchanged";
  if (!revision.loaded) return "edited";
  return revision.lastModified > dump.lastModified ? "kept" : "new";
}

/** Adjusts a comparison for a revision as shown by a source service. */
function adjustFollowed(
  compared: ReturnType<typeof compareRevision>,
  { lastModified }: DumpRecord,
  before: StoredRecord | undefined,
): ReturnType<typeof compareRevision> {
  if (before === undefined || compared === "unchanged") return compared;
  if (!before.isLoaded) return "edited";
  return before.revision?.lastModified === lastModified ? "unchanged" : compared;
}

function placeOf(
  revision: number,
  { isKnown, expected, newest }: { isKnown: boolean; expected: number; newest: number },
): RevisionWrite["place"] {
  // A stored latest revision that the batch supersedes is corrected in the history, where it ends up.
  if (isKnown) return revision === newest && newest === expected ? "replace-latest" : "replace-history";
  if (revision < newest || revision < expected) return "history";
  return expected === 0 ? "new-record" : "new-latest";
}

function revisionOf(
  { record, ...dump }: DumpRecord,
  { place, before, prefix }: Pick<RevisionWrite, "place"> & { before?: CatalogRecord; prefix: string },
) {
  if (place === "history" || place === "replace-history") {
    return { ...dump, isSameType: false, flags: 0, added: NO_INDEX_ROWS, removed: NO_INDEX_ROWS };
  }
  const removed = before === undefined ? NO_INDEX_ROWS : indexRowsOf(before, prefix);
  const isSameType = before !== undefined && typeKeyOf(before) === dump.type;
  return { ...dump, isSameType, flags: flagsOf(record), added: indexRowsOf(record, prefix), removed };
}
