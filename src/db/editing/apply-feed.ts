import { type DumpRecord, parseDumpLine } from "../../catalog/dumps/read-line.ts";
import { type CatalogRecord, isObject, typeKey } from "../../catalog/record.ts";
import { readChanges, readLastChange } from "../history/changes.ts";
import { readFeed } from "../history/feed.ts";
import type { ChangeRow } from "../history/rows.ts";
import { type Database, run } from "../statement.ts";
import { BusyError, commitChange, untilCommitted } from "./commit.ts";
import { planFor } from "./load.ts";
import { type ChangeEntry, shownKeys } from "./revisions.ts";

/** A change of another service's log, as its feed gives it. */
export interface AppliedChange extends Omit<ChangeEntry, "id" | "ip"> {
  readonly id: number;
  readonly documents: readonly CatalogRecord[];
}

/** The log here is not the beginning of the other one, or the other one cannot be read. */
export class FeedError extends Error {}

/**
 * Stores a part of another service's log as it is: numbers, times, authors and documents. Idempotent; changes that
 * are here already are passed over. Each change is one transaction, so what was interrupted goes on with the next.
 * `since` is the last change before the part: a log that ends earlier would get a gap. Returns the last change here
 * (`end`), how many were stored and how many known, and `keys` of records that answers show differently now. Throws
 * `FeedError` when the two logs differ.
 */
export async function applyFeed(
  database: Database,
  changes: readonly AppliedChange[],
  { prefix, since }: { readonly prefix: string; readonly since: number },
) {
  let end = await readLastChange(database);
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

/** Stores one change, again and again while others write the same records. Returns what it shows. */
async function applyChange(database: Database, change: AppliedChange, prefix: string): Promise<string[]> {
  const records = change.documents.map((document) => revisionOf(document, change.id));
  const { documents: _documents, ...entry } = change;
  const keys = await untilCommitted(async () => {
    const { writes, sequences } = await planFor(database, records, { prefix, isLog: true });
    const id = await commitChange(database, { entry: { ...entry, ip: null }, writes, sequences });
    if (id === "conflict") {
      if ((await readLastChange(database)) < change.id) return id;
      // Another mirror has stored it meanwhile, or somebody has written here.
      await assertSame(database, change);
    }
    return writes.flatMap(shownKeys);
  });
  if (keys === undefined) throw new BusyError();
  return keys;
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
  await run(database, { sql, values: [id, kind, author, comment, Number(bot), created] });
}

async function hasSameDocuments(database: Database, change: AppliedChange): Promise<boolean> {
  const { changes } = await readFeed(database, change.id - 1, { changes: 1, documents: 0, bytes: 0 });
  const here = changes[0]?.documents ?? [];
  const there = change.documents.map((document) => JSON.stringify(document));
  return here.length === there.length && here.every(({ document }, index) => document === there[index]);
}

const SAME = ["kind", "author", "comment", "created", "changes", "data"] as const;

function isSame(here: ChangeRow, there: AppliedChange): boolean {
  return (here.bot === 1) === there.bot && SAME.every((name) => here[name] === there[name]);
}
