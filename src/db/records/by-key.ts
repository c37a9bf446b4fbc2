import { latestRecord, olderText, parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { Database } from "../statement.ts";
import { readRecord, readRecords, readRevision } from "./read.ts";
import type { RecordRow } from "./rows.ts";

/** Text that names a revision, if only one that cannot exist. */
export const WHOLE_NUMBER = /^-?\d+$/;

/**
 * The revision asked for; the latest where none, or none that is a number, was asked for. Undefined when it
 * does not exist.
 */
export function revisionOf(
  database: Database,
  key: string,
  revision: string | undefined,
): Promise<RecordRow | undefined> {
  // Q20: 0 and words are no revision, so the latest is meant.
  const isNumber = revision !== undefined && WHOLE_NUMBER.test(revision) && Number(revision) !== 0;
  return isNumber ? readRevision(database, key, Number(revision)) : readRecord(database, key);
}

/** A revision as readers get it. */
export function viewOf(row: RecordRow): CatalogRecord {
  return row.revision === row.latest ? latestRecord(row) : parseDocument(olderText(row.document));
}

/** Records in the order of their keys, as an object; those that do not exist are left out. */
export async function recordsByKey(
  database: Database,
  keys: readonly string[],
): Promise<Record<string, CatalogRecord>> {
  const rows = await readRecords(database, keys);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const found = keys.flatMap((key) => byKey.get(key) ?? []);
  return Object.fromEntries(found.map((row) => [row.key, latestRecord(row)]));
}
