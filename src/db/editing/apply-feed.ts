import { type DumpRecord, parseDumpLine } from "../../catalog/dumps/read-line.ts";
import { type CatalogRecord, isObject, typeKey } from "../../catalog/record.ts";
import { type ChangeRow, readChanges } from "../history/changes.ts";
import { readFeed } from "../history/feed.ts";
import { type Database, firstValue, rows } from "../statement.ts";
import { commitChange } from "./commit.ts";
import { BusyError, LOAD_ATTEMPTS, LOAD_WAIT_MS } from "./load.ts";
import { reserveNumbers } from "./numbers.ts";
import { type Plan, keysWithoutId, planLoad, readStored } from "./plan-load.ts";
import { shownKeys } from "./revisions.ts";

/** A change of another service's log, as its feed gives it. */
export interface AppliedChange {
  readonly id: number;
  readonly kind: string;
  readonly author: string | null;
  readonly comment: string | null;
  readonly bot: boolean;
  /** Naive UTC time with six fraction digits. */
  readonly created: string;
  /** `[{key, revision}]` as JSON text, in order of saving; null for a load of a dump. */
  readonly changes: string | null;
  /** JSON object as text. */
  readonly data: string;
  readonly documents: readonly CatalogRecord[];
}

/** What became of a part of a log. */
interface Applied {
  /** Number of the last change here. */
  readonly end: number;
  readonly stored: number;
  /** Changes that were here already. */
  readonly known: number;
  /** Keys of records that answers show differently now. */
  readonly keys: ReadonlySet<string>;
}

/** The log here is not the beginning of the other one, or the other one cannot be read. */
export class FeedError extends Error {}

interface ApplyOptions {
  readonly prefix: string;
  /** Number of the last change before the part: a log that ends earlier would get a gap. */
  readonly since: number;
}

/**
 * Stores a part of another service's log as it is: numbers, times, authors and documents. Idempotent; changes that
 * are here already are passed over. Each change is one transaction, so what was interrupted goes on with the next.
 * Throws `FeedError` when the two logs differ.
 */
export async function applyFeed(
  database: Database,
  changes: readonly AppliedChange[],
  { prefix, since }: ApplyOptions,
): Promise<Applied> {
  let end = await lastChange(database);
  if (since > end) throw new FeedError(`the log here ends with change ${end}, before ${since}`);
  const keys = new Set<string>();
  let stored = 0;
  for (const change of changes) {
    if (change.id <= end) await assertSame(database, change);
    else {
      for (const key of await applyChange(database, change, prefix)) keys.add(key);
      stored += 1;
      end = change.id;
    }
  }
  return { end, stored, known: changes.length - stored, keys };
}

async function lastChange(database: Database): Promise<number> {
  const sql = "SELECT coalesce(max(id), 0) AS id FROM change";
  return (await firstValue<number>(database, { sql, values: [] })) ?? 0;
}

/** Stores one change, again and again while others write the same records. Returns what it shows. */
async function applyChange(database: Database, change: AppliedChange, prefix: string): Promise<string[]> {
  const records = change.documents.map((document) => revisionOf(document, change.id));
  const pairs = records.map(({ key, revision }) => [key, revision] as const);
  for (let attempt = 1; attempt <= LOAD_ATTEMPTS; attempt += 1) {
    const state = await readStored(database, pairs);
    const numbered = keysWithoutId(records, state, prefix);
    const firstNumber = await reserveNumbers(database, "record", numbered.length);
    const plan = planLoad(records, state, { prefix, numbered, firstNumber, isLog: true });
    const { writes, sequences } = plan;
    const { documents: _documents, ...entry } = change;
    const id = await commitChange(database, { entry: { ...entry, ip: null }, writes, sequences });
    if (id !== "conflict") return shown(plan);
    if ((await lastChange(database)) >= change.id) {
      // Another mirror has stored it meanwhile, or somebody has written here.
      await assertSame(database, change);
      return shown(plan);
    }
    await scheduler.wait(attempt * LOAD_WAIT_MS);
  }
  throw new BusyError("other writers changed the same records at every attempt");
}

function shown({ writes }: Plan): string[] {
  return writes.flatMap((write) => shownKeys(write.key, write));
}

/** The revision that a document is. What is stored has its envelope, so nothing is added to it or changed. */
function revisionOf(document: CatalogRecord, change: number): DumpRecord {
  const { key, revision, last_modified: modified } = document;
  const time = isObject(modified) ? modified["value"] : undefined;
  const text = JSON.stringify(document);
  const parsed = parseDumpLine([typeKey(document), key, revision, time, text].join("\t"));
  if ("reason" in parsed) throw new FeedError(`change ${change}, ${String(key)}: ${parsed.reason}`);
  if (parsed.document !== text) throw new FeedError(`change ${change}, ${String(key)}: not as it is stored`);
  return parsed;
}

/** Throws unless the log here has the same change under the same number. */
async function assertSame(database: Database, change: AppliedChange): Promise<void> {
  const [here] = await readChanges(database, { id: change.id }, { limit: 1, offset: 0 });
  if (here === undefined) throw new FeedError(`the log here has no change ${change.id}`);
  if (isSame(here, change)) return;
  const isLoad = here.changes === null && change.changes === null;
  if (!isLoad || !(await hasSameDocuments(database, change))) {
    throw new FeedError(`the log here has another change ${change.id}`);
  }
  // Q133: two services that were filled with the same catalog have loaded it at two times.
  const { id, kind, author, comment, bot, created } = change;
  const sql = "UPDATE change SET kind = ?2, author = ?3, comment = ?4, bot = ?5, created = ?6 WHERE id = ?1";
  await rows(database, { sql, values: [id, kind, author, comment, Number(bot), created] });
}

async function hasSameDocuments(database: Database, change: AppliedChange): Promise<boolean> {
  const { changes } = await readFeed(database, change.id - 1, { changes: 1, documents: 0, bytes: 0 });
  const here = changes[0]?.documents ?? [];
  const there = change.documents.map((document) => JSON.stringify(document));
  return here.length === there.length && here.every(({ document }, index) => document === there[index]);
}

function isSame(here: ChangeRow, there: AppliedChange): boolean {
  return (
    here.kind === there.kind &&
    here.author === there.author &&
    here.comment === there.comment &&
    (here.bot === 1) === there.bot &&
    here.created === there.created &&
    here.changes === there.changes &&
    here.data === there.data
  );
}
