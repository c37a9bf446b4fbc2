import { indexRowsOf } from "../../../src/catalog/index-rows.ts";
import { query } from "./desk.ts";

interface Revision {
  readonly id: number;
  readonly key: string;
  readonly revision: number;
  readonly change: number;
  readonly document: Record<string, unknown>;
}

/** Lists inconsistencies of the catalog. Concurrent writes must cause none. */
export async function catalogFaults(): Promise<string[]> {
  const revisions = await allRevisions();
  return [
    ...gaps(revisions),
    ...wrongEnvelopes(revisions),
    ...(await wrongLog(revisions)),
    ...(await wrongIndex()),
    ...(await namedGhosts()),
  ];
}

async function allRevisions(): Promise<Revision[]> {
  const rows = await query(
    `SELECT id, key, revision, change_id AS change, document FROM record
     UNION ALL SELECT v.record_id, r.key, v.revision, v.change_id, v.document
     FROM revision v JOIN record r ON r.id = v.record_id ORDER BY 1, 3`,
  );
  return rows.map((row) => ({
    ...(row as object as Revision),
    document: JSON.parse(String(row["document"])),
  }));
}

function gaps(revisions: readonly Revision[]): string[] {
  const byKey = Map.groupBy(revisions, ({ key }) => key);
  return [...byKey].flatMap(([key, list]) =>
    list.every(({ revision }, index) => revision === index + 1) ? [] : [`revisions of ${key} have gaps`],
  );
}

function wrongEnvelopes(revisions: readonly Revision[]): string[] {
  return revisions.flatMap(({ key, revision, document }) =>
    document["key"] === key && document["revision"] === revision && document["latest_revision"] === revision
      ? []
      : [`envelope of ${key} ${revision}`],
  );
}

/** Every revision stands in the log, in ascending order for each record, and nothing else does. */
async function wrongLog(revisions: readonly Revision[]): Promise<string[]> {
  const changes = await query("SELECT id, created, changes FROM change ORDER BY id");
  const faults = changes.flatMap(({ id, created }, index) =>
    String(changes[index - 1]?.["created"] ?? "") > String(created)
      ? [`change ${String(id)} is older than the one before`]
      : [],
  );
  const stored = new Map(revisions.map(({ key, revision, change }) => [`${key} ${revision}`, change]));
  for (const { id, changes: text } of changes) {
    if (text === null) continue;
    for (const { key, revision } of JSON.parse(String(text))) {
      if (stored.get(`${key} ${revision}`) !== id)
        faults.push(`${key} ${revision} is not of change ${String(id)}`);
      stored.delete(`${key} ${revision}`);
    }
  }
  const loads = new Set(changes.flatMap(({ id, changes: text }) => (text === null ? [id] : [])));
  for (const [name, change] of stored) if (!loads.has(change)) faults.push(`${name} is not in the log`);
  // A load may correct records of another load, but not later edits.
  const edited = revisions.filter(({ change }) => !loads.has(change));
  for (const list of Map.groupBy(edited, ({ key }) => key).values()) {
    if (list.some(({ change }, index) => index > 0 && change < list[index - 1]!.change)) {
      faults.push(`changes of ${list[0]!.key} are out of order`);
    }
  }
  return faults;
}

async function wrongIndex(): Promise<string[]> {
  const records = await query("SELECT id, document FROM record");
  const wanted = records.flatMap(({ id, document }) =>
    indexRowsOf(JSON.parse(String(document)), "OL").properties.map(
      ({ name, value }) => `${String(id)} ${name} ${value}`,
    ),
  );
  const rows = await query("SELECT record_id || ' ' || name || ' ' || value AS row FROM property");
  const found = rows.map(({ row }) => String(row));
  return wanted.toSorted().join("\n") === found.toSorted().join("\n")
    ? []
    : ["index rows differ from the documents"];
}

/** Former authors that records still name. */
async function namedGhosts(): Promise<string[]> {
  const rows = await query(
    `SELECT DISTINCT a.key FROM record a JOIN property p ON p.value = a.key
     WHERE a.key LIKE '/authors/%' AND a.type <> '/type/author' AND p.name IN ('authors', 'authors.author')`,
  );
  return rows.map(({ key }) => `${String(key)} is named and is no author`);
}
