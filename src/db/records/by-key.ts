import { latestRecord, olderText, parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { Database } from "../statement.ts";
import { readRecord, readRecords, readRevision } from "./read.ts";
import type { RecordRow } from "./rows.ts";

/** Pattern of a text that names a revision, even one that cannot exist. */
export const WHOLE_NUMBER = /^-?\d+$/;

/**
 * Reads a revision. Reads the latest if none, or none that is a number, is given. Returns undefined if it does not
 * exist.
 */
export function revisionOf(
  database: Database,
  key: string,
  revision: string | undefined,
): Promise<RecordRow | undefined> {
  // Q20: 0 and words are not revisions, so the latest is used.
  const isNumber = revision !== undefined && WHOLE_NUMBER.test(revision) && Number(revision) !== 0;
  return isNumber ? readRevision(database, key, Number(revision)) : readRecord(database, key);
}

/** Returns a revision as readers see it. */
export function viewOf(row: RecordRow): CatalogRecord {
  return row.revision === row.latest ? latestRecord(row) : parseDocument(olderText(row.document));
}

/** Reads records as an object in the order of the keys, without those that do not exist. */
export async function recordsByKey(
  database: Database,
  keys: readonly string[],
): Promise<Record<string, CatalogRecord>> {
  const rows = await readRecords(database, keys);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const found = keys.flatMap((key) => byKey.get(key) ?? []);
  return Object.fromEntries(found.map((row) => [row.key, latestRecord(row)]));
}
