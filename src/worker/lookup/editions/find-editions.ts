import { latestRecordOf, parseDocument, toReadView } from "../../../catalog/document.ts";
import type { Identifier } from "../../../catalog/identifiers/edition-identifiers.ts";
import type { BibKey } from "../../../catalog/lookup/bibkey.ts";
import type { CatalogRecord } from "../../../catalog/record.ts";
import { findEditions } from "../../../db/records/identifiers.ts";
import { readRecords, readRevisions } from "../../../db/records/records.ts";
import type { ReadRow } from "../../../db/records/record-rows.ts";
import { readTargets } from "../../../db/redirects.ts";
import type { Database } from "../../../db/statement.ts";

export interface EditionMatch {
  readonly key: BibKey;
  readonly edition: CatalogRecord;
  readonly revision: { readonly key: string; readonly revision: number };
}

interface FoundEditions {
  readonly matches: readonly EditionMatch[];
  /** Rows for `readRelated`. */
  readonly related: readonly ReadRow[];
}

/**
 * Finds the editions of bib keys, in their order; keys without an edition are left out. One statement, two more if there
 * are merged editions, and one if revisions are requested. `withRelated`: reads the records related to them, too, but not
 * in these two cases.
 */
export async function findByBibKeys(
  database: Database,
  keys: readonly BibKey[],
  { withRelated = false }: { withRelated?: boolean } = {},
): Promise<FoundEditions> {
  const identifiers = identifiersOfKeys(keys);
  if (identifiers.length === 0) return { matches: [], related: [] };
  const { editions, related } = await findEditions(database, identifiers, { withRelated });
  const isMerged = await followRedirects(database, editions);
  const isOlder = await replaceRevisions(database, keys, editions);
  const matches = keys.flatMap((key, position) => {
    const row = editions.get(position);
    return row === undefined || row.type !== "/type/edition" ? [] : [toEditionMatch(key, row)];
  });
  return { matches, related: isMerged || isOlder ? [] : related };
}

/** Returns the identifiers of bib keys, and the kind `key` for numbers of records. */
export function identifiersOfKeys(keys: readonly BibKey[]): Identifier[] {
  return keys.map(({ kind, value }) =>
    kind === "olid" ? { kind: "key", value: `/books/${value}` } : { kind: KINDS[kind] ?? kind, value },
  );
}

const KINDS: Partial<Record<BibKey["kind"], string>> = { asin: "amazon" };

/** Replaces merged editions by their targets; those that lead to none are left out. Returns true if there are any. */
async function followRedirects(database: Database, byPosition: Map<number, ReadRow>): Promise<boolean> {
  const redirects = [...byPosition].filter(([, { type }]) => type === "/type/redirect");
  if (redirects.length === 0) return false;
  const targets = await readTargets(
    database,
    redirects.map(([, { key }]) => key),
  );
  const rows = await readRecords(database, [...targets.values()]);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (const [position, { key }] of redirects) {
    const target = byKey.get(targets.get(key) ?? "");
    if (target === undefined) byPosition.delete(position);
    else byPosition.set(position, target);
  }
  return true;
}

/**
 * Replaces the latest revision by the requested one (`OL1M@2`); keys of unknown revisions find nothing. Returns true if any
 * is requested.
 */
async function replaceRevisions(
  database: Database,
  keys: readonly BibKey[],
  byPosition: Map<number, ReadRow>,
): Promise<boolean> {
  const requests = keys.flatMap(({ revision }, position) => {
    const row = byPosition.get(position);
    return revision === undefined || row === undefined ? [] : [{ position, key: row.key, revision }];
  });
  if (requests.length === 0) return false;
  const revisions = await readRevisions(
    database,
    requests.map(({ key, revision }) => [key, revision]),
  );
  const byName = new Map(revisions.map((row) => [`${row.key}@${row.revision}`, row]));
  for (const { position, key, revision } of requests) {
    const row = byName.get(`${key}@${revision}`);
    if (row === undefined) byPosition.delete(position);
    else byPosition.set(position, row);
  }
  return true;
}

function toEditionMatch(key: BibKey, row: ReadRow): EditionMatch {
  const isLatest = row.revision === row.latest;
  const edition = isLatest ? latestRecordOf(row) : toReadView(parseDocument(row.document));
  return { key, edition, revision: { key: row.key, revision: row.revision } };
}
