import { english } from "../../catalog/texts.ts";
import { type DumpRecord, parseDumpLine } from "../../catalog/dumps/parse-dump-line.ts";
import { type CatalogRecord, isObject, typeKeyOf } from "../../catalog/record.ts";
import { type ChangeRow, readChanges, readLastChange } from "../history/changes.ts";
import { readChangeFeed } from "../history/feed.ts";
import { advanceStatement } from "../indexing/log.ts";
import { LIST_MERGES } from "../redirects.ts";
import { type Database, run } from "../statement.ts";
import { BusyError, commitChange, retryUntilCommitted } from "./commit.ts";
import { planRecords } from "./load-records.ts";
import { type ChangeEntry, affectedKeysOf } from "./revisions.ts";
import { TextError } from "../../catalog/texts.ts";

export interface AppliedChange extends Omit<ChangeEntry, "id" | "ip"> {
  readonly id: number;
  readonly documents: readonly CatalogRecord[];
}

/** Error thrown if the local log is not a prefix of the source's log, or the source's log cannot be read. */
export class FeedError extends TextError {}

/**
 * Stores a part of a source service's log unchanged: numbers, times, authors and documents. Idempotent: changes that
 * are here already are skipped. Each change is one transaction, so an interrupted run continues with the next change.
 * `since` is the last change before the part: a shorter local log would get a gap. Returns the last local change
 * (`end`), the numbers of stored and known changes, and the `keys` of records whose responses change. Throws
 * `FeedError` if the two logs differ.
 */
export async function applyFeed(
  database: Database,
  changes: readonly AppliedChange[],
  { prefix, since }: { prefix: string; since: number },
) {
  let end = await readLastChange(database);
  if (since > end) throw new FeedError("conflict.feed_gap", { end, since });
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

/**
 * Stores one change, and retries on conflicts with other writers. Returns the keys of records whose responses change.
 */
async function applyChange(database: Database, change: AppliedChange, prefix: string): Promise<string[]> {
  const records = change.documents.map((document) => revisionOf(document, change.id));
  const { documents: _documents, ...entry } = change;
  const keys = await retryUntilCommitted(async () => {
    const { writes, sequences } = await planRecords(database, records, { prefix, isLog: true });
    // The source rewrites its lists after a merge itself, in a later change.
    const also = [advanceStatement([[LIST_MERGES, change.id]])];
    const id = await commitChange(database, { entry: { ...entry, ip: null }, writes, sequences, also });
    if (id === "conflict") {
      if ((await readLastChange(database)) < change.id) return id;
      // Another mirror stored it in the meantime, or a client edited the catalog here.
      await assertSame(database, change);
    }
    return writes.flatMap(affectedKeysOf);
  });
  if (keys === undefined) throw new BusyError();
  return keys;
}

function revisionOf(document: CatalogRecord, change: number): DumpRecord {
  const { key, revision, last_modified: modified } = document;
  const time = isObject(modified) ? modified["value"] : undefined;
  const text = JSON.stringify(document);
  const parsed = parseDumpLine([typeKeyOf(document), key, revision, time, text].join("\t"));
  const values = { change, key: String(key) };
  if ("reason" in parsed)
    throw new FeedError("conflict.feed_record", { ...values, problem: english(parsed.reason) });
  if (parsed.document !== text) throw new FeedError("conflict.feed_document", values);
  return parsed;
}

/** Throws FeedError unless the local log has the same change under the same number. */
async function assertSame(database: Database, change: AppliedChange): Promise<void> {
  const [here] = await readChanges(database, { id: change.id }, { limit: 1, offset: 0 });
  if (here === undefined) throw new FeedError("conflict.feed_missing", { change: change.id });
  if (isSame(here, change)) return;
  const isLoad = here.changes === null && change.changes === null;
  if (!isLoad || !(await hasSameDocuments(database, change))) {
    throw new FeedError("conflict.feed_other", { change: change.id });
  }
  // Q133: two services that loaded the same dump did so at different times.
  const { id, kind, author, comment, bot, created } = change;
  const sql = "UPDATE change SET kind = ?2, author = ?3, comment = ?4, bot = ?5, created = ?6 WHERE id = ?1";
  await run(database, { sql, values: [id, kind, author, comment, Number(bot), created] });
}

async function hasSameDocuments(database: Database, change: AppliedChange): Promise<boolean> {
  const { changes } = await readChangeFeed(database, change.id - 1, { changes: 1, documents: 0, bytes: 0 });
  const here = changes[0]?.documents ?? [];
  const there = change.documents.map((document) => JSON.stringify(document));
  return here.length === there.length && here.every(({ document }, index) => document === there[index]);
}

const SAME = ["kind", "author", "comment", "created", "changes", "data"] as const;

function isSame(here: ChangeRow, there: AppliedChange): boolean {
  return (here.bot === 1) === there.bot && SAME.every((name) => here[name] === there[name]);
}
