import { latestRecordOf, parseDocument, toReadView } from "../../catalog/document.ts";
import type { BibKey } from "../../catalog/lookup/bibkey.ts";
import { type CatalogRecord, REDIRECT_HOPS_MAX } from "../../catalog/record.ts";
import { findEditions } from "../../db/records/identifiers.ts";
import { readRecords, readRevisions } from "../../db/records/records.ts";
import { type RecordRow, wholeRows } from "../../db/records/record-rows.ts";
import { locationOf } from "../../db/records/related.ts";
import type { Database } from "../../db/statement.ts";

export interface EditionMatch {
  readonly key: BibKey;
  readonly edition: CatalogRecord;
  readonly revision: { readonly key: string; readonly revision: number };
}

/**
 * Finds the editions of bib keys, in their order; keys without an edition are left out. One statement, one more per hop
 * of a redirected edition, and one if revisions are requested.
 */
export async function findByBibKeys(database: Database, keys: readonly BibKey[]): Promise<EditionMatch[]> {
  const identifiers = keys.map(({ kind, value }) =>
    kind === "olid" ? { kind: "key", value: `/books/${value}` } : { kind: KINDS[kind] ?? kind, value },
  );
  if (identifiers.length === 0) return [];
  const rows = await wholeRows<RecordRow & { position: number }>(database, findEditions(identifiers));
  const byPosition = new Map<number, RecordRow>(rows.map((row) => [row.position, row]));
  await followRedirects(database, byPosition);
  await replaceRevisions(database, keys, byPosition);
  return keys.flatMap((key, position) => {
    const row = byPosition.get(position);
    return row === undefined || row.type !== "/type/edition" ? [] : [toEditionMatch(key, row)];
  });
}

const KINDS: Partial<Record<BibKey["kind"], string>> = { asin: "amazon" };

async function followRedirects(database: Database, byPosition: Map<number, RecordRow>) {
  for (let hop = 0; hop < REDIRECT_HOPS_MAX; hop += 1) {
    const redirects = [...byPosition].filter(([, row]) => row.type === "/type/redirect");
    if (redirects.length === 0) return;
    const locations = redirects.map(([position, row]) => ({ position, key: locationOf(row) ?? "" }));
    const targets = await readRecords(
      database,
      locations.map(({ key }) => key),
    );
    const byKey = new Map(targets.map((row) => [row.key, row]));
    for (const { position, key } of locations) {
      const target = byKey.get(key);
      if (target === undefined) byPosition.delete(position);
      else byPosition.set(position, target);
    }
  }
}

/** Replaces the latest revision by the requested one (`OL1M@2`); keys of unknown revisions find nothing. */
async function replaceRevisions(
  database: Database,
  keys: readonly BibKey[],
  byPosition: Map<number, RecordRow>,
): Promise<void> {
  const requests = keys.flatMap(({ revision }, position) => {
    const row = byPosition.get(position);
    return revision === undefined || row === undefined ? [] : [{ position, key: row.key, revision }];
  });
  if (requests.length === 0) return;
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
}

function toEditionMatch(key: BibKey, row: RecordRow): EditionMatch {
  const isLatest = row.revision === row.latest;
  const edition = isLatest ? latestRecordOf(row) : toReadView(parseDocument(row.document));
  return { key, edition, revision: { key: row.key, revision: row.revision } };
}
